import { isObject, type JsonObject, type JsonValue, pointerTo } from '../../validation/json-value.js';
import { describe } from '../../validation/violation.js';
import { type Source, unreadable } from '../source.js';

/** A value in a HAR and its place. Reading it as another type throws an error that names the place. */
export class Fragment {
  /** @param above the value that it is in, or the pointer to that value */
  constructor(
    private readonly source: Source,
    private readonly above: Fragment | string,
    private readonly key: string | number | undefined,
    private readonly value: JsonValue | undefined,
  ) {}

  /** Only made when it is asked for: there are millions of values. */
  get pointer(): string {
    const above = typeof this.above === 'string' ? this.above : this.above.pointer;
    return this.key === undefined ? above : above + pointerTo([this.key]);
  }

  /** Whether there is a value. Tools write `null` for what they do not know. */
  get isThere(): boolean {
    return this.value !== undefined && this.value !== null;
  }

  /** A member of an object; a missing value has no members. */
  member(name: string): Fragment {
    const object: JsonObject = this.isThere ? this.object() : {};
    const value = Object.hasOwn(object, name) ? object[name] : undefined;
    return new Fragment(this.source, this, name, value);
  }

  elements(): Fragment[] {
    if (!Array.isArray(this.value)) throw this.wrong('an array');
    return this.value.map((value, at) => new Fragment(this.source, this, at, value));
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
