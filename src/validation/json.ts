import { asciiIn, isUtf8, textIn, utf8Of } from './bytes.js';
import { MAX_DEPTH, parseExactly } from './json-parser.js';
import { JsonNumber, type JsonObject, type JsonRead, type JsonValue } from './json-value.js';

const [QUOTE, BACKSLASH, COLON, ZERO, MINUS] = [0x22, 0x5c, 0x3a, 0x30, 0x2d];
const NONE: readonly string[] = Object.freeze([]);

/**
 * Reads one JSON text (RFC 8259, UTF-8) exactly: integers are `number` up to 2^53 - 1 and `bigint` beyond, up to
 * 19 digits; every other number that a double would round is a {@link JsonNumber}. Malformed UTF-8, a byte-order mark,
 * trailing text, nesting beyond 500 levels, and everything else that is not JSON is rejected with its offset. Never
 * throws.
 *
 * @param bytes the body as received
 * @example
 * import assert from 'node:assert/strict';
 * import { readJson } from 'plant-store-contract/validation';
 *
 * const read = readJson(Buffer.from('{"id":9007199254740993}'));
 * assert.deepEqual(read, { ok: true, value: { id: 9007199254740993n }, duplicateKeys: [] });
 * assert.deepEqual(readJson(Buffer.from("{'id':1}")), {
 *   ok: false,
 *   offset: 1,
 *   message: 'expected a key in double quotes, got "\'"',
 * });
 */
export function readJson(bytes: Uint8Array): JsonRead {
  const plain = scanPlain(bytes);
  if (plain === undefined || !(plain.isAscii || isUtf8(bytes))) return parseExactly(bytes);
  let value: JsonValue;
  try {
    value = JSON.parse(plain.isAscii ? asciiIn(bytes) : textIn(bytes));
  } catch {
    return parseExactly(bytes);
  }
  // JSON.parse drops duplicate keys: then the text has more colons than the value has keys.
  if (countKeys(value) !== plain.colons) return parseExactly(bytes);
  return { ok: true, value, duplicateKeys: NONE };
}

/**
 * Reads a JSON text that is a string: {@link readJson} of its UTF-8 form. Offsets count bytes of that.
 *
 * @param text a JSON text; a lone surrogate in it becomes U+FFFD, as in web encoders
 */
export function readJsonText(text: string): JsonRead {
  return readJson(utf8Of(text));
}

/** What is known of a text whose exact value `JSON.parse` gives. */
interface PlainText {
  /** Outside strings: one for each key. */
  readonly colons: number;
  readonly isAscii: boolean;
}

/** Integers of this many digits are exact as doubles. */
const PLAIN_DIGITS = 15;

/**
 * Finds out in one pass whether `JSON.parse` would give the exact value: all numbers are short integers, no `-0`, few
 * brackets. It assumes that the text is JSON, since `JSON.parse` rejects everything else.
 */
function scanPlain(bytes: Uint8Array): PlainText | undefined {
  let colons = 0;
  let openings = 0;
  let isAscii = true;
  let at = 0;
  while (at < bytes.length) {
    const byte = bytes[at++] as number;
    if (byte === QUOTE) {
      for (;;) {
        const inside = bytes[at++];
        if (inside === QUOTE) break;
        if (inside === undefined) return undefined;
        if (inside === BACKSLASH) at++;
        else if (inside >= 0x80) isAscii = false;
      }
    } else if (byte === COLON) {
      colons++;
    } else if (isDigit(byte)) {
      const start = at - 1;
      while (isDigit(bytes[at])) at++;
      const isNegativeZero = byte === ZERO && bytes[start - 1] === MINUS;
      if (at - start > PLAIN_DIGITS || isNegativeZero || isFractional(bytes[at])) return undefined;
    } else if (byte === 0x7b || byte === 0x5b) {
      if (++openings > MAX_DEPTH) return undefined;
    } else if (byte >= 0x80) {
      return undefined;
    }
  }
  return { colons, isAscii };
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= ZERO && byte <= 0x39;
}

/** Whether a byte after digits is ".", "e" or "E". */
function isFractional(byte: number | undefined): boolean {
  return byte === 0x2e || byte === 0x65 || byte === 0x45;
}

function countKeys(value: JsonValue): number {
  if (typeof value !== 'object' || value === null) return 0;
  let count = 0;
  if (Array.isArray(value)) {
    for (const item of value) count += countKeys(item);
    return count;
  }
  for (const key in value as JsonObject) {
    const member = (value as JsonObject)[key];
    count += typeof member === 'object' ? 1 + countKeys(member as JsonValue) : 1;
  }
  return count;
}

/** What can be written as JSON: a value of `readJson`; members that are `undefined` are omitted. */
export type WritableJson =
  | JsonValue
  | readonly WritableJson[]
  | { readonly [key: string]: WritableJson | undefined };

/**
 * Writes a value as one JSON text without white space, exactly: a bigint as its digits, a {@link JsonNumber} as it was
 * read. Members that are `undefined` are omitted.
 *
 * @param value any JSON value
 * @throws TypeError if JSON cannot represent a value exactly: an integer beyond 2^53 that is not a bigint, NaN, an infinity,
 *   a function, `undefined` outside an object
 * @example
 * import assert from 'node:assert/strict';
 * import { writeJson } from 'plant-store-contract/validation';
 *
 * assert.equal(writeJson({ id: 9223372036854775807n, name: 'Aloe' }), '{"id":9223372036854775807,"name":"Aloe"}');
 * assert.throws(() => writeJson({ id: 2 ** 53 }), /9007199254740992 may have been rounded: write it as a bigint/);
 */
export function writeJson(value: WritableJson): string {
  if (value === null) return 'null';
  switch (typeof value) {
    case 'bigint':
      return String(value);
    case 'number':
      return numberText(value);
    case 'string':
    case 'boolean':
      return JSON.stringify(value);
    case 'object':
      break;
    default:
      throw new TypeError(`JSON cannot represent ${value === undefined ? 'undefined' : `a ${typeof value}`}`);
  }
  if (value instanceof JsonNumber) return value.text;
  if (Array.isArray(value)) return `[${value.map(writeJson).join(',')}]`;
  const members = Object.entries(value as { readonly [key: string]: WritableJson | undefined });
  const written = members.flatMap(([key, member]) =>
    member === undefined ? [] : [`${JSON.stringify(key)}:${writeJson(member)}`],
  );
  return `{${written.join(',')}}`;
}

function numberText(value: number): string {
  if (!Number.isFinite(value)) throw new TypeError(`JSON cannot represent ${value}`);
  if (Number.isInteger(value) && !Number.isSafeInteger(value))
    throw new TypeError(`the integer ${value} may have been rounded: write it as a bigint`);
  return String(value);
}
