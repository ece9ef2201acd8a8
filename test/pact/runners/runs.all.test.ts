import { cpSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { createPlantClient } from 'plant-store-contract/client';
import type { JsonObject } from 'plant-store-contract/validation';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readPage } from '../../docs/pages.js';
import { linkPackages, packageFolder } from '../../once.js';
import { PactFolder } from '../consumer/collected.js';
import { CONSUMER, ended, InstalledProject } from '../consumer/installed-project.js';

// What is made of each thing that a runner may give is in adapters.test.ts; here, what runners really give.

/** The runs of {@link losesNoInteraction}. One runner has them all, the others those that depend on the runner most. */
type Scenario = 'many files' | 'failing test' | 'one file' | 'by name' | 'watch mode' | 'conflict';

/** A test runner, and the arguments that select what it runs. */
interface Runner {
  readonly name: string;
  readonly scenarios: readonly Scenario[];
  /** Its configuration, and whatever else a project needs. */
  readonly files: Readonly<Record<string, string>>;
  /** The first line of a test file. After it, `test` is a function. */
  readonly head: string;
  /** The arguments of node for a run in this many processes. */
  readonly command: (processes: number) => readonly string[];
  /** The further arguments for one file, and for the tests whose names contain a text. */
  readonly file: (name: string) => readonly string[];
  readonly named: (text: string) => readonly string[];
  readonly watch: {
    readonly flag: string;
    /** What it prints when the tests have run, and it waits for changes. */
    readonly waiting: string;
  };
  /** Installs what the project needs. */
  readonly install?: (project: InstalledProject) => Promise<void>;
}

/** What the page about these runners says about one of them. */
function shownFor(runner: string): {
  readonly jest: object;
  readonly require: readonly string[];
  readonly scripts: { readonly test: string };
} {
  const { blocks } = readPage('src/pact/runners/README.md');
  return JSON.parse(blocks.find(({ attributes }) => attributes.runner === runner)?.code ?? '');
}

const FILES = 8;
const TESTS = 8;

/** Ids near the end of int64, which `JSON.parse` rounds. */
const idOf = (file: number, at: number): bigint => 2n ** 63n - 1n - BigInt(file * 100 + at);

/** The pact of an earlier run: what the tests make, and what they made once. */
async function earlierPact(): Promise<string> {
  using folder = new PactFolder();
  const { text } = await folder.run(
    async (pact) => {
      for (const description of ['a 1', 'a 2', 'b 1', 'gone'])
        await pact.createsPlantWithoutTag(
          ({ url, token, plant }) => createPlantClient({ baseUrl: url, token }).createPlant(plant),
          { description, plant: { name: 'Aloe', id: 7 } },
        );
    },
    { outcome: 'complete' },
  );
  return text;
}

