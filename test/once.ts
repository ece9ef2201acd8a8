import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { inject } from 'vitest';

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

/** A folder `dist`, compiled from the sources as they are now. */
export async function compiledPackage(): Promise<string> {
  return await once('dist', async (folder) => {
    await exec(join(root, 'node_modules/.bin/tsc'), ['--outDir', folder], { cwd: root });
  });
}
