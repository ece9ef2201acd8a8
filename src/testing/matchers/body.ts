import { Blob } from 'node:buffer';
import { inspect, TextDecoder } from 'node:util';
import { type HeaderFields, headerValues } from '../../http/fields.js';
import { decodeContent } from '../../validation/content-coding.js';
import { type Body, bytesIn } from '../../validation/message.js';

/** The names under which clients keep a body: light-my-request, got, supertest, fetch and undici, axios. */
const NAMES = ['rawPayload', 'rawBody', 'payload', 'text', 'body', 'data'] as const;

/** A body, or a sentence that says why it cannot be read. */
export type ReadBody = { readonly body: Body } | { readonly problem: string };

/** What has to be read by a method: a message of fetch, a body of `undici.request`, a Blob. */
interface Unread {
  readonly bodyUsed?: boolean;
  arrayBuffer(): Promise<ArrayBuffer>;
}

/** Why there is no body any more. */
const READ_ALREADY =
  'its body has been read already; use the matcher first, or pass response.clone() or { status, headers, body }';
const STREAM = 'its body is a stream; read it first, and pass { status, headers, body }';

/** Whether an object has a body under one of the usual names, even an empty one. */
export function hasBody(message: object): boolean {
  return NAMES.some((name) => name in message && typeof member(message, name) !== 'function');
}

/**
 * The body of a message. Bytes come before text, and text before a parsed value: a parsed value no longer shows how it
 * was written.
 *
 * @returns a promise if the body has to be read first
 */
export function bodyOf(message: object, headers: HeaderFields): ReadBody | Promise<ReadBody> {
  if (isUnread(message) && 'clone' in message) return readFetchMessage(message, headers);
  const found = NAMES.map((name) => member(message, name)).filter(
    (value) => value !== undefined && typeof value !== 'function',
  );
  const bytes = found.map(bytesIn).find((value) => value !== undefined);
  if (bytes !== undefined) return { body: decoded(bytes, headers) };
  const text = found.find((value) => typeof value === 'string');
  if (text !== undefined)
    // The result of a function on AWS Lambda behind an API gateway.
    return { body: isBase64(message) ? decoded(Buffer.from(text, 'base64'), headers) : text };
  const candidates = found.length === 0 ? [message] : found;
  const source = candidates.filter(isUnread).find(canBeRead);
  if (source !== undefined) return readFrom(source, headers);
  const values = found.filter((value) => !isStream(value));
  if (values.length > 0) return { body: asSent(values.find((value) => value !== null) ?? null) };
  if (!candidates.some(isStream)) return { body: undefined };
  return { problem: candidates.some(isUnread) ? READ_ALREADY : STREAM };
}

/** A value as `JSON.stringify` would send it: `toJSON` has been called, as on the record of a database. */
export function asSent(value: unknown): unknown {
  const sent = hasToJson(value) ? value.toJSON('') : value;
  // To the validators, a string is JSON text.
  if (sent !== value && typeof sent === 'string') return JSON.stringify(sent);
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent)) return sent;
  if (!Object.values(sent).some(hasToJson)) return sent;
  const members = Object.entries(sent).map(([key, item]) => [key, hasToJson(item) ? item.toJSON(key) : item]);
  return Object.fromEntries(members);
}

/** Whether a value is a stream, of Node or of the web. */
export function isStream(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  return 'getReader' in value || 'pipe' in value || Symbol.asyncIterator in value;
}

export function isUnread(value: unknown): value is Unread {
  return typeof Object(value).arrayBuffer === 'function';
}

/** Node's own messages are known by this in every realm. */
const NODE_MARK = inspect.custom;

async function readFetchMessage(message: Unread & object, headers: HeaderFields): Promise<ReadBody> {
  if (!canBeRead(message)) return { problem: READ_ALREADY };
  // The clone of node-fetch waits until both bodies are read; the clone of happy-dom may be empty.
  if (!(NODE_MARK in message)) return readFrom(message, headers);
  try {
    return { body: new Uint8Array(await (message as unknown as Request).clone().arrayBuffer()) };
  } catch (cause) {
    return cannotBeRead(cause);
  }
}

/** Reads a body. It stays readable by its methods, since a Blob always is, and the others get new methods. */
export async function readFrom(source: Unread, headers: HeaderFields): Promise<ReadBody> {
  try {
    return { body: decoded(await readOnce(source), headers) };
  } catch (cause) {
    return cannotBeRead(cause);
  }
}

export function cannotBeRead(cause: unknown): { readonly problem: string } {
  return { problem: `its body cannot be read: ${cause instanceof Error ? cause.message : cause}` };
}

/** What was read here, so that several matchers can judge one response. */
const readings = new WeakMap<Unread, Promise<Uint8Array>>();

function canBeRead(source: Unread): boolean {
  return readings.has(source) || source.bodyUsed !== true;
}

function readOnce(source: Unread): Promise<Uint8Array> {
  const reading = readings.get(source) ?? readAndKeep(source);
  readings.set(source, reading);
  return reading;
}

async function readAndKeep(source: Unread): Promise<Uint8Array> {
  const bytes = new Uint8Array(await source.arrayBuffer());
  const text = async (): Promise<string> => new TextDecoder().decode(bytes);
  // A test may still call these; the stream itself is spent.
  Object.assign(source, {
    text,
    json: async () => JSON.parse(await text()),
    bytes: async () => Uint8Array.from(bytes),
    arrayBuffer: async () => Uint8Array.from(bytes).buffer,
    blob: async () => new Blob([bytes]),
  });
  return bytes;
}

/** Some clients decode a body and keep its Content-Encoding; then it is left unchanged. */
function decoded(bytes: Uint8Array, headers: HeaderFields): Uint8Array {
  const result = decodeContent(bytes, headerValues(headers, 'content-encoding'));
  return typeof result === 'string' ? bytes : result;
}

function isBase64(message: object): boolean {
  return member(message, 'isBase64Encoded') === true;
}

function member(message: object, name: string): unknown {
  return (message as Record<string, unknown>)[name];
}

function hasToJson(value: unknown): value is { toJSON(key: string): unknown } {
  return typeof (value as { toJSON?: unknown } | null | undefined)?.toJSON === 'function';
}
