import { asciiIn, isUtf8, readable, textIn, utf8Of } from './bytes.js';
import { MAX_DEPTH, parseExactly } from './json-parser.js';
import type { JsonObject, JsonRead, JsonValue } from './json-value.js';

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
  const scan = scanPlain(bytes);
  if (scan === NOT_PLAIN) return parseExactly(bytes);
  const ascii = (scan & NON_ASCII) === 0;
  if (!ascii && !isUtf8(bytes)) return parseExactly(bytes);
  const text = readable(bytes);
  let value: JsonValue;
  try {
    value = JSON.parse(ascii ? asciiIn(text) : textIn(text));
  } catch {
    return parseExactly(bytes);
  }
  // JSON.parse drops duplicate keys: then the text has more colons than the value has keys.
  if (countKeys(value) !== scan >> 1) return parseExactly(bytes);
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

const NOT_PLAIN = -1;
const NON_ASCII = 1;
/** Integers of this many digits are exact as doubles. */
const PLAIN_DIGITS = 15;

/**
 * Finds out in one pass whether `JSON.parse` would give the exact value: all numbers are short integers, no `-0`, few
 * brackets. It assumes that the text is JSON, since `JSON.parse` rejects everything else.
 *
 * @returns NOT_PLAIN, or twice the number of keys (colons outside strings), plus NON_ASCII if a byte is not ASCII
 */
function scanPlain(bytes: Uint8Array): number {
  const length = bytes.length;
  let keys = 0;
  let openings = 0;
  let nonAscii = 0;
  for (let at = 0; at < length; at++) {
    const byte = bytes[at] as number;
    if (byte === 0x22) {
      let inside = bytes[++at] as number;
      while (inside !== 0x22) {
        if (at >= length) return NOT_PLAIN;
        if (inside === 0x5c) at++;
        else if (inside >= 0x80) nonAscii = NON_ASCII;
        inside = bytes[++at] as number;
      }
    } else if (byte >= 0x30 && byte <= 0x3a) {
      if (byte === 0x3a) {
        keys++;
        continue;
      }
      const start = at;
      let next = bytes[++at] as number;
      while (next >= 0x30 && next <= 0x39) next = bytes[++at] as number;
      // ".", "e" and "E"; and "-0", which JSON.parse reads as negative zero
      if (at - start > PLAIN_DIGITS || next === 0x2e || (next | 0x20) === 0x65) return NOT_PLAIN;
      if (byte === 0x30 && bytes[start - 1] === 0x2d) return NOT_PLAIN;
      at--;
    } else if (byte === 0x7b || byte === 0x5b) {
      if (++openings > MAX_DEPTH) return NOT_PLAIN;
    } else if (byte >= 0x80) {
      return NOT_PLAIN;
    }
  }
  return keys * 2 + nonAscii;
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
