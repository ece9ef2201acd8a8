import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { plantStorePact } from 'plant-store-contract/pact';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { newPart } from '../../../src/pact/consumer/collection.js';
import { readPact } from '../../../src/pact/pact-file.js';
import JestReporter, { type JestConfig, type JestResults } from '../../../src/pact/runners/jest.js';
import { type MochaRunner, mochaGlobalSetup, mochaGlobalTeardown } from '../../../src/pact/runners/mocha.js';
import nodeTestReporter, { type NodeTestEvent } from '../../../src/pact/runners/node-test.js';
import setupVitest, { type VitestProject } from '../../../src/pact/runners/vitest.js';
import { recordStandardError } from '../../standard-error.js';
import { PactFolder } from '../consumer/collected.js';
import { pactOf } from '../verification/pacts.js';

// What the runners really give is seen in the tests of runs beside this file; here, what is made of each thing that they may
// give.

const { argv, execArgv } = process;
const said = recordStandardError();

afterEach(() => {
  vi.unstubAllEnvs();
  Object.assign(process, { argv, execArgv, exitCode: undefined });
});

/** Makes interactions, as the tests of a run do. */
function make(dir: string, ...names: readonly string[]): void {
  for (const name of names) {
    const sketch = { description: name.replace(/ \d$/, ''), path: `/${name.slice(-1)}` };
    const part = newPart(join(dir, 'web-plant-store.json'));
    writeFileSync(join(part, 'part.json'), pactOf([sketch], 'plant-store', 'web'));
  }
}

const descriptions = (folder: PactFolder): string[] =>
  readPact(folder.text(), 'the pact').interactions.map(({ description }) => description);

type Run = (dir: string, names: readonly string[]) => Promise<void>;

/** A run of everything, and then one that makes one new interaction. */
async function twice(run: Run, second: Run): Promise<string[]> {
  using folder = new PactFolder();
  await run(folder.dir, ['old']);
  expect(descriptions(folder)).toEqual(['old']);
  expect(said.text).toBe('');
  await second(folder.dir, ['new']);
  return descriptions(folder);
}

const REPLACED = ['new'];
const KEPT = ['new', 'old'];
const UNCHANGED = ['old'];
const FILES = 'because not all test files ran: "old"';
const SKIPPED = 'because some tests were skipped: "old"';
const FAILED = 'web-plant-store.json is unchanged, because the run failed\n';

/** @param words what the second run says; empty if it says nothing */
async function expectPact(first: Run, second: Run, left: readonly string[], words: string): Promise<void> {
  expect(await twice(first, second)).toEqual(left);
  if (words === '') expect(said.text).toBe('');
  else expect(said.text).toContain(words);
}

/** A run that makes one interaction, and no pact is there. */
async function first(
  run: Run,
): Promise<{ readonly pact: string; readonly status: NonNullable<typeof process.exitCode> }> {
  using folder = new PactFolder();
  process.exitCode = 0;
  await run(folder.dir, ['new']);
  return { pact: folder.text(), status: process.exitCode ?? 0 };
}

const MISSING =
  /web-plant-store\.json cannot be written: interactions would be missing, because .*\. Run all tests first\.\n$/;

/** A run of tests that were chosen by their names fails, if there is no pact that has the others. */
async function expectNoPact(run: Run): Promise<void> {
  expect(await first(run)).toEqual({ pact: '', status: 1 });
  expect(said.text).toMatch(MISSING);
}

/** Another run of some tests writes the pact, and says what it may lack. */
async function expectNewPact(run: Run, why: string): Promise<void> {
  expect(await first(run)).toEqual({ pact: expect.stringContaining('"new"'), status: 0 });
  expect(said.text).toMatch(
    new RegExp(
      `web-plant-store\\.json is new and has 1 interaction\\. It may lack others, because ${why}\\.\\n$`,
    ),
  );
}

async function expectConflict(run: Run): Promise<void> {
  const second: Run = (dir) => run(dir, ['new 1', 'new 2']);
  await expectPact(run, second, UNCHANGED, 'two interactions have the description "new" and differ: ');
}

