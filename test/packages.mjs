// @ts-check
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const exec = promisify(execFile);
const tests = fileURLToPath(new URL('.', import.meta.url));

/**
 * Installs the packages of a folder below this one there, as its lock file says, unless that was done before. They are not
 * in the package.json of this repository because few tests need them, and because some need a newer version of Node, so
 * that npm would warn.
 *
 * @param {'frameworks' | 'tools' | 'lab/mutants' | 'lab/mutation' | 'lab/runtimes'} set the folder
 * @param {readonly string[]} flags more flags for `npm ci`
 * @returns {Promise<string>} its `node_modules`
 * @throws Error if npm cannot install them
 */
export async function packagesOf(set, flags = []) {
  const folder = join(tests, set);
  const modules = join(folder, 'node_modules');
  const stamp = join(modules, '.installed');
  const lock = createHash('sha256')
    .update(readFileSync(join(folder, 'package-lock.json')))
    .digest('hex');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === lock) return modules;
  const quietly = ['--prefer-offline', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  await exec('npm', ['ci', ...quietly, ...flags], { cwd: folder });
  writeFileSync(stamp, lock);
  return modules;
}
