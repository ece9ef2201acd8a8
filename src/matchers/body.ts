import { decodeContent } from '../validation/content-coding.js';
import type { Body } from '../validation/message.js';

/** The names under which clients keep a body. */
const FIELDS = ['rawPayload', 'rawBody', 'payload', 'text', 'body', 'data'] as const;

/** A body, or a sentence that says why it cannot be had. */
export type ReadBody = { readonly body: Body } | { readonly problem: string };

/** Whether an object has a body under one of the usual names, be it an empty one. */
export function hasBody(message: object): boolean {
  return FIELDS.some((name) => name in message && typeof at(message, name) !== 'function');
}

/**
 * The body of a message as a client has left it. Bytes come before text, and text before a value that was parsed:
 * of that nobody can tell any more how it was written.
 */
export function bodyOf(message: object, contentCodings: readonly string[]): ReadBody | Promise<ReadBody> {
  const found = FIELDS.map((name) => at(message, name)).filter(
    (value) => value !== undefined && typeof value !== 'function',
  );
  const bytes = found.map(bytesIn).find((value) => value !== undefined);
  if (bytes !== undefined) return { body: unpacked(bytes, contentCodings) };
  const text = found.find((value) => typeof value === 'string');
  if (text !== undefined) return { body: text };
  const stream = found.find(isStream) ?? (found.length === 0 && isStream(message) ? message : undefined);
  if (stream !== undefined) return streamed(stream, contentCodings);
  return { body: found[0] };
}

function at(message: object, name: string): unknown {
  return (message as Record<string, unknown>)[name];
}

/** A copy of the view in our own class: a Buffer of another realm is no `Uint8Array` here. */
export function bytesIn(value: unknown): Uint8Array | undefined {
  if (ArrayBuffer.isView(value)) return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
  return Object.prototype.toString.call(value) === '[object ArrayBuffer]'
    ? new Uint8Array(value as ArrayBuffer)
    : undefined;
}

const LONGEST_UNPACKED = 16 * 2 ** 20;

/** Some clients unpack a body and leave the header that says it is packed: it is taken as it is then. */
function unpacked(bytes: Uint8Array, contentCodings: readonly string[]): Uint8Array {
  const decoded = decodeContent(bytes, contentCodings, LONGEST_UNPACKED);
  return typeof decoded === 'string' ? bytes : decoded;
}

/** A body that has not been read. */
export function isStream(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  return 'getReader' in value || 'pipe' in value || Symbol.asyncIterator in value;
}

/** What undici.request gives: a stream with the methods of a fetch body. */
interface UnreadBody {
  readonly bodyUsed: boolean;
  arrayBuffer(): Promise<ArrayBuffer>;
}

async function streamed(stream: object, contentCodings: readonly string[]): Promise<ReadBody> {
  if (!('arrayBuffer' in stream))
    return { problem: 'its body is a stream; read it first, and give { status, headers, body }' };
  const unread = stream as UnreadBody;
  if (unread.bodyUsed) return { problem: READ_ALREADY };
  const bytes = new Uint8Array(await unread.arrayBuffer());
  keepReadable(unread, bytes);
  return { body: unpacked(bytes, contentCodings) };
}

/** Why there is no body any more. */
export const READ_ALREADY =
  'its body has been read already; hand the response over before you read it, or give { status, headers, body }';

/** A stream cannot be cloned: what has been read is handed out once more by its own methods. */
function keepReadable(stream: object, bytes: Uint8Array): void {
  const again = new Response(bytes.length === 0 ? null : Buffer.from(bytes));
  const own = (value: unknown): PropertyDescriptor => ({ value, configurable: true });
  Object.defineProperties(stream, {
    bodyUsed: { get: () => again.bodyUsed, configurable: true },
    text: own(() => again.text()),
    json: own(() => again.json()),
    blob: own(() => again.blob()),
    arrayBuffer: own(() => again.arrayBuffer()),
    bytes: own(async () => new Uint8Array(await again.arrayBuffer())),
    [Symbol.asyncIterator]: own(async function* () {
      yield Buffer.from(await again.arrayBuffer());
    }),
  });
}