describe('Jest', () => {
  interface Given {
    readonly config?: JestConfig;
    readonly results?: Partial<JestResults>;
    readonly args?: readonly string[];
    readonly program?: string;
  }

  const run =
    ({ config = {}, results = {}, args = [], program = '/node_modules/jest/bin/jest.js' }: Given = {}): Run =>
    async (dir, names) => {
      process.argv = ['node', program, ...args];
      const reporter = new JestReporter(config);
      reporter.onRunStart();
      make(dir, ...names);
      const none = { numFailedTests: 0, numFailedTestSuites: 0, numPendingTests: 0, wasInterrupted: false };
      reporter.onRunComplete(new Set(), { ...none, ...results });
      process.exitCode = reporter.getLastError() === undefined ? 0 : 1;
    };

  test.each<[string, Given, string[], string]>([
    ['of all tests', {}, REPLACED, ''],
    ['with harmless arguments', { args: ['--ci', '--maxWorkers=2', '--coverage'] }, REPLACED, ''],
    ['with a failing test', { results: { numFailedTests: 1 } }, UNCHANGED, FAILED],
    ['with a file that cannot be loaded', { results: { numFailedTestSuites: 1 } }, UNCHANGED, FAILED],
    ['that is interrupted', { results: { wasInterrupted: true } }, UNCHANGED, FAILED],
    ['with a skipped test', { results: { numPendingTests: 1 } }, KEPT, SKIPPED],
    ['of files by pattern in Jest 29', { config: { testPathPattern: 'a' } }, KEPT, FILES],
    ['of files by pattern in Jest 30', { config: { testPathPatterns: { patterns: ['a'] } } }, KEPT, FILES],
    ['without a pattern in Jest 30', { config: { testPathPatterns: { patterns: [] } } }, REPLACED, ''],
    ['of named files', { config: { nonFlagArgs: ['a'] } }, KEPT, FILES],
    ['without named files', { config: { nonFlagArgs: [], testPathPattern: '' } }, REPLACED, ''],
    ['of files by path', { config: { runTestsByPath: true } }, KEPT, FILES],
    ['of changed files', { config: { onlyChanged: true } }, KEPT, FILES],
    ['of files of a commit', { config: { lastCommit: true } }, KEPT, FILES],
    ['of files changed since', { config: { changedSince: 'main' } }, KEPT, FILES],
    ['of related files', { config: { findRelatedTests: true } }, KEPT, FILES],
    ['of failed files', { config: { onlyFailures: true } }, KEPT, FILES],
    ['of a shard', { config: { shard: { shardIndex: 1, shardCount: 2 } } }, KEPT, FILES],
    ['of files by a filter', { config: { filter: './filter.js' } }, KEPT, FILES],
    ['of selected projects', { args: ['--selectProjects', 'a'] }, KEPT, FILES],
    ['without ignored projects', { args: ['--ignore-projects=a'] }, KEPT, FILES],
    ['without ignored files', { args: ['--testPathIgnorePatterns=a'] }, KEPT, FILES],
    ['of other files than usual', { args: ['--test-match', 'a'] }, KEPT, FILES],
    ['that a program started', { program: '/project/run.js' }, KEPT, FILES],
    [
      'in watch mode',
      { config: { watch: true } },
      UNCHANGED,
      'because Jest runs in watch mode; `jest` without',
    ],
    ['that watches all', { config: { watchAll: true } }, UNCHANGED, 'because Jest runs in watch mode'],
  ])('a run %s', async (_what, given, left, words) => {
    await expectPact(run(), run(given), left, words);
  });

  test('a run whose interactions conflict fails', async () => {
    await expectConflict(run());
    expect(process.exitCode).toBe(1);
  });

  test('a first run of some tests', async () => {
    await expectNewPact(run({ config: { nonFlagArgs: ['a'] } }), 'not all test files ran');
    await expectNewPact(run({ results: { numPendingTests: 1 } }), 'some tests were skipped');
    await expectNewPact(
      run({ config: { nonFlagArgs: ['a'], testNamePattern: 'a' } }),
      'not all test files ran',
    );
    await expectNoPact(run({ config: { testNamePattern: 'a' }, results: { numPendingTests: 1 } }));
  });
});

