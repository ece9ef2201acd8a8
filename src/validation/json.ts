import {
  exactNumber,
  JsonNumber,
  type JsonObject,
  type JsonRead,
  type JsonValue,
  pointerTo,
} from './json-value.js';

/** Much deeper than a message of this interface, and far below the limit of the stack. */
export const MAX_DEPTH = 500;

/** How many duplicate keys are listed: many long pointers would take much more memory than the text. */
const MOST_DUPLICATES = 10;

const BYTE_ORDER_MARK = '\ufeff';

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
  const text = decodeUtf8(bytes);
  return text === undefined
    ? { ok: false, offset: 0, message: 'the bytes are not well-formed UTF-8' }
    : readJsonText(text);
}

/**
 * Reads a JSON text that is a string, as {@link readJson} does.
 *
 * @param text a JSON text
 */
export function readJsonText(text: string): JsonRead {
  const parser = new Parser(text);
  try {
    const value = parser.document();
    return { ok: true, value, duplicateKeys: parser.duplicateKeys };
  } catch (problem) {
    if (!(problem instanceof Malformed)) throw problem;
    return { ok: false, offset: problem.offset, message: problem.message };
  }
}

/** Why a text is not JSON, and where: `expected a JSON value, got "]", at character 6`. The beginning needs no place. */
export function jsonProblem({ message, offset }: Extract<JsonRead, { ok: false }>): string {
  return offset === 0 ? message : `${message}, at character ${offset}`;
}

// k6 has no TextDecoder, nor has a test in Jest's jsdom. Made once: that takes longer than to decode a plant.
const STRICT =
  typeof TextDecoder === 'undefined' ? undefined : new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The text of some bytes, with a byte-order mark; `undefined` if they are not well-formed UTF-8 (RFC 3629). */
function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    if (STRICT !== undefined) return STRICT.decode(bytes);
    return decodeURIComponent(Array.from(bytes, (byte) => `%${byte.toString(16).padStart(2, '0')}`).join(''));
  } catch {
    return undefined;
  }
}

/** The place of a value in a JSON text: from its first character to after its last. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/**
 * The place of a value in a JSON text, in characters. So it can be taken or replaced without changing the rest.
 *
 * @param json what `readJson` accepts; of duplicate keys, the last one counts
 * @param path keys of objects and indices of arrays
 * @returns `undefined` if there is no such value
 */
export function spanAt(json: string, path: readonly (string | number)[]): Span | undefined {
  let span: Span | undefined = { start: json.search(/[^ \t\n\r]/), end: json.trimEnd().length };
  for (const step of path) span = span && new Parser(json, span.start).partsHere().get(String(step));
  return span;
}

/** The elements of the array at a path, as written. Empty if there is no array. */
export function elementsAt(json: string, path: readonly (string | number)[]): string[] {
  const array = spanAt(json, path);
  if (array === undefined || json[array.start] !== '[') return [];
  const parts = new Parser(json, array.start).partsHere().values();
  return Array.from(parts, ({ start, end }) => json.slice(start, end));
}

/** The whole text with another value at a path; `undefined` if there is no value. */
export function replacedAt(
  json: string,
  path: readonly (string | number)[],
  value: string,
): string | undefined {
  const span = spanAt(json, path);
  return span && json.slice(0, span.start) + value + json.slice(span.end);
}

/** Where and why a text is not JSON. Thrown and caught in this file. */
class Malformed extends Error {
  constructor(
    readonly offset: number,
    message: string,
  ) {
    super(message);
  }
}

