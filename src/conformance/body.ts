import type { ResponseHead } from '../http/exchange.js';
import { type Fields, headerValues } from '../http/fields.js';
import { excerpt } from '../report/exchange.js';
import { decodeContent } from '../validation/content-coding.js';
import { readJson } from '../validation/json.js';
import { isObject, type JsonObject, type JsonRead, type JsonValue } from '../validation/json-value.js';
import { undecodable, validateResponse, validateUnreadable } from '../validation/response.js';
import type { Violation } from '../validation/violation.js';

/** A response, or its beginning. */
export interface ProviderResponse extends ResponseHead {
  /** The body as received, before any decoding; of one that is too long, the beginning. */
  readonly body: Uint8Array;
  /** How many bytes of the body were received. */
  readonly received: number;
  /** What the body contains: it was read when it came. */
  readonly content?: BodyContent;
  /** Whether the whole body was received. */
  readonly complete: boolean;
  /** Whether the connection stayed open, and the rest of the body did not come in time. */
  readonly isStalled?: true;
  /** How many bytes followed the body, beyond its announced length. */
  readonly surplus: number;
}

/** What a body contains. */
export interface BodyContent {
  /** The body without its content codings, or why it cannot be decoded. Of one that is too long, the beginning. */
  readonly decoded: Uint8Array | string;
  /** Read as exact JSON. Of a long object, the fields that the interface names. */
  readonly json: JsonRead;
  /** How the response differs from the interface. */
  readonly violations: readonly Violation[];
  /** Whether it is too long, as it came or decoded. Then only its status and its headers are judged. */
  readonly isTooLong: boolean;
}

/** How much of a body is read and judged, in bytes. No response to a request of a check needs more. */
export const LONGEST_BODY = 128 * 1024;

/**
 * A response as it is kept: with the content of its body, which many rules ask for. All of its header fields are judged, and not only
 * those that are kept.
 */
export function keptResponse(response: ProviderResponse): ProviderResponse {
  return { ...response, headers: keptFields(response.headers), content: readContent(response) };
}

/** Of a head that is longer than any in use, the first fields, and the beginning of each value. */
function keptFields(headers: Fields): Fields {
  const length = headers.reduce((sum, [name, value]) => sum + name.length + value.length + FIELD, 0);
  if (length <= USUAL_HEAD) return headers;
  const first = headers.slice(0, MOST_FIELDS);
  const others = headers.slice(MOST_FIELDS).filter(([name]) => OF_CONTENT.test(name));
  return [...first, ...others.slice(0, MOST_FIELDS)].map(([name, value]) => [excerpt(name), excerpt(value)]);
}

const USUAL_HEAD = 24 * 1024;
const MOST_FIELDS = 100;
/** Fields that say how to read the body (RFC 9110, section 8). Findings quote them, wherever they are. */
const OF_CONTENT = /^content-/i;
/** The memory that a field takes besides its characters, in bytes. */
const FIELD = 64;

/** The content of the body of a response. A check reads it once, when it comes. */
export function contentOf(response: ProviderResponse): BodyContent {
  return response.content ?? readContent(response);
}

function readContent(response: ProviderResponse): BodyContent {
  const { status, headers, body, received } = response;
  // Every success is validated as a 200, and its status is judged apart.
  const judgedStatus = status >= 200 && status < 300 ? 200 : status;
  const isCut = received > LONGEST_BODY;
  const codings = isCut ? [] : headerValues(headers, 'content-encoding');
  const decoded = decodeContent(body, codings, LONGEST_BODY);
  const isTooLong = isCut || (typeof decoded === 'string' && decoded.startsWith(TOO_LONG));
  if (isTooLong || typeof decoded === 'string') {
    const message = typeof decoded === 'string' ? decoded : TOO_LONG;
    const violations = validateUnreadable({ status: judgedStatus, headers, body });
    const json: JsonRead = { ok: false, offset: 0, message };
    return {
      decoded,
      json,
      isTooLong,
      violations: isTooLong ? violations : [...violations, undecodable(message, judgedStatus)],
    };
  }
  const json = readJson(decoded);
  // An object is not read again. A string would be taken for JSON text.
  const value = json.ok && isObject(json.value) ? json.value : decoded;
  return {
    decoded,
    isTooLong,
    json: decoded.length > SHORT && json.ok ? { ...json, value: namedIn(json.value) } : json,
    violations: validateResponse({ status: judgedStatus, headers, body: value }),
  };
}

/** How `decodeContent` begins to say that a body becomes too long. */
const TOO_LONG = `the body has more than ${LONGEST_BODY} bytes`;

/** Of a longer body only the fields that the interface names are kept as values: a million brackets take much memory. */
const SHORT = 4 * 1024;
const NAMED = ['name', 'tag', 'id', 'error', 'message'] as const;

function namedIn(value: JsonValue): JsonValue {
  if (!isObject(value)) return withoutInside(value);
  const named = NAMED.filter((key) => Object.hasOwn(value, key));
  return Object.fromEntries(named.map((key) => [key, withoutInside(value[key] as JsonValue)]));
}

function withoutInside(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return [];
  return isObject(value) ? {} : value;
}

/** The body of a response without its content codings, or why it cannot be decoded. Of one that is too long, the beginning. */
export function decodedBody(response: ProviderResponse): Uint8Array | string {
  return contentOf(response).decoded;
}

/** The body of a response as text, up to so many bytes; nothing, if it cannot be decoded. */
export function textOf(response: ProviderResponse, longest?: number): string {
  const decoded = decodedBody(response);
  return typeof decoded === 'string' ? '' : Buffer.from(decoded.subarray(0, longest)).toString();
}

/** The body of a response, read as exact JSON. A body that cannot be decoded is not JSON. */
export function jsonOf(response: ProviderResponse): JsonRead {
  return contentOf(response).json;
}

/** The members of a JSON object. `undefined`: it is none, or no JSON. */
export function membersOf(read: JsonRead | undefined): JsonObject | undefined {
  return read?.ok === true && isObject(read.value) ? read.value : undefined;
}
