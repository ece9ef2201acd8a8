import { readJsonText } from '../../validation/json.js';
import type { JsonObject, JsonValue } from '../../validation/json-value.js';
import { writeJson } from '../../validation/json-writer.js';
import { isObject, type PactBody, type PactMessage } from '../pact-file.js';

/** A body of a pact as it goes over the wire. */
export interface WireBody {
  readonly text: string;
  /** `undefined` where the text is no JSON. */
  readonly value: JsonValue | undefined;
  /** The keys that stand twice, those of objects in it with slashes. */
  readonly duplicateKeys: readonly string[];
}

/** The body that Pact sends, or holds a response against; `undefined` where a message has none. */
export function wireBody(body: PactBody | undefined): WireBody | undefined {
  if (body === undefined) return undefined;
  const text = body.json ?? (typeof body.value === 'string' ? body.value : writeJson(body.value));
  const read = readJsonText(text);
  return {
    text,
    value: read.ok ? read.value : undefined,
    duplicateKeys: read.ok ? read.duplicateKeys.map((pointer) => pointer.slice(1)) : [],
  };
}

/**
 * Whether a value is put in when the pact is used, by a provider state or at random, so that what stands in the pact
 * says little. Paths are read loosely: a generator for a part of something is one for the whole.
 *
 * @param field a field of the body, a header in lower case, or a parameter
 */
export function isGenerated(
  { generators }: PactMessage,
  part: 'body' | 'header' | 'query',
  field: string,
): boolean {
  const inPart = generators[part];
  return Object.keys(isObject(inPart) ? inPart : {}).some((path) => {
    const names = path.replace(/^\$/, '').match(/[^.[\]'"]+/g) ?? [];
    return names.length === 0 || names[0] === '*' || names[0]?.toLowerCase() === field.toLowerCase();
  });
}

/** The values of a header, in order. */
export function headerValuesOf({ headers }: PactMessage, name: string): readonly string[] {
  return headers.filter(([spelling]) => spelling.toLowerCase() === name).map(([, value]) => value);
}

/** A value as an object; an empty one where it is none. */
export function fieldsOf(value: JsonValue | undefined): JsonObject {
  return isObject(value) ? value : {};
}
