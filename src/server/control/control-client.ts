import { isHttpUrl } from '../../http/address.js';
import type { NewPlant } from '../../spec/types.js';
import { invalidOption, reasonOf, ToolkitError } from '../../toolkit-error.js';
import { readJson, type WritableJson, writeJson } from '../../validation/json.js';
import { isObject, type JsonObject, type JsonValue } from '../../validation/json-value.js';
import type { NumberedRequest, StoreEvent } from '../events.js';
import type { Failure, SetFailure } from '../failures/failure.js';
import type { FaultName } from '../faults/names.js';
import type { RuntimeOptions } from '../options.js';
import { readEvents, requestFrom, storeEventFrom } from './wire.js';

/** Options of {@link createControlClient}. */
export interface ControlClientOptions {
  /** The URL of the control interface. `serve --control-port` prints it. */
  readonly url: string | URL;
  /** The token of the control interface, if it has one. */
  readonly token?: string;
  /** How long a call may take, in milliseconds, apart from `waitMs`; default 30,000. */
  readonly timeoutMs?: number;
}

/** Timers take no more. */
const LONGEST_MS = 2 ** 30;

/** Which received requests. All that is given must match. */
export interface RequestFilter {
  /** The name of the plant in the body. */
  readonly name?: string;
  /** The id of the plant in the body. */
  readonly id?: number | bigint | string;
  /** The status of the response; 0 if there was none. */
  readonly status?: number;
  readonly method?: string;
  readonly path?: string;
  /** A header field: `X-Test: a`. */
  readonly header?: string;
  /** Only requests with a higher number. */
  readonly after?: number;
}

/** How long to wait for how many requests. */
export interface RequestWait {
  /** Default 1. */
  readonly count?: number;
  /** Up to 60,000. */
  readonly waitMs?: number;
}

/** A fault that can be set. */
export interface KnownFault {
  readonly name: FaultName;
  /** What the server does wrong, as a sentence. */
  readonly title: string;
  /** The ids of the rules that it breaks. */
  readonly breaks: readonly string[];
}

/**
 * Controls a running reference server from another process. Every method throws a ToolkitError: `invalid-option` if the
 * control interface rejects the call, with its sentence; `cannot-connect` if there is no response that can be read.
 */
export interface ControlClient {
  /** The stored plants, with exact ids. */
  plants(): Promise<NewPlant[]>;
  seed(...plants: readonly NewPlant[]): Promise<void>;
  removePlants(): Promise<void>;
  /** The received requests that match, oldest first. With `waitMs`, waits until there are enough of them. */
  requests(filter?: RequestFilter & RequestWait): Promise<NumberedRequest[]>;
  removeRequests(): Promise<void>;
  /** Makes the next valid creation fail, or a number of them. */
  next(failure: SetFailure): Promise<void>;
  next(times: number, failure: SetFailure): Promise<void>;
  /** Makes every valid creation fail. */
  always(failure: SetFailure): Promise<void>;
  /** Removes all failures. */
  clear(): Promise<void>;
  /** The failures that no request met. */
  unused(): Promise<Failure[]>;
  faults(): Promise<FaultName[]>;
  /** Every fault, with what the server does wrong and the rules that it breaks. */
  knownFaults(): Promise<KnownFault[]>;
  /** Replaces the faults that are set. */
  setFaults(...names: readonly FaultName[]): Promise<void>;
  options(): Promise<RuntimeOptions>;
  /** Changes options, and keeps the others. */
  change(options: RuntimeOptions): Promise<void>;
  /** As at the start: no requests, and the plants, failures, faults and options of then. */
  reset(): Promise<void>;
  /** Whether the server accepts requests. It does not throw. */
  isReady(): Promise<boolean>;
  /** Everything that happens from now on, until `signal` aborts or the server ends. */
  events(signal?: AbortSignal): AsyncGenerator<StoreEvent>;
}

/**
 * Creates a client of the control interface of `plant-store serve --control-port`.
 *
 * @throws ToolkitError `invalid-option`, naming the option
 * @example
 * import { createControlClient } from 'plant-store-contract/control';
 *
 * const control = createControlClient({ url: 'http://127.0.0.1:4020' });
 * if (await control.isReady()) {
 *   await control.seed({ name: 'Fern', id: 9007199254740993n });
 *   await control.next({ status: 503 });
 * }
 */
