import { LONGEST_TIMEOUT_MS } from '../../duration.js';
import { baseUrlOf } from '../../http/address.js';
import { bodyWithin } from '../../http/fetch-body.js';
import { limitInWords, limits } from '../../http/limits.js';
import type { ReceivedResponse } from '../../http/route.js';
import { type TokenOption, tokenOf } from '../../http/token.js';
import { createRedactor } from '../../report/redaction.js';
import { operation, operationUrl } from '../../spec/operation.js';
import type { PlantStoreError as ErrorBody, NewPlant, Plant } from '../../spec/types.js';
import { checkInteger, invalidOption, reasonOf } from '../../toolkit-error.js';
import { readJson, writeJson } from '../../validation/json.js';
import { validateResponse } from '../../validation/response.js';
import { NoResponseError, PlantStoreError, UnexpectedResponseError } from './errors.js';

/** Options of {@link createPlantClient}. */
export interface PlantClientOptions {
  /** The base URL of the plant store; `/plants` is appended to its path. */
  readonly baseUrl: string | URL;
  /**
   * The token, or a function that returns one before each request, so it can renew it. `null` sends no Authorization
   * header; use that only to test a missing token.
   */
  readonly token: TokenOption | null;
  /**
   * The time limit of a call in milliseconds, including the token and the body of the response: 1 to 2,147,483,647. Default
   * 5,000.
   */
  readonly timeoutMs?: number | undefined;
  /**
   * Sends a request: `fetch` of any runtime or package. It gets a `Request`, and for packages that have a Request of their own, what
   * it was made of. Default: the global `fetch` at the time of the request.
   */
  readonly fetch?: ((request: Request, init: RequestInit) => Promise<Response>) | undefined;
  /** Additional header fields, such as a trace id. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** Options of one call. */
export interface CallOptions {
  /** Aborts the call, which then rejects with the reason of the signal. */
  readonly signal?: AbortSignal | undefined;
}

/** A client of one plant store. */
export interface PlantClient {
  /**
   * Creates a plant: `POST {baseUrl}/plants` (openapi.yaml#/paths/~1plants/post). The plant is sent unchanged; the
   * plant store validates it.
   *
   * @param newPlant beyond 2^53, its id must be a bigint
   * @returns the `name` and the `tag` that the plant store returned
   * @throws PlantStoreError if the plant store rejects the plant
   * @throws UnexpectedResponseError if the response does not conform to the interface
   * @throws NoResponseError if there is no complete response, or its body is longer than 2 MiB
   * @throws ToolkitError `invalid-option` if the plant cannot be written exactly, or the token function fails
   * @throws DOMException a `TimeoutError` after `timeoutMs`; the reason of `signal` if it aborts
   */
  createPlant(newPlant: NewPlant, options?: CallOptions): Promise<Plant>;
}

/**
 * Creates a client of a plant store.
 *
 * @throws ToolkitError `invalid-option` if the base URL, the token or the time limit is missing or wrong
 * @example
 * import assert from 'node:assert/strict';
 * import { createPlantClient } from 'plant-store-contract/client';
 * import { startPlantStore } from 'plant-store-contract/server';
 *
 * await using store = await startPlantStore();
 * const client = createPlantClient({ baseUrl: store.url, token: store.token });
 * const plant = await client.createPlant({ name: 'Aloe', id: 9223372036854775807n, tag: 'succulent' });
 * assert.deepEqual(plant, { name: 'Aloe', tag: 'succulent' });
 * assert.equal(store.plants()[0]?.id, 9223372036854775807n);
 */
export function createPlantClient(options: PlantClientOptions): PlantClient {
  const url = operationUrl(baseUrlOf(options.baseUrl));
  const { token, timeoutMs = 5_000, headers: fields = {} } = options;
  if (token === undefined)
    throw invalidOption(
      'the option "token" is missing; pass a token, a function, or null for no Authorization header',
    );
  checkInteger('the option "timeoutMs"', timeoutMs, 1, LONGEST_TIMEOUT_MS, ' ms');
  const send = options.fetch ?? ((request) => globalThis.fetch(request));

  async function create(newPlant: NewPlant, signal: AbortSignal): Promise<Plant> {
    const body = bodyOf(newPlant);
    const secret = token === null ? undefined : await tokenOf(token);
    // Nobody waits for a late token.
    signal.throwIfAborted();
    const headers = new Headers(fields);
    headers.set('content-type', 'application/json');
    if (secret !== undefined) headers.set('authorization', `Bearer ${secret}`);
    // The interface documents no redirect, and following one could send the plant elsewhere.
    // As a record, since whatwg-fetch reads no Headers but its own.
    const record = Object.fromEntries(headers);
    const init = { method: operation.method, headers: record, body, redirect: 'manual', signal } as const;
    const request = new Request(url, init);
    // node-fetch and others read what is no Request of theirs as a URL.
    Object.defineProperty(request, 'toString', { value: () => url.href });
    return plantIn(await responseTo(request, init, send), secret);
  }

  return {
    async createPlant(newPlant, { signal: outer } = {}) {
      outer?.throwIfAborted();
      const limit = AbortSignal.timeout(timeoutMs);
      const call = new AbortController();
      // A signal may serve many calls, and its own listeners are limited. Node 20 would lose the timeout in there.
      const given = outer !== undefined && 'any' in AbortSignal ? AbortSignal.any([outer]) : outer;
      const ends = given === undefined ? [limit] : [limit, given];
      const stopped = new Promise<never>((_resolve, reject) => {
        call.signal.addEventListener('abort', () => reject(call.signal.reason), { once: true });
      });
      const stop = ({ target }: Event): void => call.abort((target as AbortSignal).reason);
      for (const end of ends) end.addEventListener('abort', stop);
      try {
        // A fetch of the user, or a function for the token, may not obey the signal.
        return await Promise.race([create(newPlant, call.signal), stopped]);
      } finally {
        for (const end of ends) end.removeEventListener('abort', stop);
      }
    },
  };
}

/** @throws ToolkitError `invalid-option` if JSON cannot represent the plant exactly */
function bodyOf(newPlant: NewPlant): string {
  try {
    return writeJson(newPlant);
  } catch (cause) {
    throw invalidOption(`the plant cannot be sent: ${reasonOf(cause)}`, { cause });
  }
}

async function responseTo(
  request: Request,
  init: RequestInit,
  send: (request: Request, init: RequestInit) => Promise<Response>,
): Promise<ReceivedResponse> {
  try {
    const response = await send(request, init);
    // What arrives here is decoded already, so the limit holds for that too.
    const body = await bodyWithin(response, limits.body);
    if (body === undefined) throw new Error(`the response is longer than ${limitInWords(limits.body)}`);
    return { status: response.status, reason: response.statusText, headers: [...response.headers], body };
  } catch (cause) {
    throw new NoResponseError(`no complete response from ${request.url}: ${reasonOf(cause)}`, { cause });
  }
}

/**
 * The plant in a response: `name` and `tag` only. A newer provider may send more fields.
 *
 * @param token is redacted in all messages
 * @throws PlantStoreError if the response is a rejection that conforms to the interface
 * @throws UnexpectedResponseError if it does not conform
 */
function plantIn(response: ReceivedResponse, token: string | undefined): Plant {
  const { status } = response;
  const redactor = createRedactor(token === undefined ? [] : [{ value: token }]);
  // The client is tolerant: it ignores further fields, and accepts an Error with any status of 400 or above.
  const error = status < 400 ? undefined : errorIn(response);
  if (error !== undefined) throw new PlantStoreError(status, error.error, redactor.message(error.message));
  const violations = validateResponse(response)
    .filter(({ keyword, severity }) => keyword !== 'additionalProperties' && severity === 'error')
    .map(({ message, actual, ...rest }) => {
      return { ...rest, message: redactor.message(message), actual: redactor.message(actual) };
    });
  if (violations.length > 0) throw new UnexpectedResponseError(status, violations);
  if (status !== 200) throw new PlantStoreError(status, undefined, `the response ${status} has no Error`);
  const read = readJson(response.body);
  const { name, tag } = (read.ok ? read.value : undefined) as unknown as Plant;
  return tag === undefined ? { name } : { name, tag };
}

/** The Error in a response, if all of it is as in a 400. */
function errorIn(response: ReceivedResponse): ErrorBody | undefined {
  if (validateResponse({ ...response, status: 400 }).length > 0) return undefined;
  const read = readJson(response.body);
  return read.ok ? (read.value as unknown as ErrorBody) : undefined;
}
