import { inspect } from 'node:util';
import { JsonNumber, readJson, type WritableJson, writeJson } from 'plant-store-contract/validation';
import { expect, test } from 'vitest';
import { checkFetch, token } from '../checks.js';

type Value = unknown;
type Plant = Record<'name' | 'id' | 'tag', Value>;

/** How a provider differs from a correct one. */
interface Mistakes {
  /** Changes the members before they are checked. */
  readonly change?: (plant: Plant, members: Readonly<Record<string, Value>>) => Plant;
  /** The fields whose types are not checked, or what replaces the check of a field. */
  readonly checks?: Partial<Record<keyof Plant, (value: Value) => boolean>>;
  /** What the provider stores as the id. */
  readonly key?: (id: Value) => unknown;
  /** The status of a valid plant that fails. */
  readonly status?: (plant: Plant) => number | undefined;
  readonly render?: (plant: Plant) => unknown;
}

const isInt64 = (id: Value): boolean =>
  (typeof id === 'bigint' && BigInt.asIntN(64, id) === id) || Number.isInteger(id);

/** A provider that keeps all rules, but for its mistakes, and the findings of a check of it. */
async function findingsOf({
  change = (plant) => plant,
  checks = {},
  key = (id) => id,
  status,
  render = (plant) => plant,
}: Mistakes): Promise<string[][]> {
  const ids = new Set<string>();
  const isValid = (plant: Plant): boolean =>
    (checks.name ?? isString)(plant.name) &&
    (checks.id ?? isInt64)(plant.id) &&
    (plant.tag === undefined || (checks.tag ?? isString)(plant.tag));
  // As it was read: 1e400 would become null.
  const respond = (status: number, body: object) =>
    new Response(writeJson(body as WritableJson), {
      status,
      headers: { 'Content-Type': 'application/json' },
    });
  const fail = (code: number) => respond(code, { error: code, message: 'failed' });
  const { findings } = await checkFetch(async (request) => {
    const read = readJson(new Uint8Array(await request.arrayBuffer()));
    const value = read.ok ? read.value : null;
    if (request.headers.get('authorization') !== `Bearer ${token}`) return fail(401);
    if (request.method !== 'POST' || !new URL(request.url).pathname.startsWith('/plants')) return fail(404);
    if (!/^application\/json/i.test(request.headers.get('content-type') ?? '')) return fail(415);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return fail(400);
    const { name, id, tag } = change({ ...value } as unknown as Plant, value as Record<string, Value>);
    const plant = { name, id, tag };
    if (!isValid(plant)) return fail(422);
    const code = status?.(plant);
    if (code !== undefined) return fail(code);
    const stored = textOf(key(id));
    if (ids.has(stored)) return fail(409);
    ids.add(stored);
    const { id: _, ...shown } = render(plant) as Plant;
    return respond(200, shown);
  });
  return findings.map(({ id, title, cause = title, cases }) => [id, cause, cases.join(' ')]);
}

/** An id as text. Objects of JSON have no prototype, so not all of them can be strings. */
function textOf(id: unknown): string {
  return typeof id === 'object' && !(id instanceof JsonNumber) ? inspect(id) : String(id);
}

const isString = (value: Value): boolean => typeof value === 'string';
const isAny = (value: Value): boolean => value !== undefined;

/** The integer that a JSON number is, whatever its size; `undefined` for everything else. */
function integer(value: Value): bigint | undefined {
  const isNumber = typeof value === 'bigint' || typeof value === 'number' || value instanceof JsonNumber;
  return isNumber && /^-?\d+$/.test(String(value)) ? BigInt(String(value)) : undefined;
}

test('a correct provider has no findings', async () => {
  expect(await findingsOf({})).toEqual([]);
});

test.each<[string, Mistakes, id: string, title: string, cases: string]>([
  [
    'null alone comes back untouched: the finding is that of the rule',
    { checks: { tag: (tag) => isString(tag) || tag === null } },
    'request/null-tag-is-refused',
    'The framework reads null as a missing field.',
    'request/null-tag-is-refused',
  ],
  [
    'values of any type come back untouched: one missing check, with objects and null',
    { checks: { name: isAny, tag: isAny } },
    'types-are-not-checked',
    'The types of fields are not checked.',
    'request/name-is-a-string request/tag-is-a-string request/null-tag-is-refused',
  ],
  [
    'no field is checked: one finding',
    {
      checks: {
        name: isAny,
        tag: isAny,
        id: (id) =>
          id !== undefined && !(id instanceof JsonNumber) && (typeof id !== 'bigint' || isInt64(id)),
      },
    },
    'types-are-not-checked',
    'The types of fields are not checked.',
    'request/name-is-a-string request/tag-is-a-string request/null-tag-is-refused request/id-is-an-integer',
  ],
  [
    'values become strings: conversion, of null too',
    { change: (plant) => ({ ...plant, name: plant.name === undefined ? undefined : String(plant.name) }) },
    'types-are-converted',
    'Values of another type are converted instead of rejected.',
    'request/name-is-a-string',
  ],
  [
    'digits in a string become an id: conversion',
    {
      change: (plant) => ({
        ...plant,
        id: /^\d+$/.test(String(plant.id)) ? BigInt(String(plant.id)) : plant.id,
      }),
    },
    'types-are-converted',
    'Values of another type are converted instead of rejected.',
    'request/id-is-an-integer',
  ],
  [
    '7.5 is an id: a number of any kind',
    { checks: { id: (id) => isInt64(id) || (typeof id === 'number' && !Number.isInteger(id)) } },
    'types-are-converted',
    'Values of another type are converted instead of rejected.',
    'request/id-is-an-integer',
  ],
  [
    'ids become doubles',
    {
      checks: {
        id: (id) => integer(id) !== undefined,
      },
      key: (id) => Number(integer(id)),
    },
    'id-through-a-double',
    'The id is converted to a double, which is exact only up to 2^53.',
    'request/id-is-within-int64 request/ids-are-exact',
  ],
  [
    'an id above 2^31 gets a 500: a column of 32 bits',
    { status: ({ id }) => ((integer(id) ?? 0n) >= 2n ** 31n ? 500 : undefined) },
    'id-in-32-bits',
    'The id is stored in 32 bits.',
    'success/valid-plant-is-processed',
  ],
  [
    'a valid plant with a name in another script gets a 500: an exception, and no bad input',
    { status: ({ name }) => (/[^\0-\x7f]/.test(String(name)) ? 500 : undefined) },
    'exception-on-a-valid-plant',
    'A valid plant causes an exception that is not caught.',
    'success/valid-plant-is-processed',
  ],
])('%s', async (_, mistakes, ...finding) => {
  expect(await findingsOf(mistakes)).toEqual([finding]);
});
