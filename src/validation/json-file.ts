import { readJsonText } from './json.js';
import type { Compiled } from './schema.js';

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

/**
 * The first way in which the value of a JSON file differs from its schema, as Ajv says it: `/demands must be array`.
 *
 * @param validate as Ajv compiled it, with messages
 */
export function fileProblem(validate: Compiled, value: unknown): string | undefined {
  if (validate(value)) return undefined;
  // Of alternatives, the last error is the one about all of them.
  const { instancePath = '', message = 'is wrong', params = {} } = validate.errors?.at(-1) ?? {};
  const place = instancePath === '' ? 'it' : instancePath;
  // Most messages name what they are about.
  const further = Object.values(params).filter((param) => !message.includes(String(param)));
  return [`${place} ${message}`, ...further].join(': ');
}
