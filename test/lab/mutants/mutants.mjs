import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { randomFrom } from '../torture/run.mjs';
import { digestOf, done } from './providers.mjs';

/** Beside the packages of the frameworks, and of this process, so that two runs do not meet. */
const FOLDER = fileURLToPath(new URL(`build/${process.pid}`, import.meta.url));
process.once('exit', () => rmSync(FOLDER, { recursive: true, force: true }));

/** How many mutants of each provider are drawn, and the seed. */
export const EACH = 75;
const SEED = 1;

/**
 * @typedef {object} Mutant
 * @property {string} provider
 * @property {string} id made of the lines that differ, so that a change elsewhere in the provider keeps it
 * @property {string} operator
 * @property {string} diff
 * @property {string} source the whole file
 */

/**
 * The mutants of a provider, in the order in which they are drawn: the first twenty are a sample of all.
 *
 * @param {import('./providers.mjs').Provider} provider
 * @returns {Promise<Mutant[]>}
 */
export async function mutantsOf(provider) {
  const source = sourceOf(provider);
  const seen = new Map();
  const mutants = [];
  for (const made of JSON.parse(await done(...provider.mutate(provider.file)))) {
    if (made.source === source || mutants.some((mutant) => mutant.source === made.source)) continue;
    const { diff, key } = difference(source, made.source);
    const times = (seen.get(key) ?? 0) + 1;
    seen.set(key, times);
    const id = times === 1 ? key : `${key}-${times}`;
    mutants.push({ provider: provider.name, id, operator: made.operator, diff, source: made.source });
  }
  return drawn(mutants).slice(0, EACH);
}

function drawn(mutants) {
  const random = randomFrom(SEED);
  return mutants
    .map((mutant) => ({ mutant, place: random() }))
    .toSorted((a, b) => a.place - b.place)
    .map(({ mutant }) => mutant);
}

/** The ids of the provider itself. What a tool says about it may differ from run to run, so each runs more than once. */
export const RIGHTS = ['right-1', 'right-2', 'right-3'];

export function sourceOf({ file }) {
  return readFileSync(file, 'utf8');
}

/** A mutant changes one place, so the lines before and after it are the same. */
function difference(before, after) {
  const [left, right] = [before.split('\n'), after.split('\n')];
  const most = Math.min(left.length, right.length);
  let first = 0;
  while (first < most && left[first] === right[first]) first++;
  let last = 0;
  while (last < most - first && left.at(-1 - last) === right.at(-1 - last)) last++;
  const removed = left.slice(first, left.length - last);
  const added = right.slice(first, right.length - last);
  const lines = [...removed.map((line) => `-${line}`), ...added.map((line) => `+${line}`)];
  return { diff: [`@@ line ${first + 1}`, ...lines].join('\n'), key: digestOf(...lines).slice(0, 8) };
}

/**
 * Writes a mutant into a folder of its own, and compiles it.
 *
 * @param {import('./providers.mjs').Provider} provider
 * @param {Mutant} mutant
 * @returns {Promise<string | undefined>} the folder, or nothing if it cannot be compiled
 */
export async function written(provider, { id, source }) {
  const folder = join(FOLDER, provider.name, id);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, basename(provider.file)), source);
  if (provider.compile === undefined) return folder;
  try {
    await done(...provider.compile(folder));
    return folder;
  } catch {
    return undefined;
  }
}
