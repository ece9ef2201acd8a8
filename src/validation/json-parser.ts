import { asciiIn, isUtf8, textIn } from './bytes.js';
import { exactNumber, type JsonObject, type JsonRead, type JsonValue, pointerTo } from './json-value.js';
import { codePointAt, malformedUtf8At } from './utf8.js';

/** Much deeper than a message of this interface, and far below the limit of the stack. */
export const MAX_DEPTH = 500;

/** So many duplicate keys are listed. */
const MOST_DUPLICATES = 10;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Where and why a text is not JSON. Thrown and caught in this file. */
class Malformed {
  constructor(
    readonly offset: number,
    readonly message: string,
  ) {}
}

/** Hands the elements of one array over as they are read, instead of keeping them: all at once may take much memory. */
interface Handover {
  /** The keys that lead to the array. */
  readonly path: readonly string[];
  /** A text with more values in one element, or beside the elements, is rejected. */
  readonly mostValues: number;
  take(element: JsonValue, index: number): void;
}

/**
 * Reads JSON byte by byte, exactly and with offsets. `readJson` uses this only if `JSON.parse` would lose something or
 * has rejected the text.
 *
 * @param handover what becomes of the elements of an array; in the value, that array is empty
 * @throws what taking an element throws
 */
export function parseExactly(bytes: Uint8Array, handover?: Handover): JsonRead {
  try {
    if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) {
      throw new Malformed(0, 'the JSON text begins with a byte-order mark');
    }
    if (!isUtf8(bytes)) throw new Malformed(malformedUtf8At(bytes), 'the bytes are not well-formed UTF-8');
    const parser = new Parser(bytes, handover);
    const value = parser.document();
    return { ok: true, value, duplicateKeys: parser.duplicateKeys };
  } catch (problem) {
    if (problem instanceof Malformed) return { ok: false, offset: problem.offset, message: problem.message };
    throw problem;
  }
}

class Parser {
  readonly duplicateKeys: string[] = [];
  private at = 0;
  private readonly path: (string | number)[] = [];

  constructor(
    private readonly bytes: Uint8Array,
    private readonly handover: Handover | undefined,
  ) {}

  document(): JsonValue {
    this.space();
    const value = this.value();
    this.space();
    if (this.at < this.bytes.length) throw this.unexpected('the end of the text after the JSON value');
    return value;
  }

  private value(): JsonValue {
    this.countValue();
    switch (this.bytes[this.at]) {
      case 0x7b:
        return this.object();
      case 0x5b:
        return this.array();
      case QUOTE:
        return this.string();
      case 0x74:
        return this.literal('true', true);
      case 0x66:
        return this.literal('false', false);
      case 0x6e:
        return this.literal('null', null);
      default:
        return this.number();
    }
  }

  private object(): JsonObject {
    const object: JsonObject = {};
    this.open();
    if (this.closes(0x7d)) return object;
    do {
      this.space();
      if (this.bytes[this.at] !== QUOTE) throw this.unexpected('a key in double quotes');
      const key = this.string();
      this.space();
      if (this.bytes[this.at++] !== 0x3a) throw this.unexpected('":" after a key', this.at - 1);
      this.path.push(key);
      if (Object.hasOwn(object, key)) this.noteDuplicate();
      const value = this.element();
      // Assigning "__proto__" would set the prototype.
      if (key === '__proto__')
        Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
      else object[key] = value;
      this.path.pop();
    } while (this.continues(0x7d, '"," or "}"'));
    return object;
  }

  /** Many long pointers would take much more memory than the text. */
  private noteDuplicate(): void {
    if (this.duplicateKeys.length < MOST_DUPLICATES) this.duplicateKeys.push(pointerTo(this.path));
  }

  private array(): JsonValue[] {
    const array: JsonValue[] = [];
    this.open();
    if (this.closes(0x5d)) return array;
    const take = this.isHandedOver() ? this.handover?.take : undefined;
    const values = this.values;
    let index = 0;
    do {
      this.path.push(index);
      const element = this.element();
      this.path.pop();
      if (take === undefined) array.push(element);
      else {
        take(element, index);
        this.values = values;
      }
      index++;
    } while (this.continues(0x5d, '"," or "]"'));
    return array;
  }

  private isHandedOver(): boolean {
    const path = this.handover?.path;
    return path?.length === this.path.length && path.every((key, at) => key === this.path[at]);
  }

  private values = 0;

