import { baseUrlOf, plantsUrlOf } from '../provider-address.js';
import type { NewPlant, Plant } from '../spec/types.js';
import { type TokenOption, tokenOf } from '../token-option.js';
import { invalidOption } from '../toolkit-error.js';
import { writeJson } from '../validation/json-writer.js';
import { type Answer, plantIn } from './answer.js';
import { withDeadline } from './deadline.js';
import { NoAnswerError } from './errors.js';

/** Options of {@link createPlantClient}. */
export interface PlantClientOptions {
  /** Where the plant store is; `/plants` is appended to the path. */
  readonly baseUrl: string | URL;
  /**
   * The token, or a function that is asked for one before each request, so that it may renew it. `null` sends no
   * Authorization header at all: a test of what a request without one gets wants that, and nothing else does.
   */
  readonly token: TokenOption | null;
  /** Milliseconds that a call may take, the token and the body of the answer included. Default 5,000. */
  readonly timeoutMs?: number;
  /** What sends a request. Default: the global `fetch`, as it is when the request is sent. */
  readonly fetch?: (request: Request) => Promise<Response>;
  /** Header fields that are sent besides, such as a trace id. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Options of one call. */
export interface CallOptions {
  /** Stops the call; it then rejects with the reason of the signal. */
  readonly signal?: AbortSignal;
}

/** A client of one plant store. */
export interface PlantClient {
  /**
   * Creates a plant: `POST {baseUrl}/plants` (interface: Endpoints, "Create plant"). The plant is sent as it is, and
   * not judged before: that is for the plant store to do.
   *
   * @param newPlant its id may be a bigint, and has to be one beyond 2^53
   * @returns the plant as the plant store gives it back, its `name` and its `tag` only
   * @throws PlantStoreError where the plant store refuses
   * @throws UnexpectedAnswerError where the answer does not keep to the interface
   * @throws NoAnswerError where no whole answer comes
   * @throws ToolkitError `invalid-option` where the plant cannot be written exactly, or no token can be had
   * @throws DOMException a `TimeoutError` after `timeoutMs`; where `signal` stops the call, its reason
   */
  createPlant(newPlant: NewPlant, options?: CallOptions): Promise<Plant>;
}

/**
 * Makes a client of a plant store.
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
  const url = plantsUrlOf(baseUrlOf(options.baseUrl));
  const { token, timeoutMs = 5_000 } = options;
  if (token === undefined)
    throw invalidOption(
      'the option "token" is missing; give a token, a function, or null for no token at all',
    );
  if (!Number.isInteger(timeoutMs) || timeoutMs < 1 || timeoutMs > MOST_TIMEOUT)
    throw invalidOption(`the option "timeoutMs" must be an integer from 1 to ${MOST_TIMEOUT}`);
  const fields = furtherHeaders(options.headers);
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
        // A redirect is no answer that the interface shows, and following one could carry the plant elsewhere.
        const request = new Request(url, {
          method: 'POST',
          headers,
          body,
          redirect: 'manual',
          signal: stopped,
        });
        return plantIn(await answerTo(request, send), secret);
      });
    },
  };
}

const MOST_TIMEOUT = 2 ** 31 - 1;

/** These the client sends itself. */
const OWN_HEADERS = ['authorization', 'content-type'];

function furtherHeaders(given: Readonly<Record<string, string>> = {}): Headers {
  let headers: Headers;
  try {
    headers = new Headers(given);
  } catch {
    // Without a cause: its message would quote the value, which may be a secret.
    throw invalidOption('the option "headers" holds a field that cannot be sent');
  }
  for (const name of OWN_HEADERS) {
    if (headers.has(name))
      throw invalidOption(`the option "headers" must not hold ${name}; the client sends it`);
  }
  return headers;
}

/** @throws ToolkitError `invalid-option`, naming the field, where a value would not reach the plant store as it is */
function bodyOf(newPlant: NewPlant): string {
  try {
    return writeJson(newPlant);
  } catch (cause) {
    const field = Object.keys(newPlant ?? {}).find((key) => !isWritable(newPlant[key as keyof NewPlant]));
    const why = cause instanceof Error ? cause.message : String(cause);
    throw invalidOption(`the plant${field === undefined ? '' : `'s "${field}"`} cannot be sent: ${why}`, {
      cause,
    });
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

async function answerTo(request: Request, send: (request: Request) => Promise<Response>): Promise<Answer> {
  try {
    const response = await send(request);
    const body = new Uint8Array(await response.arrayBuffer());
    return { status: response.status, headers: [...response.headers], body };
  } catch (cause) {
    throw new NoAnswerError(`no whole answer came from ${request.url}: ${reasonOf(cause)}`, { cause });
  }
}

/** fetch says "fetch failed", and why in the cause, which may in turn be several attempts with an empty message. */
function reasonOf(problem: unknown): string {
  if (!(problem instanceof Error)) return String(problem);
  if (problem.cause instanceof Error) return reasonOf(problem.cause);
  const { code } = problem as NodeJS.ErrnoException;
  return problem.message || code || problem.name;
}
