import { describe, expect, test } from 'vitest';
import { InstalledProject, VITESTS, type VitestVersion } from '../../installed-project.js';

const project = await InstalledProject.create();

const HEAD = `
import { plantStoreTest as test } from 'plant-store-contract/vitest';
import { describe, expect } from 'vitest';
const create = ({ url, token }, plant) => fetch(url + '/plants', {
  method: 'POST',
  headers: { authorization: 'Bearer ' + token, 'content-type': 'application/json' },
  body: JSON.stringify(plant),
});
const isClosed = (url) => fetch(url).then(() => false, () => true);
`;

const FIXTURES = `${HEAD}
let first;
test('has a server of its own', async ({ plantStore }) => {
  first = plantStore.url;
  await expect(await create(plantStore, { name: 'Aloe', id: 7 })).toBePlant();
  expect(plantStore.plants()).toHaveLength(1);
});
test('has another one', async ({ plantStore }) => {
  expect(plantStore.url).not.toBe(first);
  expect(await isClosed(first)).toBe(true);
  expect(plantStore.plants()).toEqual([]);
});
let failed;
test('fails', async ({ plantStore }) => {
  failed = plantStore.url;
  expect(await isClosed(failed)).toBe(false);
  throw new Error('on purpose');
});
test('finds that the server of the failed test is closed', async () => {
  expect(await isClosed(failed)).toBe(true);
});

OVERRIDDEN
`;

const OWN = "{ token: 'secret', authenticationFailureStatus: 401 }";
const TESTS_OF_OPTIONS = `
  own('has options of its own', async ({ plantStore }) => {
    expect(plantStore.token).toBe('secret');
    expect((await create({ ...plantStore, token: 'other' }, {})).status).toBe(401);
  });
`;

const EXTENDED = `
describe('extended', () => {
  const own = test.extend({ plantStoreOptions: ${OWN} });
  ${TESTS_OF_OPTIONS}
  own.extend({ plantStoreOptions: { duplicateId: 'overwrite' } })('has wrong ones', ({ plantStore }) => plantStore);
});
`;

// In Vitest 3, extend() does not change the options of an existing fixture.
const SCOPED = `
describe('scoped', () => {
  const own = test;
  own.scoped({ plantStoreOptions: ${OWN} });
  ${TESTS_OF_OPTIONS}
});
describe('scoped wrongly', () => {
  test.scoped({ plantStoreOptions: { duplicateId: 'overwrite' } });
  test('has wrong ones', ({ plantStore }) => plantStore);
});
`;

const POOLS = ['forks', 'threads', 'vmForks', 'vmThreads'];
/** The tests that must fail. */
const WRONG = ['fails', 'has wrong ones'];
/** One project for each pool, so that one process runs them all. */
const PROJECTS = `export default { test: { projects: [${POOLS.map(
  (pool) => `{ test: { name: '${pool}', include: ['*.spec.js'], pool: '${pool}' } }`,
)}] } };`;

describe.each(Object.keys(VITESTS))('in Vitest %s, in every pool', (version) => {
  test('servers start if a test needs them, and close with it', async () => {
    await project.install(Number(version) as VitestVersion);
    project.renew({
      'vitest.config.js': PROJECTS,
      'a.spec.js': FIXTURES.replace('OVERRIDDEN', version === '3' ? SCOPED : EXTENDED),
    });
    const { tests, code, output } = await project.vitest();
    for (const pool of POOLS) expect(output).toContain(pool);
    const wrong = tests.filter(({ status }) => status !== 'passed');
    expect(wrong.map(({ title }) => title)).toEqual(POOLS.flatMap(() => WRONG));
    for (const { message } of wrong.filter(({ title }) => title === 'has wrong ones'))
      expect(message).toContain('the option "duplicateId" must be "reject" or "replace"');
    expect(tests).toHaveLength(6 * POOLS.length);
    expect(code).toBe(1);
  });
});
