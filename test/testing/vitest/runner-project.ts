import { existsSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { linkPackages, packageFolder } from '../../once.js';
import { InstalledProject } from '../../pact/consumer/installed-project.js';

const root = new URL('../../..', import.meta.url).pathname;

/** The supported versions of Vitest, and the names under which they are installed. */
export const VITESTS = { 3: 'vitest-3', 4: 'vitest', 5: 'vitest-5' } as const;

/** A version of Vitest. */
export type VitestVersion = keyof typeof VITESTS;

/** One test of a run; its title has no names of groups. */
export interface RanTest {
  readonly title: string;
  readonly status: string;
  readonly message: string;
}

/** How a run ended. */
export interface Ran {
  readonly code: number | null;
  readonly output: string;
  readonly tests: readonly RanTest[];
}

/** The JSON results of Vitest and of Jest. */
interface JsonResults {
  readonly testResults: readonly {
    readonly message?: string;
    readonly assertionResults: readonly {
      readonly title: string;
      readonly status: string;
      readonly failureMessages?: readonly string[] | null;
    }[];
  }[];
}

/** The project of a user, in which Vitest, Jest and node:test run as child processes. */
export class RunnerProject {
  private constructor(private readonly project: InstalledProject) {}

  static async create(): Promise<RunnerProject> {
    return new RunnerProject(await InstalledProject.create());
  }

  get folder(): string {
    return this.project.folder;
  }

  /** Replaces the files of the last run. */
  renew(files: Readonly<Record<string, string>>): void {
    this.project.renew(files);
  }

  remove(): void {
    this.project.remove();
  }

  /** Installs another version of Vitest. */
  async install(version: VitestVersion): Promise<void> {
    const place = join(this.folder, 'node_modules/vitest');
    rmSync(place, { force: true });
    symlinkSync(await packageFolder(VITESTS[version]), place);
  }

  /** Vitest 5 cannot print failures on Node 20, so the results are read from JSON. */
  async vitest(...args: readonly string[]): Promise<Ran> {
    const out = ['--reporter=json', '--outputFile=out.json', '--reporter=verbose'];
    return this.ran(await this.project.vitest(...out, ...args));
  }

  async jest(...args: readonly string[]): Promise<Ran> {
    await linkPackages(this.folder, 'jest', '@jest/globals', '@types/jest', 'expect');
    const jest = ['--experimental-vm-modules', '--no-warnings', 'node_modules/jest/bin/jest.js'];
    const out = ['--json', '--outputFile=out.json', '--verbose', '--watchman=false'];
    return this.ran(await this.project.node(...jest, ...out, ...args));
  }

  /** The output of node:test is TAP. */
  async nodeTest(...args: readonly string[]): Promise<Omit<Ran, 'tests'>> {
    return this.project.node('--test', '--test-reporter=tap', ...args);
  }

  /** Runs the TypeScript compiler on a file. */
  async tsc(...args: readonly string[]): Promise<Omit<Ran, 'tests'>> {
    return this.project.node(join(root, 'node_modules/typescript/bin/tsc'), ...args);
  }

  private ran({ code, output }: Omit<Ran, 'tests'>): Ran {
    const file = join(this.folder, 'out.json');
    if (!existsSync(file)) throw new Error(`the runner wrote no results:\n${output}`);
    const { testResults } = JSON.parse(readFileSync(file, 'utf8')) as JsonResults;
    rmSync(file);
    const tests = testResults.flatMap(({ assertionResults }) =>
      assertionResults.map(({ title, status, failureMessages }) => ({
        title,
        status,
        message: (failureMessages ?? []).join('\n'),
      })),
    );
    return { code, output, tests };
  }
}

/** Tests of the assertions, after the imports of a runner. */
export const ASSERTIONS = `
import { createPlantStore } from 'plant-store-contract/server';
const headers = { 'content-type': 'application/json' };
const leak = { status: 200, headers, body: Buffer.from('{"name":"Aloe","id":7}') };
test('passes', async () => {
  const { fetch } = createPlantStore();
  const response = await fetch(new Request('http://localhost/plants', { method: 'POST' }));
  await expect(response).toConformToPlantStore();
  await expect(response).toBePlantStoreError();
  await expect(response).not.toBePlant();
  expect(leak).not.toConformToPlantStore();
  expect({ name: 'Aloe' }).toBePlant();
  expect({ name: 'Aloe', id: 7n }).toBeNewPlant();
  await expect(Promise.resolve(response)).resolves.toBePlantStoreError();
  expect({ plant: { name: 'Aloe' } }).toEqual({ plant: expect.toBePlant() });
});
test('fails', () => { expect(leak).toConformToPlantStore(); });
test('fails later', async () => { await expect(Response.json({ name: 7 })).toBePlant(); });
test('fails with not', () => { expect({ name: 'Aloe' }).not.toBePlant(); });
test('fails for undefined', () => { expect(undefined).not.toBePlant(); });
const later = () => ({ plant: Response.json({ name: 7 }) });
test('fails if an asymmetric matcher cannot wait', () => { expect(later()).toEqual({ plant: expect.toBePlant() }); });
test('fails if an asymmetric .not cannot wait', () => { expect(later()).toEqual({ plant: expect.not.toBePlant() }); });
`;

/** All tests of {@link ASSERTIONS} but the first one fail, and say why. */
export function expectAssertions({ tests, code }: Ran): void {
  const wrong = tests.filter(({ title, status }) => status !== (title === 'passes' ? 'passed' : 'failed'));
  expect([tests.length, wrong, code]).toEqual([7, [], 1]);
  const message = (title: string) => tests.find((ran) => ran.title === title)?.message;
  expect(message('fails')).toContain('body /id: a Plant has no field "id"; got 7');
  expect(message('fails later')).toContain('body /name: "name" must be a string; got 7');
  expect(message('fails with not')).toContain('expected anything but a Plant; this is one');
  expect(message('fails for undefined')).toContain('undefined was given');
}
