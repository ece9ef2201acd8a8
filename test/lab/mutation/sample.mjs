// Which lines of the sources a run of `npm run mutation` mutates.
import { readFileSync } from 'node:fs';
import { randomFrom } from '../torture/run.mjs';

/** How many lines are drawn together. A mutant counts if all of it is in drawn lines. */
const BLOCK = 12;

/**
 * Draws one block of lines in so many. The same seed draws the same blocks.
 *
 * @param {readonly string[]} files
 * @param {number} oneIn
 * @param {number} seed
 * @returns {string[]} for Stryker's `mutate`: `src/server/store.ts:31-60`
 */
export function sampleOf(files, oneIn, seed) {
  if (oneIn === 1) return [...files];
  const random = randomFrom(seed);
  return files.flatMap((file) => {
    const lines = readFileSync(file, 'utf8').split('\n').length;
    const drawn = [];
    for (let first = 1; first <= lines; first += BLOCK)
      if (random() < 1 / oneIn) drawn.push(`${file}:${first}-${Math.min(first + BLOCK - 1, lines)}`);
    return drawn;
  });
}
