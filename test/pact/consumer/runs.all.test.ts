import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { readPact } from '../../../src/pact/pacts.js';
import { objectOf } from '../../../src/validation/json-value.js';
import { InstalledProject } from '../../installed-project.js';
import { CONSUMER } from './collected.js';

const SETUP = "globalSetup: ['plant-store-contract/pact/global-setup']";
const CONFIG = (more: string) =>
  `export default { test: { ${SETUP}, include: ['*.test.js'], testTimeout: 180_000, ${more} } };`;

/** A test file that makes one interaction in each test. */
function testFile(...descriptions: readonly string[]): string {
  const tests = descriptions.map((text) => `test('${text}', () => creates('${text}'));`);
  return `import { test } from 'vitest';${CONSUMER}${tests.join('\n')}\n`;
}

const FILES = {
  // One worker loads Pact only once. That is enough if only the end of the run matters.
  'vitest.config.js': CONFIG('maxWorkers: 1, isolate: false'),
  'a.test.js': testFile('a 1', 'a 2'),
  'b.test.js': testFile('b 1'),
  'stale.test.js': testFile('stale'),
};

/** A project for each call, so that several processes can run at the same time. */
async function projectWith(files: Readonly<Record<string, string>>): Promise<InstalledProject> {
  const project = await InstalledProject.create();
  project.renew(files);
  return project;
}

/** The text of the pact; empty if there is none. */
function pactText({ folder }: InstalledProject): string {
  const file = join(folder, 'pacts/web-plant-store.json');
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}

function descriptions(project: InstalledProject): string[] {
  return readPact(pactText(project), 'the pact').interactions.map(({ description }) => description);
}

/** What collections have left in the folder for what is temporary. */
function leftovers({ folder }: InstalledProject): string[] {
  return readdirSync(join(folder, 'tmp')).filter((name) => name.includes('plant-store'));
}

let before = '';

beforeAll(async () => {
  const project = await projectWith(FILES);
  expect(await project.vitest()).toMatchObject({ code: 0 });
  expect(descriptions(project)).toEqual(['a 1', 'a 2', 'b 1', 'stale']);
  before = pactText(project);
});

/** A project with a pact of what its tests make, and of an interaction that they no longer make. */
function withPact(changed: Readonly<Record<string, string>> = {}): Promise<InstalledProject> {
  const gone = "import { test } from 'vitest'; test('nothing', () => {});";
  return projectWith({ ...FILES, 'stale.test.js': gone, ...changed, 'pacts/web-plant-store.json': before });
}

const SIDE_BY_SIDE = 8;
const MANY = 8;

/** A file that makes many interactions, each with an id near an end of int64. */
function manyInteractions(file: number): string {
  return `import { test } from 'vitest';${CONSUMER}
for (let i = 0; i < ${MANY}; i++)
  test('plant ' + i, () => creates('plant ' + i + ' of file ${file}', { name: 'Aloe', id: 2n ** 63n - 1n - BigInt(${file} * 100 + i) }));
`;
}

/** The ids of all requests, in the order of the pact. */
function idsIn(project: InstalledProject): unknown[] {
  const { interactions } = readPact(pactText(project), 'the pact');
  return interactions.map(({ request }) => objectOf(request.body?.value).id);
}

describe.concurrent('files that write one pact side by side', () => {
  const files = Object.fromEntries(
    Array.from({ length: SIDE_BY_SIDE }, (_, file) => [`${file}.test.js`, manyInteractions(file)]),
  );
  const ids = Array.from(
    { length: SIDE_BY_SIDE * MANY },
    (_, n) => 2n ** 63n - 1n - BigInt(Math.floor(n / MANY) * 100 + (n % MANY)),
  );

  test('lose nothing, and write the same bytes in every pool', async () => {
    const texts = ['forks', 'threads'].map(async (pool) => {
      const workers = `pool: '${pool}', maxWorkers: ${SIDE_BY_SIDE}`;
      const project = await projectWith({ ...files, 'vitest.config.js': CONFIG(workers) });
      const { code, output } = await project.vitest('--sequence.shuffle.files');
      expect(output).toContain(`${SIDE_BY_SIDE * MANY} passed`);
      expect(code).toBe(0);
      expect(idsIn(project)).toHaveLength(SIDE_BY_SIDE * MANY);
      expect(new Set(idsIn(project))).toEqual(new Set(ids));
      expect(leftovers(project)).toEqual([]);
      return pactText(project);
    });
    const [forks, threads] = await Promise.all(texts);
    expect(threads).toBe(forks);
  });

  test('fail if nothing collects: their interactions would be lost', async () => {
    const project = await projectWith({
      ...files,
      'vitest.config.js': CONFIG('maxWorkers: 1, isolate: false').replace(`${SETUP},`, ''),
    });
    const { code, output } = await project.vitest();
    expect(code).toBe(1);
    expect(output).toContain(`${SIDE_BY_SIDE} failed`);
    expect(output).toContain(
      'several processes would write one pact, and interactions would be lost: ' +
        "add globalSetup: ['plant-store-contract/pact/global-setup'] to the configuration of Vitest",
    );
    expect(pactText(project)).toBe('');
  });
});