  private countValue(): void {
    const most = this.handover?.mostValues;
    if (most !== undefined && ++this.values > most)
      throw new Malformed(this.at, `the JSON text has more than ${most} values in one part`);
  }

  private depth = 0;

  private open(): void {
    if (++this.depth > MAX_DEPTH)
      throw new Malformed(this.at, `the JSON text nests deeper than ${MAX_DEPTH} levels`);
    this.at++;
    this.space();
  }

  private closes(end: number): boolean {
    if (this.bytes[this.at] !== end) return false;
    this.at++;
    this.depth--;
    return true;
  }

  private element(): JsonValue {
    this.space();
    const value = this.value();
    this.space();
    return value;
  }

  private continues(end: number, expected: string): boolean {
    if (this.closes(end)) return false;
    if (this.bytes[this.at] !== 0x2c) throw this.unexpected(expected);
    this.at++;
    return true;
  }

  private literal<T>(word: string, value: T): T {
    for (let i = 0; i < word.length; i++) {
      if (this.bytes[this.at + i] !== word.charCodeAt(i)) throw this.unexpected(`"${word}"`, this.at + i);
    }
    this.at += word.length;
    return value;
  }

  private string(): string {
    const start = this.at++;
    for (;;) {
      const byte = this.bytes[this.at];
      if (byte === undefined) throw new Malformed(this.at, 'the text ends inside a string');
      if (byte < 0x20)
        throw new Malformed(this.at, `a string has the unescaped control character ${hex(byte)}`);
      if (byte === BACKSLASH) this.escape();
      else this.at++;
      if (byte === QUOTE) break;
    }
    // The slice is known to be a JSON string here, and JSON.parse is exact on strings.
    return JSON.parse(textIn(this.bytes, start, this.at));
  }

  private escape(): void {
    const letter = this.bytes[this.at + 1];
    if (letter === 0x75) {
      for (let i = 2; i < 6; i++) {
        if (!isHexDigit(this.bytes[this.at + i]))
          throw this.unexpected('four hexadecimal digits after "\\u"', this.at + i);
      }
      this.at += 6;
    } else if (letter !== undefined && '"\\/bfnrt'.includes(String.fromCharCode(letter))) {
      this.at += 2;
    } else {
      throw this.unexpected('one of " \\ / b f n r t u after "\\"', this.at + 1);
    }
  }

  private number(): JsonValue {
    const start = this.at;
    if (this.bytes[this.at] === 0x2d) this.at++;
    const first = this.bytes[this.at];
    this.digits(start === this.at ? 'a JSON value' : 'a digit');
    if (first === 0x30 && this.at - start > (this.bytes[start] === 0x2d ? 2 : 1)) {
      throw new Malformed(start, 'a number starts with an extra 0');
    }
    if (this.bytes[this.at] === 0x2e) {
      this.at++;
      this.digits('a digit after "."');
    }
    if (this.bytes[this.at] === 0x65 || this.bytes[this.at] === 0x45) {
      this.at++;
      if (this.bytes[this.at] === 0x2b || this.bytes[this.at] === 0x2d) this.at++;
      this.digits('a digit of the exponent');
    }
    return exactNumber(asciiIn(this.bytes, start, this.at));
  }

  private digits(expected: string): void {
    const start = this.at;
    while (isDigit(this.bytes[this.at])) this.at++;
    if (this.at === start) throw this.unexpected(expected);
  }

  private space(): void {
    for (;;) {
      const byte = this.bytes[this.at];
      if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) return;
      this.at++;
    }
  }

  private unexpected(expected: string, offset = this.at): Malformed {
    if (offset >= this.bytes.length)
      return new Malformed(this.bytes.length, `expected ${expected}, got the end of the text`);
    return new Malformed(offset, `expected ${expected}, got ${shown(this.bytes, offset)}`);
  }
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x30 && byte <= 0x39;
}

function isHexDigit(byte: number | undefined): boolean {
  return byte !== undefined && /[0-9a-fA-F]/.test(String.fromCharCode(byte));
}

function hex(byte: number): string {
  return `0x${byte.toString(16).padStart(2, '0')}`;
}

function shown(bytes: Uint8Array, offset: number): string {
  // A character begins here: the bytes are UTF-8, and all before was read in whole characters.
  const character = String.fromCodePoint(codePointAt(bytes, offset));
  return /[\p{L}\p{N}\p{P}\p{S}]/u.test(character) ? `"${character}"` : hex(bytes[offset] ?? 0);
}
