import { type Exchange, isAccepted, isRejected, isUnprocessed } from '../exchange.js';
import type { Facts } from '../facts/facts.js';
import type { Probe } from '../probe.js';
import type { AnyDemand } from '../rule.js';
import { isValidPlant } from '../rules/validity.js';
import type { Failure, JudgedRule } from './judge.js';

/** How many failures of a rule are confirmed: the first few, and all to valid plants, unless they are too many. */
const CONFIRMED = 3;
const MOST_CONFIRMED = 20;
/** How often failures are confirmed, and how often each of them if some do not repeat. */
const ROUNDS = 6;
const TRIES = 3;

interface RuleFailure {
  readonly rule: AnyDemand;
  readonly failure: Failure;
}

/** The failures to confirm: the first few of each rule. */
function failuresToConfirm(judged: readonly JudgedRule[]): readonly RuleFailure[] {
  return judged.flatMap(({ rule, failures }) => {
    if (rule.level === 'unspecified') return [];
    // What was superseded was sent again before.
    const all = failures.filter(({ exchange }) => exchange.role === 'judged' && !isUsedUp(exchange));
    const isMany = all.length > MOST_CONFIRMED;
    return all
      .filter(({ exchange }, at) => at < CONFIRMED || (!isMany && isValidPlant(exchange)))
      .map((failure) => ({ rule, failure }));
  });
}

/** Whether an id that is the same in every run now exists. A 5xx or no response says nothing about that. */
function isUsedUp(exchange: Exchange): boolean {
  return exchange.request.idMayExist === true && (isAccepted(exchange) || isRejected(exchange));
}

/** The verdicts at one moment of a run. */
export interface Judged {
  readonly facts: Facts;
  readonly judged: readonly JudgedRule[];
}

/**
 * Judges a run, sends what failed once more, and judges again. If a failure to a valid plant does not repeat, the new
 * attempt is judged instead, and others are tried a second time: the provider fails intermittently.
 *
 * @param judge judges the run as it is now
 * @param confirm sends probes once more, and returns their exchanges. Those that replace earlier ones are `judged`.
 */
export async function judgeAndConfirm(
  judge: () => Judged,
  confirm: (probes: readonly Probe[]) => Promise<readonly Exchange[]>,
): Promise<Judged & { readonly again: ReadonlyMap<Failure, boolean> }> {
  let now = judge();
  const tries = new Map<Probe, number>();
  const confirmations = new Map<string, readonly Exchange[]>();
  for (let round = 0; round < ROUNDS; round++) {
    const failed = probesToConfirm(now.judged, now.facts).filter((probe) => (tries.get(probe) ?? 0) < TRIES);
    if (failed.length === 0) break;
    for (const probe of failed) tries.set(probe, (tries.get(probe) ?? 0) + 1);
    const sent = await confirm(failed);
    for (const { name } of failed) {
      const sequence = sent.filter(({ probe, role }) => probe === name && role === 'confirmation');
      if (sequence.length > 0) confirmations.set(name, sequence);
    }
    now = judge();
    const isReplaced = sent.some(({ role }) => role === 'judged');
    if (!isReplaced) break;
  }
  const again = repeatedFailures(now.judged, now.facts, [...confirmations.values()].flat());
  return { ...now, again };
}

/** The probes to send once more, to see whether their failures repeat. */
export function probesToConfirm(judged: readonly JudgedRule[], { probes }: Facts): readonly Probe[] {
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
  facts: Facts,
  confirmations: readonly Exchange[],
): ReadonlyMap<Failure, boolean> {
  const repeated = new Map<Failure, boolean>();
  for (const { rule, failure } of failuresToConfirm(judged)) {
    const probe = facts.probes.get(failure.exchange.probe);
    const sequence = confirmations.filter((exchange) => exchange.probe === failure.exchange.probe);
    const exchange = sequence.find(({ step }) => step === failure.exchange.step);
    if (probe === undefined || exchange === undefined || isUnprocessed(exchange)) continue;
    const judgement = rule.judge(exchange, { probe, sequence, facts });
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
