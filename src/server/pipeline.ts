import type { NewPlant } from '../spec/types.js';
import { reasonOf } from '../toolkit-error.js';
import { isPreflight, preflight, withCors } from './cors.js';
import { Rejection } from './error-codes.js';
import {
  type Eventually,
  type IncomingRequest,
  type OutgoingResponse,
  type Pipeline,
  whenSettled,
} from './exchange.js';
import type { Fault } from './faults/names.js';
import type { Settings } from './options.js';
import { correctSteps } from './steps.js';
import type { PlantMap, ReceivedLog, ReceivedRequest } from './store.js';
import type { TokenRedactor } from './token.js';

/** Joins the steps, with the faults in place, to one function that also keeps the log. */
export function createPipeline(
  settings: Settings,
  plants: PlantMap,
  received: ReceivedLog,
  redactor: TokenRedactor,
  faults: readonly Fault[],
): Pipeline {
  let steps = correctSteps(settings, plants);
  for (const fault of faults) steps = { ...steps, ...fault.replace(steps, { settings, plants }) };

  function respondTo(request: IncomingRequest): Eventually<OutgoingResponse> {
    if (settings.cors !== false && isPreflight(request)) {
      return record(request, preflight(request, settings.cors), undefined);
    }
    if (request.malformed !== undefined)
      return finish(request, new Rejection('malformed-http', request.malformed));
    const elsewhere = steps.limitRate(request) ?? steps.route(request);
    if (elsewhere !== undefined) return finish(request, elsewhere);
    return whenSettled(steps.authenticate(request), (rejection) => authenticated(request, rejection));
  }

  function authenticated(
    request: IncomingRequest,
    rejection: Rejection | undefined,
  ): Eventually<OutgoingResponse> {
    const plant = rejection ?? steps.prefer(request) ?? steps.checkMediaType(request) ?? plantOf(request);
    if (plant instanceof Rejection) return finish(request, plant);
    return whenSettled(steps.create(plant, request), (created) => finish(request, created));
  }

  function plantOf(request: IncomingRequest): NewPlant | Rejection {
    const value = steps.readBody(request);
    return value instanceof Rejection ? value : steps.validate(value, request);
  }

  function finish(request: IncomingRequest, result: NewPlant | Rejection): OutgoingResponse {
    const isRejection = result instanceof Rejection;
    const plain = isRejection ? steps.reject(result, request) : steps.render(result, request);
    const response = settings.cors === false ? plain : withCors(plain, request, settings.cors);
    return record(request, steps.deliver(response, request), isRejection ? result.message : undefined);
  }

  function record(
    request: IncomingRequest,
    response: OutgoingResponse,
    why: string | undefined,
  ): OutgoingResponse {
    received.add(request, response.status, why);
    if (settings.logger !== undefined) log(settings.logger, received.show(request, response.status, why));
    return response;
  }

  function failed(request: IncomingRequest, cause: unknown): OutgoingResponse {
    // A function of the user failed, and its message may contain the token.
    const message = redactor.forRequest(request.headers)(reasonOf(cause));
    return finish(request, new Rejection('internal-error', `the server failed: ${message}`));
  }

  const pipeline: Pipeline = (request) => {
    try {
      const response = respondTo(request);
      return response instanceof Promise ? response.catch((cause) => failed(request, cause)) : response;
    } catch (cause) {
      return failed(request, cause);
    }
  };
  return withDelay(pipeline, settings.delayMs);
}

function withDelay(pipeline: Pipeline, milliseconds: number): Pipeline {
  if (milliseconds === 0) return pipeline;
  return async (request) => {
    // Loading node:timers/promises would take a millisecond of every start.
    const delay = new Promise((resolve) => setTimeout(resolve, milliseconds));
    const [response] = await Promise.all([pipeline(request), delay]);
    return response;
  };
}

/** A logger that throws must not change the response. */
function log(logger: (entry: ReceivedRequest) => void, entry: ReceivedRequest): void {
  try {
    logger(entry);
  } catch (cause) {
    process.emitWarning(`the logger of the plant store threw: ${String(cause)}`);
  }
}
