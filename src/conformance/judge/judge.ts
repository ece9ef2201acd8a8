import { HOUSE_LEVEL } from '../../report/conclusion.js';
import type { Verdict } from '../../report/frame.js';
import type { Behaviour } from '../../report/profile.js';
import {
  type Blocked,
  type Exchange,
  isAccepted,
  isRejected,
  isThrottled,
  isUnprocessed,
  isValidPlant,
  type NotApplicable,
  OVERSIZED,
  type Problem,
  type RuleError,
} from '../exchange.js';
import type { Probe } from '../row.js';
import {
  type AnyDemand,
  type AnyRule,
  type Context,
  concerns,
  type Demand,
  isSentFor,
  type Observation,
} from '../rule.js';
import { type Facts, stopInBrief } from './facts.js';

/** One exchange that breaks a rule. */
export interface Failure extends Problem {
  readonly rule: AnyDemand;
  readonly exchange: Exchange;
}

/** A rule with its verdict. */
export interface JudgedRule {
  readonly rule: AnyRule;
  readonly verdict: Verdict;
  /** The exchanges that break the rule, in the order of the plan. Empty unless the verdict is `fail` or `warn`. */
  readonly failures: readonly Failure[];
  /** Why there is no judgement. Set only if the verdict is `blocked`, `not-applicable`, or `error`. */
  readonly reason?: string;
  /** What was observed. Set only if the verdict is `observed`. */
  readonly behaviour?: Behaviour;
}

/** Judges every rule on the exchanges of a run. Pure. */
export function judgeRules(rules: readonly AnyRule[], facts: Facts): JudgedRule[] {
  return rules.map((rule) => {
    try {
      return rule.level === 'unspecified' ? observe(rule, facts) : judgeDemand(rule, facts);
    } catch (cause) {
      const reason = `the rule itself failed: ${cause instanceof Error ? cause.message : String(cause)}`;
      return { rule, verdict: 'error', failures: [], reason };
    }
  });
}

function observe(rule: Observation, facts: Facts): JudgedRule {
  const seen = [...facts.probes.values()]
    .filter((probe) => concerns(rule, probe))
    .flatMap(({ name }) => facts.of(name));
  const isLost = seen.some((exchange) => facts.stop?.lost.has(exchange));
  const behaviour = isLost || seen.every(isUnprocessed) ? undefined : rule.observe(seen, facts);
  if (behaviour !== undefined) return { rule, verdict: 'observed', failures: [], behaviour };
  const reason = whyLeftOut(rule, facts)[0] ?? 'nothing was observed';
  return { rule, verdict: 'not-applicable', failures: [], reason };
}

/** Why probes that are sent for a rule were not sent. */
function whyLeftOut(rule: AnyRule, { leftOut, stop }: Facts): readonly string[] {
  // What is heavy comes after everything else that the rule needs. If the provider has stopped by then, the rest is known.
  const isMissed = (probe: Probe): boolean => probe.phase !== 'heavy' || stop?.what !== 'silent';
  return [...leftOut].filter(([probe]) => isSentFor(rule, probe) && isMissed(probe)).map(([, why]) => why);
}

/** What one exchange means for a rule. Nothing: it says nothing about the rule. */
type Outcome =
  | 'satisfied'
  | { readonly failure: Failure }
  | NotApplicable
  /** `isNeeded`: the rule cannot pass without it. */
  | (Blocked & { readonly isNeeded: boolean })
  | RuleError;

function judgeDemand(rule: AnyDemand, facts: Facts): JudgedRule {
  const outcomes = exchangesOf(rule, facts).flatMap((exchange) => {
    const probe = facts.probes.get(exchange.probe);
    if (probe === undefined || !concerns(rule, probe)) return [];
    return outcomeOf(rule, exchange, { probe, sequence: facts.of(probe.name), facts }) ?? [];
  });
  return { rule, ...verdictOf(rule, outcomes, whyLeftOut(rule, facts)) };
}

function exchangesOf(rule: AnyDemand, facts: Facts): readonly Exchange[] {
  if (rule.onNoResponse === 'judge-even-after-stop') return facts.all;
  return rule.everyAttempt ? facts.everyAttempt : facts.exchanges;
}

