import { type Exchange, isAccepted, isUnprocessed } from '../exchange.js';
import type { Probe } from '../probe.js';
import type { Demand } from '../rule.js';
import type { Failure, JudgedRule } from './judge.js';
import type { RunRecord } from './run-record.js';

/** How many failures of a rule are confirmed. */
const CONFIRMED = 3;

interface RuleFailure {
  readonly rule: Demand;
  readonly failure: Failure;
}

/** The failures to confirm: the first few of each rule. */
function failuresToConfirm(judged: readonly JudgedRule[]): readonly RuleFailure[] {
  return judged.flatMap(({ rule, failures }) =>
    rule.level === 'unspecified'
      ? []
      : failures
          // An id that is the same in every run now exists.
          .filter(({ exchange }) => exchange.request.idMayExist !== true)
          .slice(0, CONFIRMED)
          .map((failure) => ({ rule, failure })),
  );
}

/** The probes to send once more, to see whether their failures repeat. */
export function probesToConfirm(judged: readonly JudgedRule[], { probes }: RunRecord): readonly Probe[] {
  const names = new Set(failuresToConfirm(judged).map(({ failure }) => failure.exchange.probe));
  return [...probes.values()].filter(({ name }) => names.has(name));
}

/**
 * Judges the confirmations: an intermittent failure cannot be reproduced for certain.
 *
 * @param confirmations the exchanges of the probes that were sent once more
 * @returns the failures that were confirmed: true if the failure repeated, false if it did not
 */
export function repeatedFailures(
  judged: readonly JudgedRule[],
  record: RunRecord,
  confirmations: readonly Exchange[],
): ReadonlyMap<Failure, boolean> {
  const repeated = new Map<Failure, boolean>();
  for (const { rule, failure } of failuresToConfirm(judged)) {
    const probe = record.probes.get(failure.exchange.probe);
    const sequence = confirmations.filter((exchange) => exchange.probe === failure.exchange.probe);
    const exchange = sequence.find(({ step }) => step === failure.exchange.step);
    if (probe === undefined || exchange === undefined || isUnprocessed(exchange)) continue;
    const judgement = rule.judge(exchange, { probe, sequence, record });
    // A confirmation that cannot be judged, after a lockout for example, proves nothing. Nor does a used id.
    if (judgement === undefined && !mayHaveUsedId(failure.exchange)) repeated.set(failure, false);
    else if (typeof judgement === 'object' && 'expected' in judgement) repeated.set(failure, true);
  }
  return repeated;
}

/** Whether an accepted request had no fresh id: the provider chose one, and it may exist now. */
function mayHaveUsedId(exchange: Exchange): boolean {
  return exchange.request.id === undefined && isAccepted(exchange);
}
