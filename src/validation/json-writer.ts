import { JsonNumber, type JsonValue } from './json-value.js';

/** What can be written as JSON: a value of `readJson`; members that are `undefined` are omitted. */
export type WritableJson =
  | JsonValue
  | readonly WritableJson[]
  | { readonly [key: string]: WritableJson | undefined };

/**
 * Writes a value as one JSON text without white space, exactly: a bigint as its digits, a {@link JsonNumber} as it was
 * read. Members that are `undefined` are omitted.
 *
 * @param value any JSON value
 * @throws TypeError if JSON cannot represent a value exactly: an integer beyond 2^53 that is not a bigint, NaN, an infinity,
 *   a function, `undefined` outside an object
 * @example
 * import assert from 'node:assert/strict';
 * import { writeJson } from 'plant-store-contract/validation';
 *
 * assert.equal(writeJson({ id: 9223372036854775807n, name: 'Aloe' }), '{"id":9223372036854775807,"name":"Aloe"}');
 * assert.throws(() => writeJson({ id: 2 ** 53 }), /9007199254740992 may have been rounded: write it as a bigint/);
 */
export function writeJson(value: WritableJson): string {
  if (value === null) return 'null';
  switch (typeof value) {
    case 'bigint':
      return String(value);
    case 'number':
      return numberText(value);
    case 'string':
    case 'boolean':
      return JSON.stringify(value);
    case 'object':
      break;
    default:
      throw new TypeError(`JSON cannot represent ${value === undefined ? 'undefined' : `a ${typeof value}`}`);
  }
  if (value instanceof JsonNumber) return value.text;
  if (Array.isArray(value)) return `[${value.map(writeJson).join(',')}]`;
  const members = Object.entries(value as { readonly [key: string]: WritableJson | undefined });
  const written = members.flatMap(([key, member]) =>
    member === undefined ? [] : [`${JSON.stringify(key)}:${writeJson(member)}`],
  );
  return `{${written.join(',')}}`;
}

function numberText(value: number): string {
  if (!Number.isFinite(value)) throw new TypeError(`JSON cannot represent ${value}`);
  if (Number.isInteger(value) && !Number.isSafeInteger(value))
    throw new TypeError(`the integer ${value} may have been rounded: write it as a bigint`);
  return String(value);
}
