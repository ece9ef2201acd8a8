import { createPlantStore, type PlantStoreOptions } from 'plant-store-contract/server';
import { expect, test } from 'vitest';
import { type Constraint, constrained } from '../constrained.js';
import { profileOfFetch, token } from './round-trip.js';

const ONLY = ['id-zero', 'id-at-upper-end', 'empty-name', 'names-refused'].map(
  (name) => `unspecified/${name}`,
);
const ID = 'The id may exist from an earlier check: the response is like that to a duplicate id.';
const NAME = 'The name may exist from an earlier check: the response is like that to a duplicate name.';

/** What two checks of one server observe: the values, and what they say about them. */
async function observedTwice(options: PlantStoreOptions, constraint: Constraint = () => undefined) {
  const fetch = constrained(createPlantStore({ token, ...options }).fetch, constraint);
  const check = async () => {
    const { behaviours } = await profileOfFetch(fetch, { only: ONLY });
    return Object.fromEntries(
      behaviours.map(({ rule, value, caveat }) => [
        rule.replace('unspecified/', ''),
        caveat === undefined ? value : [value, caveat],
      ]),
    );
  };
  return [await check(), await check()] as const;
}

test('the first check says nothing of that, and the second one of ids that the first one created', async () => {
  const [first, second] = await observedTwice({});
  const free = { 'id-zero': '200', 'id-at-upper-end': '200', 'empty-name': '200', 'names-refused': 'none' };
  expect(first).toEqual(free);
  expect(second).toEqual({ ...free, 'id-zero': ['400', ID], 'id-at-upper-end': ['400', ID] });
});

test('nothing may exist if duplicates are accepted', async () => {
  const [first, second] = await observedTwice({ duplicateId: 'replace' });
  expect(second).toEqual(first);
});

test.for<PlantStoreOptions>([{}, { errorCodes: 400 }])(
  'an id that is rejected for another reason is no duplicate, with %j too',
  async (options) => {
    const [first, second] = await observedTwice(options, ({ id }) =>
      id === 0 ? 'the "id" must be 1 or more' : undefined,
    );
    expect([first['id-zero'], second['id-zero']]).toEqual(['400', '400']);
    expect(second['id-at-upper-end']).toEqual(['400', ID]);
  },
);

test('names may exist where they are unique; what is rejected for itself stays in the list', async () => {
  const names = new Set<unknown>();
  const [first, second] = await observedTwice({}, ({ name }) => {
    if (typeof name !== 'string') return undefined;
    if (/[<>]/.test(name)) return 'the "name" must not have < or >';
    if (names.has(name)) return `a plant with the "name" ${JSON.stringify(name)} exists already`;
    names.add(name);
    return undefined;
  });
  expect([first['names-refused'], first['empty-name']]).toEqual(['html', '200']);
  const [value, caveat] = second['names-refused'] as string[];
  expect([second['empty-name'], value]).toEqual([['400', NAME], 'html']);
  expect(caveat).toMatch(/^These names may exist .*: 100-characters, 1000-characters, accents, .*\.$/);
  expect(caveat).not.toContain('html');
});
