// @ts-check
/**
 * @typedef {object} Attack
 * @property {string} dist the folder of the built package
 * @property {string} main its command line
 * @property {number} count how many attacks
 * @property {() => number} random from 0 up to 1, the same in every run
 * @property {number} patience how many times as long as its limit of time something may take, for a busy machine
 *
 * @typedef {object} Outcome
 * @property {string} worst the worst that was seen
 * @property {string[]} broken each attack that broke the limit, in words
 *
 * @typedef {object} Part
 * @property {string} title
 * @property {number} count how many attacks a whole run has
 * @property {string} limit
 * @property {number} seconds the most that they may take
 * @property {(attack: Attack) => Promise<Outcome>} run
 *
 * @typedef {Outcome & { title: string, count: number, limit: string, seconds: number, took: number }} Row
 */
import { join } from 'node:path';

/**
 * Runs a part. It counts as broken if it takes too long.
 *
 * @param {Part} part
 * @param {{ dist: string, scale: number, patience?: number }} how
 * @returns {Promise<Row>}
 */
export async function attempt({ title, count: usual, limit, seconds, run }, { dist, scale, patience = 1 }) {
  const count = Math.max(1, Math.round(usual * scale));
  const start = performance.now();
  const { worst, broken } = await run({
    dist,
    main: join(dist, 'cli/main.js'),
    count,
    random: randomFrom(1),
    patience,
  });
  const took = (performance.now() - start) / 1000;
  const isLate = took > seconds * patience * Math.max(1, scale);
  const late = isLate ? [`it took ${took.toFixed(0)} s, more than ${seconds} s`] : [];
  return { title, count, limit, seconds, took, worst, broken: [...broken, ...late] };
}

/** @param {Row[]} rows */
export function tableOf(rows) {
  const cells = [
    ['attack', 'count', 'limit', 'worst', 'time', 'at most', ''],
    ...rows.map(({ title, count, limit, worst, took, seconds, broken }) => [
      title,
      String(count),
      limit,
      worst,
      `${took.toFixed(0)} s`,
      `${seconds} s`,
      broken.length === 0 ? 'held' : `BROKEN ${broken.length} times`,
    ]),
  ];
  const widths = (cells[0] ?? []).map((_, at) => Math.max(...cells.map((row) => (row[at] ?? '').length)));
  return `${cells
    .map((row) =>
      row
        .map((cell, at) => cell.padEnd(widths[at] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')}\n`;
}

/**
 * The same numbers in every run (mulberry32).
 *
 * @param {number} seed
 */
export function randomFrom(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
