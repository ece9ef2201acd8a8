import type { Plant, PlantStoreError } from '../../spec/types.js';
import { invalidOption } from '../../toolkit-error.js';
import { type WritableJson, writeJson } from '../../validation/json-writer.js';
import { validateNewPlant } from '../../validation/schema.js';
import { isObject } from '../pact-file.js';

// Pact takes the text of a body in which objects with "pact:matcher:type" stand for values. As a text, and not as a
// value, an int64 in it stays exact, in the pact and in the mock server.

/** Any text, number or boolean, as the example is one. */
function like(value: WritableJson): WritableJson {
  return { 'pact:matcher:type': 'type', value };
}

function integerLike(value: number | bigint): WritableJson {
  return { 'pact:matcher:type': 'integer', value };
}

/**
 * An id that a provider state may choose: where it gives an `id`, that is sent, and otherwise the one in its
 * parameters. There it may be a text of digits: `dataType` makes a number of it. In the consumer's request any integer will
 * do; beyond 2^53 only this one: a client that rounds ids is not to get along.
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

/** Whether a value is an id of a plant: an int64. */
export function isId(id: unknown): id is number | bigint {
  return (
    (typeof id === 'number' || typeof id === 'bigint') && validateNewPlant({ name: '', id }).length === 0
  );
}

/**
 * The body of a request: what is right in it may be another of its kind, what is wrong is sent as it is.
 *
 * @throws ToolkitError `invalid-option` where it cannot be written exactly
 */
export function requestTemplate(body: WritableJson): string {
  try {
    return writeJson(templateOf(body));
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw invalidOption(`the plant of an interaction cannot be written: ${why}`, { cause });
  }
}

function templateOf(body: WritableJson): WritableJson {
  if (!isObject(body)) return body;
  const template = Object.entries(body).map(([key, value]): [string, WritableJson] => {
    if (key === 'id' && isId(value)) return [key, idFromState(value)];
    return [key, (key === 'name' || key === 'tag') && typeof value === 'string' ? like(value) : value];
  });
  return Object.fromEntries(template);
}

/** The body of a 200: the types, and nothing else, are what a consumer relies on. */
export function plantTemplate({ name, tag }: Plant): string {
  return writeJson({ name: like(name), ...(tag !== undefined && { tag: like(tag) }) });
}

/** The body of a refusal. */
export function errorTemplate({ error, message }: PlantStoreError): string {
  return writeJson({ error: integerLike(error), message: like(message) });
}
