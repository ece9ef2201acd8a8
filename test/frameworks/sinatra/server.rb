require 'json'
require 'sinatra/base'

class PlantStore < Sinatra::Base
  set :bind, '127.0.0.1'
  set :port, ENV.fetch('PORT')
  set :server, 'puma'
  set :environment, :production
  PLANTS = []

  before do
    halt 401, 'Unauthorized' unless request.env['HTTP_AUTHORIZATION'] == "Bearer #{ENV.fetch('TOKEN')}"
  end

  post '/plants' do
    begin
      data = JSON.parse(request.body.read)
    rescue JSON::ParserError
      halt 400, 'invalid JSON'
    end
    halt 422, 'name and id are required' unless data['name'].is_a?(String) && data['id'].is_a?(Integer)
    halt 422, 'tag must be a string' unless data.fetch('tag', '').is_a?(String)
    PLANTS << data
    content_type :json
    data.slice('name', 'tag').to_json
  end

  run!
end
