import { beforeAll, describe, expect, test } from 'vitest';
import { CONSUMER, ended, type InstalledProject, ownProjects } from './installed-project.js';

const projectWith = ownProjects();
let before = '';

beforeAll(async () => {
  const project = await projectWith({ 'stale.js': `${CONSUMER}await creates('stale');` });
  const output =
    'pacts/web-plant-store.json is new and has 1 interaction. It may lack others, because some tests may not have run.\n';
  expect(await project.node('stale.js')).toEqual({ code: 0, signal: null, output });
  before = project.pactText();
});

/** A project with a pact that has an interaction which no test makes any more. */
function withPact(files: Readonly<Record<string, string>>): Promise<InstalledProject> {
  return projectWith({ ...files, 'pacts/web-plant-store.json': before });
}

/** A file for node's own test runner. */
const nodeTest = (body: string) => `import { test } from 'node:test';${CONSUMER}${body}`;

describe.concurrent('a plain process', () => {
  test('merges when it exits, and names the interactions that it did not make', async () => {
    const project = await withPact({
      'run.js': `${CONSUMER}await creates('fresh', { name: 'Aloe', id: -(2n ** 63n) });`,
    });
    const { code, output } = await project.node('run.js');
    expect(code).toBe(0);
    expect(project.descriptions()).toEqual(['fresh', 'stale']);
    expect(project.pactText()).toContain('"id": -9223372036854775808,');
    expect(output).toBe(
      'pacts/web-plant-store.json keeps 1 earlier interaction, because some tests may not have run: "stale". ' +
        'To remove outdated ones, delete the file and run all tests.\n',
    );
    expect(project.leftovers()).toEqual([]);
  });

  test('that collects by itself removes what it no longer makes', async () => {
    const collects =
      "import { collectPacts } from 'plant-store-contract/pact'; const finish = collectPacts();";
    const project = await withPact({
      'run.js': `${CONSUMER}${collects}await creates('fresh'); finish('complete'); finish();`,
    });
    expect(await project.node('run.js')).toMatchObject({ code: 0, output: '' });
    expect(project.descriptions()).toEqual(['fresh']);
    expect(project.leftovers()).toEqual([]);
  });

  test('collects what its child process makes', async () => {
    const starts =
      "import { execFileSync } from 'node:child_process'; execFileSync(process.execPath, ['other.js']);";
    const project = await withPact({
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
    // As Mocha does.
    [
      'sets its status only when it exits',
      "await creates('fresh'); process.on('exit', () => { process.exitCode = 5; });",
      5,
    ],
  ])('that %s does not change the pact', async (_how, body, status) => {
    const project = await withPact({ 'run.js': CONSUMER + body });
    const { code, output } = await project.node('run.js');
    expect(code).toBe(status);
    expect(output).toContain('pacts/web-plant-store.json is unchanged, because the process failed\n');
    expect(project.pactText()).toBe(before);
    expect(project.leftovers()).toEqual([]);
  });

  test('whose interactions conflict fails', async () => {
    const project = await withPact({
      'run.js': `${CONSUMER}await creates('one'); await creates('one', { name: 'Aloe', id: 8 });`,
    });
    const { code, output } = await project.node('run.js');
    expect(code).toBe(1);
    expect(output).toMatch(
      /"one" \(given "no plant with id"\) and differ: one has "id": 7, the other "id": 8\./,
    );
    expect(project.pactText()).toBe(before);
    expect(project.leftovers()).toEqual([]);
  });

  test.each(['SIGINT', 'SIGTERM'] as const)('that is stopped by %s leaves nothing behind', async (signal) => {
    const project = await withPact({
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

  test('that ends by itself after a signal merges as usual', async () => {
    const ends =
      "const timer = setInterval(() => {}, 1000); process.on('SIGTERM', () => clearInterval(timer));";
    const project = await withPact({
      'run.js': `${CONSUMER}${ends}await creates('fresh'); console.log('made');`,
    });
    const child = project.start('run.js');
    const stopped = ended(child);
    await new Promise((resolve) => child.stdout.once('data', resolve));
    child.kill('SIGTERM');
    expect(await stopped).toMatchObject({ code: 0, signal: null });
    expect(project.descriptions()).toEqual(['fresh', 'stale']);
    expect(project.leftovers()).toEqual([]);
  });
});

describe.concurrent("node's own test runner", () => {
  test('in one process', async () => {
    const project = await withPact({
      'one.test.js': nodeTest("test('a', () => creates('a')); test('b', () => creates('b'));"),
    });
    expect(await project.node('one.test.js')).toMatchObject({ code: 0 });
    expect(project.descriptions()).toEqual(['a', 'b', 'stale']);
    project.write(
      'one.test.js',
      nodeTest("test('c', () => creates('c')); test('d', () => { throw new Error(); });"),
    );
    const { code, output } = await project.node('one.test.js');
    expect(code).toBe(1);
    expect(output).toContain('is unchanged, because the process failed');
    expect(project.descriptions()).toEqual(['a', 'b', 'stale']);
  });

  test('with a process for each of 4 files loses nothing', async () => {
    const file = (n: number) =>
      nodeTest(
        `for (let i = 0; i < 10; i++) test('t' + i, () => creates('${n} ' + i, { name: 'Aloe', id: 2n ** 62n + BigInt(i) }));`,
      );
    const project = await withPact(
      Object.fromEntries(Array.from({ length: 4 }, (_, n) => [`${n}.test.js`, file(n)])),
    );
    const { code, output } = await project.node('--test', '--test-concurrency=4');
    expect(output).toContain('pass 40');
    expect(code).toBe(0);
    expect(project.descriptions()).toHaveLength(41);
    expect(output).not.toContain('keeps');
    expect(project.leftovers()).toEqual([]);
  });
});
