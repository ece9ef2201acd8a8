import { copied } from '../copied.js';
import { JsonNumber, type JsonObject, type JsonRead, type JsonValue } from '../validation/json-value.js';

/** So many values are kept, and so many characters of strings and keys. */
const MOST_VALUES = 1_000;
const MOST_CHARACTERS = 64 * 1024;
/** The fields that the interface names. Of a large object, they are kept first. */
const NAMED = ['name', 'tag', 'id', 'error', 'message'];

/**
 * JSON that takes little memory: of a large value, the first members and elements, and the beginnings of long strings.
 *
 * @param kept strings that are kept whole
 */
export function prunedJson(read: JsonRead, kept: KeptStrings): JsonRead {
  if (!read.ok) return read;
  if (read.duplicateKeys.length === 0 && new Pruning(kept).fits(read.value)) return read;
  const pruned = new Pruning(kept);
  return {
    ...read,
    value: pruned.copy(read.value),
    duplicateKeys: read.duplicateKeys.map((pointer) => pruned.text(pointer)),
  };
}

/** Some strings, or all of them. */
export type KeptStrings = readonly string[] | 'all-strings';

class Pruning {
  private values = MOST_VALUES;
  private characters = MOST_CHARACTERS;

  constructor(private readonly kept: KeptStrings) {}

  /** Whether nothing of a value would be pruned. */
  fits(value: JsonValue): boolean {
    this.values--;
    if (typeof value === 'string') this.characters -= value.length;
    else if (value instanceof JsonNumber) this.characters -= value.text.length;
    else if (typeof value === 'object' && value !== null)
      for (const key in value) {
        this.characters -= key.length;
        if (!this.fits((value as JsonObject)[key] as JsonValue)) return false;
      }
    return this.values >= 0 && this.characters >= 0;
  }

  copy(value: JsonValue): JsonValue {
    this.values--;
    if (typeof value === 'string') return this.text(value);
    if (typeof value !== 'object' || value === null) return value;
    if (value instanceof JsonNumber) return new JsonNumber(this.text(value.text), value.isInteger);
    return Array.isArray(value) ? this.array(value) : this.object(value);
  }

  /** The beginning of a long string. */
  text(text: string): string {
    if (this.kept === 'all-strings') return text;
    const known = this.kept.indexOf(text);
    if (known !== -1) return this.kept[known] as string;
    const room = Math.max(0, this.characters);
    this.characters -= text.length;
    return text.length <= room ? text : `${copied(text.slice(0, room))}…`;
  }

  private array(array: readonly JsonValue[]): JsonValue[] {
    const kept: JsonValue[] = [];
    for (const item of array) {
      if (this.values <= 0) break;
      kept.push(this.copy(item));
    }
    return kept;
  }

  private object(object: JsonObject): JsonObject {
    const kept: JsonObject = {};
    const keep = (key: string): void => {
      const name = NAMED.includes(key) ? key : this.text(key);
      const value = this.copy(object[key] as JsonValue);
      // Assigning "__proto__" would set the prototype.
      Object.defineProperty(kept, name, {
        value,
        ...{ writable: true, enumerable: true, configurable: true },
      });
    };
    for (const key of NAMED) if (Object.hasOwn(object, key)) keep(key);
    for (const key in object) {
      if (this.values <= 0) break;
      if (!NAMED.includes(key)) keep(key);
    }
    return kept;
  }
}
