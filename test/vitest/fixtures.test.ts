import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { RunnerProject, VITESTS, type VitestVersion } from './runner-project.js';

let project: RunnerProject;

beforeAll(async () => {
  project = await RunnerProject.create();
}, 60_000);

afterAll(() => project.remove());

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
  throw new Error('as it was meant to');
});
test('finds the server of a test that failed closed', async () => {
  expect(await isClosed(failed)).toBe(true);
});

OVERRIDDEN

let shared;
test('shares a server', async ({ workerPlantStore }) => {
  shared = workerPlantStore.url;
  await create(workerPlantStore, { name: 'Aloe', id: 7 });
});
test('finds what was left in it', async ({ workerPlantStore, plantStore }) => {
  expect(workerPlantStore.url).toBe(shared);
  expect(workerPlantStore.url).not.toBe(plantStore.url);
  expect(workerPlantStore.plants()).toHaveLength(1);
});
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
  own.extend({ plantStoreOptions: { repeatedId: 'overwrite' } })('has wrong ones', ({ plantStore }) => plantStore);
});
test.extend({ workerPlantStoreOptions: { token: 'secret' } })(
  'shares one with options',
  async ({ workerPlantStore }) => { expect(workerPlantStore.token).toBe('secret'); },
);
`;

// In Vitest 3, what extends a test reaches no fixture that was there before.
const SCOPED = `
describe('scoped', () => {
  const own = test;
  own.scoped({ plantStoreOptions: ${OWN} });
  ${TESTS_OF_OPTIONS}
});
describe('scoped wrongly', () => {
  test.scoped({ plantStoreOptions: { repeatedId: 'overwrite' } });
  test('has wrong ones', ({ plantStore }) => plantStore);
});
describe('scoped for the worker', () => {
  test.scoped({ workerPlantStoreOptions: { token: 'secret' } });
  test('shares one with options', async ({ workerPlantStore }) => {
    expect(workerPlantStore.token).toBe('secret');
  });
});
`;

const POOLS = ['forks', 'threads', 'vmForks', 'vmThreads'];
const RUNS = Object.keys(VITESTS).flatMap((version) => POOLS.map((pool) => [version, pool] as const));

describe.each(RUNS)('in Vitest %s, in the pool %s', { timeout: 60_000 }, (version, pool) => {
  test('servers start when a test asks for them, and close with it', async () => {
    project.install(Number(version) as VitestVersion);
    project.renew({
      'vitest.config.js': `export default { test: { include: ['*.spec.js'], pool: '${pool}' } };`,
      'a.spec.js': FIXTURES.replace('OVERRIDDEN', version === '3' ? SCOPED : EXTENDED),
    });
    const { tests, code } = await project.vitest();
    const wrong = tests.filter(({ status }) => status !== 'passed');
    expect(wrong.map(({ title }) => title)).toEqual(['fails', 'has wrong ones']);
    expect(wrong[1]?.message).toContain('the option "repeatedId" must be "refuse" or "replace"');
    expect(tests).toHaveLength(9);
    expect(code).toBe(1);
  });
});

const WORKERS = 8;

/** Every file waits for all others, so that all of their servers are there at the same time. */
const MEETING = (file: number) => `${HEAD}
import { existsSync, readdirSync, writeFileSync, mkdirSync } from 'node:fs';
for (let i = 0; i < 5; i++)
  test('test ' + i, { timeout: 60_000 }, async ({ plantStore, workerPlantStore }) => {
    if (i === 0) {
      mkdirSync('met', { recursive: true });
      writeFileSync('met/${file}', plantStore.url + ' ' + workerPlantStore.url);
      while (readdirSync('met').length < ${WORKERS}) await new Promise((resolve) => setTimeout(resolve, 10));
    }
    for (let id = 1; id <= 20; id++) {
      const plant = { name: 'file ${file} test ' + i, id };
      await expect(await create(plantStore, plant)).toBePlant();
    }
    // Ids are the same everywhere: with a plant of anybody else's, one of them would have been refused.
    expect(plantStore.plants()).toHaveLength(20);
    await create(workerPlantStore, { name: 'file ${file}', id: i });
    expect(workerPlantStore.plants().map(({ name }) => name)).toEqual(Array(i + 1).fill('file ${file}'));
  });
`;

test(`${WORKERS} workers have servers side by side`, { timeout: 120_000 }, async () => {
  project.install(4);
  const files = Object.fromEntries(
    Array.from({ length: WORKERS }, (_, file) => [`${file}.spec.js`, MEETING(file)]),
  );
  const config = `export default { test: { include: ['*.spec.js'], maxWorkers: ${WORKERS}, minWorkers: ${WORKERS} } };`;
  project.renew({ ...files, 'vitest.config.js': config });
  const { tests, code } = await project.vitest();
  expect(tests.filter(({ status }) => status !== 'passed')).toEqual([]);
  expect(tests).toHaveLength(WORKERS * 5);
  expect(code).toBe(0);
  const urls = Array.from({ length: WORKERS }, (_, file) =>
    readFileSync(join(project.folder, `met/${file}`), 'utf8').split(' '),
  ).flat();
  expect(new Set(urls).size).toBe(2 * WORKERS);
});
