import type { NewPlant } from '../spec/types.js';
import { invalidOption } from '../toolkit-error.js';
import { readJsonText } from '../validation/json.js';
import { lineAndColumn } from '../validation/json-file.js';

/**
 * Reads a JSON array of plants. Ids are exact. What is in it is checked where the plants are stored.
 *
 * @param file its name, for errors
 * @throws ToolkitError `invalid-option` that says what is wrong, and where
 */
export function readPlants(content: string, file: string): NewPlant[] {
  const text = content.replace(/^\ufeff/, '');
  const read = readJsonText(text);
  if (!read.ok) throw invalidOption(`${file}, ${lineAndColumn(text, read.offset)}: ${read.message}`);
  const { value, duplicateKeys } = read;
  if (duplicateKeys[0] !== undefined)
    throw invalidOption(`${file}: the key ${duplicateKeys[0]} is there twice`);
  if (!Array.isArray(value)) throw invalidOption(`${file} must be a JSON array of plants`);
  return value as object[] as NewPlant[];
}
