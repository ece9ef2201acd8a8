import type { NewPlant } from '../spec/types.js';
import { reasonOf } from '../toolkit-error.js';
import { isPreflight, preflight, withCors } from './cors.js';
import { Rejection } from './error-codes.js';
import {
  andThen,
  type Delivery,
  deliveryOf,
  type IncomingRequest,
  type MaybePromise,
  type OutgoingResponse,
  type Pipeline,
} from './exchange.js';
import { type Failure, storesPlant } from './failures/failure.js';
import type { FailureQueue } from './failures/failure-queue.js';
import { failureResponse, type PreferredFailure, preferredFailure } from './failures/failure-response.js';
import type { Fault } from './faults/names.js';
import type { Settings } from './options.js';
import { correctSteps } from './steps.js';
import type { NumberedRequest, PlantMap, ReceivedLog, ReceivedRequest } from './store.js';
import type { TokenRedactor } from './token.js';

/** What a pipeline works on. */
interface PipelineParts {
  readonly settings: Settings;
  readonly plants: PlantMap;
  readonly received: ReceivedLog;
  readonly redactor: TokenRedactor;
  readonly failures: FailureQueue;
  readonly listeners: ReadonlySet<(request: NumberedRequest) => void>;
}

/** Joins the steps, with the faults in place, to one function that also keeps the log. */
export function createPipeline(
  { settings, plants, received, redactor, failures, listeners }: PipelineParts,
  faults: readonly Fault[],
): Pipeline {
  let steps = correctSteps(settings, plants);
  for (const fault of faults) steps = { ...steps, ...fault.replace(steps, { settings, plants }) };

  function respondTo(request: IncomingRequest): MaybePromise<Answer> {
    if (settings.cors !== false && isPreflight(request))
      return { response: preflight(request, settings.cors) };
    if (request.malformed !== undefined)
      return finish(request, new Rejection('malformed-http', request.malformed));
    const elsewhere = steps.route(request);
    if (elsewhere !== undefined) return finish(request, elsewhere);
    return andThen(steps.authenticate(request), (rejection) => {
      if (rejection !== undefined) return finish(request, rejection);
      const preferred = preferredFailure(request.headers);
      return preferred === undefined ? authorized(request) : prefer(request, preferred);
    });
  }

  /** A failure that the request asks for comes before its body is read, and delays any response. */
  function prefer(request: IncomingRequest, { failure, applied }: PreferredFailure): MaybePromise<Answer> {
    const { status, delayMs = 0 } = failure;
    const answered =
      status === undefined
        ? authorized(request)
        : {
            response: deliver(
              request,
              failureResponse({ ...failure, status }, settings, 'failure-preferred'),
            ),
          };
    return andThen<Answer, Answer>(answered, ({ response, ...why }) => ({
      failure,
      ...why,
      response: {
        ...response,
        headers: [...response.headers, 'preference-applied', applied],
        delayMs: (response.delayMs ?? 0) + delayMs,
      },
    }));
  }

  function authorized(request: IncomingRequest): MaybePromise<Answer> {
    const plant = steps.checkMediaType(request) ?? plantOf(request);
    if (plant instanceof Rejection) return finish(request, plant);
    const failure = failures.isEmpty ? undefined : failures.take(plant, request);
    return failure === undefined
      ? andThen(steps.create(plant, request), (created) => finish(request, created))
      : fail(request, plant, failure);
  }

  function plantOf(request: IncomingRequest): NewPlant | Rejection {
    const value = steps.readBody(request);
    return value instanceof Rejection ? value : steps.validate(value, request);
  }

  function fail(request: IncomingRequest, plant: NewPlant, failure: Failure): MaybePromise<Answer> {
    const created = storesPlant(failure) ? steps.create(plant, request) : plant;
    return andThen(created, (result) => {
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
      const why = isRejection ? { failure, rejection: result.message } : { failure };
      return { ...why, response: deliver(request, sent) };
    });
  }

  function finish(request: IncomingRequest, result: NewPlant | Rejection): Answer {
    const response = deliver(request, responseTo(request, result));
    return result instanceof Rejection ? { response, rejection: result.message } : { response };
  }

  function responseTo(request: IncomingRequest, result: NewPlant | Rejection): OutgoingResponse {
    return result instanceof Rejection ? steps.reject(result, request) : steps.render(result, request);
  }

  function deliver(request: IncomingRequest, plain: OutgoingResponse): OutgoingResponse {
    return steps.deliver(settings.cors === false ? plain : withCors(plain, request, settings.cors), request);
  }

  function failed(request: IncomingRequest, cause: unknown): Answer {
    // A function of the user failed, and its message may contain the token.
    const message = redactor.forRequest(request.headers)(reasonOf(cause));
    return finish(request, new Rejection('internal-error', `the server failed: ${message}`));
  }

  function respond(request: IncomingRequest): MaybePromise<Answer> {
    try {
      const answer = respondTo(request);
      return answer instanceof Promise ? answer.catch((cause) => failed(request, cause)) : answer;
    } catch (cause) {
      return failed(request, cause);
    }
  }

  function record(request: IncomingRequest, { response, rejection, failure }: Answer): Delivery {
    const plan = deliveryOf(response, request.method);
    const delivery = settings.delayMs === 0 ? plan : { ...plan, delayMs: plan.delayMs + settings.delayMs };
    const outcome = { status: plan.head === 'whole' ? plan.status : 0, rejection, failure };
    received.add(request, outcome);
    if (listeners.size > 0) {
      const shown = received.showLast(request, outcome);
      for (const listener of listeners) listener(shown);
    }
    if (settings.logger !== undefined) log(settings.logger, received.show(request, outcome));
    return delivery;
  }

  return (request) => andThen(respond(request), (answer) => record(request, answer));
}

/** A response, and why it is no success. */
interface Answer {
  readonly response: OutgoingResponse;
  readonly rejection?: string;
  readonly failure?: Failure;
}

/** A logger that throws must not change the response. */
function log(logger: (entry: ReceivedRequest) => void, entry: ReceivedRequest): void {
  try {
    logger(entry);
  } catch (cause) {
    process.emitWarning(`the logger of the plant store threw: ${String(cause)}`);
  }
}
