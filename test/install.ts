import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packagesOf } from './npm-packages.mjs';
import { once } from './once.js';

const root = new URL('..', import.meta.url).pathname;

/** The folders below this one with packages of their own that tests need, and that `npm ci` does not install. */
export type PackageSet = 'other-versions' | 'package/tools' | 'spec/tools';

/**
 * Installs the packages of such a folder once, however many test files ask for it. They are not in the package.json of
 * this repository because some need a newer version of Node than it does, so that npm would warn, and because most work
 * needs none of them.
 *
 * @returns its `node_modules`
 * @throws Error if npm cannot install them: no test is skipped
 */
export async function installed(set: PackageSet): Promise<string> {
  await once(`${set.replaceAll('/', '-')}.installed`, async () => void (await packagesOf(set)));
  return await packagesOf(set);
}

const { dependencies } = JSON.parse(readFileSync(join(root, 'test/other-versions/package.json'), 'utf8'));

/** The folder of a package of this repository: one that `npm ci` installed, or one of `other-versions`. */
export async function packageFolder(name: string): Promise<string> {
  const isOther = name in dependencies && name !== '@types/node';
  return join(isOther ? await installed('other-versions') : join(root, 'node_modules'), name);
}
