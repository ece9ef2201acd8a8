import { JsonNumber } from '../../validation/json-number.js';
import { pointer } from '../../validation/json-parser.js';
import type { JsonObject, JsonValue } from '../../validation/json-value.js';
import { describe } from '../../validation/violation.js';
import { type Source, unreadable } from '../source.js';

/** A value in a HAR together with where it stands: whoever asks it for what it is not is told where. */
export class Fragment {
  constructor(
    private readonly source: Source,
    readonly pointer: string,
    private readonly value: JsonValue | undefined,
  ) {}

  /** Whether there is anything: tools write `null` for what they do not know. */
  get isThere(): boolean {
    return this.value !== undefined && this.value !== null;
  }

  /** A member of an object; of what is not there, nothing is there. */
  member(name: string): Fragment {
    const object: JsonObject = this.isThere ? this.object() : {};
    const value = Object.hasOwn(object, name) ? object[name] : undefined;
    return new Fragment(this.source, this.pointer + pointer([name]), value);
  }

  elements(): Fragment[] {
    if (!Array.isArray(this.value)) throw this.wrong('a list');
    return this.value.map((value, at) => new Fragment(this.source, `${this.pointer}/${at}`, value));
  }

  text(): string {
    if (typeof this.value !== 'string') throw this.wrong('a text');
    return this.value;
  }

  number(): number {
    if (typeof this.value !== 'number') throw this.wrong('a number');
    return this.value;
  }

  /** The text, or `undefined` where there is nothing. */
  optionalText(): string | undefined {
    return this.isThere ? this.text() : undefined;
  }

  /** The number; -1, as HAR has it, where it is not known. */
  size(): number {
    return typeof this.value === 'number' ? this.value : -1;
  }

  /** The error for what stands here. */
  unreadable(why: string): Error {
    return unreadable(this.source, this.pointer, why);
  }

  private object(): JsonObject {
    if (typeof this.value !== 'object' || Array.isArray(this.value) || this.value instanceof JsonNumber)
      throw this.wrong('an object');
    return this.value as JsonObject;
  }

  private wrong(expected: string): Error {
    // What stands there instead may be a token; its type says enough.
    const kind = typeof this.value === 'string' ? 'a text' : describe(this.value);
    return this.unreadable(
      this.isThere ? `a HAR has ${expected} there, not ${kind}` : `${expected} is missing`,
    );
  }
}
