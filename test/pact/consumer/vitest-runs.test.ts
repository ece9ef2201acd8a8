import type { JsonObject } from 'plant-store-contract/validation';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CONSUMER, ended, InstalledProject } from './installed-project.js';

const SETUP = "globalSetup: ['plant-store-contract/pact/global-setup']";
const CONFIG = (more: string) => `export default { test: { ${SETUP}, include: ['*.test.js'], ${more} } };`;

/** A test file that makes one interaction in each test. */
function testFile(...descriptions: readonly string[]): string {
  const tests = descriptions.map((text) => `test('${text}', () => creates('${text}'));`);
  return `import { test } from 'vitest';${CONSUMER}${tests.join('\n')}\n`;
}

let project: InstalledProject;

beforeAll(async () => {
  project = await InstalledProject.create();
  project.renew(FILES);
  expect(await project.vitest()).toMatchObject({ code: 0 });
  expect(project.descriptions()).toEqual(['a 1', 'a 2', 'b 1', 'stale']);
  before = project.pactText();
}, 60_000);

afterAll(() => project.remove());

const FILES = {
  // One worker is enough where only the end of the run matters, and loads Pact once.
  'vitest.config.js': CONFIG('maxWorkers: 1, isolate: false'),
  'a.test.js': testFile('a 1', 'a 2'),
  'b.test.js': testFile('b 1'),
  'stale.test.js': testFile('stale'),
};
let before = '';

/** A project that has a pact of what its tests make, and of an interaction that they no longer make. */
function withPact(changed: Readonly<Record<string, string>> = {}): void {
  const gone = "import { test } from 'vitest'; test('nothing', () => {});";
  project.renew({ ...FILES, 'stale.test.js': gone, ...changed, 'pacts/web-plant-store.json': before });
}

const MANY = 8;

/** A file that makes many interactions, each with an id near an end of int64. */
function manyInteractions(file: number): string {
  return `import { test } from 'vitest';${CONSUMER}
for (let i = 0; i < ${MANY}; i++)
  test('plant ' + i, () => creates('plant ' + i + ' of file ${file}', { name: 'Aloe', id: 2n ** 63n - 1n - BigInt(${file} * 100 + i) }));
`;
}

/** What stands in a field of each request, in the order of the pact. */
function sent(field: string): unknown[] {
  return project
    .pact()
    .interactions.map(({ request }) => (request.body as { value: JsonObject }).value[field]);
}

describe('8 files that write one pact side by side', { timeout: 60_000 }, () => {
  const files = Object.fromEntries(
    Array.from({ length: 8 }, (_, file) => [`${file}.test.js`, manyInteractions(file)]),
  );
  const ids = Array.from(
    { length: 8 * MANY },
    (_, n) => 2n ** 63n - 1n - BigInt(Math.floor(n / MANY) * 100 + (n % MANY)),
  );
  let text = '';

  test.each(['forks', 'threads'])(
    'in pool %s lose nothing, and each run writes the same bytes',
    async (pool) => {
      project.renew({ ...files, 'vitest.config.js': CONFIG(`pool: '${pool}', maxWorkers: 4`) });
      const { code, output } = await project.vitest('--sequence.shuffle.files');
      expect(output).toContain(`${8 * MANY} passed`);
      expect(code).toBe(0);
      expect(sent('id')).toHaveLength(8 * MANY);
      expect(new Set(sent('id'))).toEqual(new Set(ids));
      text ||= project.pactText();
      expect(project.pactText()).toBe(text);
      expect(project.leftovers()).toEqual([]);
    },
  );

  test('are refused where nothing collects: they would be lost', async () => {
    project.renew({
      ...files,
      'vitest.config.js': CONFIG('maxWorkers: 1, isolate: false').replace(`${SETUP},`, ''),
    });
    const { code, output } = await project.vitest();
    expect(code).toBe(1);
    expect(output).toContain('8 failed');
    expect(output).toContain(
      "nothing collects the interactions of the test runner's workers, so they would be lost; for Vitest, add " +
        "globalSetup: ['plant-store-contract/pact/global-setup'] to the configuration",
    );
    expect(project.pactText()).toBe('');
  });
});

