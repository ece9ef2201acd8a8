import { JsonNumber, keysIn, pointerTo, valueAt } from './json-value.js';
import { isError, isNewPlant, isPlant } from './schema.generated.js';
import { describe, errorIn, type Violation } from './violation.js';

/** An error of Ajv's compiled validators. */
interface SchemaError {
  readonly instancePath: string;
  readonly keyword: string;
  /** The validators of messages have none. */
  readonly message?: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** A validator that Ajv compiled; `errors` is about its last call. */
export interface Compiled {
  (value: unknown): boolean;
  errors?: readonly SchemaError[] | null;
}

/** The schemas of the document, by name. */
const SCHEMAS: Readonly<Record<'NewPlant' | 'Plant' | 'Error', Compiled>> = {
  NewPlant: isNewPlant,
  Plant: isPlant,
  Error: isError,
};

/** The name of a schema of the OpenAPI document. */
export type SchemaName = keyof typeof SCHEMAS;

/**
 * Judges a parsed value as a NewPlant: `name` a string, `id` an int64 (`number` or `bigint`), `tag` a string or
 * missing (openapi.yaml#/components/schemas/NewPlant). Other fields are not judged: the interface does not forbid them.
 *
 * @returns all violations
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
 * Judges a parsed value as a Plant: `name` a string, `tag` a string or missing (openapi.yaml#/components/schemas/Plant). Other
 * fields are not judged here, but `validateResponse` rejects them in a 200.
 *
 * @returns all violations
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
 * Judges a parsed value as an Error: `error` an int32, `message` a string (openapi.yaml#/components/schemas/Error).
 *
 * @returns all violations
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
  // Ajv would treat this number as an object.
  if (value instanceof JsonNumber) return [must(name, '', 'type', 'an object', value)];
  if (validate(value)) return [];
  const violations = (validate.errors ?? []).map((error) => violationOf(name, error, value));
  // With `allOf`, Ajv reports twice that the value is not an object.
  return violations.filter(
    ({ pointer, keyword }, index) =>
      violations.findIndex((other) => other.pointer === pointer && other.keyword === keyword) === index,
  );
}

function violationOf(schema: SchemaName, error: SchemaError, whole: unknown): Violation {
  const { keyword, params } = error;
  if (keyword === 'required') {
    const name = String(params.missingProperty);
    return errorIn('body', error.instancePath + pointerTo([name]), keyword, {
      message: `"${name}" is missing; ${article(schema)} ${schema} requires it`,
      expected: `the field "${name}"`,
      actual: 'nothing',
    });
  }
  const value = valueAt(whole, keysIn(error.instancePath));
  // The other keywords are int32 and int64.
  const type = String(params.type);
  const expected = keyword === 'type' ? `${article(type)} ${type}` : `an integer in the range of ${keyword}`;
  return must(schema, error.instancePath, keyword, expected, value);
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
  const message = `${subject} must be ${expected}; got ${actual}`;
  return errorIn('body', pointer, keyword, { message, expected, actual });
}

function article(noun: string): string {
  return /^[aeiou]/i.test(noun) ? 'an' : 'a';
}
