import { isObject, isWellFormedThroughout, type JsonObject } from './json-value.js';
import { type Body, readBody } from './message.js';
import { validateNewPlant } from './schema.js';
import { describe, errorIn, quoted, type Violation } from './violation.js';

/** A string as it was sent, and what came back instead, in words. */
export interface Difference {
  readonly sent: string;
  readonly received: string;
}

/**
 * Judges whether a 200 describes the plant that was sent: its name and its tag come back unchanged, and a tag that was not
 * sent does not come back (openapi.yaml#/components/schemas/Plant).
 *
 * Only a plant that is valid beyond doubt is compared. A tag that is empty may count as a missing one. The response to a
 * duplicate id is not shown, so the caller must know that the id is new.
 *
 * @param sent the body of the request
 * @param received the body of a 200
 */
export function judgeReturnedPlant(sent: Body, received: Body): Violation[] {
  const [plant, returned] = [objectIn(sent), objectIn(received)];
  if (plant === undefined || returned === undefined) return [];
  if (validateNewPlant(plant).length > 0 || !isWellFormedThroughout(plant)) return [];
  return (['name', 'tag'] as const).flatMap((field) => judgeField(field, plant[field], returned[field]));
}

/** @param sent a string, or `undefined` if the plant has no tag */
function judgeField(field: 'name' | 'tag', sent: unknown, received: unknown): Violation[] {
  // The schema of a Plant rejects a missing name, and what is not a string.
  if (received === undefined ? field === 'name' || !sent : typeof received !== 'string') return [];
  if (typeof sent !== 'string')
    return [violation(field, 'no tag, as sent', describe(received), 'the plant was sent without a tag')];
  const difference = differenceOf(sent, received);
  if (difference === undefined) return [];
  const expected = `${difference.sent}, as sent`;
  return [violation(field, expected, difference.received, `the ${field} must come back as it was sent`)];
}

function violation(field: string, expected: string, actual: string, why: string): Violation {
  const message = `${why}: expected ${expected}; got ${actual}`;
  return errorIn('body', `/${field}`, 'unchanged', { message, expected, actual });
}

/** How a string differs from what came back; `undefined` if it came back unchanged. */
export function differenceOf(sent: string, received: unknown): Difference | undefined {
  if (received === sent) return undefined;
  if (typeof received !== 'string') return { sent: quoted(sent), received: describe(received) };
  const at = firstDifference(sent, received);
  return { sent: excerpt(sent, at), received: excerpt(received, at) };
}

function firstDifference(one: string, other: string): number {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at++;
  return at;
}

/** The part of a string where it differs from another. */
function excerpt(text: string, at: number): string {
  return at <= 40 ? quoted(text) : `…${quoted(text.slice(at - 20).toWellFormed())}`;
}

/** The object in a body. Of duplicate keys, nobody knows which one counts. */
function objectIn(body: Body): JsonObject | undefined {
  const read = readBody(body);
  if (read === undefined || !read.ok || read.duplicateKeys.length > 0) return undefined;
  return isObject(read.value) ? read.value : undefined;
}
