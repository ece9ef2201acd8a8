import { baseUrlOf } from '../../http/address.js';
import { readWithin } from '../../http/collected-bytes.js';
import { limitInWords, limits } from '../../http/limits.js';
import type { ReceivedResponse } from '../../http/route.js';
import { type TokenOption, tokenOf } from '../../http/token.js';
import { createRedactor } from '../../report/redaction.js';
import { operation, operationUrl } from '../../spec/operation.js';
import type { PlantStoreError as ErrorBody, NewPlant, Plant } from '../../spec/types.js';
import { invalidOption, reasonOf } from '../../toolkit-error.js';
import { readJson, writeJson } from '../../validation/json.js';
import { severityOfBody, validateResponse } from '../../validation/response.js';
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
  /** The time limit of a call in milliseconds, including the token and the body of the response. Default 5,000. */
  readonly timeoutMs?: number | undefined;
  /** Sends a request. Default: the global `fetch` at the time of the request. */
  readonly fetch?: ((request: Request) => Promise<Response>) | undefined;
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
 * @throws ToolkitError `invalid-option` if the base URL or the token is missing or wrong
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
    const given = { method: operation.method, headers, body, redirect: 'manual', signal } as const;
    return plantIn(await responseTo(new Request(url, given), send), secret);
  }

  return {
    async createPlant(newPlant, { signal: outer } = {}) {
      const limit = AbortSignal.timeout(timeoutMs);
      // Its listeners are not those of the signal that was given, which may serve many calls.
      const signal = outer === undefined ? limit : AbortSignal.any([outer, limit]);
      signal.throwIfAborted();
      const stopped = new Promise<never>((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason), { once: true });
      });
      // A fetch of the user, or a function for the token, may not obey the signal.
      return await Promise.race([create(newPlant, signal), stopped]);
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
  send: (request: Request) => Promise<Response>,
): Promise<ReceivedResponse> {
  try {
    const response = await send(request);
    // What arrives here is decoded already, so the limit holds for that too.
    const body = await readWithin(response.body ?? [], limits.body);
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
 * @throws PlantStoreError if the response is an Error
 * @throws UnexpectedResponseError if it is neither a Plant nor an Error
 */
function plantIn(response: ReceivedResponse, token: string | undefined): Plant {
  const { status } = response;
  const redactor = createRedactor(token === undefined ? [] : [{ value: token }]);
  const severity = severityOfBody(status);
  // The client is tolerant: it ignores further fields, and accepts an Error with any status of 400 or above.
  const violations = validateResponse({ ...response, status: Math.min(status, 400) })
    .filter(({ keyword }) => keyword !== 'additionalProperties')
    .map(({ message, actual, ...rest }) => {
      return { ...rest, severity, message: redactor.message(message), actual: redactor.message(actual) };
    });
  if (violations.length > 0) throw new UnexpectedResponseError(status, violations);
  const read = readJson(response.body);
  const value = (read.ok ? read.value : undefined) as unknown;
  if (status === 200) {
    const { name, tag } = value as Plant;
    return tag === undefined ? { name } : { name, tag };
  }
  const { error, message } = value as ErrorBody;
  throw new PlantStoreError(status, error, redactor.message(message));
}
