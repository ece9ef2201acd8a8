import { type Fields, fieldsFrom } from '../../http/fields.js';
import { bytesIn } from '../../validation/message.js';
import {
  asSent,
  bodyOf,
  cannotBeRead,
  hasBody,
  isStream,
  isUnread,
  type ReadBody,
  readFrom,
} from './body.js';

/** What a matcher was given. `unreadable` is neither right nor wrong. */
export type Received =
  | { readonly kind: 'response'; readonly status: number; readonly headers: Fields; readonly body: unknown }
  | { readonly kind: 'request'; readonly headers: Fields; readonly body: unknown }
  | { readonly kind: 'value'; readonly body: unknown }
  | { readonly kind: 'unreadable'; readonly problem: string };

/**
 * Reads what a matcher was given: a response (`status` or `statusCode`, `headers` in any shape, a body under any of the
 * usual names), a request, or any other value.
 *
 * @returns a promise if the body has to be read first: of fetch, of `undici.request`, of a browser, of a Blob
 */
export function read(received: unknown): Received | Promise<Received> {
  const problem = problemWith(received);
  if (problem !== undefined) return unreadable(problem);
  if (typeof received !== 'object' || received === null) return { kind: 'value', body: received };
  if (isBrowserResponse(received))
    return plainResponse(received).then(read, (cause) => unreadable(cannotBeRead(cause).problem));
  const status = statusOf(received);
  const isResponse = status !== undefined && 'headers' in received;
  if (!isResponse && !isRequest(received)) return readValue(received);
  const headers = fieldsOf((received as { headers?: unknown }).headers);
  if (headers === undefined) return unreadable('its headers have an unknown shape');
  const start = isResponse ? ({ kind: 'response', status } as const) : ({ kind: 'request' } as const);
  return withBody(bodyOf(received, headers), (body) => ({ ...start, headers, body }));
}

function readValue(value: object): Received | Promise<Received> {
  if (isStream(value)) return unreadable('a stream was given; read it first');
  // An Error body may have a `statusCode` and `data`, as those of h3 do.
  if (statusOf(value) !== undefined && hasBody(value) && !('data' in value))
    return unreadable('it has a status and a body, but no headers; pass { status, headers, body }');
  // The error of a client has a status and a message too.
  const { response } = value as { readonly response?: unknown };
  if (typeof response === 'object' && response !== null && 'headers' in response)
    return unreadable('it is an error that has a response; pass error.response');
  const body = isUnread(value) ? readFrom(value, []) : { body: bytesIn(value) ?? asSent(value) };
  return withBody(body, (body) => ({ kind: 'value', body }));
}

function withBody(
  read: ReadBody | Promise<ReadBody>,
  whole: (body: unknown) => Received,
): Received | Promise<Received> {
  if (read instanceof Promise) return read.then((body) => withBody(body, whole));
  return 'problem' in read ? unreadable(read.problem) : whole(read.body);
}

function unreadable(problem: string): Received {
  return { kind: 'unreadable', problem };
}

function problemWith(received: unknown): string | undefined {
  if (received === undefined) return 'undefined was given';
  if (typeof received === 'function' || typeof received === 'symbol') return `a ${typeof received} was given`;
  const isPromise = typeof (received as { then?: unknown } | null)?.then === 'function';
  return isPromise ? 'a promise was given; await it first, or write expect(…).resolves' : undefined;
}

function statusOf(message: object): number | undefined {
  const { status, statusCode } = message as { readonly status?: unknown; readonly statusCode?: unknown };
  return [status, statusCode].find((value): value is number => Number.isInteger(value));
}

function isRequest(message: object): boolean {
  const { headers, method } = message as { readonly headers?: unknown; readonly method?: unknown };
  return typeof headers === 'object' && headers !== null && (typeof method === 'string' || hasBody(message));
}

/** Header fields in any shape as pairs; `undefined` if they are in none of the usual shapes. */
function fieldsOf(headers: unknown): Fields | undefined {
  if (headers === undefined || headers === null) return [];
  if (typeof headers !== 'object') return undefined;
  const entries = Symbol.iterator in headers ? [...(headers as Iterable<unknown>)] : Object.entries(headers);
  if (entries.every((entry) => typeof entry === 'string')) return fieldsFrom(entries);
  if (!entries.every((entry) => Array.isArray(entry) && entry.length === 2)) return undefined;
  return (entries as [unknown, unknown][]).flatMap(([name, value]) =>
    // A Content-Length may be a number, and a field may be `undefined`: neither is judged.
    [value].flat().flatMap((one) => (typeof one === 'string' ? [[String(name), one] as const] : [])),
  );
}

/** A response of Playwright or Puppeteer: everything is a method that can be called any number of times. */
interface BrowserResponse {
  status(): number;
  headers(): Readonly<Record<string, string>>;
  /** Playwright: a field that occurs twice is listed twice. */
  headersArray?(): HeaderArray | Promise<HeaderArray>;
  /** Playwright. */
  body?(): Promise<Uint8Array>;
  /** Puppeteer. */
  buffer?(): Promise<Uint8Array>;
}

type HeaderArray = readonly { readonly name: string; readonly value: string }[];

function isBrowserResponse(received: object): received is BrowserResponse {
  const { status, headers, body, buffer } = received as Readonly<Record<string, unknown>>;
  return [status, headers, body ?? buffer].every((method) => typeof method === 'function');
}

async function plainResponse(response: BrowserResponse) {
  const fields = await response.headersArray?.();
  return {
    status: response.status(),
    headers: fields?.map(({ name, value }) => [name, value] as const) ?? response.headers(),
    body: await (response.body?.() ?? response.buffer?.()),
  };
}