/** What an exchange means for a rule that concerns it. */
function outcomeOf(rule: AnyDemand, exchange: Exchange, context: Context): Outcome | undefined {
  const { probe, facts } = context;
  // To a rule that judges every exchange, one gap in what is not sent for it does not matter.
  const isSpecific = isSentFor(rule, probe);
  // What was superseded was sent again.
  const isGap = isSpecific && exchange.role !== 'superseded';
  if (facts.stop?.lost.has(exchange) && rule.onNoResponse !== 'judge-even-after-stop') {
    const why = stopInBrief(facts.stop);
    if (!isSpecific || (facts.stop.isRestarted && !isGap)) return undefined;
    // What is heavy comes after everything else that the rule needs, and everything else was sent again.
    const isHeavy = probe.phase === 'heavy' && facts.stop.what === 'silent';
    const isAllElseKnown = isHeavy || facts.stop.isRestarted;
    return isAllElseKnown ? { notApplicable: why } : { blocked: why, isNeeded: true };
  }
  if (!mayBeJudged(exchange, rule)) return undefined;
  if (isSpecific && exchange.response === undefined && rule.onNoResponse === undefined)
    return isGap ? silenceOf(exchange, probe) : undefined;
  const judgement = rule.judge(exchange, context);
  if (judgement === 'nothing-to-judge') return isGap ? gapOf(rule, exchange, probe) : undefined;
  if (judgement !== undefined && 'blocked' in judgement) return { ...judgement, isNeeded: isSpecific };
  if (judgement !== undefined && !('expected' in judgement)) return judgement;
  const control = rule.control === 'none' ? undefined : failedControl(probe, facts);
  if (judgement !== undefined && (control === undefined || rule.control === 'for-a-pass'))
    return { failure: { rule, exchange, ...judgement } };
  if (control === undefined) return 'satisfied';
  return control.expectation === 'open'
    ? { notApplicable: `its control was rejected: ${control.title}` }
    : { blocked: `its control was not accepted: ${control.title}`, isNeeded: isSpecific };
}

/**
 * Whether a demand may judge a request: what nobody sends is the business of the HTTP server. Only that it stops the provider
 * counts, and what a user demands of it.
 */
function mayBeJudged({ request }: Exchange, { level, onNoResponse }: AnyDemand): boolean {
  return request.isUnusual !== true || level === HOUSE_LEVEL || onNoResponse === 'judge-even-after-stop';
}

/** A request that a rule needs, and that got no response: a pass rests on responses only. */
function silenceOf(exchange: Exchange, probe: Probe): Outcome | undefined {
  const { title, together } = probe;
  const { request, failure, shared } = exchange;
  // A server may close the connection while a large body is being sent, or because of an unusual request.
  if (request.isUnusual === true || request.body.length > OVERSIZED) return undefined;
  const isClosed = failure?.kind === 'reset' || failure?.kind === 'not-connected';
  return together && shared && isClosed
    ? { notApplicable: 'the provider accepts fewer connections at once, as it is allowed to' }
    : { blocked: `${title} got no response: ${failure?.message}`, isNeeded: true };
}

/** A request that a rule needs, and that the provider did not process. */
function gapOf(rule: AnyDemand, exchange: Exchange, { title }: Probe): Outcome | undefined {
  if (exchange.expectation === 'open' || !isUnprocessed(exchange)) return undefined;
  // To a rule that judges every exchange, one of its probes that is turned away does not matter.
  if (rule.judges !== undefined && isThrottled(exchange)) return undefined;
  const { response, failure } = exchange;
  const why = response === undefined ? (failure?.message ?? '') : `the response is ${response.status}`;
  return { blocked: `${title} was not processed: ${why}`, isNeeded: true };
}

/**
 * Folds what the exchanges mean for a rule into its verdict.
 *
 * @param leftOut why requests that the rule needs were not sent
 */
function verdictOf(
  { severity, nothingToJudge }: AnyDemand,
  outcomes: readonly Outcome[],
  leftOut: readonly string[],
): Omit<JudgedRule, 'rule'> {
  const failures: Failure[] = [];
  // A pass rests on everything that was planned for it.
  const blocked = new Set(leftOut);
  const notApplicable = new Set<string>();
  let isJudged = false;
  let isIncomplete = leftOut.length > 0;
  for (const outcome of outcomes)
    if (outcome === 'satisfied') isJudged = true;
    else if ('error' in outcome) return { verdict: 'error', failures: [], reason: outcome.error };
    else if ('failure' in outcome) failures.push(outcome.failure);
    else if ('notApplicable' in outcome) notApplicable.add(outcome.notApplicable);
    else {
      blocked.add(outcome.blocked);
      isIncomplete ||= outcome.isNeeded;
    }
  const without = (verdict: Verdict, reasons: Iterable<string>): Omit<JudgedRule, 'rule'> => ({
    verdict,
    failures,
    reason: [...reasons].join('; '),
  });
  if (failures.length > 0) return { verdict: severity === 'warning' ? 'warn' : 'fail', failures };
  if (isIncomplete || (blocked.size > 0 && !isJudged)) return without('blocked', blocked);
  if (isJudged) return { verdict: 'pass', failures };
  return notApplicable.size > 0
    ? without('not-applicable', notApplicable)
    : without('blocked', [nothingToJudge]);
}

