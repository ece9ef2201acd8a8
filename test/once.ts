import { execFile } from 'node:child_process';
import {
  cpSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { inject } from 'vitest';
import { packagesOf } from './packages.mjs';

const exec = promisify(execFile);
const root = new URL('..', import.meta.url).pathname;

/**
 * Makes a folder once in a run, however many test files and processes ask for it; the others wait. Nobody may change it.
 *
 * @returns the folder, when it is complete
 */
async function once(name: string, make: (folder: string) => Promise<void>): Promise<string> {
  const folder = join(inject('sharedFolder'), name);
  const outcome = `${folder}.outcome`;
  try {
    mkdirSync(folder);
  } catch {
    while (!existsSync(outcome)) await sleep(50);
    const problem = readFileSync(outcome, 'utf8');
    if (problem !== '') throw new Error(problem);
    return folder;
  }
  try {
    await make(folder);
    writeFileSync(outcome, '');
  } catch (error) {
    writeFileSync(outcome, `${name} could not be made: ${String(error)}`);
    throw error;
  }
  return folder;
}

/** The file that `npm pack` makes of the built package. */
export async function packedPackage(): Promise<string> {
  await built();
  const folder = await once('packed', async (folder) => {
    await exec('npm', ['pack', '--ignore-scripts', '--pack-destination', folder], { cwd: root });
  });
  return join(folder, readdirSync(folder)[0] as string);
}

/** A folder where the packed package is installed, and nothing else. */
export async function installedPackage(): Promise<string> {
  const tarball = await packedPackage();
  return await once('installed', async (folder) => {
    writeFileSync(join(folder, 'package.json'), '{"private":true}');
    const quietly = ['--prefer-offline', '--no-audit', '--no-fund'];
    await exec('npm', ['install', ...quietly, tarball], { cwd: folder });
  });
}

/** A folder for projects of tests. What is installed in this repository is installed there. */
export async function projectsFolder(): Promise<string> {
  return await once('projects', async (folder) => {
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  });
}

/** Installs a folder of this run in another place. A copy of the files would take forty times as long as these links. */
export function linkFiles(from: string, to: string): void {
  mkdirSync(to, { recursive: true });
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) linkFiles(source, target);
    else linkSync(source, target);
  }
}

/** The last file that a build writes. */
const LAST_BUILT = 'dist/validation/prism-validators.LICENSES.txt';

const writtenAt = (file: string): number =>
  statSync(join(root, file), { throwIfNoEntry: false })?.mtimeMs ?? Number.NEGATIVE_INFINITY;

/** `dist`, built from the sources as they are now. `npm test` has built it before. */
export async function built(): Promise<string> {
  await once('built', async () => {
    const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' });
    const builtAt = writtenAt(LAST_BUILT);
    if (['src', ...sources.map((file) => `src/${file}`)].some((file) => writtenAt(file) > builtAt))
      await exec('npm', ['run', '--silent', 'build'], { cwd: root });
  });
  return join(root, 'dist');
}

/** A copy of the built package in the folder for projects: what is linked to a file here finds the packages of its project. */
export async function builtCopy(): Promise<string> {
  await projectsFolder();
  const dist = await built();
  return await once('projects/built', async (folder) => {
    cpSync(dist, join(folder, 'dist'), { recursive: true });
    for (const name of ['package.json', 'pacts', 'spec'])
      cpSync(join(root, name), join(folder, name), { recursive: true });
  });
}

/** The file of the command line, for `node`. */
export async function commandLine(): Promise<string> {
  return join(await built(), 'cli/main.js');
}

/** The packages of test/frameworks or test/tools, which `npm ci` does not install. */
export async function installed(set: 'frameworks' | 'tools'): Promise<string> {
  await once(`installed-${set}`, async () => void (await packagesOf(set)));
  return join(root, 'test', set, 'node_modules');
}

const SETS = ['frameworks', 'tools'] as const;

/** The folder of a package that `npm ci` installed, or that is one of test/frameworks or test/tools. */
export async function packageFolder(name: string): Promise<string> {
  const set = SETS.find((one) => {
    const { dependencies } = JSON.parse(readFileSync(join(root, 'test', one, 'package.json'), 'utf8'));
    return name in dependencies && name !== '@types/node';
  });
  return join(set === undefined ? join(root, 'node_modules') : await installed(set), name);
}

/** Links packages into the `node_modules` of a folder. */
export async function linkPackages(folder: string, ...names: readonly string[]): Promise<void> {
  for (const name of names) {
    const place = join(folder, 'node_modules', name);
    mkdirSync(dirname(place), { recursive: true });
    rmSync(place, { force: true });
    symlinkSync(await packageFolder(name), place);
  }
}
