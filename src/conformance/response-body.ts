import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { copied } from '../copied.js';
import { headerValues } from '../http/fields.js';
import { limits } from '../http/limits.js';
import { excerpt } from '../report/exchange.js';
import { decodeContent } from '../validation/content-coding.js';
import { readJson } from '../validation/json.js';
import {
  isObject,
  JsonNumber,
  type JsonObject,
  type JsonRead,
  type JsonValue,
} from '../validation/json-value.js';
import { validateResponse } from '../validation/response.js';
import type { Violation } from '../validation/violation.js';
import type { BodyContent, Exchange, Fields, ProbeRequest, ProviderResponse } from './exchange.js';
import { oncePer } from './probe.js';

/** So much of a long body is kept, in bytes. */
export const KEPT_OF_BODY = 64 * 1024;

/**
 * A response as it is kept. A long body is read now, and only its beginning is kept: a check keeps hundreds of responses,
 * and its memory must not grow with them.
 *
 * @param plant the plant that was sent. Its strings may come back, however long they are.
 */
export function keptResponse(response: ProviderResponse, plant: ProbeRequest['plant']): ProviderResponse {
  const headers = keptFields(response.headers);
  const isEncoded = headerValues(headers, 'content-encoding').length > 0;
  if (response.body.length <= KEPT_OF_BODY && !isEncoded) return { ...response, headers };
  const whole = readContent(
    response,
    [plant?.name, plant?.tag].filter((text) => text !== undefined),
  );
  const { decoded } = whole;
  // What cannot be decoded may have filled memory up to the limit before that showed.
  freeMemoryAfter(typeof decoded === 'string' ? limits.body : Math.max(response.body.length, decoded.length));
  const body = beginningOf(response.body);
  const kept = typeof decoded === 'string' ? decoded : beginningOf(decoded);
  return { ...response, headers, body, content: { ...whole, decoded: isEncoded ? kept : body } };
}

/** Of a head that is longer than any in use, the first fields, and the beginning of each value. */
function keptFields(headers: Fields): Fields {
  const length = headers.reduce((sum, [name, value]) => sum + name.length + value.length + FIELD, 0);
  if (length <= USUAL_HEAD) return headers;
  const judged = headers.filter(([name]) => JUDGED.test(name)).slice(0, MOST_FIELDS);
  const kept = new Set([...headers.slice(0, MOST_FIELDS), ...judged]);
  return [...kept].map(([name, value]) => [excerpt(name), excerpt(value)]);
}

const USUAL_HEAD = 24 * 1024;
const MOST_FIELDS = 100;
/** The memory that a field takes besides its characters, in bytes. */
const FIELD = 64;
/** The fields that are judged, wherever they are. */
const JUDGED = /^content-(?:type|encoding)$/i;

/** A copy, so that the rest can be freed. */
function beginningOf(bytes: Uint8Array): Uint8Array {
  return bytes.length <= KEPT_OF_BODY ? bytes : Buffer.from(bytes.subarray(0, KEPT_OF_BODY));
}

/** The content of the body of a response. It is read once: many rules ask for it. */
export function contentOf(response: ProviderResponse): BodyContent {
  return response.content ?? readOnce(response);
}

/** A response never changes, and says nothing about a run. So its content may be kept beside it, as long as it exists. */
const readOnce = oncePer((response: ProviderResponse) => readContent(response, 'all-strings'));

/** @param kept the strings that are kept whole in a large value */
function readContent(response: ProviderResponse, kept: KeptStrings): BodyContent {
  const { status, headers, body } = response;
  const decoded = decodeContent(body, headerValues(headers, 'content-encoding'), limits.body);
  // Every success is validated as a 200, and its status is judged apart.
  const judgedStatus = status >= 200 && status < 300 ? 200 : status;
  if (typeof decoded === 'string')
    return {
      decoded,
      decodedLength: 0,
      json: { ok: false, offset: 0, message: decoded },
      violations: undecodable(judgedStatus, response, decoded),
    };
  const json = readJson(decoded);
  // An object is not read again. A string would be taken for JSON text.
  const value = json.ok && isObject(json.value) ? json.value : decoded;
  return {
    decoded,
    decodedLength: decoded.length,
    json: prunedJson(json, kept),
    violations: validateResponse({ status: judgedStatus, headers, body: value }),
  };
}

/** The violations of a response whose body cannot be decoded. Its media type is still judged. */
function undecodable(
  status: number,
  { headers, body }: ProviderResponse,
  actual: string,
): readonly Violation[] {
  const expected = 'a body in the encoding that its Content-Encoding says';
  const inHeaders = validateResponse({ status, headers, body }).filter(({ part }) => part === 'header');
  return [...inHeaders, { part: 'body', pointer: '', keyword: 'json', message: actual, expected, actual }];
}

/** The body of a response without its content codings, or why it cannot be decoded. Only the beginning of a long one. */
export function decodedBody(response: ProviderResponse): Uint8Array | string {
  return contentOf(response).decoded;
}

