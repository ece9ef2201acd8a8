import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { builtCopy, linkFiles, linkPackages, packageFolder, projectsFolder } from './once.js';

const root = new URL('..', import.meta.url).pathname;

/** The supported versions of Vitest, and the names under which they are installed. */
export const VITESTS = { 3: 'vitest-3', 4: 'vitest', 5: 'vitest-5' } as const;

/** A version of Vitest. */
export type VitestVersion = keyof typeof VITESTS;

/** How a process ended, and what it said. */
interface Ended {
  readonly code: number | null;
  readonly output: string;
}

/** One test of a run; its title has no names of groups. */
export interface RanTest {
  readonly title: string;
  readonly status: string;
  readonly message: string;
}

/** How a run of tests ended. */
export interface Ran extends Ended {
  readonly tests: readonly RanTest[];
}

/** The JSON results of Vitest and of Jest. */
interface JsonResults {
  readonly testResults: readonly {
    readonly assertionResults: readonly {
      readonly title: string;
      readonly status: string;
      readonly failureMessages?: readonly string[] | null;
    }[];
  }[];
}

/**
 * A project of a user in a folder of its own, with this package installed, compiled from the sources as they are now. Vitest,
 * Jest and node:test run in it as child processes.
 */
export class InstalledProject {
  private constructor(readonly folder: string) {}

  static async create(): Promise<InstalledProject> {
    const project = new InstalledProject(mkdtempSync(join(await projectsFolder(), 'project-')));
    const installed = join(project.folder, 'node_modules/plant-store-contract');
    mkdirSync(join(project.folder, 'tmp'));
    linkFiles(await builtCopy(), installed);
    // The folder above has all packages. This one is run by its path.
    await linkPackages(project.folder, 'vitest');
    project.write('package.json', '{ "private": true, "type": "module" }');
    return project;
  }

  /** Removes all but what is installed, and writes other files. */
  renew(files: Readonly<Record<string, string>>): void {
    for (const name of readdirSync(this.folder))
      if (!['node_modules', 'package.json', 'tmp'].includes(name))
        rmSync(join(this.folder, name), { recursive: true });
    for (const [name, text] of Object.entries(files)) this.write(name, text);
  }

  write(name: string, text: string): void {
    const file = join(this.folder, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }

  /** Installs another version of Vitest. */
  async install(version: VitestVersion): Promise<void> {
    const place = join(this.folder, 'node_modules/vitest');
    rmSync(place, { force: true });
    symlinkSync(await packageFolder(VITESTS[version]), place);
  }

  /** Runs node, which knows nothing of the test runner that this process runs in. */
  async node(...args: readonly string[]): Promise<Ended> {
    const { PATH = '' } = process.env;
    const env = { PATH, HOME: this.folder, TMPDIR: join(this.folder, 'tmp'), NO_COLOR: '1' };
    const child = spawn(process.execPath, args, { cwd: this.folder, env });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (chunk: string) => {
        output += chunk;
      });
    const [code] = await once(child, 'close');
    return { code, output };
  }

  /** Vitest 5 cannot print failures on Node 20, so the results are read from JSON. */
  async vitest(...args: readonly string[]): Promise<Ran> {
    const out = ['--reporter=json', '--outputFile=out.json', '--reporter=verbose'];
    return this.ran(await this.node('node_modules/vitest/vitest.mjs', 'run', ...out, ...args));
  }

  async jest(...args: readonly string[]): Promise<Ran> {
    await linkPackages(this.folder, 'jest', '@jest/globals', '@types/jest', 'expect');
    const jest = ['--experimental-vm-modules', '--no-warnings', 'node_modules/jest/bin/jest.js'];
    const out = ['--json', '--outputFile=out.json', '--verbose', '--watchman=false'];
    return this.ran(await this.node(...jest, ...out, ...args));
  }

  /** Runs the TypeScript compiler on a file. */
  async tsc(...args: readonly string[]): Promise<Ended> {
    return this.node(join(root, 'node_modules/typescript/bin/tsc'), ...args);
  }

  private ran({ code, output }: Ended): Ran {
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
