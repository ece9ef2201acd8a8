import { existsSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { InstalledProject } from '../pact/consumer/installed-project.js';

const root = new URL('../..', import.meta.url).pathname;

/** The versions of Vitest that are supported, and the folders of node_modules that they are in. */
export const VITESTS = { 3: 'vitest-3', 4: 'vitest', 5: 'vitest-5' } as const;

/** A version of Vitest. */
export type VitestVersion = keyof typeof VITESTS;

/** One test of a run: its name, without those of its groups. */
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

/** The form in which Vitest and Jest both write what became of tests. */
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

/** A project of a user, in which Vitest, Jest and node:test run in processes of their own. */
export class RunnerProject {
  private constructor(private readonly project: InstalledProject) {}

  static async create(): Promise<RunnerProject> {
    return new RunnerProject(await InstalledProject.create());
  }

  get folder(): string {
    return this.project.folder;
  }

  /** Removes the files of a run before, and writes others. */
  renew(files: Readonly<Record<string, string>>): void {
    this.project.renew(files);
  }

  remove(): void {
    this.project.remove();
  }

  /** Makes another version of Vitest the one that is installed. */
  install(version: VitestVersion): void {
    const place = join(this.folder, 'node_modules/vitest');
    rmSync(place);
    symlinkSync(join(root, 'node_modules', VITESTS[version]), place);
  }

  /** Vitest 5 cannot print failures on Node 20, so that all are asked for data. */
  async vitest(...args: readonly string[]): Promise<Ran> {
    const out = ['--reporter=json', '--outputFile=out.json', '--reporter=verbose'];
    return this.ran(await this.project.vitest(...out, ...args));
  }

  async jest(...args: readonly string[]): Promise<Ran> {
    const jest = ['--experimental-vm-modules', '--no-warnings', 'node_modules/jest/bin/jest.js'];
    const out = ['--json', '--outputFile=out.json', '--verbose', '--watchman=false'];
    return this.ran(await this.project.node(...jest, ...out, ...args));
  }

  /** The output of node:test is TAP. */
  async nodeTest(...args: readonly string[]): Promise<Omit<Ran, 'tests'>> {
    return this.project.node('--test', '--test-reporter=tap', ...args);
  }

  /** The TypeScript compiler on a file; the exit status and what it says. */
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
        ...{ title, status },
        message: (failureMessages ?? []).join('\n'),
      })),
    );
    return { code, output, tests };
  }
}