/** The body of a response, read as exact JSON. A body that cannot be decoded is not JSON. */
export function jsonOf(response: ProviderResponse): JsonRead {
  return contentOf(response).json;
}

/** The members of a JSON object. `undefined`: it is none, or no JSON. */
export function membersOf(read: JsonRead | undefined): JsonObject | undefined {
  return read?.ok === true && isObject(read.value) ? read.value : undefined;
}

/** The response in a few words: its status and the beginning of its body, or why there is none. */
export function responseInWords({ response, failure }: Exchange): string {
  if (response === undefined) return failure?.message ?? 'nothing';
  const bytes = decodedBody(response);
  if (typeof bytes === 'string') return `${response.status}; ${bytes}`;
  const text = Buffer.from(bytes).toString();
  const mediaType = excerpt(headerValues(response.headers, 'content-type').join(', ')) || 'no Content-Type';
  return `${response.status} (${mediaType}) ${text === '' ? 'without a body' : excerpt(text)}`;
}

/** Memory is freed each time that so many bytes were read. */
const BETWEEN = 3 * 2 ** 20;

let bytesRead = 0;
let collect: (() => void) | undefined;

/**
 * Frees memory from time to time while long bodies are read. The values in such a body are garbage as soon as it is
 * judged, but V8 lets garbage of this kind grow to hundreds of megabytes before it looks for it.
 *
 * @param bytes the length of a long body that was read
 */
function freeMemoryAfter(bytes: number): void {
  bytesRead += bytes;
  if (bytesRead < BETWEEN) return;
  bytesRead = 0;
  collect ??= collector();
  collect();
}

/** The collector of V8. A new context has it while the flag is set. */
function collector(): () => void {
  setFlagsFromString('--expose-gc');
  const gc: unknown = runInNewContext("typeof gc === 'function' ? gc : undefined");
  setFlagsFromString('--no-expose-gc');
  return typeof gc === 'function' ? () => gc() : () => {};
}

/** So many values are kept, and so many characters of strings and keys. */
const MOST_VALUES = 1_000;
const MOST_CHARACTERS = 64 * 1024;
/** The fields that the interface names. Of a large object, they are kept first. */
const NAMED = ['name', 'tag', 'id', 'error', 'message'];

/**
 * JSON that takes little memory: of a large value, the first members and elements, and the beginnings of long strings.
 *
 * @param kept strings that are kept whole
 */
function prunedJson(read: JsonRead, kept: KeptStrings): JsonRead {
  if (!read.ok) return read;
  if (read.duplicateKeys.length === 0 && new Pruning(kept).fits(read.value)) return read;
  const pruned = new Pruning(kept);
  return {
    ...read,
    value: pruned.copy(read.value),
    duplicateKeys: read.duplicateKeys.map((pointer) => pruned.text(pointer)),
  };
}

type KeptStrings = readonly string[] | 'all-strings';

class Pruning {
  private values = MOST_VALUES;
  private characters = MOST_CHARACTERS;

  constructor(private readonly kept: KeptStrings) {}

  /** Whether nothing of a value would be pruned. */
  fits(value: JsonValue): boolean {
    this.values--;
    if (typeof value === 'string') this.characters -= value.length;
    else if (value instanceof JsonNumber) this.characters -= value.text.length;
    else if (typeof value === 'object' && value !== null)
      for (const key in value) {
        this.characters -= key.length;
        if (!this.fits((value as JsonObject)[key] as JsonValue)) return false;
      }
    return this.values >= 0 && this.characters >= 0;
  }

  copy(value: JsonValue): JsonValue {
    this.values--;
    if (typeof value === 'string') return this.text(value);
    if (typeof value !== 'object' || value === null) return value;
    if (value instanceof JsonNumber) return new JsonNumber(this.text(value.text), value.isInteger);
    return Array.isArray(value) ? this.array(value) : this.object(value);
  }

  /** The beginning of a long string. */
  text(text: string): string {
    if (this.kept === 'all-strings') return text;
    const known = this.kept.indexOf(text);
    if (known !== -1) return this.kept[known] as string;
    const room = Math.max(0, this.characters);
    this.characters -= text.length;
    return text.length <= room ? text : `${copied(text.slice(0, room))}…`;
  }

  private array(array: readonly JsonValue[]): JsonValue[] {
    const kept: JsonValue[] = [];
    for (const item of array) {
      if (this.values <= 0) break;
      kept.push(this.copy(item));
    }
    return kept;
  }

  private object(object: JsonObject): JsonObject {
    const kept: JsonObject = {};
    const keep = (key: string): void => {
      const name = NAMED.includes(key) ? key : this.text(key);
      const value = this.copy(object[key] as JsonValue);
      // Assigning "__proto__" would set the prototype.
      Object.defineProperty(kept, name, {
        value,
        ...{ writable: true, enumerable: true, configurable: true },
      });
    };
    for (const key of NAMED) if (Object.hasOwn(object, key)) keep(key);
    for (const key in object) {
      if (this.values <= 0) break;
      if (!NAMED.includes(key)) keep(key);
    }
    return kept;
  }
}
