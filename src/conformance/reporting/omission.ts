import { counted, listed } from '../../output/wording.js';
import type { PreparedCheck } from '../prepare.js';
import { concerns } from '../rule.js';
import type { Run } from '../sending/run.js';

/** Requests that a check leaves out on purpose. */
export interface Omission {
  /** A clause without a full stop. */
  readonly why: string;
  /** The number of requests that are left out, and the number of requests of the whole check. */
  readonly requests: number;
  readonly of: number;
  /** The ids of the rules that are therefore not judged. */
  readonly rules: readonly string[];
}

/** What a check has left out because the provider limits its rate, or is slow. */
export function omissionForTime(
  { dropped, learnedRate }: Pick<Run, 'dropped' | 'learnedRate'>,
  { rules, probes, counts }: Pick<PreparedCheck, 'rules' | 'probes' | 'counts'>,
): Omission | undefined {
  if (dropped.size === 0) return undefined;
  const total = (some: Iterable<(typeof probes)[number]>): number =>
    [...some].reduce((sum, probe) => sum + (counts.get(probe) ?? 0), 0);
  const left = probes.filter((probe) => !dropped.has(probe));
  const isUnasked = (rule: (typeof rules)[number]): boolean =>
    probes.some((probe) => concerns(rule, probe)) && !left.some((probe) => concerns(rule, probe));
  return {
    why:
      learnedRate === undefined
        ? 'the provider is slow'
        : `the provider limits its rate, to about ${Math.round(learnedRate)} requests per second`,
    requests: total(dropped),
    of: total(probes),
    rules: rules.filter(isUnasked).map(({ id }) => id),
  };
}

/** A sentence for the summary. */
export function omissionInBrief({ requests, of, why }: Omission): string {
  return `${counted(requests, 'request')} of ${of} ${requests === 1 ? 'was' : 'were'} left out: ${why}.`;
}

/** A sentence that also names the rules. */
export function omissionInFull(omission: Omission): string {
  const { rules } = omission;
  const unjudged = rules.length === 0 ? '' : ` Not judged without them: ${listed(rules)}.`;
  return `${omissionInBrief(omission)}${unjudged}`;
}
