import { didYouMean } from '../suggestion.js';
import { readJsonText } from './json.js';
import { keysIn, pointerTo, valueAt } from './json-value.js';
import type { Compiled, SchemaError } from './schema.js';
import { describe } from './violation.js';

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

/** What is wrong in a file, and where. */
export interface FileProblem {
  /** A JSON pointer; empty for the whole file. */
  readonly pointer: string;
  /** `must be a string; got 7`. */
  readonly message: string;
}

/**
 * The first way in which the value of a JSON file differs from its schema.
 *
 * @param validate as Ajv compiled it
 * @param schema the same schema, if its descriptions say what is expected
 */
export function fileProblem(
  validate: Compiled,
  value: unknown,
  schema: object = {},
): FileProblem | undefined {
  if (validate(value)) return undefined;
  // Of alternatives, the last error is the one about all of them.
  const error = validate.errors?.at(-1);
  if (error === undefined) return { pointer: '', message: 'is wrong' };
  const { instancePath, keyword, params } = error;
  if (keyword === 'required')
    return { pointer: instancePath + pointerTo([String(params.missingProperty)]), message: 'is missing' };
  if (keyword === 'additionalProperties') {
    const unknown = String(params.additionalProperty);
    const { properties = {} } = placeIn(schema, error) as { readonly properties?: object };
    const hint = didYouMean(unknown, Object.keys(properties));
    return { pointer: instancePath + pointerTo([unknown]), message: `must be left out${hint}` };
  }
  const found = valueAt(value, keysIn(instancePath));
  const got = keyword === 'maxItems' ? `${(found as unknown[]).length}` : describe(found);
  return { pointer: instancePath, message: `must be ${expectedBy(error, schema)}; got ${got}` };
}

/** The part of a schema that an error is about. */
function placeIn(schema: object, { schemaPath }: SchemaError): object {
  return Object(valueAt(schema, keysIn(schemaPath.replace(/^#/, '')).slice(0, -1)));
}

function expectedBy(error: SchemaError, schema: object): string {
  const { keyword, params } = error;
  const { description } = placeIn(schema, error) as { readonly description?: string };
  if (description !== undefined) return description;
  if (keyword === 'type') return TYPES[String(params.type)] ?? String(params.type);
  if (keyword === 'enum') return `one of ${(params.allowedValues as unknown[]).join(', ')}`;
  if (keyword === 'const') return String(params.allowedValue);
  if (keyword === 'maxItems') return `a list of at most ${params.limit}`;
  if (keyword === 'minLength') return 'a string that is not empty';
  if (keyword === 'maxLength') return `a string of at most ${params.limit} characters`;
  if (keyword === 'pattern') return `a string that matches ${params.pattern}`;
  return `as its schema says (${keyword})`;
}

const TYPES: Readonly<Record<string, string>> = {
  string: 'a string',
  integer: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
};
