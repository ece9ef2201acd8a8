import { asciiIn, isUtf8, readable, textIn, utf8Of } from './bytes.js';
import { MAX_DEPTH, parseExactly } from './json-parser.js';
import type { JsonObject, JsonRead, JsonValue } from './json-value.js';

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
  const text = readable(bytes);
  let value: JsonValue;
  try {
    value = JSON.parse(plain.isAscii ? asciiIn(text) : textIn(text));
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
