import { type Exchange, isUnanswered } from '../exchange.js';
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

/**
 * Sends the probes of failures once more and judges them again: a failure that comes now and then is not to be
 * promised to anybody.
 *
 * @param send sends probes and gives what became of them
 * @returns the failures that were tried, and whether they came again
 */
export async function confirmFailures(
  judged: readonly JudgedRule[],
  evidence: Evidence,
  send: (probes: readonly Probe[]) => Promise<readonly Exchange[]>,
): Promise<ReadonlyMap<Failure, boolean>> {
  const tried = toBeTried(judged);
  const names = new Set(tried.map(({ failure }) => failure.exchange.probe));
  const sent = await send([...evidence.probes.values()].filter(({ name }) => names.has(name)));
  const again = new Map<Failure, boolean>();
  for (const { rule, failure } of tried) {
    const probe = evidence.probes.get(failure.exchange.probe);
    const sequence = sent.filter((exchange) => exchange.probe === failure.exchange.probe);
    const exchange = sequence.find(({ step }) => step === failure.exchange.step);
    if (probe === undefined || exchange === undefined || isUnanswered(exchange)) continue;
    const judgement = rule.judge(exchange, { probe, sequence, evidence });
    // What can no longer be judged, behind a lock-out for one, has not gone away.
    if (judgement === undefined) again.set(failure, false);
    else if (typeof judgement === 'object' && 'expected' in judgement) again.set(failure, true);
  }
  return again;
}