/** The control of a probe, if it had to be accepted and was not. */
function failedControl(probe: Probe, facts: Facts): Probe | undefined {
  if (probe.control === undefined || facts.accepted(probe.control)) return undefined;
  return facts.probes.get(probe.control);
}

/** The demands that one more probe breaks, judged beside the exchanges of a run. Pure. */
export function brokenBy(
  rules: readonly Demand[],
  probe: Probe,
  sequence: readonly Exchange[],
  facts: Facts,
): readonly Demand[] {
  const own = rules.filter((rule) => concerns(rule, probe));
  return sequence.flatMap((exchange) =>
    own.filter((rule) => {
      const outcome = outcomeOf(rule, exchange, { probe, sequence, facts });
      return typeof outcome === 'object' && 'failure' in outcome;
    }),
  );
}

/** How many failures of a rule are confirmed, and how many to valid plants. */
const CONFIRMED = 3;
const MOST_CONFIRMED = 20;
/** How often a probe is sent once more at most. */
const TRIES = 2;

/** The failures to confirm: the first few of each rule. */
function failuresToConfirm(judged: readonly JudgedRule[]): readonly Failure[] {
  return judged.flatMap(({ failures }) => {
    // What was superseded was sent again before.
    const all = failures.filter(({ exchange }) => exchange.role === 'judged' && !isUsedUp(exchange));
    const most = all.length > MOST_CONFIRMED ? CONFIRMED : MOST_CONFIRMED;
    return all.filter(({ exchange }, at) => at < CONFIRMED || (at < most && isValidPlant(exchange)));
  });
}

/** Whether an id that is the same in every run now exists. A 5xx or no response says nothing about that. */
function isUsedUp(exchange: Exchange): boolean {
  return exchange.request.idMayExist === true && (isAccepted(exchange) || isRejected(exchange));
}

interface Judged {
  readonly facts: Facts;
  readonly judged: readonly JudgedRule[];
}

/**
 * Judges a run, sends what failed once more, and judges again. If a failure does not repeat, the new attempt is judged instead, and
 * what then fails is tried a second time: the provider fails intermittently.
 *
 * @param judge judges the run as it is now
 * @param confirm sends probes once more, and returns their exchanges. Those that replace earlier ones are `judged`.
 */
export async function judgeAndConfirm(
  judge: () => Judged,
  confirm: (probes: readonly Probe[]) => Promise<readonly Exchange[]>,
): Promise<Judged & { readonly again: ReadonlyMap<Failure, boolean> }> {
  let now = judge();
  /** The last confirmation of each probe. */
  const confirmations = new Map<string, readonly Exchange[]>();
  for (let tries = 0; tries < TRIES; tries++) {
    const names = new Set(failuresToConfirm(now.judged).map(({ exchange }) => exchange.probe));
    const failed = [...now.facts.probes.values()].filter(({ name }) => names.has(name));
    if (failed.length === 0) break;
    const sent = await confirm(failed);
    for (const { name } of failed) {
      const sequence = sent.filter(({ probe, role }) => probe === name && role === 'confirmation');
      if (sequence.length > 0) confirmations.set(name, sequence);
    }
    now = judge();
    if (sent.every(({ role }) => role !== 'judged')) break;
  }
  return { ...now, again: repeatedFailures(now.judged, now.facts, confirmations) };
}

/**
 * Judges the confirmations: an intermittent failure cannot be reproduced for certain.
 *
 * @param confirmations the exchanges of each probe that was sent once more
 * @returns the failures that were confirmed: true if the failure repeated, false if it did not
 */
function repeatedFailures(
  judged: readonly JudgedRule[],
  facts: Facts,
  confirmations: ReadonlyMap<string, readonly Exchange[]>,
): ReadonlyMap<Failure, boolean> {
  const repeated = new Map<Failure, boolean>();
  for (const failure of failuresToConfirm(judged)) {
    const probe = facts.probes.get(failure.exchange.probe);
    const sequence = confirmations.get(failure.exchange.probe) ?? [];
    const exchange = sequence.find(({ step }) => step === failure.exchange.step);
    if (probe === undefined || exchange === undefined || isUnprocessed(exchange)) continue;
    const judgement = failure.rule.judge(exchange, { probe, sequence, facts });
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