export function createControlClient({ url, token, timeoutMs = 30_000 }: ControlClientOptions): ControlClient {
  if (!isHttpUrl(String(url))) throw invalidOption('the option "url" must begin with http:// or https://');
  if (!(timeoutMs > 0 && timeoutMs <= LONGEST_MS))
    throw invalidOption(`the option "timeoutMs" must be more than 0, and ${LONGEST_MS} at most`);
  const base = String(url).replace(/\/+$/, '');
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };

  const unreachable = (why: string, cause: unknown): ToolkitError =>
    new ToolkitError('cannot-connect', `the control interface at ${base} ${why}`, { cause });

  /** @param read what to do with the response, within the same time */
  async function send<T>(
    path: string,
    init: RequestInit,
    read: (response: Response) => Promise<T>,
  ): Promise<T> {
    try {
      const all = { ...headers, ...init.headers };
      return await read(await fetch(base + path, { ...init, redirect: 'error', headers: all }));
    } catch (cause) {
      const isLate = cause instanceof Error && cause.name === 'TimeoutError';
      if (isLate) throw unreachable(`did not respond within ${timeoutMs} ms`, cause);
      if (init.signal?.aborted === true) throw init.signal.reason;
      throw unreachable(`cannot be reached: ${reasonOf(cause)}`, cause);
    }
  }

  async function call(
    method: string,
    path: string,
    { body, waitMs = 0 }: { readonly body?: object; readonly waitMs?: number } = {},
  ): Promise<JsonValue> {
    const json =
      body === undefined ? {} : { body: textOf(body), headers: { 'content-type': 'application/json' } };
    // The control interface rejects any other wait.
    const wait = waitMs > 0 && waitMs <= LONGEST_MS ? waitMs : 0;
    const signal = AbortSignal.timeout(timeoutMs + wait);
    const [response, bytes] = await send(path, { method, signal, ...json }, async (response) => [
      response,
      new Uint8Array(await response.arrayBuffer()),
    ]);
    if (response.status === 204) return null;
    const read = readJson(bytes);
    if (!response.ok) throw invalidOption(rejectionIn(read.ok ? read.value : null, response.status));
    if (!read.ok) throw new ToolkitError('cannot-connect', `${base} sent no JSON: ${read.message}`);
    return read.value;
  }

  const listAt = async <T>(path: string, waitMs?: number): Promise<T[]> =>
    (await call('GET', path, waitMs === undefined ? {} : { waitMs })) as T[];
  const done = async (method: string, path: string, body?: object): Promise<void> =>
    void (await call(method, path, body === undefined ? {} : { body }));

  return {
    plants: () => listAt('/plants'),
    seed: (...plants) => done('POST', '/plants', plants),
    removePlants: () => done('DELETE', '/plants'),
    async requests({ waitMs, ...filter } = {}) {
      const query = new URLSearchParams(waitMs === undefined ? {} : { wait: `${waitMs}ms` });
      for (const [name, value] of Object.entries(filter))
        if (value !== undefined) query.set(name, String(value));
      return (await listAt<JsonObject>(`/requests?${query}`, waitMs)).map(requestFrom);
    },
    removeRequests: () => done('DELETE', '/requests'),
    next: (...given: [object] | [number, object]) => {
      const [times, failure] = given.length === 1 ? [1, given[0]] : given;
      return done('POST', '/failures', { ...failure, times });
    },
    always: (failure) => done('POST', '/failures', failure),
    clear: () => done('DELETE', '/failures'),
    unused: () => listAt('/failures/unused'),
    faults: () => listAt('/faults'),
    knownFaults: () => listAt('/faults/known'),
    setFaults: (...names) => done('PUT', '/faults', names),
    options: async () => (await call('GET', '/options')) as RuntimeOptions,
    change: (options) => done('PATCH', '/options', options),
    reset: () => done('POST', '/reset'),
    async isReady() {
      const signal = AbortSignal.timeout(timeoutMs);
      return await send('/ready', { signal }, async ({ ok }) => ok).catch(() => false);
    },
    async *events(signal): AsyncGenerator<StoreEvent> {
      const response = await send('/events', signal === undefined ? {} : { signal }, async (it) => it);
      if (!response.ok)
        throw invalidOption(rejectionIn((await response.json()) as JsonValue, response.status));
      for await (const sent of readEvents(response, signal)) {
        const event = storeEventFrom(sent);
        if (event !== undefined) yield event;
      }
    },
  };
}

function textOf(body: object): string {
  try {
    return writeJson(body as WritableJson);
  } catch (cause) {
    throw invalidOption(`this cannot be sent: ${reasonOf(cause)}`, { cause });
  }
}

function rejectionIn(value: JsonValue, status: number): string {
  return isObject(value) && typeof value.message === 'string'
    ? value.message
    : `the control interface responded with ${status}`;
}
