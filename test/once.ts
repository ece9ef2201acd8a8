import { execFile } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { inject } from 'vitest';

const exec = promisify(execFile);
const root = new URL('..', import.meta.url).pathname;

/**
 * Makes a folder once in a run, however many test files and processes ask for it; the others wait. Nobody may change it.
 *
 * @returns the folder, when it is complete
 */
export async function once(name: string, make: (folder: string) => Promise<void>): Promise<string> {
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

/** The file that `npm pack` makes of this repository. `npm test` builds before: a build here would disturb other tests. */
export async function packedPackage(): Promise<string> {
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

/** The package, compiled from the sources as they are now: `dist` and package.json. */
export async function compiledPackage(): Promise<string> {
  await projectsFolder();
  return await once('projects/compiled', async (folder) => {
    copyFileSync(join(root, 'package.json'), join(folder, 'package.json'));
    const dist = join(folder, 'dist');
    const tsc = join(root, 'node_modules/.bin/tsc');
    await exec(tsc, ['--outDir', dist], { cwd: root });
    await exec(tsc, ['--project', 'src/page/browser', '--outDir', join(dist, 'page/browser')], { cwd: root });
    for (const bundle of ['prism', 'portable'])
      await exec(process.execPath, [join(root, `src/packaging/${bundle}.mjs`), dist]);
  });
}

/** The script of the page, compiled from the sources as they are now. */
export async function compiledPage(): Promise<URL> {
  const folder = await once('page', async (folder) => {
    const tsc = join(root, 'node_modules/.bin/tsc');
    await exec(tsc, ['--project', 'src/page/browser', '--outDir', folder], { cwd: root });
  });
  return pathToFileURL(`${folder}/`);
}

/** The folder with the single file and its licenses, as `npm run build:binary` makes them. */
export async function singleFileFolder(): Promise<string> {
  return await once('single-file', async (folder) => {
    await exec(process.execPath, [join(root, 'src/packaging/single-file.mjs'), folder]);
  });
}

/** The file of the command line, for `node`. */
export async function commandLine(): Promise<string> {
  return join(await compiledPackage(), 'dist/cli/main.js');
}
