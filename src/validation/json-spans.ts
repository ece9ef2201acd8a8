/** The place of a value in a JSON text: from its first byte to after its last. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a];
const [ARRAY, OBJECT] = [0x5b, 0x7b];

/**
 * Finds values in a JSON text by their paths, so that they can be taken or replaced without changing the rest. Each object
 * and array is read once, when a path first leads into it. The exact parser could record all spans, but they would take
 * twice the memory of those that are asked for.
 */
export class JsonSpans {
  private readonly bytes: Buffer;
  private readonly whole: Span;
  private readonly known = new Map<number, ReadonlyMap<string, Span>>();

  /** @param json what `readJson` accepts; of duplicate keys, the last one counts */
  constructor(json: string | Uint8Array) {
    this.bytes =
      typeof json === 'string'
        ? Buffer.from(json)
        : Buffer.from(json.buffer, json.byteOffset, json.byteLength);
    let end = this.bytes.length;
    while (isSpace(this.bytes[end - 1])) end--;
    this.whole = { start: afterSpace(this.bytes, 0), end };
  }

  /**
   * The place of a value, in bytes.
   *
   * @param path keys of objects and indices of arrays, as numbers or as digits
   * @returns `undefined` if there is no such value
   */
  at(path: readonly (string | number)[]): Span | undefined {
    let span: Span | undefined = this.whole;
    for (const step of path) span = span && this.partsOf(span).get(String(step));
    return span;
  }

  /** The value at a path, as written. */
  textAt(path: readonly (string | number)[]): string | undefined {
    const span = this.at(path);
    return span && this.textOf(span);
  }

  /** The elements of an array, as written. Empty if the value is not an array. */
  elementsAt(path: readonly (string | number)[]): string[] {
    const span = this.at(path);
    return span === undefined || this.bytes[span.start] !== ARRAY
      ? []
      : [...this.partsOf(span).values()].map((part) => this.textOf(part));
  }

  /** The whole text with another value at a path; `undefined` if there is no value. */
  replacedAt(path: readonly (string | number)[], value: string): string | undefined {
    const span = this.at(path);
    const end = this.bytes.length;
    return span && this.textOf({ start: 0, end: span.start }) + value + this.textOf({ start: span.end, end });
  }

  private textOf({ start, end }: Span): string {
    return this.bytes.toString('utf8', start, end);
  }

  private partsOf({ start }: Span): ReadonlyMap<string, Span> {
    let parts = this.known.get(start);
    if (parts === undefined) {
      parts = partsAt(this.bytes, start);
      this.known.set(start, parts);
    }
    return parts;
  }
}

/** The members of an object by their keys, or the elements of an array by their indices. Other values have no parts. */
function partsAt(bytes: Buffer, start: number): ReadonlyMap<string, Span> {
  const parts = new Map<string, Span>();
  if (!opens(bytes[start])) return parts;
  let at = afterSpace(bytes, start + 1);
  while (!closes(bytes[at])) {
    let key = String(parts.size);
    if (bytes[start] === OBJECT) {
      const endOfKey = endOfString(bytes, at);
      key = JSON.parse(bytes.toString('utf8', at, endOfKey));
      at = afterSpace(bytes, bytes.indexOf(COLON, endOfKey) + 1);
    }
    const end = endOfValue(bytes, at);
    parts.set(key, { start: at, end });
    at = afterSpace(bytes, end);
    if (bytes[at] === COMMA) at = afterSpace(bytes, at + 1);
  }
  return parts;
}

function endOfValue(bytes: Uint8Array, start: number): number {
  let at = start;
  if (bytes[at] === QUOTE) return endOfString(bytes, at);
  if (!opens(bytes[at])) {
    while (at < bytes.length && bytes[at] !== COMMA && !closes(bytes[at]) && !isSpace(bytes[at])) at++;
    return at;
  }
  for (let depth = 0; at < bytes.length; ) {
    const byte = bytes[at];
    at = byte === QUOTE ? endOfString(bytes, at) : at + 1;
    if (opens(byte)) depth++;
    else if (closes(byte) && --depth === 0) break;
  }
  return at;
}

function afterSpace(bytes: Uint8Array, start: number): number {
  let at = start;
  while (isSpace(bytes[at])) at++;
  return at;
}

/** The place after the closing quote of the string that begins here, or after the end of the text. */
export function endOfString(bytes: Uint8Array, start: number): number {
  let at = start + 1;
  while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
  return at + 1;
}

/** Whether a byte outside strings begins an array or an object. */
export function opens(byte: number | undefined): boolean {
  return byte === ARRAY || byte === OBJECT;
}

/** Whether a byte outside strings ends an array or an object. */
export function closes(byte: number | undefined): boolean {
  return byte === 0x5d || byte === 0x7d;
}

function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}
