import type { Command } from 'commander';
import type { ExploreOptions, ExploreProgress } from '../conformance/exploring/options.js';
import { duration, wholeNumber } from './flags.js';
import { rejectIdle } from './idle-flags.js';

/** The flags of exploring. */
export interface ExploreFlags {
  readonly explore?: boolean;
  readonly time?: number;
  readonly seed?: number;
  readonly replay?: string;
}

/** Where the failures go that exploring finds. */
export const FAILURES_FILE = 'plant-store-failures.json';

/** Adds the flags of exploring to a command. */
export function withExploreOptions(command: Command): Command {
  return command
    .option(
      '--explore',
      `after the core probes, draw more probes at random; what fails is written to ${FAILURES_FILE}`,
    )
    .option('--time <duration>', 'explore: how long, such as 30s or 5m (default: 30s)', duration)
    .option('--seed <number>', 'explore: draw the same probes as another check with this seed', wholeNumber)
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
  const { explore, time, seed } = flags;
  if (explore !== true) {
    rejectIdle(flags, ['time', 'seed'], 'needs --explore');
    return undefined;
  }
  return {
    onProgress,
    ...(time !== undefined && { timeMs: time }),
    ...(seed !== undefined && { seed }),
  };
}
