import { parseExactly } from '../../../validation/json-parser.js';
import { isObject, type JsonObject, type JsonValue, pointerTo } from '../../../validation/json-value.js';
import { describe } from '../../../validation/violation.js';
import { nothingToJudge, type Source, unreadable } from '../source.js';

/** A value in a HAR and its place. Reading it as another type throws an error that names the place. */
export class HarNode {
  /**
   * @param above where it is; left out for the document
   * @param key its name or its index there
   */
  constructor(
    private readonly source: Source,
    private readonly value: JsonValue | undefined,
    private readonly above?: { readonly pointer: string },
    private readonly key: string | number = '',
  ) {}

  /** Only made when it is asked for: there are millions of values. */
  get pointer(): string {
    return this.above === undefined ? '' : this.above.pointer + pointerTo([this.key]);
  }

  /** Whether there is a value. Tools write `null` for what they do not know. */
  get isThere(): boolean {
    return this.value !== undefined && this.value !== null;
  }

  /** A member of an object; a missing value has no members. */
  member(name: string): HarNode {
    const object: JsonObject = this.isThere ? this.object() : {};
    const value = Object.hasOwn(object, name) ? object[name] : undefined;
    return new HarNode(this.source, value, this, name);
  }

  elements(): HarNode[] {
    if (!Array.isArray(this.value)) throw this.wrong('an array');
    return this.value.map((value, at) => new HarNode(this.source, value, this, at));
  }

  text(): string {
    if (typeof this.value !== 'string') throw this.wrong('a string');
    return this.value;
  }

  number(): number {
    if (typeof this.value !== 'number') throw this.wrong('a number');
    return this.value;
  }

  /** The text, or `undefined` if there is none. */
  optionalText(): string | undefined {
    return this.isThere ? this.text() : undefined;
  }

  /** The number; -1, as in HAR, if it is not known. */
  size(): number {
    return typeof this.value === 'number' ? this.value : -1;
  }

  /** The error for a value that is wrong. */
  unreadable(why: string): Error {
    return unreadable(this.source, this.pointer, why);
  }

  private object(): JsonObject {
    if (!isObject(this.value)) throw this.wrong('an object');
    return this.value;
  }

  private wrong(expected: string): Error {
    // The value itself may be a token.
    const found = typeof this.value === 'string' ? 'a string' : describe(this.value);
    return this.unreadable(this.isThere ? `expected ${expected}, got ${found}` : `${expected} is missing`);
  }
}

/** Values may take 20 times the memory of their text. No entry that a tool wrote has so many. */
const MOST_VALUES = 1_000_000;

const NO_HAR =
  'is JSON but not a HAR file, which has /log/entries; for a body alone, name its schema: --as plant, new-plant or error';

/**
 * Reads a HAR (versions 1.1 and 1.2).
 *
 * @param take is given each entry as it is read
 * @returns its log, without its entries
 * @throws ToolkitError `invalid-message` if it is not JSON, `no-message` if it is not a HAR
 */
export function readLog(source: Source, take: (entry: HarNode) => void): HarNode {
  const { bytes, start } = source;
  const above = { pointer: '/log/entries' };
  const read = parseExactly(bytes.subarray(start), {
    path: ['log', 'entries'],
    mostValues: MOST_VALUES,
    take: (element, index) => take(new HarNode(source, element, above, index)),
  });
  if (!read.ok) throw unreadable(source, start + read.offset, problemIn(read.message));
  if (!isObject(read.value) || !isObject(read.value.log)) throw nothingToJudge(source, NO_HAR);
  // Of duplicate keys, the last one counts. Here the entries of all are taken.
  const twice = read.duplicateKeys.find((key) => key === '/log' || key === '/log/entries');
  if (twice !== undefined) throw unreadable(source, twice, 'it occurs twice');
  const log = new HarNode(source, read.value).member('log');
  log.member('entries').elements();
  return log;
}

/** JSON that nests too deeply or has too many values is JSON. */
function problemIn(message: string): string {
  return message.startsWith('the JSON text ') ? message : `it is not JSON: ${message}`;
}
