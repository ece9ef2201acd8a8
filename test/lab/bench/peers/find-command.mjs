import { access, constants } from 'node:fs/promises';
import { delimiter, join, resolve } from 'node:path';

/**
 * Looks for a command in the folder that `--install` has filled, and on PATH.
 *
 * @param {string} name
 * @param {string} [tools] the folder
 * @returns {Promise<string | undefined>} its path
 */
export async function findCommand(name, tools) {
  const own =
    tools === undefined ? [] : ['node_modules/.bin', 'python/bin'].map((bin) => resolve(tools, bin));
  for (const folder of [...own, ...(process.env.PATH ?? '').split(delimiter)]) {
    const path = join(folder, name);
    if (await isExecutable(path)) return path;
  }
  return undefined;
}

async function isExecutable(path) {
  try {
    await access(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
