import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const exec = promisify(execFile);
const tests = fileURLToPath(new URL('.', import.meta.url));
const cache = join(tests, '../node_modules/.cache/plant-store-contract');
const FILES = ['package.json', 'package-lock.json'];

/**
 * Installs the packages of a folder below this one, as its lock file says, unless that was done before.
 *
 * @param {string} set the folder
 * @param {readonly string[]} flags more flags for `npm ci`
 * @returns {Promise<string>} its `node_modules`; `npm ci` in the repository removes it
 * @throws Error if npm cannot install them
 */
export async function packagesOf(set, flags = []) {
  const from = join(tests, set);
  const digest = createHash('sha256');
  for (const file of FILES) digest.update(readFileSync(join(from, file)));
  const folder = join(cache, `${set.replaceAll('/', '-')}-${digest.digest('hex').slice(0, 16)}`);
  if (!existsSync(folder)) await install(from, folder, flags);
  return join(folder, 'node_modules');
}

/** @param {string} from @param {string} folder @param {readonly string[]} flags */
async function install(from, folder, flags) {
  mkdirSync(cache, { recursive: true });
  const unfinished = mkdtempSync(join(cache, 'unfinished-'));
  for (const file of FILES) cpSync(join(from, file), join(unfinished, file));
  const quietly = ['--prefer-offline', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  try {
    await exec('npm', ['ci', ...quietly, ...flags], { cwd: unfinished });
    renameSync(unfinished, folder);
  } catch (problem) {
    rmSync(unfinished, { recursive: true });
    // Another run may have been faster.
    if (!existsSync(folder)) throw problem;
  }
}
