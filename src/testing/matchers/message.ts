import { type Fields, fieldsFrom } from '../../http/fields.js';
import { type Body, bytesOf, isFetchMessage } from '../../validation/message.js';

/** What a matcher was given. `unreadable` is neither right nor wrong. */
export type Received =
  | { readonly kind: 'response'; readonly status: number; readonly headers: Fields; readonly body: Body }
  | { readonly kind: 'request'; readonly headers: Fields; readonly body: Body }
  | { readonly kind: 'value'; readonly body: Body }
  | { readonly kind: 'unreadable'; readonly problem: string };

/** The names under which clients keep a body: supertest and others as text, most as `body`, axios as `data`. */
const BODIES = ['text', 'body', 'data'] as const;

/**
 * Reads what a matcher was given: a response (`status` or `statusCode`, `headers` in any shape, a body), a request, or any
 * other value.
 *
 * @returns a promise for a message of fetch, whose body has to be read first
 */
export function read(received: unknown): Received | Promise<Received> {
  const problem = problemWith(received);
  if (problem !== undefined) return { kind: 'unreadable', problem };
  if (typeof received !== 'object' || received === null) return { kind: 'value', body: received };
  const status = statusOf(received);
  const { headers: given, method } = received as { readonly headers?: unknown; readonly method?: unknown };
  const isResponse = status !== undefined && 'headers' in received;
  const isRequest =
    typeof given === 'object' && given !== null && (typeof method === 'string' || 'body' in received);
  if (!isResponse && !isRequest) return { kind: 'value', body: received };
  const headers = fieldsOf(given);
  if (headers === undefined) return { kind: 'unreadable', problem: 'its headers have an unknown shape' };
  const start = isResponse ? ({ kind: 'response', status } as const) : ({ kind: 'request' } as const);
  if (isFetchMessage(received))
    return bytesOf(received).then(
      (body): Received => ({ ...start, headers, body }),
      (cause): Received => ({ kind: 'unreadable', problem: `its body cannot be read: ${cause}` }),
    );
  const body = bodyOf(received);
  if (isStream(body ?? received))
    return {
      kind: 'unreadable',
      problem: 'its body is a stream; read it first, and pass { status, headers, body }',
    };
  return { ...start, headers, body };
}

function problemWith(received: unknown): string | undefined {
  if (received === undefined) return 'undefined was given';
  if (typeof (received as { then?: unknown } | null)?.then === 'function')
    return 'a promise was given; await it first, or write expect(…).resolves';
  return isStream(received) && !('headers' in received) ? 'a stream was given; read it first' : undefined;
}

/** Text and bytes come before a parsed value, which no longer shows how it was written. */
function bodyOf(message: object): Body {
  const { isBase64Encoded, ...rest } = message as Readonly<Record<string, unknown>>;
  const found = BODIES.map((name) => rest[name]).filter(
    (one) => one !== undefined && typeof one !== 'function',
  );
  const body = found.find((one) => typeof one === 'string' || ArrayBuffer.isView(one)) ?? found[0];
  // The result of a function on AWS Lambda behind an API gateway.
  return isBase64Encoded === true && typeof body === 'string' ? bytesOfBase64(body) : body;
}

/** Whether a value is a stream, of Node or of the web. */
function isStream(value: unknown): value is object {
  return typeof value === 'object' && value !== null && ('getReader' in value || 'pipe' in value);
}

function statusOf(message: object): number | undefined {
  const { status, statusCode } = message as { readonly status?: unknown; readonly statusCode?: unknown };
  return [status, statusCode].find((value): value is number => Number.isInteger(value));
}

/** Header fields in any shape as pairs; `undefined` if they are in none of the usual shapes. */
function fieldsOf(headers: unknown): Fields | undefined {
  if (headers === undefined || headers === null) return [];
  if (typeof headers !== 'object') return undefined;
  const isIterable = Symbol.iterator in headers;
  // An object of a class, such as HttpHeaders of Angular, keeps them in its own way.
  if (!isIterable && !isPlain(headers)) return undefined;
  const entries = isIterable ? [...(headers as Iterable<unknown>)] : Object.entries(headers);
  if (entries.every((entry) => typeof entry === 'string')) return fieldsFrom(entries);
  if (!entries.every(isPair)) return undefined;
  return entries.flatMap(([name, value]) =>
    // A Content-Length may be a number, and a field may be `undefined`: neither is judged.
    [value].flat().flatMap((one) => (typeof one === 'string' ? [[name, one] as const] : [])),
  );
}

/** Whether an object is a literal, or has no prototype; of any realm. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** A name, and a value that a header field may have in some client. */
function isPair(entry: unknown): entry is [name: string, value: unknown] {
  if (!Array.isArray(entry) || entry.length !== 2 || typeof entry[0] !== 'string') return false;
  return (
    [entry[1]].flat().every((one) => one === undefined || one === null || typeof one !== 'object') &&
    typeof entry[1] !== 'function'
  );
}

function bytesOfBase64(text: string): Uint8Array {
  return Uint8Array.from(atob(text), (byte) => byte.charCodeAt(0));
}
