import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type FaultName, startPlantStore } from 'plant-store-contract/server';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { InstalledProject } from '../installed-project.js';
import { steady } from '../steady.js';
import { Console, isShownAs, type ShownCommand, shownCommands } from './console.js';
import { type Block, PAGES, type Page, readPage } from './pages.js';

/**
 * Commands that install or build something, and the test file that runs the same. Commands that are scripts of
 * package.json are not listed.
 */
const RUN_ELSEWHERE: Readonly<Record<string, string>> = {
  'npm ci': '.ci/run',
  'npm install': 'test/once.ts',
  'npm pack': 'test/once.ts',
  'npm install --save-dev ./plant-store-contract-0.1.0.tgz': 'test/once.ts',
  'npx plant-store-contract init': 'test/package/init.all.test.ts',
  'cd examples/consumer': 'test/package/examples.all.test.ts',
  'npx vitest run --project unit': 'package.json',
  'npx vitest run test/server': 'package.json',
};

const exec = promisify(execFile);
const root = new URL('../..', import.meta.url).pathname;
const pages = Object.keys(PAGES).map(readPage);
const blocks = pages.flatMap((page) => page.blocks);
const ofLanguage = (language: string): Block[] => blocks.filter((block) => block.language === language);

const folder = join(import.meta.dirname, '.written/pages');