describe.concurrent('a run', () => {
  test('of all tests removes what the tests no longer make, and writes nothing else', async () => {
    const project = await withPact();
    const { code, output } = await project.vitest();
    expect(code).toBe(0);
    expect(descriptions(project)).toEqual(['a 1', 'a 2', 'b 1']);
    expect(output).not.toContain('pacts/');
  });

  const made = testFile('a 1', 'a 2');
  test.each([
    ['chosen by name', made, ['-t', 'a 1'], 'some tests were skipped'],
    ['in one shard of two', made, ['--shard', '1/2'], 'not all test files ran'],
  ])('of the tests %s keeps the rest', async (_which, file, args, why) => {
    const project = await withPact({ 'a.test.js': file });
    const { code, output } = await project.vitest(...args);
    expect(code).toBe(0);
    expect(descriptions(project)).toEqual(['a 1', 'a 2', 'b 1', 'stale']);
    expect(output).toMatch(new RegExp(`keeps \\d earlier interactions?, because ${why}: .*"stale"`));
  });

  test('of one of two projects keeps the rest; a setup that both name collects once', async () => {
    const part = (name: string) => `{ test: { name: '${name}', include: ['${name}.test.js'], ${SETUP} } }`;
    const config = `export default { test: { projects: [${part('a')}, ${part('b')}], ${SETUP} } };`;
    const project = await withPact({ 'vitest.config.js': config });
    expect(await project.vitest()).toMatchObject({ code: 0 });
    expect(descriptions(project)).toEqual(['a 1', 'a 2', 'b 1']);
    const { output } = await project.vitest('--project', 'b');
    expect(descriptions(project)).toEqual(['a 1', 'a 2', 'b 1']);
    expect(output).toContain('keeps 2 earlier interactions, because not all test files ran');
    expect(leftovers(project)).toEqual([]);
  });

  test.each([
    ['an interaction fails', testFile('a 1').replace('token,', "token: 'other thing',")],
    ['a file cannot be loaded', "import './nothing.js';"],
  ])('that fails because %s does not change the pact', async (_why, file) => {
    const project = await withPact({ 'a.test.js': file });
    const { code, output } = await project.vitest();
    expect(code).toBe(1);
    expect(output).toContain('pacts/web-plant-store.json is unchanged, because the run failed\n');
    expect(pactText(project)).toBe(before);
    expect(leftovers(project)).toEqual([]);
  });
});

describe.concurrent('two files of node --test', () => {
  test('side by side, one is rejected', async () => {
    const project = await projectWith({ 'a.test.js': nodeTest('a', 'b'), 'b.test.js': nodeTest('b', 'a') });
    const { code, output } = await project.node('--test', '--test-concurrency=2');
    expect(code).toBe(1);
    expect(output).toContain('run the tests of pacts with node --test --test-concurrency=1');
    expect(descriptions(project)).toHaveLength(1);
  });

  test('write one pact one after the other', async () => {
    const project = await projectWith({ 'a.test.js': nodeTest('a'), 'b.test.js': nodeTest('b') });
    expect(await project.node('--test', '--test-concurrency=1')).toMatchObject({ code: 0 });
    expect(descriptions(project)).toEqual(['a', 'b']);
  });
});

/** A file of tests. Its process may stay until that of another file has tried to write the pact, too. */
function nodeTest(description: string, other?: string): string {
  const wait = `while (!existsSync('tried-${other}')) await sleep(20);`;
  return `import { existsSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
${CONSUMER}
test('${description}', async () => {
  try {
    await creates('${description}');
  } finally {
    writeFileSync('tried-${description}', '');
    ${other === undefined ? '' : wait}
  }
});
`;
}
