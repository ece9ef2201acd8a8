import { type Agent, type IncomingHttpHeaders, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import {
  type ErrorName,
  errorCodes,
  type ListenOptions,
  type RunningPlantStore,
  startPlantStore,
} from 'plant-store-contract/server';
import { afterAll, beforeEach, expect } from 'vitest';

/** The token that the stores of these tests accept. */
export const TOKEN = 'right-Token.of~the_store+1/2==';

/** How a request differs from a plain creation. */
export interface Sent {
  readonly method?: string;
  /** The request target. */
  readonly path?: string;
  /** Added to those of a plain creation, or replacing them; `undefined` omits one, a list sends several. */
  readonly headers?: Readonly<Record<string, string | string[] | undefined>>;
  readonly body?: string | Uint8Array;
  /** Without one, each request has its own connection. */
  readonly agent?: Agent;
  /** Aborts the request. */
  readonly signal?: AbortSignal;
}

/** A response. */
export interface ReceivedResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  readonly text: string;
}

/** A plant as the text of a body; ids beyond 2^53 keep their digits. */
export function plant(id: number | bigint, name = 'Aloe', tag?: string): string {
  const texts = JSON.stringify({ name, tag });
  return `${texts.slice(0, -1)},"id":${id}}`;
}

/** Sends one request over HTTP and returns the response. */
export function send(url: string, sent: Sent = {}): Promise<ReceivedResponse> {
  const { method = 'POST', path = '/plants', body = method === 'POST' ? plant(7) : undefined } = sent;
  const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json', ...sent.headers };
  const defined = Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== undefined));
  return new Promise((resolve, reject) => {
    const { agent = false, signal } = sent;
    const outgoing = request(url, { method, path, headers: defined, agent, ...(signal && { signal }) });
    outgoing.on('error', reject);
    outgoing.on('response', (incoming) => {
      const { statusCode: status = 0, headers } = incoming;
      buffer(incoming).then((body) => resolve({ status, headers, body, text: body.toString() }), reject);
    });
    outgoing.end(body);
  });
}

/** Starts one store for the tests of a file. It is empty before each of them. */
export async function sharedStore(options: ListenOptions = {}): Promise<RunningPlantStore> {
  const store = await startPlantStore({ token: TOKEN, ...options });
  beforeEach(() => store.reset());
  afterAll(() => store.close());
  return store;
}

/** A creation for `fetch`, changed by a case. */
export function creation(base = 'http://localhost', init: RequestInit & { path?: string } = {}): Request {
  const { path = '/plants', headers, ...rest } = init;
  const usual = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' };
  return new Request(`${base}${path}`, {
    method: 'POST',
    body: rest.method === undefined ? plant(7) : null,
    ...rest,
    headers: { ...usual, ...(headers as Record<string, string>) },
  });
}

/** A logger, and a promise for its nth call, after which the responses are sent. */
export function countingLogger(times: number): {
  readonly logger: () => void;
  readonly reached: Promise<void>;
} {
  let calls = 0;
  let done = (): void => {};
  const reached = new Promise<void>((resolve) => {
    done = resolve;
  });
  return { logger: () => ++calls === times && setImmediate(done), reached };
}

/** A rejection for comparison. */
export interface SeenRejection {
  readonly status: number;
  /** The name of its code in `errorCodes`. */
  readonly name: ErrorName | undefined;
  readonly message: string;
}

/** Reads a rejection, which must be an Error as `application/json`. */
export function rejection(response: {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly text: string;
}): SeenRejection {
  expect(response.headers['content-type'], response.text).toBe('application/json');
  const body = JSON.parse(response.text);
  expect(Object.keys(body)).toEqual(['error', 'message']);
  expect(body.error).toSatisfy(Number.isInteger);
  expect(body.message).toMatch(/\w+ \w+/);
  const [name] = Object.entries(errorCodes).find(([, code]) => code === body.error) ?? [];
  return { status: response.status, name: name as ErrorName | undefined, message: body.message };
}
