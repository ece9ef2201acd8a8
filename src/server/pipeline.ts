import type { EventEmitter } from 'node:events';
import type { NewPlant } from '../spec/types.js';
import { reasonOf } from '../toolkit-error.js';
import { isPreflight, preflight, withCors } from './cors.js';
import { Rejection } from './error-codes.js';
import { deliveryOf, type IncomingRequest, type OutgoingResponse, type Pipeline } from './exchange.js';
import { type Failure, storesPlant } from './failures/failure.js';
import type { FailureQueue } from './failures/failure-queue.js';
import { failureResponse, preferredFailure } from './failures/failure-response.js';
import type { Fault } from './faults/names.js';
import type { Settings } from './options.js';
import { correctSteps } from './steps.js';
import type { PlantMap, ReceivedLog, ReceivedRequest } from './store.js';
import type { TokenRedactor } from './token.js';

/** What a pipeline works on. */
interface PipelineParts {
  readonly settings: Settings;
  readonly plants: PlantMap;
  readonly received: ReceivedLog;
  readonly redactor: TokenRedactor;
  readonly failures: FailureQueue;
  readonly events: EventEmitter<{ received: [ReceivedRequest] }>;
}

/** A response, and why it is no success. */
interface Answer {
  readonly response: OutgoingResponse;
  readonly rejection?: string;
  readonly failure?: Failure;
}

/** Joins the steps, with the faults in place, to one function that also keeps the log. */
export function createPipeline(
  { settings, plants, received, redactor, failures, events }: PipelineParts,
  faults: readonly Fault[],
): Pipeline {
  let steps = correctSteps(settings, plants);
  for (const fault of faults) steps = { ...steps, ...fault.replace(steps, { settings, plants }) };

  async function respondTo(request: IncomingRequest): Promise<Answer> {
    if (settings.cors && isPreflight(request)) return { response: preflight(request) };
    if (request.malformed !== undefined)
      return finish(request, new Rejection('malformed-http', request.malformed));
    const rejection = steps.route(request) ?? (await steps.authenticate(request));
    return rejection === undefined ? await authorized(request) : finish(request, rejection);
  }

  async function authorized(request: IncomingRequest): Promise<Answer> {
    const plant = steps.checkMediaType(request) ?? plantOf(request);
    if (plant instanceof Rejection) return finish(request, plant);
    const failure = preferredFailure(request.headers) ?? failures.take(plant, request);
    return failure === undefined
      ? finish(request, await steps.create(plant, request))
      : await fail(request, plant, failure);
  }

  function plantOf(request: IncomingRequest): NewPlant | Rejection {
    const value = steps.readBody(request);
    return value instanceof Rejection ? value : steps.validate(value, request);
  }

  async function fail(request: IncomingRequest, plant: NewPlant, failure: Failure): Promise<Answer> {
    const { status, connection, delayMs = 0 } = failure;
    const result = storesPlant(failure) ? await steps.create(plant, request) : plant;
    const isRejection = status === undefined && result instanceof Rejection;
    const response =
      status === undefined ? responseTo(request, result) : failureResponse({ ...failure, status }, settings);
    const sent = { ...response, delayMs, ...(connection !== undefined && { delivery: connection }) };
    const why = isRejection ? { failure, rejection: result.message } : { failure };
    return { ...why, response: deliver(request, sent) };
  }

  function finish(request: IncomingRequest, result: NewPlant | Rejection): Answer {
    const response = deliver(request, responseTo(request, result));
    return result instanceof Rejection ? { response, rejection: result.message } : { response };
  }

  function responseTo(request: IncomingRequest, result: NewPlant | Rejection): OutgoingResponse {
    return result instanceof Rejection ? steps.reject(result, request) : steps.render(result, request);
  }

  function deliver(request: IncomingRequest, plain: OutgoingResponse): OutgoingResponse {
    return steps.deliver(settings.cors ? withCors(plain) : plain, request);
  }

  function failed(request: IncomingRequest, cause: unknown): Answer {
    // A function of the user failed, and its message may contain the token.
    const message = redactor.forRequest(request.headers)(reasonOf(cause));
    return finish(request, new Rejection('internal-error', `the server failed: ${message}`));
  }

  return async (request) => {
    const { response, ...why } = await respondTo(request).catch((cause) => failed(request, cause));
    await delay(settings.delayMs + (response.delayMs ?? 0), request.signal);
    const delivery = deliveryOf(response, request.method);
    const isSent = /^(?:complete|close)$/.test(delivery.end) && request.signal?.aborted !== true;
    const shown = received.add(request, { ...why, status: isSent ? delivery.status : 0 });
    if (events.listenerCount('received') > 0) events.emit('received', shown());
    if (settings.logger !== undefined) log(settings.logger, shown());
    return delivery;
  };
}

/** Waits as the user asked. It ends early if the client gives up, and it keeps no process alive. */
async function delay(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  if (milliseconds === 0 || signal?.aborted === true) return;
  await new Promise<void>((resolve) => {
    // biome-ignore lint/style/noRestrictedGlobals: the user asked for this wait, and a test may move its clock on
    const timer = setTimeout(resolve, milliseconds);
    timer.unref?.();
    signal?.addEventListener('abort', () => {
      // biome-ignore lint/style/noRestrictedGlobals: as above
      clearTimeout(timer);
      resolve();
    });
  });
}

/** A logger that throws must not change the response. */
function log(logger: (entry: ReceivedRequest) => void, entry: ReceivedRequest): void {
  try {
    logger(entry);
  } catch (cause) {
    process.emitWarning(`the logger of the plant store threw: ${String(cause)}`);
  }
}
