import { invalidOption } from '../../toolkit-error.js';
import type { Exploration } from '../exploring/exploration.js';

/** Combines what the shards of a seed found, and says which shards are missing. */
export function mergeExplorations(parts: readonly (Exploration | undefined)[]): {
  readonly exploration: Exploration | undefined;
  readonly missing: readonly string[];
} {
  const all = parts.filter((part) => part !== undefined);
  const [first] = all;
  if (first === undefined) return { exploration: undefined, missing: [] };
  const { seed, shard } = first;
  if (all.length < parts.length)
    throw invalidOption('the reports cannot be merged: some explored, and some did not');
  if (all.some((part) => part.seed !== seed || part.shard.of !== shard.of))
    throw invalidOption('the reports cannot be merged: they differ in the seed or in the number of shards');
  const indexes = all.map((part) => part.shard.index);
  const twice = indexes.find((index, at) => indexes.indexOf(index) !== at);
  if (twice !== undefined)
    throw invalidOption(`the reports cannot be merged: two are of shard ${twice} of ${shard.of}`);
  const missing = Array.from({ length: shard.of }, (_, at) => at + 1).filter(
    (index) => !indexes.includes(index),
  );
  const sum = (numberOf: (part: Exploration) => number): number =>
    all.reduce((total, part) => total + numberOf(part), 0);
  const intermittent: Record<string, number> = {};
  for (const [rule, count] of all.flatMap((part) => Object.entries(part.intermittent)))
    intermittent[rule] = (intermittent[rule] ?? 0) + count;
  return {
    exploration: {
      seed,
      // The draws of all shards are the draws of the seed.
      shard: missing.length === 0 ? { index: 1, of: 1 } : shard,
      draws: sum(({ draws }) => draws),
      requests: sum(({ requests }) => requests),
      plants: sum(({ plants }) => plants),
      durationMs: Math.max(...all.map(({ durationMs }) => durationMs)),
      failures: distinctFailures(all),
      intermittent,
    },
    missing: missing.map((index) => `The report of shard ${index} of ${shard.of} is missing.`),
  };
}

/** What several shards found alike is kept once. */
function distinctFailures(all: readonly Exploration[]): Exploration['failures'] {
  const byContent = new Map(
    all.flatMap(({ failures }) =>
      failures.map((failure) => [`${failure.rule} ${JSON.stringify(failure.draft.requests)}`, failure]),
    ),
  );
  return [...byContent.values()];
}
