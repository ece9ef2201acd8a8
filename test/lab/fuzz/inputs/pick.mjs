// @ts-check
import { one } from './mutate.mjs';

/** @typedef {import('../run.mjs').Random} Random */

export { one };

/** @type {(most: number, random: Random) => number} from 0 to a number */
export const upTo = (most, random) => Math.floor(random() * (most + 1));

/**
 * A list with up to so many elements.
 *
 * @template T
 * @param {number} most
 * @param {Random} random
 * @param {() => T} make
 * @returns {T[]}
 */
export const some = (most, random, make) => Array.from({ length: upTo(most, random) }, make);
