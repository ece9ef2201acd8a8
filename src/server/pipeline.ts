import type { NewPlant } from '../spec/types.js';
import { reasonOf } from '../toolkit-error.js';
import { isPreflight, preflight, withCors } from './cors.js';
import { Rejection } from './error-codes.js';
import type { Watchers } from './events.js';
import {
  type Eventually,
  type IncomingRequest,
  type OutgoingResponse,
  type Pipeline,
  whenSettled,
} from './exchange.js';
import { type Failure, type FailureStatus, storesPlant } from './failures/failure.js';
import type { FailureQueue } from './failures/failure-queue.js';
import { failureResponse } from './failures/failure-response.js';
import type { Fault } from './faults/names.js';
import type { Settings } from './options.js';
import { appliedOf, type Preferences, preferencesOf } from './preferences.js';
import { correctSteps } from './steps.js';
import type { Outcome, PlantMap, ReceivedLog, ReceivedRequest } from './store.js';
import type { TokenRedactor } from './token.js';

/** What a pipeline works on. */
export interface PipelineParts {
  readonly settings: Settings;
  readonly plants: PlantMap;
  readonly received: ReceivedLog;
  readonly redactor: TokenRedactor;
  readonly failures: FailureQueue;
  readonly watchers: Watchers;
}

/** Joins the steps, with the faults in place, to one function that also keeps the log. */
export function createPipeline(
  { settings, plants, received, redactor, failures, watchers }: PipelineParts,
  faults: readonly Fault[],
): Pipeline {
  let steps = correctSteps(settings, plants);
  /** For whoever is given exchanges: some responses get further header fields after they are recorded. */
  const outcomes = new WeakMap<IncomingRequest, Outcome>();
  for (const fault of faults) steps = { ...steps, ...fault.replace(steps, { settings, plants }) };

  function respondTo(request: IncomingRequest): Eventually<OutgoingResponse> {
    if (settings.cors !== false && isPreflight(request)) {
      return record(request, preflight(request, settings.cors));
    }
    if (request.malformed !== undefined)
      return finish(request, new Rejection('malformed-http', request.malformed));
    const elsewhere = steps.route(request);
    if (elsewhere !== undefined) return finish(request, elsewhere);
    return whenSettled(steps.authenticate(request), (rejection) => {
      if (rejection !== undefined) return finish(request, rejection);
      const preferences = preferencesOf(request);
      return preferences === undefined ? authorized(request) : preferred(request, preferences);
    });
  }

  function authorized(request: IncomingRequest): Eventually<OutgoingResponse> {
    const plant = steps.checkMediaType(request) ?? plantOf(request);
    if (plant instanceof Rejection) return finish(request, plant);
    const failure = failures.isEmpty ? undefined : failures.take(plant, request);
    return failure === undefined
      ? whenSettled(steps.create(plant, request), (created) => finish(request, created))
      : fail(request, plant, failure);
  }

  function plantOf(request: IncomingRequest): NewPlant | Rejection {
    const value = steps.readBody(request);
    return value instanceof Rejection ? value : steps.validate(value, request);
  }

  function preferred(request: IncomingRequest, preferences: Preferences): Eventually<OutgoingResponse> {
    const { code: status, wait = 0 } = preferences;
    const responded = status === undefined ? authorized(request) : preferredFailure(request, status);
    return whenSettled(responded, (response) => ({
      ...response,
      headers: [...response.headers, 'preference-applied', appliedOf(preferences)],
      delayMs: (response.delayMs ?? 0) + wait * 1_000,
    }));
  }

  function preferredFailure(request: IncomingRequest, status: FailureStatus): OutgoingResponse {
    const message = `the request asked for a ${status} with Prefer: code=${status}`;
    const response = failureResponse({ status, message }, settings, 'failure-preferred');
    return deliver(request, response, message);
  }

  function fail(request: IncomingRequest, plant: NewPlant, failure: Failure): Eventually<OutgoingResponse> {
    const created = storesPlant(failure) ? steps.create(plant, request) : plant;
    return whenSettled(created, (result) => {
      const { status, connection, delayMs, bytesPerSecond } = failure;
      const isRejection = status === undefined && result instanceof Rejection;
      const response =
        status === undefined
          ? responseTo(request, result)
          : failureResponse({ ...failure, status }, settings);
      const sent = {
        ...response,
        ...(connection !== undefined && { delivery: connection }),
        ...(delayMs !== undefined && { delayMs }),
        ...(bytesPerSecond !== undefined && { bytesPerSecond }),
      };
      return deliver(request, sent, isRejection ? result.message : undefined, failure);
    });
  }

  function finish(request: IncomingRequest, result: NewPlant | Rejection): OutgoingResponse {
    const why = result instanceof Rejection ? result.message : undefined;
    return deliver(request, responseTo(request, result), why);
  }

  function responseTo(request: IncomingRequest, result: NewPlant | Rejection): OutgoingResponse {
    return result instanceof Rejection ? steps.reject(result, request) : steps.render(result, request);
  }

  function deliver(
    request: IncomingRequest,
    plain: OutgoingResponse,
    why: string | undefined,
    failure?: Failure,
  ): OutgoingResponse {
    const response = settings.cors === false ? plain : withCors(plain, request, settings.cors);
    return record(request, steps.deliver(response, request), why, failure);
  }

  function record(
    request: IncomingRequest,
    response: OutgoingResponse,
    rejection?: string,
    failure?: Failure,
  ): OutgoingResponse {
    const outcome = { status: statusSent(response), rejection, failure };
    received.add(request, outcome);
    if (watchers.onExchange !== undefined) outcomes.set(request, outcome);
    if (watchers.isWatched) watchers.tell({ type: 'request', request: received.showLast(request, outcome) });
    watchers.onRequest?.(received.line(request, outcome));
    if (settings.logger !== undefined) log(settings.logger, received.show(request, outcome));
    const { delayMs } = settings;
    return delayMs === 0 ? response : { ...response, delayMs: delayMs + (response.delayMs ?? 0) };
  }

  function failed(request: IncomingRequest, cause: unknown): OutgoingResponse {
    // A function of the user failed, and its message may contain the token.
    const message = redactor.forRequest(request.headers)(reasonOf(cause));
    return finish(request, new Rejection('internal-error', `the server failed: ${message}`));
  }

  function respond(request: IncomingRequest): Eventually<OutgoingResponse> {
    try {
      const response = respondTo(request);
      return response instanceof Promise ? response.catch((cause) => failed(request, cause)) : response;
    } catch (cause) {
      return failed(request, cause);
    }
  }

  return (request) => {
    const response = respond(request);
    if (watchers.onExchange === undefined) return response;
    return whenSettled(response, (sent) => {
      watchers.onExchange?.(request, sent, outcomes.get(request));
      return sent;
    });
  };
}

/** The status that the client receives; 0 for none. */
function statusSent({ status, delivery }: OutgoingResponse): number {
  return delivery === 'hang' || delivery === 'reset' || delivery === 'reset-in-head' ? 0 : status;
}

/** A logger that throws must not change the response. */
function log(logger: (entry: ReceivedRequest) => void, entry: ReceivedRequest): void {
  try {
    logger(entry);
  } catch (cause) {
    process.emitWarning(`the logger of the plant store threw: ${String(cause)}`);
  }
}
