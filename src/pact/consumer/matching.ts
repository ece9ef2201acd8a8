import type { NewPlant, Plant, PlantStoreError } from '../../spec/types.js';
import { invalidOption, reasonOf } from '../../toolkit-error.js';
import { isObject } from '../../validation/json-value.js';
import { type WritableJson, writeJson } from '../../validation/json-writer.js';
import { validateNewPlant } from '../../validation/schema.js';

// Pact accepts a body as JSON in which an object with "pact:matcher:type" replaces a value. In this form an int64 stays
// exact, in the pact and in the mock server.

/** Any value of the same JSON type as the example. */
function like(value: WritableJson): WritableJson {
  return { 'pact:matcher:type': 'type', value };
}

function integerLike(value: number | bigint): WritableJson {
  return { 'pact:matcher:type': 'integer', value };
}

/**
 * An id that a provider state may choose. If the state returns an `id`, that is sent, otherwise the one in its
 * parameters. It may be a string of digits there: `dataType` turns it into a number. In the consumer's request any
 * integer matches, but beyond 2^53 only this one: a client that rounds ids must fail.
 */
function idFromState(value: number | bigint): WritableJson {
  return {
    'pact:matcher:type': Number.isSafeInteger(Number(value)) ? 'integer' : 'equality',
    'pact:generator:type': 'ProviderState',
    expression: `\${${'id'}}`,
    dataType: 'INTEGER',
    value,
  };
}

/** Whether a value is the id of a plant: an int64. */
export function isId(id: unknown): id is number | bigint {
  return (
    (typeof id === 'number' || typeof id === 'bigint') && validateNewPlant({ name: '', id }).length === 0
  );
}

/**
 * The body of a request. A valid value matches others of its kind. An invalid one matches only itself.
 *
 * @throws ToolkitError `invalid-option` if it cannot be written exactly
 */
export function requestTemplate(plant: NewPlant): string {
  try {
    return writeJson(templateOf(plant));
  } catch (cause) {
    throw invalidOption(`the plant of an interaction cannot be written: ${reasonOf(cause)}`, { cause });
  }
}

function templateOf(body: unknown): WritableJson {
  if (!isObject(body)) return body as WritableJson;
  const template = Object.entries(body).map(([key, value]): [string, WritableJson] => {
    if (key === 'id' && isId(value)) return [key, idFromState(value)];
    return [key, (key === 'name' || key === 'tag') && typeof value === 'string' ? like(value) : value];
  });
  return Object.fromEntries(template);
}

/** The body of a 200. A consumer relies on the types of its fields only. */
export function plantTemplate({ name, tag }: Plant): string {
  return writeJson({ name: like(name), ...(tag !== undefined && { tag: like(tag) }) });
}

/** The body of a rejection. */
export function errorTemplate({ error, message }: PlantStoreError): string {
  return writeJson({ error: integerLike(error), message: like(message) });
}
