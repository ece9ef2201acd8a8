import type { NewPlant } from '../spec/types.js';
import type { Behaviour } from './behaviour.js';
import { isPreflight, preflight, withCors } from './cors.js';
import { Rejection } from './error-codes.js';
import type { IncomingRequest, OutgoingResponse } from './exchange.js';
import { type Failure, storesPlant } from './failures/failure.js';
import type { FailureQueue } from './failures/failure-queue.js';
import { failureResponse, preferredFailure } from './failures/failure-response.js';
import type { Entry } from './journal.js';
import type { Steps } from './steps.js';

/** The way from a request to its response, step by step. It writes into the entry of the request why it is no success. */
export class Pipeline {
  /** @param steps with the faults in place */
  constructor(
    private readonly steps: Steps,
    private readonly settings: Behaviour,
    private readonly failures: FailureQueue,
  ) {}

  async respond(request: IncomingRequest, entry: Entry): Promise<OutgoingResponse> {
    const { steps, settings } = this;
    if (settings.cors && isPreflight(request)) return preflight(request);
    if (request.malformed !== undefined)
      return this.finish(request, entry, new Rejection('malformed-http', request.malformed));
    const rejection =
      steps.route(request) ?? (await steps.authenticate(request)) ?? steps.checkMediaType(request);
    const plant = rejection ?? this.plantOf(request);
    if (plant instanceof Rejection) return this.finish(request, entry, plant);
    const failure = preferredFailure(request.headers) ?? this.failures.take(plant, request);
    return failure === undefined
      ? this.finish(request, entry, await steps.create(plant, request))
      : await this.fail(request, entry, plant, failure);
  }

  /** The response to a request for which a function of the user failed. */
  failed(request: IncomingRequest, entry: Entry, why: string): OutgoingResponse {
    return this.finish(request, entry, new Rejection('internal-error', `the server failed: ${why}`));
  }

  private plantOf(request: IncomingRequest): NewPlant | Rejection {
    const value = this.steps.readBody(request);
    return value instanceof Rejection ? value : this.steps.validate(value, request);
  }

  private async fail(
    request: IncomingRequest,
    entry: Entry,
    plant: NewPlant,
    failure: Failure,
  ): Promise<OutgoingResponse> {
    entry.failure = failure;
    const { status, connection, delayMs = 0 } = failure;
    const result = storesPlant(failure) ? await this.steps.create(plant, request) : plant;
    const response =
      status === undefined
        ? this.finish(request, entry, result)
        : this.deliver(request, failureResponse({ ...failure, status }, this.settings));
    return { ...response, delayMs, ...(connection !== undefined && { delivery: connection }) };
  }

  /** The response to a creation or a rejection. */
  private finish(request: IncomingRequest, entry: Entry, result: NewPlant | Rejection): OutgoingResponse {
    if (!(result instanceof Rejection)) return this.deliver(request, this.steps.render(result, request));
    entry.rejection = result.message;
    return this.deliver(request, this.steps.reject(result, request));
  }

  private deliver(request: IncomingRequest, response: OutgoingResponse): OutgoingResponse {
    return this.steps.deliver(this.settings.cors ? withCors(response, request) : response, request);
  }
}