const SPACE = /[ \t\n\r]*/y;
// biome-ignore lint/suspicious/noControlCharactersInRegex: no string has them unescaped
const UNESCAPED = /[^"\\\0-\x1f]*/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;

class Parser {
  readonly duplicateKeys: string[] = [];
  private readonly path: (string | number)[] = [];
  private depth = 0;
  /** The places of the members or elements of the outermost value, if they are wanted. */
  private parts: Map<string, Span> | undefined;

  constructor(
    private readonly text: string,
    private at = 0,
  ) {}

  document(): JsonValue {
    if (this.text.startsWith(BYTE_ORDER_MARK))
      throw new Malformed(0, 'the JSON text begins with a byte-order mark');
    this.space();
    const value = this.value();
    this.space();
    if (this.at < this.text.length) throw this.unexpected('the end of the text after the JSON value');
    return value;
  }

  /** The members of the object that begins here, by their keys, or the elements of an array. Other values have no parts. */
  partsHere(): ReadonlyMap<string, Span> {
    this.parts = new Map();
    this.value();
    return this.parts;
  }

  private value(): JsonValue {
    switch (this.text[this.at]) {
      case '{':
        return this.object();
      case '[':
        return this.array();
      case '"':
        return this.string();
      case 't':
        return this.word('true', true);
      case 'f':
        return this.word('false', false);
      case 'n':
        return this.word('null', null);
    }
    const number = this.skip(NUMBER);
    if (number === '') throw this.unexpected('a JSON value');
    return exactNumber(number);
  }

  private object(): JsonObject {
    const object: JsonObject = {};
    if (this.opensEmpty('}')) return object;
    do {
      this.space();
      if (this.text[this.at] !== '"') throw this.unexpected('a key in double quotes');
      const key = this.string();
      this.space();
      if (!this.passes(':')) throw this.unexpected('":" after a key');
      if (Object.hasOwn(object, key) && this.duplicateKeys.length < MOST_DUPLICATES)
        this.duplicateKeys.push(pointerTo([...this.path, key]));
      const value = this.part(key);
      // Assigning "__proto__" would set the prototype.
      if (key === '__proto__')
        Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
      else object[key] = value;
    } while (this.goesOn('}'));
    return object;
  }

  private array(): JsonValue[] {
    const array: JsonValue[] = [];
    if (this.opensEmpty(']')) return array;
    do array.push(this.part(array.length));
    while (this.goesOn(']'));
    return array;
  }

  /** The value of a member, or an element, and the white space around it. */
  private part(key: string | number): JsonValue {
    this.path.push(key);
    this.space();
    const start = this.at;
    const value = this.value();
    if (this.depth === 1) this.parts?.set(String(key), { start, end: this.at });
    this.space();
    this.path.pop();
    return value;
  }

  /** Steps over the beginning of an object or array, and over its end if it is empty. */
  private opensEmpty(end: string): boolean {
    if (++this.depth > MAX_DEPTH)
      throw new Malformed(this.at, `the JSON text nests deeper than ${MAX_DEPTH} levels`);
    this.at++;
    this.space();
    return this.closes(end);
  }

  private closes(end: string): boolean {
    if (!this.passes(end)) return false;
    this.depth--;
    return true;
  }

  private goesOn(end: string): boolean {
    if (this.closes(end)) return false;
    if (!this.passes(',')) throw this.unexpected(`"," or "${end}"`);
    return true;
  }

  private string(): string {
    const start = this.at++;
    // Not with one expression for the whole string: it would overflow the stack of V8 on some megabytes.
    let value = this.skip(UNESCAPED);
    const isPlain = this.text[this.at] === '"';
    while (this.skip(ESCAPE) !== '') this.skip(UNESCAPED);
    if (!this.passes('"')) throw this.brokenString();
    // JSON.parse is exact on strings.
    if (!isPlain) value = JSON.parse(this.text.slice(start, this.at));
    return value;
  }

  private brokenString(): Malformed {
    const next = this.text[this.at];
    if (next === undefined) return new Malformed(this.at, 'the text ends inside a string');
    if (next === '\\') return new Malformed(this.at, 'a string has a malformed escape');
    return this.unexpected('a character of a string, or its escape');
  }

  private word<T>(word: string, value: T): T {
    if (!this.passes(word)) throw this.unexpected('a JSON value');
    return value;
  }

  private passes(word: string): boolean {
    if (!this.text.startsWith(word, this.at)) return false;
    this.at += word.length;
    return true;
  }

  private space(): void {
    if (this.text.charCodeAt(this.at) <= 0x20) this.skip(SPACE);
  }

  /** Steps over what matches here, and returns it. */
  private skip(pattern: RegExp): string {
    pattern.lastIndex = this.at;
    if (!pattern.test(this.text)) return '';
    const found = this.text.slice(this.at, pattern.lastIndex);
    this.at = pattern.lastIndex;
    return found;
  }

  private unexpected(expected: string): Malformed {
    const code = this.text.codePointAt(this.at);
    if (code === undefined) return new Malformed(this.at, `expected ${expected}, got the end of the text`);
    const character = String.fromCodePoint(code);
    const isVisible = /[\p{L}\p{N}\p{P}\p{S}]/u.test(character);
    const shown = isVisible ? `"${character}"` : `0x${code.toString(16).padStart(2, '0')}`;
    return new Malformed(this.at, `expected ${expected}, got ${shown}`);
  }
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
