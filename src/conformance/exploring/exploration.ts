import { randomInt } from 'node:crypto';
import type { Filled } from '../../defined-only.js';
import { checkInteger, invalidOption } from '../../toolkit-error.js';
import type { JudgedRule } from '../judge/judge.js';
import type { Row } from '../row.js';

/** Options of exploring: after the core probes, draw more at random. */
export interface ExploreOptions {
  /** How many probes to draw. Default: as many as the time allows. */
  readonly runs?: number | undefined;
  /** Milliseconds after which no more are drawn. Default 30,000; with `runs`, there is no default. */
  readonly timeMs?: number | undefined;
  /** Decides what is drawn. The same seed gives the same requests. Default: a random one. */
  readonly seed?: number | undefined;
}

/** Options that were checked, with the defaults filled in. */
export interface ExploreSettings extends Filled<ExploreOptions> {}

const LONGEST_MS = 24 * 60 * 60 * 1000;
const DEFAULT_MS = 30_000;
const SEEDS = 2 ** 31;

/** @throws ToolkitError `invalid-option`, with a sentence that names the option */
export function exploreSettings(options: ExploreOptions): ExploreSettings {
  if (typeof options !== 'object' || options === null)
    throw invalidOption('"explore" must be an object, such as { timeMs: 5000 }');
  const { runs, seed = randomInt(SEEDS) } = options;
  const { timeMs = runs === undefined ? DEFAULT_MS : LONGEST_MS } = options;
  checkInteger('the number of runs', runs ?? 1, 1, 1e9);
  checkInteger('the time', timeMs, 1, LONGEST_MS, ' ms');
  checkInteger('the seed', seed, 0, SEEDS - 1);
  return { runs: runs ?? Number.POSITIVE_INFINITY, timeMs, seed };
}

/** What exploring found. */
export interface Exploration {
  readonly seed: number;
  /** How many probes were drawn and sent. */
  readonly draws: number;
  readonly requests: number;
  /** How many plants were created. */
  readonly plants: number;
  readonly durationMs: number;
  /** The smallest probes that still fail. */
  readonly failures: readonly ExploredFailure[];
  /** How many draws failed, and not when they were sent again. */
  readonly intermittent: number;
}

/** A drawn probe that fails, made as small as possible. */
export interface ExploredFailure {
  readonly row: Row;
  /** The id of the rule that it breaks. */
  readonly rule: string;
}

/**
 * What is left of the failures when the check has sent them again, and judged them like core probes. The others did not
 * repeat.
 */
export function confirmedExploration(exploration: Exploration, judged: readonly JudgedRule[]): Exploration {
  const isConfirmed = ({ row }: ExploredFailure): boolean =>
    judged.some(({ failures }) => failures.some(({ exchange }) => exchange.probe === row.name));
  const failures = exploration.failures.filter(isConfirmed);
  const unconfirmed = exploration.failures.length - failures.length;
  return { ...exploration, failures, intermittent: exploration.intermittent + unconfirmed };
}