describe('a run', { timeout: 60_000 }, () => {
  test('of all tests drops what is no longer made, and says nothing', async () => {
    withPact();
    const { code, output } = await project.vitest();
    expect(code).toBe(0);
    expect(project.descriptions()).toEqual(['a 1', 'a 2', 'b 1']);
    expect(output).not.toContain('pacts/');
  });

  test('of some files replaces what they make, and keeps the rest', async () => {
    withPact({ 'a.test.js': testFile('a 1', 'a new').replace("'Aloe'", "'Changed'") });
    const { code, output } = await project.vitest('a.test');
    expect(code).toBe(0);
    expect(project.descriptions()).toEqual(['a 1', 'a 2', 'a new', 'b 1', 'stale']);
    expect(sent('name')).toEqual(['Changed', 'Aloe', 'Changed', 'Aloe', 'Aloe']);
    expect(output).toContain(
      'pacts/web-plant-store.json keeps 3 interactions of before, since not all test files ran: "a 2", "b 1", "stale"; ' +
        'to drop what is no longer made, delete the file and run all tests\n',
    );
  });

  const made = testFile('a 1', 'a 2');
  test.each([
    ['chosen by name', made, ['-t', 'a 1'], 'some tests were skipped'],
    ['but an excluded file', made, ['--exclude', 'b.test.js'], 'not all test files ran'],
    ['in one shard of two', made, ['--shard', '1/2'], 'not all test files ran'],
    ['marked with only', made.replace('test(', 'test.only('), [], 'some tests were skipped'],
    ['but a skipped one', made.replace('test(', 'test.skip('), [], 'some tests were skipped'],
  ])('of the tests %s keeps the rest', async (_which, file, args, why) => {
    withPact({ 'a.test.js': file });
    const { code, output } = await project.vitest(...args);
    expect(code).toBe(0);
    expect(project.descriptions()).toEqual(['a 1', 'a 2', 'b 1', 'stale']);
    expect(output).toMatch(new RegExp(`keeps (an|\\d) interactions? of before, since ${why}: .*"stale"`));
  });

  test('with a test that is still to be written is a run of all', async () => {
    withPact({ 'a.test.js': made.replace(/test\(.*/, "test.todo('a 1');") });
    await project.vitest();
    expect(project.descriptions()).toEqual(['a 2', 'b 1']);
  });

  test('of one project of two keeps the rest; a setup that both name collects once', async () => {
    const part = (name: string) => `{ test: { name: '${name}', include: ['${name}.test.js'], ${SETUP} } }`;
    const config = `export default { test: { projects: [${part('a')}, ${part('b')}], ${SETUP} } };`;
    withPact({ 'vitest.config.js': config });
    expect(await project.vitest()).toMatchObject({ code: 0 });
    expect(project.descriptions()).toEqual(['a 1', 'a 2', 'b 1']);
    const { output } = await project.vitest('--project', 'b');
    expect(project.descriptions()).toEqual(['a 1', 'a 2', 'b 1']);
    expect(output).toContain('keeps 2 interactions of before, since not all test files ran');
    expect(project.leftovers()).toEqual([]);
  });

  test.each([
    ['an interaction fails', testFile('a 1').replace('token })', "token: 'other thing' })")],
    ['another test fails', `${made}test('another', () => { throw new Error('no'); });`],
    ['a file cannot be loaded', "import './nothing.js';"],
  ])('that fails because %s leaves the pact as it is', async (_why, file) => {
    withPact({ 'a.test.js': file });
    const { code, output } = await project.vitest();
    expect(code).toBe(1);
    expect(output).toContain('pacts/web-plant-store.json is left as it is, since the run failed\n');
    expect(project.pactText()).toBe(before);
    expect(project.leftovers()).toEqual([]);
  });

  test('whose files contradict each other fails, and leaves the pact as it is', async () => {
    withPact({ 'b.test.js': testFile('a 1').replace("'Aloe'", "'Other'") });
    const { code, output } = await project.vitest();
    expect(code).toBe(1);
    expect(output).toMatch(
      /two interactions are called "a 1" \(given "no plant with id"\) and differ: one has "name"/,
    );
    expect(project.pactText()).toBe(before);
    expect(project.leftovers()).toEqual([]);
  });

  test('that tries a test again makes its interaction once', async () => {
    withPact({
      'vitest.config.js': CONFIG('retry: 1'),
      'a.test.js': `${made}let tries = 0;
test('a 3', async () => { await creates('a 3'); if (tries++ === 0) throw new Error('no'); });`,
    });
    expect(await project.vitest()).toMatchObject({ code: 0 });
    expect(project.descriptions()).toEqual(['a 1', 'a 2', 'a 3', 'b 1']);
  });

  test('in watch mode writes nothing, and a signal that stops it leaves nothing', async () => {
    withPact();
    const child = project.start('node_modules/vitest/vitest.mjs', 'watch');
    const stopped = ended(child);
    let output = '';
    await new Promise<void>((resolve) => {
      child.stdout.on('data', (chunk) => {
        output += chunk;
        if (output.includes('Waiting for file changes')) resolve();
      });
    });
    expect(project.leftovers()).toHaveLength(1);
    child.kill('SIGTERM');
    await stopped;
    expect(project.pactText()).toBe(before);
    expect(project.leftovers()).toEqual([]);
  });
});
