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
import { validateResponse } from '../../validation/response.js';
import type { Violation } from '../../validation/violation.js';
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
  readonly timeoutMs?: number;
  /** Sends a request. Default: the global `fetch` at the time of the request. */
  readonly fetch?: (request: Request) => Promise<Response>;
  /** Additional header fields, such as a trace id. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Options of one call. */
export interface CallOptions {
  /** Aborts the call, which then rejects with the reason of the signal. */
  readonly signal?: AbortSignal;
}

/** A client of one plant store. */
export interface PlantClient {
  /**
   * Creates a plant: `POST {baseUrl}/plants` (interface: Endpoints, "Create plant"). The plant is sent unchanged; the
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
 * @throws ToolkitError `invalid-option`, naming the option
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
  const { token, timeoutMs = 5_000 } = options;
  if (token === undefined)
    throw invalidOption(
      'the option "token" is missing; pass a token, a function, or null for no Authorization header',
    );
  if (!Number.isInteger(timeoutMs) || timeoutMs < 1 || timeoutMs > MOST_TIMEOUT)
    throw invalidOption(`the option "timeoutMs" must be an integer from 1 to ${MOST_TIMEOUT}`);
  const fields = additionalHeaders(options.headers);
  const send = options.fetch ?? ((request) => globalThis.fetch(request));
  return {
    async createPlant(newPlant, { signal } = {}) {
      const body = bodyOf(newPlant);
      return await withDeadline(timeoutMs, signal, async (stopped) => {
        const secret = token === null ? undefined : await tokenOf(token);
        stopped.throwIfAborted();
        const headers = new Headers(fields);
        headers.set('content-type', 'application/json');
        if (secret !== undefined) headers.set('authorization', `Bearer ${secret}`);
        // The interface documents no redirect, and following one could send the plant elsewhere.
        const given = {
          method: operation.method,
          headers,
          body,
          redirect: 'manual',
          signal: stopped,
        } as const;
        return plantIn(await responseTo(new Request(url, given), send), secret);
      });
    },
  };
}

const MOST_TIMEOUT = 2 ** 31 - 1;

/** The client sends these itself. */
const OWN_HEADERS = ['authorization', 'content-type'];

function additionalHeaders(given: Readonly<Record<string, string>> = {}): Headers {
  let headers: Headers;
  try {
    headers = new Headers(given);
  } catch {
    // Without a cause, because its message quotes the value, which may be a secret.
    throw invalidOption('the option "headers" has a field that cannot be sent');
  }
  for (const name of OWN_HEADERS) {
    if (headers.has(name))
      throw invalidOption(`the option "headers" must not contain ${name}; the client sends it`);
  }
  return headers;
}

/** @throws ToolkitError `invalid-option`, naming the field, if JSON cannot represent its value exactly */
function bodyOf(newPlant: NewPlant): string {
  try {
    return writeJson(newPlant);
  } catch (cause) {
    const field = Object.keys(newPlant ?? {}).find((key) => !isWritable(newPlant[key as keyof NewPlant]));
    const part = field === undefined ? 'the plant' : `the plant's "${field}"`;
    throw invalidOption(`${part} cannot be sent: ${reasonOf(cause)}`, { cause });
  }
}

function isWritable(value: NewPlant[keyof NewPlant]): boolean {
  try {
    writeJson({ value });
    return true;
  } catch {
    return false;
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
  const violations = violationsIn(response).map((violation) => ({
    ...violation,
    message: redactor.message(violation.message),
    actual: redactor.message(violation.actual),
  }));
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

/** The client is tolerant: it ignores further fields, and accepts an Error with any status of 400 or above. */
function violationsIn(response: ReceivedResponse): Violation[] {
  const status = Math.min(response.status, 400);
  return validateResponse({ ...response, status }).filter(
    ({ keyword }) => keyword !== 'additionalProperties',
  );
}

/**
 * Does some work with a time limit. After the limit, or if `outer` aborts, the result of the work is ignored.
 *
 * @param timeoutMs the limit in milliseconds
 * @param outer may abort the work before the limit
 * @param work receives a signal that aborts
 * @throws a `TimeoutError`, like that of `AbortSignal.timeout`, or the reason of `outer`
 */
async function withDeadline<T>(
  timeoutMs: number,
  outer: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  outer?.throwIfAborted();
  // `AbortSignal.timeout` and `AbortSignal.any` would keep a timer and listeners until the limit.
  const controller = new AbortController();
  const { signal } = controller;
  let stop = (_reason: unknown): void => {};
  const stopped = new Promise<never>((_resolve, reject) => {
    stop = (reason) => {
      reject(reason);
      controller.abort(reason);
    };
  });
  const onAbort = (): void => stop(outer?.reason);
  outer?.addEventListener('abort', onAbort, { once: true });
  const timer = setTimeout(
    () => stop(new DOMException(`timeout: no complete response within ${timeoutMs} ms`, 'TimeoutError')),
    timeoutMs,
  );
  try {
    return await Promise.race([stopped, work(signal)]);
  } finally {
    clearTimeout(timer);
    outer?.removeEventListener('abort', onAbort);
  }
}
