import type { NewPlant, Plant, PlantStoreError } from '../spec/types.js';
import { JsonNumber } from './json-number.js';
import { pointer } from './json-parser.js';
import { isError, isNewPlant, isPlant } from './schema.generated.js';
import { describe, type Violation } from './violation.js';

/** What Ajv's compiled validators report. */
interface SchemaError {
  readonly instancePath: string;
  readonly keyword: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** A validator as Ajv compiles it; `errors` belongs to its last call. */
interface Compiled {
  (value: unknown): boolean;
  errors: readonly SchemaError[] | null;
}

/** The schemas of the document by the names that messages use. */
const SCHEMAS = {
  NewPlant: isNewPlant as unknown as Compiled,
  Plant: isPlant as unknown as Compiled,
  Error: isError as unknown as Compiled,
};

/** The name of a schema of the OpenAPI document. */
export type SchemaName = keyof typeof SCHEMAS;

/**
 * Judges a parsed value as a NewPlant: `name` a string, `id` an int64 (`number` or `bigint`), `tag` a string or
 * absent (interface: Resources, "NewPlant"). Other fields are not judged; none is shown to be forbidden.
 *
 * @returns the violations, all of them; none when the value is a NewPlant
 * @example
 * import assert from 'node:assert/strict';
 * import { validateNewPlant } from 'plant-store-contract/validation';
 *
 * assert.deepEqual(validateNewPlant({ name: 'Aloe', id: 9223372036854775807n }), []);
 * const [violation] = validateNewPlant({ name: 'Aloe', id: '7' });
 * assert.equal(violation?.message, '"id" must be an integer in the range of int64; got the string "7"');
 */
export function validateNewPlant(value: unknown): Violation[] {
  return validateSchema('NewPlant', value);
}

/**
 * Judges a parsed value as a Plant by its schema: `name` a string, `tag` a string or absent (interface:
 * Resources, "Plant"). That a 200 carries no other field is a rule of the response: see `validateResponse`.
 *
 * @returns the violations; none when the value is a Plant
 * @example
 * import assert from 'node:assert/strict';
 * import { validatePlant } from 'plant-store-contract/validation';
 *
 * assert.deepEqual(validatePlant({ name: 'Aloe' }), []);
 * assert.equal(validatePlant({ name: 'Aloe', tag: null })[0]?.pointer, '/tag');
 */
export function validatePlant(value: unknown): Violation[] {
  return validateSchema('Plant', value);
}

/**
 * Judges a parsed value as an Error: `error` an int32, `message` a string (interface: Resources, "Error").
 *
 * @returns the violations; none when the value is an Error
 * @example
 * import assert from 'node:assert/strict';
 * import { validateError } from 'plant-store-contract/validation';
 *
 * assert.deepEqual(validateError({ error: 3, message: 'no name' }), []);
 * assert.equal(validateError({ error: 2147483648, message: '' })[0]?.keyword, 'int32');
 */
export function validateError(value: unknown): Violation[] {
  return validateSchema('Error', value);
}

/** Judges a value by one schema of the document. */
export function validateSchema(name: SchemaName, value: unknown): Violation[] {
  const validate = SCHEMAS[name];
  // Ajv would take this number for an object.
  if (value instanceof JsonNumber) return [typeViolation(name, '', 'object', value)];
  if (validate(value)) return [];
  const violations = (validate.errors ?? []).map((error) => violationOf(name, error, value));
  // `allOf` says twice that the whole is no object.
  return violations.filter(
    ({ pointer, keyword }, index) =>
      violations.findIndex((other) => other.pointer === pointer && other.keyword === keyword) === index,
  );
}

function violationOf(schema: SchemaName, error: SchemaError, whole: unknown): Violation {
  const { keyword, params } = error;
  if (keyword === 'required') {
    const name = String(params.missingProperty);
    return {
      part: 'body',
      pointer: error.instancePath + pointer([name]),
      keyword,
      message: `"${name}" is missing; ${article(schema)} ${schema} requires it`,
      expected: `the field "${name}"`,
      actual: 'nothing',
    };
  }
  const value = at(whole, error.instancePath);
  if (keyword === 'type') return typeViolation(schema, error.instancePath, String(params.type), value);
  const expected =
    keyword === 'int64' || keyword === 'int32' ? `an integer in the range of ${keyword}` : keyword;
  return must(schema, error.instancePath, keyword, expected, value);
}

function typeViolation(schema: SchemaName, instancePath: string, type: string, value: unknown): Violation {
  return must(schema, instancePath, 'type', `${article(type)} ${type}`, value);
}

function must(
  schema: SchemaName,
  pointer: string,
  keyword: string,
  expected: string,
  value: unknown,
): Violation {
  const subject = pointer === '' ? `${article(schema)} ${schema}` : `"${pointer.slice(1)}"`;
  const actual = describe(value);
  return {
    part: 'body',
    pointer,
    keyword,
    message: `${subject} must be ${expected}; got ${actual}`,
    expected,
    actual,
  };
}

function article(noun: string): string {
  return /^[aeiou]/i.test(noun) ? 'an' : 'a';
}

/** The value at a JSON pointer that is known to exist. */
function at(whole: unknown, jsonPointer: string): unknown {
  return jsonPointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>((value, key) => (value as Record<string, unknown>)[key], whole);
}

/** The types that the validators vouch for; re-exported so that a caller finds them beside the functions. */
export type { NewPlant, Plant, PlantStoreError };
