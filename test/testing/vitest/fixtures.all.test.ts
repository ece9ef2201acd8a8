import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { RunnerProject, VITESTS, type VitestVersion } from './runner-project.js';

let project: RunnerProject;

beforeAll(async () => {
  project = await RunnerProject.create();
});

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
  throw new Error('on purpose');
});
test('finds that the server of the failed test is closed', async () => {
  expect(await isClosed(failed)).toBe(true);
});

test('sets failures and uses them', async ({ plantStore }) => {
  plantStore.next({ status: 503 });
  plantStore.always({ status: 500 });
  expect((await create(plantStore, { name: 'Aloe', id: 7 })).status).toBe(503);
  expect((await create(plantStore, { name: 'Aloe', id: 7 })).status).toBe(500);
});
test('sets a failure and does not use it', ({ plantStore }) => {
  plantStore.next({ status: 503, when: { id: 9007199254740993n } });
  plantStore.next(2, { connection: 'reset' });
});
test('sets a failure and clears it', ({ plantStore }) => {
  plantStore.next({ status: 503 });
  plantStore.clear();
});
test('fails before it uses its failure', ({ plantStore }) => {
  plantStore.next({ status: 503 });
  throw new Error('on purpose');
});

OVERRIDDEN

let shared;
test('shares a server', async ({ workerPlantStore }) => {
  shared = workerPlantStore.url;
  await create(workerPlantStore, { name: 'Aloe', id: 7 });
});
test('finds the plant of the test before', async ({ workerPlantStore, plantStore }) => {
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

const IGNORING = `('ignores an unused failure', ({ plantStore }) => plantStore.next({ status: 503 }));`;

const EXTENDED = `
test.extend({ unusedFailures: 'ignore' })${IGNORING}
test.extend({ unusedFailures: 'ignor' })('has a wrong setting', () => {});
describe('extended', () => {
  const own = test.extend({ plantStoreOptions: ${OWN} });
  ${TESTS_OF_OPTIONS}
  own.extend({ plantStoreOptions: { duplicateId: 'overwrite' } })('has wrong ones', ({ plantStore }) => plantStore);
});
test.extend({ workerPlantStoreOptions: { token: 'secret' } })(
  'shares one with options',
  async ({ workerPlantStore }) => { expect(workerPlantStore.token).toBe('secret'); },
);
`;

// In Vitest 3, extend() does not change the options of an existing fixture.
const SCOPED = `
describe('scoped', () => {
  const own = test;
  own.scoped({ plantStoreOptions: ${OWN} });
  ${TESTS_OF_OPTIONS}
});
describe('scoped to ignore', () => {
  test.scoped({ unusedFailures: 'ignore' });
  test${IGNORING}
});
describe('scoped to a wrong setting', () => {
  test.scoped({ unusedFailures: 'ignor' });
  test('has a wrong setting', () => {});
});
describe('scoped wrongly', () => {
  test.scoped({ plantStoreOptions: { duplicateId: 'overwrite' } });
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
/** The tests that must fail. */
const WRONG = [
  'fails',
  'sets a failure and does not use it',
  'fails before it uses its failure',
  'has a wrong setting',
  'has wrong ones',
];
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
    const messageOf = (title: string) =>
      wrong.filter((one) => one.title === title).map(({ message }) => message);
    for (const message of messageOf('sets a failure and does not use it'))
      expect(message).toContain(
        'the test set failures that no request met:\n  503,when.id=9007199254740993,times=1\n  reset,times=2\n',
      );
    for (const message of messageOf('fails before it uses its failure')) {
      expect(message).toContain('on purpose');
      expect(message).not.toContain('no request met');
    }
    for (const message of messageOf('has a wrong setting'))
      expect(message).toContain("unusedFailures must be 'fail' or 'ignore'; got \"ignor\"");
    for (const message of messageOf('has wrong ones'))
      expect(message).toContain('the option "duplicateId" must be "reject" or "replace"');
    expect(tests).toHaveLength(15 * POOLS.length);
    expect(code).toBe(1);
  });
});

const WORKER_FAILURES = `${HEAD}
test('fails and sets a failure', ({ workerPlantStore }) => {
  workerPlantStore.next(3, { status: 503 });
  throw new Error('on purpose');
});
test('sets none', async ({ workerPlantStore }) => {
  expect((await create(workerPlantStore, { name: 'Aloe', id: 7 })).status).toBe(503);
});
test('sets one that is not used', ({ workerPlantStore }) => workerPlantStore.next({ status: 503 }));
test('needs no server', () => {});
test('sets one and uses it', async ({ workerPlantStore }) => {
  workerPlantStore.clear();
  workerPlantStore.next({ connection: 'reset' });
  await expect(create(workerPlantStore, { name: 'Aloe', id: 7 })).rejects.toThrow();
});
IGNORING
`;
const IGNORED =
  "('ignores one', ({ workerPlantStore }) => workerPlantStore.next({ status: 503, when: { name: 'Fern' } }));";

test.each(Object.keys(VITESTS))(
  'in Vitest %s, a test fails on an unused failure of the worker',
  async (version) => {
    await project.install(Number(version) as VitestVersion);
    const ignoring =
      version === '3'
        ? `describe('ignoring', () => { test.scoped({ unusedFailures: 'ignore' }); test${IGNORED} });`
        : `test.extend({ unusedFailures: 'ignore' })${IGNORED}`;
    project.renew({
      'vitest.config.js': PROJECTS,
      'a.spec.js': WORKER_FAILURES.replace('IGNORING', ignoring),
    });
    const { tests, code } = await project.vitest();
    expect(code).toBe(1);
    expect(tests).toHaveLength(6 * POOLS.length);
    const wrong = tests.filter(({ status }) => status !== 'passed');
    expect(wrong.map(({ title }) => title)).toEqual(
      POOLS.flatMap(() => ['fails and sets a failure', 'sets one that is not used']),
    );
    for (const { title, message } of wrong)
      expect(message).toContain(
        title.startsWith('fails')
          ? 'on purpose'
          : 'the test set a failure that no request met:\n  503,times=1\n',
      );
  },
);

const WORKERS = 8;

/** Every file waits for all others, so all servers run at the same time. */
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
    // All files use the same ids, so a shared server would have rejected one.
    expect(plantStore.plants()).toHaveLength(20);
    await create(workerPlantStore, { name: 'file ${file}', id: i });
    expect(workerPlantStore.plants().map(({ name }) => name)).toEqual(Array(i + 1).fill('file ${file}'));
  });
`;

test(`${WORKERS} workers have servers at the same time`, async () => {
  await project.install(4);
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
