import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { folderWith } from '../folder.js';
import { installedPackage, linkFiles, packageFolder } from '../once.js';

/** The folder of this repository. */
export const root = new URL('../..', import.meta.url).pathname;
const examples = join(root, 'examples');
const exec = promisify(execFile);

/** The exit status of a command, and what it printed. */
export interface Ended {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** A project in its own folder. */
export interface Project {
  readonly folder: string;
  /** Runs a command in the folder, without the environment variables of this test run. */
  run(command: string, args: readonly string[], env?: NodeJS.ProcessEnv): Promise<Ended>;
  read(file: string): string;
  /** Replaces text in a file. Throws if the file does not contain it. */
  edit(file: string, from: string, to: string): void;
}

/** The text of a file of an example. */
export function readExample(...path: string[]): string {
  return readFileSync(join(examples, ...path), 'utf8');
}

/** Copies an example to a folder, without what somebody installed in it by hand. */
export function copyExample(name: string, folder: string): void {
  const filter = (path: string): boolean => !/\/(node_modules|package-lock\.json|[^/]+\.tgz)$/.test(path);
  cpSync(join(examples, name), folder, { recursive: true, filter });
}

/**
 * Copies an example to an empty folder, and installs there what `npm pack` makes of this repository.
 *
 * @param linked packages that are linked from here instead of installed: they are big, and so the tests need nothing that
 *   `npm ci` did not bring here, and they run with the same version tomorrow
 */
export async function installProject(name: string, linked: readonly string[]): Promise<Project> {
  const folder = folderWith();
  copyExample(name, folder);
  await installPackage(folder);
  for (const one of linked) await link(one, folder);
  return projectIn(folder);
}

/** A project that has only this package. */
export async function emptyProject(): Promise<Project> {
  const folder = folderWith({ 'package.json': '{"private":true}\n' });
  await installPackage(folder);
  return projectIn(folder);
}

/**
 * Installs the packed package in a folder: what npm installed elsewhere is copied here, and its dependencies are links to
 * those there. npm itself takes six seconds.
 */
async function installPackage(folder: string): Promise<void> {
  const installed = join(await installedPackage(), 'node_modules');
  const modules = join(folder, 'node_modules');
  mkdirSync(modules);
  for (const name of readdirSync(installed)) {
    const [from, to] = [join(installed, name), join(modules, name)];
    if (name === 'plant-store-contract') linkFiles(from, to);
    else if (name === '.bin') cpSync(from, to, { recursive: true, verbatimSymlinks: true });
    else if (!name.startsWith('.')) symlinkSync(from, to);
  }
}

/** A folder with any contents, as a project. */
export function projectIn(folder: string): Project {
  const read = (file: string): string => readFileSync(join(folder, file), 'utf8');
  return {
    folder,
    read,
    async run(command, args, env = {}) {
      const options = { cwd: folder, env: { ...userEnvironment(), ...env }, maxBuffer: 2 ** 24 };
      return await exec(command, args, options).then(
        ({ stdout, stderr }) => ({ status: 0, stdout, stderr }),
        ({ code, stdout, stderr }) => {
          // A command that cannot be started has a code such as ENOENT.
          if (typeof code !== 'number') throw new Error(`${command}: ${code}`);
          return { status: code, stdout, stderr };
        },
      );
    },
    edit(file, from, to) {
      const text = read(file);
      if (!text.includes(from)) throw new Error(`${file} has no ${from}`);
      writeFileSync(join(folder, file), text.replace(from, to));
    },
  };
}

/** Leaves out variables that change reports (CI, colour), and those that Vitest and npm set for this run. */
function userEnvironment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(
    ([name]) =>
      !/^(CI|NODE_ENV|NODE_OPTIONS|FORCE_COLOR|PLANT_STORE_.*|GITHUB_.*|VITEST.*|TEST|npm_(command|lifecycle|package|config_call).*)$/.test(
        name,
      ),
  );
  return { ...Object.fromEntries(kept), NO_COLOR: '1' };
}

/** Links a package of this repository into `node_modules`, with its commands. */
async function link(name: string, folder: string): Promise<void> {
  const modules = join(folder, 'node_modules');
  const here = await packageFolder(name);
  mkdirSync(dirname(join(modules, name)), { recursive: true });
  symlinkSync(here, join(modules, name));
  const { bin = {} } = JSON.parse(readFileSync(join(here, 'package.json'), 'utf8'));
  for (const [command, file] of Object.entries<string>(typeof bin === 'string' ? { [name]: bin } : bin))
    symlinkSync(join('..', name, file), join(modules, '.bin', command));
}