describe('Mocha', () => {
  interface Given {
    readonly total?: number;
    readonly stats?: MochaRunner['stats'];
    readonly failures?: number;
    readonly args?: readonly string[];
    readonly variable?: string;
    readonly program?: string;
    readonly watches?: boolean;
    readonly loadsFirst?: boolean;
  }

  const run =
    ({ total = 2, stats = { tests: 2, pending: 0 }, failures = 0, args = [], ...how }: Given = {}): Run =>
    async (dir, names) => {
      const { variable, program = '/node_modules/.bin/mocha', watches = false, loadsFirst = false } = how;
      process.argv = ['node', program, ...args];
      vi.stubEnv('MOCHA_OPTIONS', variable);
      const context = watches ? {} : { suite: { total: () => total }, stats, failures };
      // In one process, Mocha loads the test files first.
      for (const name of ['VITEST_POOL_ID', 'VITEST_WORKER_ID']) vi.stubEnv(name, undefined);
      if (loadsFirst) plantStorePact({ consumer: 'web', dir });
      mochaGlobalSetup.call(context);
      make(dir, ...names);
      mochaGlobalTeardown.call(context);
    };

  const HARMLESS = '--parallel -j 4 --timeout 5000 --reporter=dot -r ./hooks.js --exit'.split(' ');
  const WATCHES = 'because Mocha runs in watch mode; `mocha` without --watch writes it\n';

  test.each<[string, Given, string[], string]>([
    ['of all tests', {}, REPLACED, ''],
    ['whose files were loaded before', { loadsFirst: true }, REPLACED, ''],
    ['in worker processes', { total: 0 }, REPLACED, ''],
    ['with harmless arguments', { args: HARMLESS }, REPLACED, ''],
    ['with a failing test', { failures: 1 }, UNCHANGED, FAILED],
    ['with a pending test', { stats: { tests: 2, pending: 1 } }, KEPT, SKIPPED],
    ['with .only', { stats: { tests: 1, pending: 0 } }, KEPT, SKIPPED],
    ['of a file', { args: ['test/a.js'] }, KEPT, FILES],
    ['of a file after an argument', { args: ['--timeout', '5000', 'test/a.js'] }, KEPT, FILES],
    ['of files in a variable', { variable: '--exit test/a.js' }, KEPT, FILES],
    ['with a harmless variable', { variable: '--exit  --timeout 5000' }, REPLACED, ''],
    ['of files by an argument', { args: ['--spec', 'test/a.js'] }, KEPT, FILES],
    ['without ignored files', { args: ['--ignore', 'test/a.js'] }, KEPT, FILES],
    ['without excluded files', { args: ['--exclude=test/a.js'] }, KEPT, FILES],
    ['by a pattern', { args: ['--grep', 'a'] }, KEPT, FILES],
    ['by a short pattern', { args: ['-ga'] }, KEPT, FILES],
    ['by a text', { args: ['-f', 'a'] }, KEPT, FILES],
    ['that a program started', { program: '/project/run.js' }, KEPT, FILES],
    ['in watch mode', { watches: true }, UNCHANGED, WATCHES],
  ])('a run %s', async (_what, given, left, words) => {
    await expectPact(run(), run(given), left, words);
  });

  test('a run whose interactions conflict fails, whatever Mocha sets as its status', async () => {
    const listeners = vi.spyOn(process, 'once').mockReturnThis();
    await expectConflict(run());
    const [beforeExit, exit] = ['beforeExit', 'exit'].map(
      (event) => listeners.mock.calls.findLast(([name]) => name === event)?.[1],
    );
    process.exitCode = 0;
    listeners.mockClear();
    beforeExit?.();
    expect(listeners.mock.calls).toEqual([['exit', exit]]);
    exit?.();
    expect(process.exitCode).toBe(1);
  });

  test('a first run of some tests', async () => {
    await expectNewPact(run({ args: ['test/a.js'] }), 'not all test files ran');
    await expectNewPact(run({ stats: { tests: 2, pending: 1 } }), 'some tests were skipped');
    const listeners = vi.spyOn(process, 'once').mockReturnThis();
    expect((await first(run({ stats: { tests: 1, pending: 0 }, args: ['--grep', 'a'] }))).pact).toBe('');
    expect(said.text).toMatch(MISSING);
    listeners.mock.calls.findLast(([name]) => name === 'exit')?.[1]();
    expect(process.exitCode).toBe(1);
  });
});

