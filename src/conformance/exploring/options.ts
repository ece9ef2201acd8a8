import { randomInt } from 'node:crypto';
import { invalidOption } from '../../toolkit-error.js';

/** How far exploring is. */
export interface ExploreProgress {
  readonly draws: number;
  readonly requests: number;
  readonly findings: number;
  /** Milliseconds since exploring began. */
  readonly elapsedMs: number;
}

/** Options of exploring: after the core probes, draw more from the families. */
export interface ExploreOptions {
  /** How many probes to draw. Default: as many as the time allows. */
  readonly runs?: number;
  /** Milliseconds after which no more are drawn. Default 30,000; with `runs`, there is no default. */
  readonly timeMs?: number;
  /** Decides what is drawn. The same seed gives the same requests. Default: a random one. */
  readonly seed?: number;
  /** Called about ten times a second. */
  readonly onProgress?: (progress: ExploreProgress) => void;
}

/** Options that were checked, with the defaults filled in. */
export interface ExploreSettings extends Required<ExploreOptions> {}

const LONGEST_MS = 24 * 60 * 60 * 1000;
const DEFAULT_MS = 30_000;
const SEEDS = 2 ** 31;

/** @throws ToolkitError `invalid-option`, with a sentence that names the option */
export function exploreSettings(options: ExploreOptions): ExploreSettings {
  const { runs, seed = randomInt(SEEDS), onProgress = () => {} } = options;
  const { timeMs = runs === undefined ? DEFAULT_MS : LONGEST_MS } = options;
  checkInteger('the number of runs', runs ?? 1, 1, 1e9);
  checkInteger('the time', timeMs, 1, LONGEST_MS, ' ms');
  checkInteger('the seed', seed, 0, SEEDS - 1);
  return { runs: runs ?? Number.POSITIVE_INFINITY, timeMs, seed, onProgress };
}

function checkInteger(what: string, value: number, low: number, high: number, unit = ''): void {
  if (!Number.isInteger(value) || value < low || value > high)
    throw invalidOption(`${what} must be a whole number from ${low} to ${high}${unit}`);
}
