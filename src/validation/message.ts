import type { HeaderFields } from '../http/fields.js';
import { isJsonMediaType } from './header-values.js';
import { jsonProblem, readJson, readJsonText } from './json.js';
import type { JsonRead } from './json-value.js';
import { type SchemaName, validateSchema } from './schema.js';
import { errorIn, quoted, type Violation } from './violation.js';

/** A body: bytes, JSON text, or a parsed value. A string is always JSON text. */
export type Body = Uint8Array | string | unknown;

/** A request as plain data. Missing members are not judged. */
export interface PlainRequest {
  readonly method?: string | undefined;
  /** The URL or the request target; its path must end with `/plants`. */
  readonly url?: string | undefined;
  readonly headers: HeaderFields;
  readonly body?: Body | undefined;
}

/** A response as plain data. */
export interface PlainResponse {
  readonly status: number;
  readonly headers: HeaderFields;
  readonly body?: Body | undefined;
}

/** The bytes of a body, not copied. In jsdom and in node:vm, a Buffer is not an instance of the global `Uint8Array`. */
export function bytesIn(body: Body): Uint8Array | undefined {
  if (body instanceof Uint8Array) return body;
  if (ArrayBuffer.isView(body)) return new Uint8Array(body.buffer, body.byteOffset, body.byteLength);
  const isBuffer = Object.prototype.toString.call(body) === '[object ArrayBuffer]';
  return isBuffer ? new Uint8Array(body as ArrayBuffer) : undefined;
}

/** Whether there is no body, or an empty one. */
export function isEmpty(body: Body): boolean {
  return body === undefined || body === '' || bytesIn(body)?.length === 0;
}

/** Reads bytes and text as JSON; a parsed value is returned unchanged. `undefined` if there is no body. */
export function readBody(body: Body): JsonRead | undefined {
  if (isEmpty(body)) return undefined;
  if (typeof body === 'string') return readJsonText(body);
  const bytes = bytesIn(body);
  if (bytes !== undefined) return readJson(bytes);
  return { ok: true, value: body as never, duplicateKeys: [] };
}

/** Whether a message is a `Request` or a `Response` of fetch. */
export function isFetchMessage(message: object): message is Request | Response {
  return 'arrayBuffer' in message && typeof message.arrayBuffer === 'function';
}

/** The body of a fetch message. A clone is read, so the message can still be read. */
export async function bytesOf(message: Request | Response): Promise<Uint8Array> {
  return new Uint8Array(await message.clone().arrayBuffer());
}

/** Judges the Content-Type: `application/json`, once, with any parameters (openapi.yaml#/paths/~1plants/post). */
export function judgeMediaType(values: readonly string[]): Violation[] {
  const [value] = values;
  if (value !== undefined && values.length === 1 && isJsonMediaType(value)) return [];
  const actual = value === undefined ? 'nothing' : values.map(quoted).join(' and ');
  const wrong =
    values.length > 1
      ? `there are ${values.length} Content-Type fields: ${actual}; one may be there, with application/json`
      : `the Content-Type must be application/json; got ${actual}`;
  const message =
    value === undefined ? 'the Content-Type header is missing; all bodies are application/json' : wrong;
  const expected = 'application/json';
  return [errorIn('header', '/content-type', 'media-type', { message, expected, actual })];
}

/** The violations of a body, and how it was read. */
export interface JudgedBody {
  readonly violations: Violation[];
  /** Left out if there is no body. */
  readonly read?: JsonRead;
}

const EXPECTED = { NewPlant: 'a NewPlant as JSON', Plant: 'a Plant as JSON', Error: 'an Error as JSON' };

/** Judges a body: it is there, it is one JSON text, and it conforms to a schema of the document. */
export function judgeBody(schema: SchemaName, body: Body): JudgedBody {
  const read = readBody(body);
  const expected = EXPECTED[schema];
  if (read === undefined) {
    const message = `the body is missing; it must be ${expected}`;
    return { violations: [errorIn('body', '', 'required', { message, expected, actual: 'nothing' })] };
  }
  if (!read.ok) {
    const message = `the body is not JSON: ${jsonProblem(read)}`;
    return { violations: [errorIn('body', '', 'json', { message, expected, actual: read.message })], read };
  }
  return { violations: validateSchema(schema, read.value), read };
}
