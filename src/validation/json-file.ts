import { readJsonText } from './json.js';

/**
 * Reads a JSON file that a person has written. Numbers are doubles.
 *
 * @param text what is in the file; a byte-order mark is skipped
 * @throws Error that says what is wrong, and in which line and column
 */
export function parseJsonFile(text: string): unknown {
  const json = text.replace(/^\ufeff/, '');
  try {
    return JSON.parse(json);
  } catch (cause) {
    const read = readJsonText(json);
    if (read.ok) throw cause;
    throw new Error(`${read.message}, at ${lineAndColumn(json, read.offset)}`, { cause });
  }
}

/** Where a character of a text is, as editors count: "line 2, column 5". */
export function lineAndColumn(text: string, offset: number): string {
  const lines = text.slice(0, offset).split('\n');
  return `line ${lines.length}, column ${[...(lines.at(-1) ?? '')].length + 1}`;
}
