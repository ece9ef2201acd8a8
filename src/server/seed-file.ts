import type { NewPlant } from '../spec/types.js';
import { invalidOption, reasonOf, type ToolkitError } from '../toolkit-error.js';
import { readJsonText } from '../validation/json.js';
import { lineAndColumn } from '../validation/json-file.js';
import type { JsonValue } from '../validation/json-value.js';
import { checkSeed } from './engine.js';

/**
 * Reads plants: a JSON array, or one plant a line. Ids are exact.
 *
 * @param file its name, for errors
 * @throws ToolkitError `invalid-option` that says what is wrong, and where
 */
export function readPlants(content: string, file: string): NewPlant[] {
  const wrong = (where: string, why: string): ToolkitError => invalidOption(`${file}, ${where}: ${why}`);
  const text = content.replace(/^\ufeff/, '');
  const places = new Map<bigint, string>();
  return valuesIn(text, wrong).map(({ where, value }) => {
    try {
      checkSeed(value);
    } catch (cause) {
      throw wrong(where, reasonOf(cause));
    }
    const id = BigInt(value.id);
    const before = places.get(id);
    if (before !== undefined) throw wrong(where, `the id ${id} is used before, by ${before}`);
    places.set(id, where);
    return value;
  });
}

/** A value in the file, and its place: `line 3`, or in an array `plant 3`. */
interface Placed {
  readonly where: string;
  readonly value: unknown;
}

function valuesIn(text: string, wrong: (where: string, why: string) => ToolkitError): Placed[] {
  const valueIn = (json: string, where: (offset: number | undefined) => string): JsonValue => {
    const read = readJsonText(json);
    if (!read.ok) throw wrong(where(read.offset), read.message);
    const [twice] = read.duplicateKeys;
    if (twice !== undefined) throw wrong(where(undefined), `the key ${twice} is there twice`);
    return read.value;
  };
  if (text.trimStart().startsWith('[')) {
    const list = valueIn(text, (offset) =>
      offset === undefined ? 'the array' : lineAndColumn(text, offset),
    ) as JsonValue[];
    return list.map((value, at) => ({ where: `plant ${at + 1}`, value }));
  }
  return text.split(/\r?\n/).flatMap((line, at) => {
    const where = `line ${at + 1}`;
    return line.trim() === '' ? [] : [{ where, value: valueIn(line, () => where) }];
  });
}
