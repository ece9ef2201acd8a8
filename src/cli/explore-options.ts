import type { Command } from 'commander';
import type { ExploreOptions, ExploreProgress, Shard } from '../conformance/exploring/options.js';
import { invalidOption } from '../toolkit-error.js';
import { InvalidArgumentError } from './commander.js';
import { duration, wholeNumber } from './flags.js';
import { rejectIdle } from './idle-flags.js';

/** The flags of exploring. */
export interface ExploreFlags {
  readonly explore?: boolean;
  readonly runs?: number;
  readonly time?: number;
  readonly seed?: number;
  readonly shard?: Shard;
  readonly failures?: string;
  readonly replay?: string;
}

/** Where the failures go that exploring finds, unless a flag says otherwise. */
export const FAILURES_FILE = 'plant-store-failures.json';

/** Adds the flags of exploring to a command. */
export function withExploreOptions(command: Command): Command {
  return command
    .option('--explore', 'after the core probes, draw more probes at random')
    .option('--runs <number>', 'explore: how many probes to draw', wholeNumber)
    .option(
      '--time <duration>',
      'explore: how long, such as 30s or 5m (default: 30s, without --runs)',
      duration,
    )
    .option('--seed <number>', 'explore: draw the same probes as another check with this seed', wholeNumber)
    .option(
      '--shard <i/n>',
      'explore: draw only part i of n, such as 2/8; give all parts the same --seed',
      shard,
    )
    .option(
      '--failures <file>',
      `explore: write what fails to this file, if anything does (default: "${FAILURES_FILE}")`,
    )
    .option('--replay <file>', 'send the failures in this file again, and say which are fixed');
}

/**
 * The options of exploring that flags give.
 *
 * @throws ToolkitError `invalid-option` if a flag makes no sense without `--explore`
 */
export function exploreOptionsFrom(
  flags: ExploreFlags,
  onProgress: (progress: ExploreProgress) => void,
): ExploreOptions | undefined {
  const { explore, runs, time, seed, shard } = flags;
  if (explore !== true) {
    rejectIdle(flags, OF_EXPLORING, 'needs --explore');
    return undefined;
  }
  if (shard !== undefined && seed === undefined)
    throw invalidOption('--shard needs --seed: all parts draw from the same seed');
  return {
    onProgress,
    ...(runs !== undefined && { runs }),
    ...(time !== undefined && { timeMs: time }),
    ...(seed !== undefined && { seed }),
    ...(shard !== undefined && { shard }),
  };
}

const OF_EXPLORING = ['runs', 'time', 'seed', 'shard', 'failures'] as const;

function shard(text: string): Shard {
  const [, index, of] = /^(\d{1,5})\/(\d{1,5})$/.exec(text) ?? [];
  if (index === undefined || of === undefined || Number(index) < 1 || Number(index) > Number(of))
    throw new InvalidArgumentError('It must look like 2/8: part 2 of 8.');
  return { index: Number(index), of: Number(of) };
}
