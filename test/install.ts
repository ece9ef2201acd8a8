import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { once } from './once.js';

const exec = promisify(execFile);
const root = new URL('..', import.meta.url).pathname;
const cache = join(root, 'node_modules/.cache/plant-store-contract');

/** The folders below this one with packages of their own, which `npm ci` does not install. */
export type PackageSet = 'other-versions' | 'package/tools' | 'spec/tools';

/**
 * Installs the packages of such a folder, as its lock file says, unless an earlier run has done so. They are not in the
 * package.json of this repository because some need a newer version of Node than it does, so that npm would warn, and
 * because most work needs none of them.
 *
 * @returns its `node_modules`; `npm ci` in the repository removes it
 * @throws Error if npm cannot install them: no test is skipped
 */
export async function installed(set: PackageSet): Promise<string> {
  const from = join(root, 'test', set);
  const files = ['package.json', 'package-lock.json'];
  const digest = createHash('sha256');
  for (const file of files) digest.update(readFileSync(join(from, file)));
  const name = set.replaceAll('/', '-');
  const folder = join(cache, `${name}-${digest.digest('hex').slice(0, 16)}`);
  await once(`${name}.installed`, async () => {
    if (existsSync(folder)) return;
    mkdirSync(cache, { recursive: true });
    const unfinished = mkdtempSync(join(cache, 'unfinished-'));
    for (const file of files) cpSync(join(from, file), join(unfinished, file));
    const quietly = ['--prefer-offline', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
    try {
      await exec('npm', ['ci', ...quietly], { cwd: unfinished });
      renameSync(unfinished, folder);
    } catch (problem) {
      rmSync(unfinished, { recursive: true });
      // Another run may have been faster.
      if (!existsSync(folder)) throw problem;
    }
  });
  return join(folder, 'node_modules');
}

const { dependencies } = JSON.parse(readFileSync(join(root, 'test/other-versions/package.json'), 'utf8'));

/** The folder of a package of this repository: one that `npm ci` installed, or one of `other-versions`. */
export async function packageFolder(name: string): Promise<string> {
  const isOther = name in dependencies && name !== '@types/node';
  return join(isOther ? await installed('other-versions') : join(root, 'node_modules'), name);
}