/** Tests that no run of a runner loses an interaction. */
function losesNoInteraction(runner: Runner): void {
  const PACT = 'pacts/web-plant-store.json';
  let project: InstalledProject;
  let before = '';

  beforeAll(async () => {
    project = await InstalledProject.create();
    await runner.install?.(project);
    before = await earlierPact();
  });

  afterAll(() => project?.remove());

  const testFile = (...tests: readonly string[]): string =>
    `${runner.head}\n${CONSUMER}${tests.join('\n')}\n`;
  const made = (description: string): string => `test('${description}', () => creates('${description}'));`;
  // One file, where one is enough: it takes most of a second to load Pact for each.
  const FILE = 'test/a.test.js';

  const renew = (files: Readonly<Record<string, string>>): void =>
    project.renew({ ...runner.files, ...files, [PACT]: before });

  describe(`a run in ${runner.name}`, () => {
    const scenario = (name: Scenario, title: string, run: () => Promise<void>): void => {
      if (runner.scenarios.includes(name)) test(title, run);
    };

    scenario(
      'many files',
      `of ${FILES} files at once with ${TESTS} interactions each has them all, and no other`,
      async () => {
        const files = Array.from({ length: FILES }, (_, file) => {
          const many = `for (let i = 0; i < ${TESTS}; i++)
  test('plant ' + i, () => creates('plant ' + i + ' of file ${file}', { name: 'Aloe', id: ${idOf(file, 0)}n - BigInt(i) }));`;
          return [`test/${file}.test.js`, testFile(many)];
        });
        renew(Object.fromEntries(files));
        const { code, output } = await project.node(...runner.command(FILES));
        expect(code, output).toBe(0);
        const ids = project
          .pact()
          .interactions.map(({ request }) => (request.body as { value: JsonObject }).value.id);
        expect(ids).toHaveLength(FILES * TESTS);
        const all = Array.from({ length: FILES * TESTS }, (_, n) => idOf(Math.floor(n / TESTS), n % TESTS));
        expect(new Set(ids)).toEqual(new Set(all));
        expect(output).not.toContain('pacts/');
        expect(project.leftovers()).toEqual([]);
      },
    );

    scenario('failing test', 'with a failing test leaves the pact as it is, and says so', async () => {
      const failing = testFile(made('a new'), "test('fails', () => { throw new Error('on purpose'); });");
      renew({ [FILE]: failing });
      const { code, output } = await project.node(...runner.command(1));
      expect(code).toBe(1);
      expect(output).toContain(`${PACT} is unchanged, because the run failed\n`);
      expect(project.pactText()).toBe(before);
      expect(project.leftovers()).toEqual([]);
    });

    scenario('one file', 'of one file keeps the rest, and says so', async () => {
      renew({ [FILE]: testFile(made('a 1'), made('a new')), 'test/b.test.js': testFile(made('b 1')) });
      const { code, output } = await project.node(...runner.command(1), ...runner.file(FILE));
      expect(code, output).toBe(0);
      expect(project.descriptions()).toEqual(['a 1', 'a 2', 'a new', 'b 1', 'gone']);
      expect(output).toContain(
        `${PACT} keeps 3 earlier interactions, because not all test files ran: "a 2", "b 1", "gone". ` +
          'To remove outdated ones, delete the file and run all tests.\n',
      );
    });

    scenario('by name', 'of the tests with a name keeps the rest, and says so', async () => {
      renew({ [FILE]: testFile(made('a 1'), made('a 2')) });
      const { code, output } = await project.node(...runner.command(1), ...runner.named('a 1'));
      expect(code, output).toBe(0);
      expect(project.descriptions()).toEqual(['a 1', 'a 2', 'b 1', 'gone']);
      expect(output).toMatch(/keeps 3 earlier interactions, because .*: "a 2", "b 1", "gone"/);
    });

    scenario('by name', 'of the tests with a name fails if there is no pact, and writes none', async () => {
      project.renew({ ...runner.files, [FILE]: testFile(made('a 1'), made('a 2')) });
      const { code, output } = await project.node(...runner.command(1), ...runner.named('a 1'));
      expect(code, output).toBe(1);
      expect(output).toContain(`${PACT} cannot be written: interactions would be missing, because `);
      expect(project.pactText()).toBe('');
    });

    scenario(
      'watch mode',
      'in watch mode leaves the pact as it is, says so, and leaves nothing behind',
      async () => {
        renew({ [FILE]: testFile(made('a new')) });
        const child = project.start(...runner.command(1), runner.watch.flag);
        const stopped = ended(child);
        await new Promise<void>((resolve) => {
          let said = '';
          for (const stream of [child.stdout, child.stderr])
            stream.on('data', (chunk) => {
              said += chunk;
              if (said.includes(runner.watch.waiting)) resolve();
            });
          child.once('close', () => resolve());
        });
        child.kill('SIGINT');
        const { output } = await stopped;
        expect(output).toMatch(/pacts\/web-plant-store\.json is unchanged, because .* in watch mode/);
        expect(project.pactText()).toBe(before);
        expect(project.leftovers()).toEqual([]);
      },
    );

    scenario(
      'conflict',
      'whose interactions conflict fails, says so, and leaves the pact as it is',
      async () => {
        renew({
          [FILE]: testFile(made('a 1'), "test('other', () => creates('a 1', { name: 'Aloe', id: 8 }));"),
        });
        const { code, output } = await project.node(...runner.command(1));
        expect(code).toBe(1);
        expect(output).toContain(
          'and differ: one has "id": 7, the other "id": 8. Give one of them another description.',
        );
        expect(project.pactText()).toBe(before);
        expect(project.leftovers()).toEqual([]);
      },
    );
  });
}

