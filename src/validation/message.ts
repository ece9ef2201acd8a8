import { type JsonRead, readJson, readJsonText } from './json.js';

/** Header fields in any of the usual shapes: a record, pairs in order, or a fetch `Headers`. Names in any case. */
export type HeaderFields =
  | Readonly<Record<string, string | readonly string[] | undefined>>
  | Iterable<readonly [name: string, value: string]>;

/** A body as it came: bytes, text, or a value that was parsed already. A string is always text, never a value. */
export type Body = Uint8Array | string | unknown;

/** A request as plain data. What is left out is not judged. */
export interface PlainRequest {
  readonly method?: string;
  /** The URL or the request target; it has to end with `/plants`, a query aside. */
  readonly url?: string;
  readonly headers: HeaderFields;
  readonly body?: Body;
}

/** A response as plain data. */
export interface PlainResponse {
  readonly status: number;
  readonly headers: HeaderFields;
  readonly body?: Body;
}

/** Header fields that can be looked through more than once: an iterator can not. */
export function rereadable(headers: HeaderFields): HeaderFields {
  return isIterable(headers) ? [...headers] : headers;
}

/** All values of one header field, in order. `name` is in lower case. */
export function headerValues(headers: HeaderFields, name: string): string[] {
  const direct = (headers as Record<string, unknown>)[name];
  // By far the commonest shape is a record in lower case with no second spelling of the same name.
  if (typeof direct === 'string' && onlySpelling(headers as Record<string, unknown>, name)) return [direct];
  const found: string[] = [];
  const fields = isIterable(headers) ? headers : Object.entries(headers);
  for (const [key, value] of fields) {
    if (key.length !== name.length || key.toLowerCase() !== name || value === undefined) continue;
    if (typeof value === 'string') found.push(value);
    else found.push(...value);
  }
  return found;
}

function onlySpelling(headers: Record<string, unknown>, name: string): boolean {
  for (const key in headers) {
    if (key.length === name.length && key !== name && key.toLowerCase() === name) return false;
  }
  return true;
}

function isIterable(headers: HeaderFields): headers is Iterable<readonly [string, string]> {
  return Symbol.iterator in headers;
}

/** Bytes, uncopied. In jsdom, and in a context of node:vm, a Buffer is no instance of the `Uint8Array` that is there. */
export function bytesIn(body: Body): Uint8Array | undefined {
  if (body instanceof Uint8Array) return body;
  if (ArrayBuffer.isView(body)) return new Uint8Array(body.buffer, body.byteOffset, body.byteLength);
  const isBuffer = Object.prototype.toString.call(body) === '[object ArrayBuffer]';
  return isBuffer ? new Uint8Array(body as ArrayBuffer) : undefined;
}

/** The value of a body: read from bytes and text, taken as it is otherwise; `undefined` where there is none. */
export function readBody(body: Body): JsonRead | undefined {
  if (body === undefined) return undefined;
  if (typeof body === 'string') return body === '' ? undefined : readJsonText(body);
  const bytes = bytesIn(body);
  if (bytes !== undefined) return bytes.length === 0 ? undefined : readJson(bytes);
  return { ok: true, value: body as never, duplicateKeys: [] };
}

/** Whether a message is one of fetch: those read their body by a method. */
export function isFetchMessage(message: object): message is Request | Response {
  return 'arrayBuffer' in message && typeof message.arrayBuffer === 'function';
}

/** The body of a fetch message, through a clone, so that the message can still be read. */
export async function bytesOf(message: Request | Response): Promise<Uint8Array> {
  return new Uint8Array(await message.clone().arrayBuffer());
}