describe('node:test', () => {
  interface Given {
    readonly events?: readonly NodeTestEvent[];
    readonly flags?: readonly string[];
    readonly args?: readonly string[];
    readonly variable?: string;
    readonly exitCode?: number;
  }

  const run =
    ({
      events = [{ type: 'test:pass', data: {} }],
      flags = ['--test'],
      args = [],
      ...how
    }: Given = {}): Run =>
    async (dir, names) => {
      Object.assign(process, { execArgv: flags, argv: ['node', ...args], exitCode: how.exitCode });
      vi.stubEnv('NODE_OPTIONS', how.variable);
      async function* happening(): AsyncGenerator<NodeTestEvent> {
        make(dir, ...names);
        yield* events;
      }
      for await (const text of nodeTestReporter(happening())) process.stderr.write(text);
    };

  const HARMLESS = ['--test', '--test-concurrency=4', '--test-reporter=spec', '--test-timeout', '5000'];
  const passes = (data: NodeTestEvent['data']): Given => ({
    events: [{ type: 'test:pass', data: data ?? {} }],
  });
  const fails = (data: NodeTestEvent['data']): Given => ({
    events: [{ type: 'test:fail', data: data ?? {} }],
  });
  const WATCHES = 'because node --test runs in watch mode; without --watch it writes it\n';

  test.each<[string, Given, string[], string]>([
    ['of all tests', {}, REPLACED, ''],
    ['with harmless flags', { flags: HARMLESS }, REPLACED, ''],
    ['with coverage', { flags: ['--experimental-test-coverage', '--test'] }, REPLACED, ''],
    ['with a todo test', passes({ todo: true }), REPLACED, ''],
    ['with a failing todo test', fails({ todo: 'later' }), REPLACED, ''],
    ['with a failing test', fails({}), UNCHANGED, FAILED],
    ['that has failed otherwise', { exitCode: 1 }, UNCHANGED, FAILED],
    ['with a skipped test', passes({ skip: 'no time' }), KEPT, SKIPPED],
    ['of one file', { args: ['a.test.js'] }, KEPT, FILES],
    ['by a name', { flags: ['--test', '--test-name-pattern=a'] }, KEPT, FILES],
    ['without a name', { flags: ['--test', '--test-skip-pattern', 'a'] }, KEPT, FILES],
    ['with only', { flags: ['--test', '--test-only'] }, KEPT, FILES],
    ['of a shard', { flags: ['--test', '--test-shard=1/2'] }, KEPT, FILES],
    ['with a flag in a variable', { variable: '--no-warnings --test-only' }, KEPT, FILES],
    ['of failed tests', { flags: ['--test', '--test-rerun-failures=f'] }, KEPT, FILES],
    ['that a program started', { flags: [] }, KEPT, FILES],
    [
      'in watch mode',
      { flags: ['--test', '--watch'], events: [{ type: 'test:watch:drained' }] },
      UNCHANGED,
      WATCHES,
    ],
  ])('a run %s', async (_what, given, left, words) => {
    await expectPact(run(), run(given), left, words);
  });

  test('a run whose interactions conflict fails', async () => {
    await expectConflict(run());
    expect(process.exitCode).toBe(1);
  });

  test('a first run of some tests', async () => {
    await expectNewPact(run({ args: ['a.test.js'] }), 'not all test files ran');
    await expectNewPact(run(passes({ skip: true })), 'some tests were skipped');
    for (const flag of ['--test-name-pattern', '--test-skip-pattern=a', '--test-only'])
      await expectNoPact(run({ flags: ['--test', flag] }));
  });
});