const [, ...nodeTest] = shownFor('node-test').scripts.test.split(' ');

losesNoInteraction({
  name: 'node:test',
  scenarios: ['many files', 'failing test', 'one file', 'by name', 'watch mode', 'conflict'],
  files: {},
  head: "import { test } from 'node:test';",
  command: (processes) => [...nodeTest, `--test-concurrency=${processes}`],
  file: (name) => [name],
  named: (text) => [`--test-name-pattern=${text}`],
  // It says what it has to say as soon as it waits.
  watch: { flag: '--watch', waiting: 'in watch mode' },
});

// Each version of Jest with one version of Pact. They give the files of a run in different ways.
for (const [version, jest, pact, scenarios] of [
  [29, 'jest-29', '@pact-foundation/pact', ['many files', 'one file']],
  [30, 'jest', 'pact-17', ['many files', 'one file', 'by name', 'watch mode', 'conflict']],
] as const)
  losesNoInteraction({
    name: `Jest ${version}`,
    scenarios,
    files: { 'jest.config.json': JSON.stringify({ ...shownFor('jest').jest, testTimeout: 180_000 }) },
    head: '',
    command: (processes) => [
      '--experimental-vm-modules',
      '--no-warnings',
      `node_modules/${jest}/bin/jest.js`,
      '--watchman=false',
      processes === 1 ? '--runInBand' : `--maxWorkers=${processes}`,
    ],
    file: (name) => [name],
    named: (text) => ['-t', text],
    watch: { flag: '--watchAll', waiting: 'Ran all test suites' },
    install: async ({ folder }) => {
      const modules = join(folder, 'node_modules');
      mkdirSync(join(modules, '@pact-foundation'));
      symlinkSync(await packageFolder(pact), join(modules, '@pact-foundation/pact'));
      await linkPackages(folder, jest);
    },
  });

const MOCHA_CONFIG = { '.mocharc.json': JSON.stringify({ ...shownFor('mocha'), timeout: 180_000 }) };
const MOCHA = 'node_modules/mocha/bin/mocha.js';

// Mocha loads what it requires from its own place, so a link does not do.
async function installMocha({ folder }: InstalledProject): Promise<void> {
  cpSync(await packageFolder('mocha'), join(folder, 'node_modules/mocha'), { recursive: true });
}

losesNoInteraction({
  name: 'Mocha',
  // It sets its own exit status, and a test that it does not run is not a skipped one.
  scenarios: ['many files', 'by name', 'watch mode', 'conflict'],
  files: MOCHA_CONFIG,
  head: 'const test = it;',
  command: (processes) => [MOCHA, ...(processes === 1 ? [] : ['--parallel', '--jobs', String(processes)])],
  file: (name) => [name],
  named: (text) => ['--grep', text],
  watch: { flag: '--watch', waiting: 'waiting for changes' },
  install: installMocha,
});

test('a run of all tests in the process of Mocha itself, which loads the files first, replaces the pact', async () => {
  const project = await InstalledProject.create();
  await installMocha(project);
  const creates = (...names: string[]) =>
    `${CONSUMER}${names.map((name) => `it('${name}', () => creates('${name}'));`).join('\n')}`;
  project.renew({ ...MOCHA_CONFIG, 'test/a.test.js': creates('a', 'gone') });
  await project.node(MOCHA);
  project.write('test/a.test.js', creates('a', 'b'));
  expect(await project.node(MOCHA)).toMatchObject({ code: 0, output: expect.not.stringContaining('pacts/') });
  expect(project.descriptions()).toEqual(['a', 'b']);
  expect(project.leftovers()).toEqual([]);
  project.remove();
});
