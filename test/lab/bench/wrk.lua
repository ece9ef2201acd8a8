-- Creations with ids that no other has, for wrk: every thread of every run counts from an id of its own.
local next_id = 0
local seed = 20000000000

function setup(thread)
  thread:set('first', seed)
  seed = seed + 1000000000
end

function init()
  next_id = first
end

function request()
  next_id = next_id + 1
  local body = string.format('{"name":"Aloe","id":%.0f,"tag":"succulent"}', next_id)
  return wrk.format('POST', '/plants', {
    ['Authorization'] = 'Bearer bench-token',
    ['Content-Type'] = 'application/json',
  }, body)
end

function done(summary, _, _)
  local errors = summary.errors
  local failed = errors.connect + errors.read + errors.write + errors.status + errors.timeout
  io.write(string.format('RESULT %d %d %d\n', summary.requests, summary.duration, failed))
end