describe('Vitest', () => {
  interface Given {
    readonly files?: readonly string[];
    readonly ran?: readonly string[];
    readonly skipped?: readonly string[];
    readonly config?: VitestProject['vitest']['config'];
    readonly args?: readonly string[];
    readonly exitCode?: number;
  }

  function projectOf({
    files = ['a', 'b'],
    ran = files,
    skipped = [],
    config = {},
  }: Given = {}): VitestProject {
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

  const run =
    (given: Given = {}): Run =>
    async (dir, names) => {
      process.argv = [...argv, ...(given.args ?? [])];
      const teardown = setupVitest(projectOf(given));
      make(dir, ...names);
      process.exitCode = given.exitCode;
      await teardown?.();
    };

  const WATCHES = 'because Vitest runs in watch mode; `vitest run` writes it\n';

  test.each<[string, Given, string[], string]>([
    ['of all tests', {}, REPLACED, ''],
    ['with a test that is still to be written', { skipped: ['todo'] }, REPLACED, ''],
    ['without a file', { ran: ['a'], exitCode: 0 }, KEPT, FILES],
    ['with a skipped test', { skipped: ['skip'] }, KEPT, SKIPPED],
    ['of one project', { config: { project: ['a'] } }, KEPT, FILES],
    ['without a chosen project', { config: { project: [] } }, REPLACED, ''],
    ['without excluded files', { config: { cliExclude: ['a'] } }, KEPT, FILES],
    ['that failed', { exitCode: 1 }, UNCHANGED, FAILED],
    ['in watch mode', { config: { watch: true } }, UNCHANGED, WATCHES],
    ['in another folder, by --dir', { args: ['--dir', 'a'] }, KEPT, FILES],
    ['in another folder, by --dir=', { args: ['--dir=a'] }, KEPT, FILES],
    ['in another folder, by --root', { args: ['--root', 'a'] }, KEPT, FILES],
    ['in another folder, by --root=', { args: ['--root=a'] }, KEPT, FILES],
    ['in another folder, by -r', { args: ['-r', 'a'] }, KEPT, FILES],
  ])('a run %s', async (_what, given, left, words) => {
    await expectPact(run(), run(given), left, words);
  });

  test('a first run of some tests', async () => {
    await expectNewPact(run({ ran: ['a'] }), 'not all test files ran');
    await expectNewPact(run({ skipped: ['skip'] }), 'some tests were skipped');
    await expectNewPact(run({ ran: ['a'], config: { testNamePattern: /a/ } }), 'not all test files ran');
    await expectNoPact(run({ skipped: ['skip'], config: { testNamePattern: /a/ } }));
  });

  test('a first run that fails, and one in watch mode, write no pact, and say so', async () => {
    expect(await first(run({ exitCode: 1 }))).toEqual({ pact: '', status: 1 });
    expect(said.text).toMatch(/web-plant-store\.json was not written, because the run failed\n$/);
    expect((await first(run({ config: { watch: true } }))).pact).toBe('');
    expect(said.text).toMatch(
      /web-plant-store\.json was not written, because Vitest runs in watch mode; .*\n$/,
    );
  });

  test('at most three of what is kept are named', async () => {
    using folder = new PactFolder();
    await run()(folder.dir, ['a', 'b', 'c', 'd', 'e']);
    await run({ ran: ['a'] })(folder.dir, ['new']);
    expect(said.text).toContain(
      'keeps 5 earlier interactions, because not all test files ran: "a", "b", "c" and 2 more. To',
    );
  });

  test('if the pact cannot be written, the run fails and names the reason', async () => {
    using folder = new PactFolder();
    writeFileSync(join(folder.dir, 'web-plant-store.json'), 'no pact');
    await run({ ran: ['a'] })(folder.dir, ['new']);
    expect(process.exitCode).toBe(1);
    expect(said.text).toMatch(/web-plant-store\.json is not a pact: it is not JSON.*\n$/);
    expect(folder.text()).toBe('no pact');
  });

  test('a second setup of the same process leaves it to the first', async () => {
    const teardown = setupVitest(projectOf());
    expect(setupVitest(projectOf())).toBe(undefined);
    await teardown?.();
    expect(() => plantStorePact({ consumer: 'web' })).toThrow('nothing collects');
  });
});
