// @ts-check
// The code of a framework's handler, and what the recipes of the report change in it.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** In the folder of a framework, the files that the code of its recipes changes or adds. */
export const RECIPE = 'with-recipe';

const CODE = /\.(?:mjs|ts|py|go|rs|java|kt|rb|ru|php|pl|cpp)$/;

/** The code of a handler, without that of its recipes. @param {string} folder */
export function sourcesOf(folder) {
  return filesOf(folder)
    .filter((file) => CODE.test(file) && !file.includes('node_modules') && !file.startsWith(RECIPE))
    .map((file) => readFileSync(join(folder, file), 'utf8'))
    .join('');
}

/** How many lines its recipes add to a handler or change in it: git counts them. @param {string} folder */
export function linesOfRecipe(folder) {
  const counts = filesOf(join(folder, RECIPE)).map((file) => {
    const old = existsSync(join(folder, file)) ? file : '/dev/null';
    const compared = ['diff', '--no-index', '--numstat', old, join(RECIPE, file)];
    const [added = ''] = spawnSync('git', compared, { cwd: folder, encoding: 'utf8' }).stdout.split('\t');
    return Number(added);
  });
  return counts.reduce((sum, count) => sum + count, 0);
}

/** @param {string} folder */
function filesOf(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1));
}
