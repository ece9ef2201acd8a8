import { decodeContent } from '../validation/content-coding.js';
import { type Body, bytesIn, type HeaderFields, headerValues } from '../validation/message.js';
import { asJsonString } from './json-string.js';
import { canBeRead, readOnce, type Unread } from './reading.js';
import { asSent, whyNoJson } from './value.js';

/** The names under which clients keep a body. */
const FIELDS = ['rawPayload', 'rawBody', 'payload', 'text', 'body', 'data', '_data'] as const;

/** A body, or a sentence that says why it cannot be had. */
export type ReadBody = { readonly body: Body } | { readonly problem: string };

/** Whether an object has a body under one of the usual names, be it an empty one. */
export function hasBody(message: object): boolean {
  return FIELDS.some((name) => name in message && typeof at(message, name) !== 'function');
}

/**
 * The body of a message as a client has left it. Bytes come before text, and text before a value that was parsed:
 * of that nobody can tell any more how it was written. A stream that cannot be read comes last.
 */
export function bodyOf(message: object, headers: HeaderFields): ReadBody | Promise<ReadBody> {
  const found = FIELDS.map((name) => at(message, name)).filter(
    (value) => value !== undefined && typeof value !== 'function',
  );
  // Of needle; elsewhere `raw` may be anything.
  const bytes = [...found, at(message, 'raw')].map(bytesIn).find((value) => value !== undefined);
  if (bytes !== undefined) return { body: unpacked(bytes, headers) };
  const text = found.find((value) => typeof value === 'string');
  if (text !== undefined) return { body: asJsonString(text, headers) ?? text };
  const streams = found.length === 0 ? [message].filter(isStream) : found.filter(isStream);
  const source = [...found, ...streams].filter(isUnread).find(canBeRead);
  if (source !== undefined) return readFrom(source, headers);
  const values = found.filter((value) => !isStream(value));
  if (values.length > 0) return parsed(values.find((value) => value !== null));
  if (streams.length === 0) return { body: undefined };
  return { problem: streams.some(isUnread) ? READ_ALREADY : STREAM };
}

/** A value that was parsed. */
function parsed(value: unknown = null): ReadBody {
  const problem = whyNoJson(value);
  return problem === undefined ? { body: asSent(value) } : { problem: `its body is ${problem}` };
}

function at(message: object, name: string): unknown {
  return (message as Record<string, unknown>)[name];
}

const LONGEST_UNPACKED = 16 * 2 ** 20;

/** Some clients unpack a body and leave the header that says it is packed: it is taken as it is then. */
function unpacked(bytes: Uint8Array, headers: HeaderFields): Uint8Array {
  const decoded = decodeContent(bytes, headerValues(headers, 'content-encoding'), LONGEST_UNPACKED);
  return typeof decoded === 'string' ? bytes : decoded;
}

/** A body that has not been read. */
export function isStream(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  return 'getReader' in value || 'pipe' in value || Symbol.asyncIterator in value;
}

/** A body, or a Blob, that is read by a method. */
export function isUnread(value: unknown): value is Unread {
  return typeof Object(value).arrayBuffer === 'function';
}

/** Reads a body that can be read once, and leaves it readable; a Blob always is. */
export async function readFrom(source: Unread, headers: HeaderFields): Promise<ReadBody> {
  try {
    const isBlob = source.bodyUsed === undefined && !('pipe' in source);
    const bytes = isBlob ? new Uint8Array(await source.arrayBuffer()) : await readOnce(source);
    return { body: unpacked(bytes, headers) };
  } catch (cause) {
    return cannotBeRead(cause);
  }
}

export function cannotBeRead(cause: unknown): { readonly problem: string } {
  return { problem: `its body cannot be read: ${cause instanceof Error ? cause.message : cause}` };
}

const STREAM = 'its body is a stream; read it first, and give { status, headers, body }';

/** Why there is no body any more. */
export const READ_ALREADY =
  'its body has been read already; hand the response over before you read it, or give { status, headers, body }';
