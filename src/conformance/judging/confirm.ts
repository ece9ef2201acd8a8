import { type Exchange, isAccepted, isUnanswered } from '../exchange.js';
import type { Probe } from '../probe.js';
import type { Demand } from '../rule.js';
import type { Evidence } from './evidence.js';
import type { Failure, JudgedRule } from './judge.js';

/** How many failures of a rule are tried once more. */
const TRIED = 3;

interface Tried {
  readonly rule: Demand;
  readonly failure: Failure;
}

/** The failures that are worth a second look: the first few of each rule. */
function toBeTried(judged: readonly JudgedRule[]): readonly Tried[] {
  return judged.flatMap(({ rule, failures }) =>
    rule.level === 'unspecified'
      ? []
      : failures
          // An id that is always the same is taken by now.
          .filter(({ exchange }) => exchange.request.mayBeTaken !== true)
          .slice(0, TRIED)
          .map((failure) => ({ rule, failure })),
  );
}

/** The probes to send once more: those of the failures that are worth a second look. */
export function probesToConfirm(judged: readonly JudgedRule[], { probes }: Evidence): readonly Probe[] {
  const names = new Set(toBeTried(judged).map(({ failure }) => failure.exchange.probe));
  return [...probes.values()].filter(({ name }) => names.has(name));
}

/**
 * Judges what became of probes of failures that were sent once more: a failure that comes now and then is not to be
 * promised to anybody.
 *
 * @param sent what became of them
 * @returns the failures that were tried, and whether they came again
 */
export function shownAgain(
  judged: readonly JudgedRule[],
  evidence: Evidence,
  sent: readonly Exchange[],
): ReadonlyMap<Failure, boolean> {
  const again = new Map<Failure, boolean>();
  for (const { rule, failure } of toBeTried(judged)) {
    const probe = evidence.probes.get(failure.exchange.probe);
    const sequence = sent.filter((exchange) => exchange.probe === failure.exchange.probe);
    const exchange = sequence.find(({ step }) => step === failure.exchange.step);
    if (probe === undefined || exchange === undefined || isUnanswered(exchange)) continue;
    const judgement = rule.judge(exchange, { probe, sequence, evidence });
    // What can no longer be judged, behind a lock-out for one, has not gone away; nor has what may be taken by now.
    if (judgement === undefined && !isTakenByNow(failure.exchange)) again.set(failure, false);
    else if (typeof judgement === 'object' && 'expected' in judgement) again.set(failure, true);
  }
  return again;
}

/** Whether a request that was accepted has no fresh id, but one that the provider has made up, and may have used. */
function isTakenByNow(exchange: Exchange): boolean {
  return exchange.request.id === undefined && isAccepted(exchange);
}
