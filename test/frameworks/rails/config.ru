require 'action_controller/railtie'
require 'active_model/railtie'

class PlantStore < Rails::Application
  config.eager_load = true
  config.api_only = true
  config.logger = Logger.new(nil)
  config.secret_key_base = 'a' * 64
  config.hosts.clear
  routes.append { post '/plants', to: 'plants#create' }
end

class Plant
  include ActiveModel::Model
  attr_accessor :name, :id, :tag

  validates :name, presence: true
  validates :id, presence: true, numericality: { only_integer: true }
end

class PlantsController < ActionController::API
  include ActionController::HttpAuthentication::Token::ControllerMethods
  before_action { authenticate_or_request_with_http_token { |token, _| token == ENV.fetch('TOKEN') } }

  def create
    plant = Plant.new(params.permit(:name, :id, :tag))
    if plant.valid?
      render json: { name: plant.name, tag: plant.tag }.compact
    else
      render json: plant.errors, status: :unprocessable_entity
    end
  end
end

ENV['RAILS_ENV'] = 'production'
PlantStore.initialize!
run PlantStore
