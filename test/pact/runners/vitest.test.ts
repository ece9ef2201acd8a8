import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { plantStorePact } from 'plant-store-contract/pact';
import { afterEach, expect, test } from 'vitest';
import setup, { type VitestProject } from '../../../src/pact/runners/vitest.js';
import { recordStandardError } from '../../standard-error.js';
import { PactFolder } from '../consumer/collected.js';

// What Vitest really gives is seen in vitest-runs.test.ts; here, what is made of each thing that it may give.

interface Run {
  readonly files?: readonly string[];
  readonly ran?: readonly string[];
  readonly skipped?: readonly string[];
  readonly config?: VitestProject['vitest']['config'];
}

function projectOf({ files = ['a', 'b'], ran = files, skipped = [], config = {} }: Run): VitestProject {
  const modules = ran.map((moduleId) => ({
    moduleId,
    children: { allTests: () => skipped.map((mode) => ({ options: { mode } })) },
  }));
  return {
    vitest: {
      config,
      state: { getTestModules: () => modules },
      globTestSpecifications: async () => files.map((moduleId) => ({ moduleId })),
    },
  };
}

const { argv } = process;
const said = recordStandardError();

afterEach(() => {
  process.exitCode = undefined;
  process.argv = argv;
});

/** A run that makes the interactions of these names. */
async function run(dir: string, names: readonly string[], how: Run = {}, exitCode?: number): Promise<void> {
  const teardown = setup(projectOf(how));
  const pact = plantStorePact({ consumer: 'web', dir });
  for (const name of names)
    await pact.interaction(
      (builder) => builder.uponReceiving(name).withRequest('GET', '/').willRespondWith(200),
      ({ url }) => fetch(url),
    );
  process.exitCode = exitCode;
  await teardown?.();
}

const descriptions = (folder: PactFolder) =>
  [...folder.text().matchAll(/"description": "(.*)"/g)].map(([, description]) => description);

test.each<[string, Run, exitCode: number | undefined, left: string[], said: string]>([
  ['all tests ran', {}, undefined, ['new'], ''],
  ['a test is still to be written', { skipped: ['todo'] }, undefined, ['new'], ''],
  [
    'a file did not run',
    { ran: ['a'] },
    0,
    ['new', 'old'],
    'keeps 1 earlier interaction, because not all test files ran: "old".',
  ],
  [
    'a test was skipped',
    { skipped: ['skip'] },
    undefined,
    ['new', 'old'],
    'because some tests were skipped: "old".',
  ],
  [
    'one project was chosen',
    { config: { project: ['a'] } },
    undefined,
    ['new', 'old'],
    'not all test files ran',
  ],
  ['no project was chosen', { config: { project: [] } }, undefined, ['new'], ''],
  [
    'files were excluded',
    { config: { cliExclude: ['a'] } },
    undefined,
    ['new', 'old'],
    'not all test files ran',
  ],
  ['the run failed', {}, 1, ['old'], 'web-plant-store.json is unchanged, because the run failed\n'],
  [
    'Vitest watches',
    { config: { watch: true } },
    undefined,
    ['old'],
    'because Vitest runs in watch mode; `vitest run` writes it\n',
  ],
])('if %s', async (_what, how, exitCode, left, words) => {
  using folder = new PactFolder();
  await run(folder.dir, ['old']);
  await run(folder.dir, ['new'], how, exitCode);
  expect(descriptions(folder)).toEqual(left);
  if (words === '') expect(said.text).toBe('');
  else expect(said.text).toContain(words);
});

test.each([['--dir', 'a'], ['--dir=a'], ['--root', 'a'], ['--root=a'], ['-r', 'a']])(
  'if Vitest searches another folder, by %s',
  async (...args) => {
    using folder = new PactFolder();
    await run(folder.dir, ['old']);
    process.argv = [...argv, ...args];
    await run(folder.dir, ['new']);
    expect(descriptions(folder)).toEqual(['new', 'old']);
    expect(said.text).toContain('keeps 1 earlier interaction, because not all test files ran: "old".');
  },
);

test('at most three of what is kept are named', async () => {
  using folder = new PactFolder();
  await run(folder.dir, ['a', 'b', 'c', 'd', 'e']);
  await run(folder.dir, ['new'], { ran: ['a'] });
  expect(said.text).toContain(
    'keeps 5 earlier interactions, because not all test files ran: "a", "b", "c" and 2 more. To',
  );
});

test('if the pact cannot be written, the run fails and names the reason', async () => {
  using folder = new PactFolder();
  writeFileSync(join(folder.dir, 'web-plant-store.json'), 'no pact');
  await run(folder.dir, ['new'], { ran: ['a'] });
  expect(process.exitCode).toBe(1);
  expect(said.text).toMatch(/web-plant-store\.json is not a pact: it is not JSON.*\n$/);
  expect(folder.text()).toBe('no pact');
});

test('a second setup of the same process leaves it to the first', async () => {
  const teardown = setup(projectOf({}));
  expect(setup(projectOf({}))).toBe(undefined);
  await teardown?.();
  expect(() => plantStorePact({ consumer: 'web' })).toThrow('nothing collects');
});
