import type { JudgedRule } from '../judge/judge.js';
import type { Row } from '../probe.js';

/** Where the command line writes the failures that exploring finds. */
export const FAILURES_FILE = 'plant-store-failures.json';

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
  /** How many draws failed once, and not when they were sent again; by rule. */
  readonly intermittent: Readonly<Record<string, number>>;
}

/** A drawn probe that fails, made as small as possible. */
export interface ExploredFailure {
  readonly row: Row;
  /** The id of the rule that it breaks. */
  readonly rule: string;
  /** How many requests exploring had sent when it failed for the first time. */
  readonly foundAfter: number;
}

/**
 * What is left of the failures when the check has sent them again, and judged them like core probes. The others did not
 * repeat.
 */
export function confirmedExploration(exploration: Exploration, judged: readonly JudgedRule[]): Exploration {
  const isConfirmed = ({ row }: ExploredFailure): boolean =>
    judged.some(({ failures }) => failures.some(({ exchange }) => exchange.probe === row.name));
  const intermittent = { ...exploration.intermittent };
  for (const failure of exploration.failures)
    if (!isConfirmed(failure)) intermittent[failure.rule] = (intermittent[failure.rule] ?? 0) + 1;
  return { ...exploration, failures: exploration.failures.filter(isConfirmed), intermittent };
}