beforeAll(() => {
  mkdirSync(folder, { recursive: true });
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('every block is of a kind that is tested', () => {
  const kinds = ['ts', 'js', 'json', 'console', 'sh'];
  const others = blocks.filter(
    ({ language, attributes }) => !kinds.includes(language) && !('file' in attributes),
  );
  expect(others.map(({ place, language }) => `${place} ${language}`)).toEqual([]);
});

/** JavaScript that names a file is a part of an example. The rest runs as it stands. */
const isOfExample = ({ code }: Block): boolean => /^\/\/ \S+\n/.test(code);

/** What only runs within Vitest. */
const needsVitest = ({ code }: Block): boolean => /from '(vitest|plant-store-contract\/vitest)'/.test(code);

const snippets = ofLanguage('js').filter((block) => !isOfExample(block));
const nameOf = ({ place, language }: Block): string =>
  `${place.replaceAll(/\W/g, '-')}.${language === 'ts' ? 'ts' : 'mjs'}`;

describe('in a file of a project that has this package', async () => {
  const project = await InstalledProject.create();
  const pact = 'pacts/plant-store-client-plant-store.json';
  project.write(pact, readFileSync(join(root, pact), 'utf8'));

  // Vitest would compile it first: `await using` would run here, and not in the file of a user on Node 20. One at a time:
  // a check has a time limit.
  test.for(snippets.filter((block) => !needsVitest(block)))('$place runs in Node', async (block) => {
    project.write(nameOf(block), block.code);
    const { code, output } = await project.node(nameOf(block));
    expect(code, output).toBe(0);
  });
});

// Imports in these modules lead where those of any test here lead.
test.for([...ofLanguage('ts'), ...snippets.filter(needsVitest)])('$place runs in Vitest', async (block) => {
  const file = join(folder, nameOf(block));
  writeFileSync(file, block.code);
  await import(/* @vite-ignore */ file);
});

test('the code of every page has types', async () => {
  const sources = join(folder, 'typed');
  mkdirSync(sources);
  writeFileSync(join(sources, 'none.ts'), 'export {};');
  for (const block of [...ofLanguage('ts'), ...snippets])
    writeFileSync(join(sources, nameOf(block)), block.code);
  writeFileSync(
    join(sources, 'tsconfig.json'),
    '{"extends":"../../../../tsconfig.json","compilerOptions":{"allowJs":true,"checkJs":true,"noImplicitAny":false},"include":["."],"exclude":[]}',
  );
  const tsc = join(root, 'node_modules/.bin/tsc');
  const { stdout } = await exec(tsc, ['--project', sources, '--noUnusedLocals', 'false']).catch(
    (error) => error,
  );
  expect(stdout).toBe('');
});

test.for(ofLanguage('js').filter(isOfExample))(
  '$place is a file of an example, word for word',
  ({ code }) => {
    const [, name = 'no file'] = /^\/\/ (\S+)\n/.exec(code) ?? [];
    const examples = join(root, 'examples');
    const files = readdirSync(examples, { recursive: true, encoding: 'utf8' }).filter(
      (path) => `/${path}`.endsWith(`/${name}`) && !path.includes('node_modules'),
    );
    expect(files).toHaveLength(1);
    expect(readFileSync(join(examples, files[0] as string), 'utf8')).toBe(code);
  },
);

test.for(ofLanguage('json'))('$place is JSON', ({ code }) => {
  expect(() => JSON.parse(code)).not.toThrow();
});

/** A block of commands may name the test that runs them. */
const commandsOf = ofLanguage('sh').filter(({ attributes }) => attributes['tested-by'] === undefined);

test.for(commandsOf)('$place has commands that something here runs', ({ code }) => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const isScript = (command: string): boolean => {
    const [, name = ''] = /^npm (?:run )?([\w:]+)(?: -- .*)?$/.exec(command) ?? [];
    return Object.hasOwn(scripts, name);
  };
  const commands = code
    .replaceAll('\\\n', ' ')
    .split('\n')
    .map((line) => line.replace(/(^| +)#.*$/, ''))
    .flatMap((line) => line.split(' && '))
    .filter((command) => command !== '');
  expect(commands.filter((command) => !isScript(command) && !(command in RUN_ELSEWHERE))).toEqual([]);
});

test('the files that run those commands exist', () => {
  const named = ofLanguage('sh').flatMap(({ attributes }) => attributes['tested-by'] ?? []);
  const tests = [...Object.values(RUN_ELSEWHERE), ...named];
  expect(tests.filter((file) => !existsSync(join(root, file)))).toEqual([]);
});

test.concurrent.for(pages.filter(hasConsole))(
  '$path shows what its commands really print',
  { timeout: 600_000 },
  async (page, { expect }) => {
    const console = await Console.open();
    for (const block of page.blocks) {
      const { file } = block.attributes;
      if (file !== undefined) await console.write(file, block.code);
      if (block.language !== 'console') continue;
      const shown = shownCommands(block.code);
      const outputs = await outputsOf(console, shown, block.attributes);
      for (const [index, { command, output }] of shown.entries()) {
        const actual = outputs[index] ?? '';
        if (!isShownAs(actual, output))
          expect(steady(actual), `${block.place}: ${command}`).toBe(steady(output));
      }
    }
  },
);

function hasConsole({ blocks }: Page): boolean {
  return blocks.some(({ language }) => language === 'console');
}

/** What the commands of a block print. */
async function outputsOf(
  console: Console,
  shown: readonly ShownCommand[],
  { server, fault }: Block['attributes'],
): Promise<string[]> {
  if (server === undefined) return await console.run(shown);
  const faults = fault === undefined ? [] : (fault.split(',') as FaultName[]);
  await using _store = await startPlantStore({
    token: 'secret',
    faults,
    port: await console.portFor('4010'),
  });
  return await console.run(shown);
}

test('what a page shows is compared with lines and texts left out', () => {
  const shown = 'checking http://127.0.0.1:4010\n…\n1 fail, … observed in 3.1 s\n';
  const actual = 'checking http://127.0.0.1:4010\na\nb\n1 fail, 22 observed in 240 ms\n';
  expect(isShownAs(actual, shown)).toBe(true);
  expect(isShownAs(actual.replace('1 fail', '2 fail'), shown)).toBe(false);
  expect(isShownAs(`${actual}more\n`, shown)).toBe(false);
  expect(isShownAs('found 12345 plants\n', 'found …\nplants\n')).toBe(true);
});
