// @ts-check
/**
 * @typedef {() => number} Random from 0 up to 1
 * @typedef {'accepted' | 'rejected'} Verdict
 * @typedef {(module: string) => Promise<any>} Load imports a module of the package, such as `validation/json.js`
 *
 * @typedef {object} Fuzzed
 * @property {(random: Random) => unknown} input the same for the same random numbers
 * @property {(input: any) => Verdict | Promise<Verdict>} check throws if the reader is wrong about the input
 *
 * @typedef {object} Reader
 * @property {string} title
 * @property {(load: Load) => Promise<Fuzzed>} prepare
 *
 * @typedef {{ seed: number, from: number, runs: number }} Range which inputs
 * @typedef {{ index: number, problem: string, input: string }} Finding
 */
import { inspect } from 'node:util';
import { randomFrom } from '../torture/run.mjs';

/** No reader may take longer for an input. */
const LIMIT_MS = 2_000;
const LONGEST_SHOWN = 2_000;

/**
 * Gives a reader one input after the other.
 *
 * @param {Fuzzed} fuzzed
 * @param {Range} range
 */
export async function fuzz({ input, check }, { seed, from, runs }) {
  const counts = { accepted: 0, rejected: 0, wrong: 0 };
  /** @type {Finding[]} */
  const findings = [];
  let slowestMs = 0;
  for (let index = from; index < from + runs; index++) {
    // Each input has its own random numbers, so that it can be made again without those before it.
    const given = input(randomFrom(Math.imul(seed, 0x9e3779b1) + index));
    let { verdict, problem, took } = await once(check, given);
    // On a busy machine, an input may be late by chance.
    if (took > LIMIT_MS) took = (await once(check, given)).took;
    if (took > LIMIT_MS) problem ??= `it took ${took.toFixed(0)} ms`;
    if (problem !== undefined) findings.push({ index, problem, input: shown(given) });
    counts[verdict]++;
    slowestMs = Math.max(slowestMs, took);
  }
  return { ...counts, slowestMs, findings };
}

/**
 * @param {Fuzzed['check']} check
 * @param {unknown} given
 */
async function once(check, given) {
  const start = performance.now();
  /** @type {Verdict | 'wrong'} */
  let verdict = 'wrong';
  let problem;
  try {
    const checked = check(given);
    verdict = typeof checked === 'string' ? checked : await checked;
  } catch (cause) {
    problem = cause instanceof Error ? (cause.stack ?? cause.message) : String(cause);
  }
  return { verdict, problem, took: performance.now() - start };
}

/**
 * An input for people. Bytes are shown as Latin-1.
 *
 * @param {unknown} input
 */
function shown(input) {
  const text = inspect(input, { depth: 8, maxStringLength: LONGEST_SHOWN, breakLength: 120 });
  const bytes = Buffer.isBuffer(input) ? input : /** @type {{ bytes?: unknown }} */ (input)?.bytes;
  if (!Buffer.isBuffer(bytes)) return text;
  return `${JSON.stringify(bytes.toString('latin1', 0, LONGEST_SHOWN))} (${bytes.length} bytes)`;
}

/**
 * Says that a reader is wrong.
 *
 * @param {boolean} holds
 * @param {() => string} problem
 * @returns {asserts holds}
 */
export function must(holds, problem) {
  if (!holds) throw new Error(problem());
}

/**
 * The message of an error that a reader may throw: one of ours, in one line.
 *
 * @param {unknown} cause
 * @returns {string}
 */
export function sentenceOf(cause) {
  const error = /** @type {Error} */ (cause);
  if (error?.name !== 'ToolkitError') throw cause;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
  must(!/[\0-\x1f\x7f]/.test(error.message), () => `not one line: ${JSON.stringify(error.message)}`);
  must(error.message.length < 2_000, () => `a message of ${error.message.length} characters`);
  return error.message;
}
