import { existsSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
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
