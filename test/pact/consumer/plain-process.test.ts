import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CONSUMER, ended, InstalledProject } from './installed-project.js';

let project: InstalledProject;
let before = '';

beforeAll(async () => {
  project = await InstalledProject.create();
  project.renew({ 'stale.js': `${CONSUMER}await creates('stale');` });
  expect(await project.node('stale.js')).toEqual({ code: 0, signal: null, output: '' });
  before = project.pactText();
}, 60_000);

afterAll(() => project.remove());

/** A project that has a pact with an interaction that nobody makes any longer. */
function withPact(files: Readonly<Record<string, string>>): void {
  project.renew({ ...files, 'pacts/web-plant-store.json': before });
}

/** A file for node's own test runner. */
const nodeTest = (body: string) => `import { test } from 'node:test';${CONSUMER}${body}`;

describe('a process of its own', { timeout: 60_000 }, () => {
  test('merges when it exits, and says which interactions it did not make', async () => {
    withPact({ 'run.js': `${CONSUMER}await creates('fresh', { name: 'Aloe', id: -(2n ** 63n) });` });
    const { code, output } = await project.node('run.js');
    expect(code).toBe(0);
    expect(project.descriptions()).toEqual(['fresh', 'stale']);
    expect(project.pactText()).toContain('"id": -9223372036854775808,');
    expect(output).toBe(
      'pacts/web-plant-store.json keeps an interaction of before, since it may have run only some tests: "stale"; ' +
        'to drop what is no longer made, delete the file and run all tests\n',
    );
    expect(project.leftovers()).toEqual([]);
  });

  test('that collects by itself drops what is no longer made', async () => {
    const collects =
      "import { collectPacts } from 'plant-store-contract/pact'; const finish = collectPacts();";
    withPact({ 'run.js': `${CONSUMER}${collects}await creates('fresh'); finish(); finish();` });
    expect(await project.node('run.js')).toMatchObject({ code: 0, output: '' });
    expect(project.descriptions()).toEqual(['fresh']);
    expect(project.leftovers()).toEqual([]);
  });

  test('collects what a process that it starts makes', async () => {
    const starts =
      "import { execFileSync } from 'node:child_process'; execFileSync(process.execPath, ['other.js']);";
    withPact({
      'run.js': `${CONSUMER}${starts}await creates('one');`,
      'other.js': `${CONSUMER}await creates('two');`,
    });
    expect(await project.node('run.js')).toMatchObject({ code: 0 });
    expect(project.descriptions()).toEqual(['one', 'stale', 'two']);
  });

  test.each([
    ['fails', "await creates('fresh'); throw new Error('no');", 1],
    ['exits with a status', "await creates('fresh'); process.exit(3);", 3],
    ['sets a status', "await creates('fresh'); process.exitCode = 4;", 4],
    // Mocha does it so.
    [
      'decides on its status only when it exits',
      "await creates('fresh'); process.on('exit', () => { process.exitCode = 5; });",
      5,
    ],
  ])('that %s leaves the pact as it is', async (_how, body, status) => {
    withPact({ 'run.js': CONSUMER + body });
    const { code, output } = await project.node('run.js');
    expect(code).toBe(status);
    expect(output).toContain('pacts/web-plant-store.json is left as it is, since the process failed\n');
    expect(project.pactText()).toBe(before);
    expect(project.leftovers()).toEqual([]);
  });

  test('whose interactions contradict each other fails', async () => {
    withPact({ 'run.js': `${CONSUMER}await creates('one'); await creates('one', { name: 'Aloe', id: 8 });` });
    const { code, output } = await project.node('run.js');
    expect(code).toBe(1);
    expect(output).toMatch(
      /"one" \(given "no plant with id"\) and differ: one has "id": 7, the other "id": 8;/,
    );
    expect(project.pactText()).toBe(before);
    expect(project.leftovers()).toEqual([]);
  });

  test.each(['SIGINT', 'SIGTERM'] as const)('that is stopped by %s leaves nothing behind', async (signal) => {
    withPact({
      'run.js': `${CONSUMER}await creates('fresh'); console.log('made'); setInterval(() => {}, 1000);`,
    });
    const child = project.start('run.js');
    const stopped = ended(child);
    await new Promise((resolve) => child.stdout.once('data', resolve));
    expect(project.leftovers()).toHaveLength(1);
    child.kill(signal);
    expect(await stopped).toMatchObject({ code: null, signal });
    expect(project.pactText()).toBe(before);
    expect(project.leftovers()).toEqual([]);
  });

  test('that ends by itself where it is asked to stop merges as ever', async () => {
    const ends =
      "const timer = setInterval(() => {}, 1000); process.on('SIGTERM', () => clearInterval(timer));";
    withPact({ 'run.js': `${CONSUMER}${ends}await creates('fresh'); console.log('made');` });
    const child = project.start('run.js');
    const stopped = ended(child);
    await new Promise((resolve) => child.stdout.once('data', resolve));
    child.kill('SIGTERM');
    expect(await stopped).toMatchObject({ code: 0, signal: null });
    expect(project.descriptions()).toEqual(['fresh', 'stale']);
    expect(project.leftovers()).toEqual([]);
  });
});

describe("node's own test runner", { timeout: 60_000 }, () => {
  test('in one process', async () => {
    withPact({ 'one.test.js': nodeTest("test('a', () => creates('a')); test('b', () => creates('b'));") });
    expect(await project.node('one.test.js')).toMatchObject({ code: 0 });
    expect(project.descriptions()).toEqual(['a', 'b', 'stale']);
    project.write(
      'one.test.js',
      nodeTest("test('c', () => creates('c')); test('d', () => { throw new Error(); });"),
    );
    const { code, output } = await project.node('one.test.js');
    expect(code).toBe(1);
    expect(output).toContain('is left as it is, since the process failed');
    expect(project.descriptions()).toEqual(['a', 'b', 'stale']);
  });

  test('with a process for each of 8 files loses nothing', async () => {
    const file = (n: number) =>
      nodeTest(
        `for (let i = 0; i < 5; i++) test('t' + i, () => creates('${n} ' + i, { name: 'Aloe', id: 2n ** 62n + BigInt(i) }));`,
      );
    withPact(Object.fromEntries(Array.from({ length: 8 }, (_, n) => [`${n}.test.js`, file(n)])));
    const { code, output } = await project.node('--test', '--test-concurrency=4');
    expect(output).toContain('pass 40');
    expect(code).toBe(0);
    expect(project.descriptions()).toHaveLength(41);
    expect(output).not.toContain('keeps');
    expect(project.leftovers()).toEqual([]);
  });
});
