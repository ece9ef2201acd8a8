import { HOUSE_LEVEL } from '../../report/conclusion.js';
import type { Verdict } from '../../report/frame.js';
import type { Behaviour } from '../../report/profile.js';
import {
  type Exchange,
  isAccepted,
  isRejected,
  isThrottled,
  isUnprocessed,
  isUnsent,
  isValidPlant,
  OVERSIZED,
  type Problem,
} from '../exchange.js';
import type { Probe } from '../probe.js';
import { type AnyDemand, type AnyRule, concerns, type Demand, type Observation } from '../rule.js';
import { type Facts, NO_TIME, stopInBrief } from './facts.js';

/** One exchange that breaks a rule. */
export interface Failure extends Problem {
  readonly exchange: Exchange;
}

/** A rule with its verdict. */
export interface JudgedRule {
  readonly rule: AnyRule;
  readonly verdict: Verdict;
  /** The exchanges that break the rule. Empty unless the verdict is `fail` or `warn`. */
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

/** Why probes of a rule could not be sent. Default: all that it judges. */
function whyLeftOut(
  rule: AnyRule,
  { leftOut }: Facts,
  isMeant: (probe: Probe) => boolean = () => true,
): readonly string[] {
  return [...leftOut].filter(([probe]) => concerns(rule, probe) && isMeant(probe)).map(([, why]) => why);
}

/** The judgements of a rule on all its exchanges. Each set holds sentences. */
interface Tally {
  readonly failures: Failure[];
  /** How many judgements count. */
  judged: number;
  /** What failed, so that an exchange proves nothing. */
  readonly blocked: Set<string>;
  /** Whether a request that the rule's verdict needs is among them. The rule then cannot pass. */
  isIncomplete: boolean;
  /** Why the rule may not apply, if nothing else is known. */
  readonly notApplicable: Set<string>;
  /** Why an exchange leaves open whether the rule is kept. The rule then cannot pass. */
  /** Why the rule itself could not judge. Then none of its judgements counts. */
  readonly errors: Set<string>;
}

function judgeDemand(rule: AnyDemand, facts: Facts): JudgedRule {
  const tally: Tally = {
    failures: [],
    judged: 0,
    blocked: new Set(),
    isIncomplete: false,
    notApplicable: new Set(),
    errors: new Set(),
  };
  let isLeftOut = false;
  for (const why of whyLeftOut(rule, facts, (probe) => isSpecificTo(rule, probe)))
    if (why !== NO_TIME) tally.notApplicable.add(why);
    else isLeftOut = true;
  for (const exchange of exchangesOf(rule, facts)) {
    const probe = facts.probes.get(exchange.probe);
    if (probe !== undefined && concerns(rule, probe)) addJudgement(tally, rule, exchange, probe, facts);
  }
  if (isLeftOut && tally.notApplicable.size === 0) tally.blocked.add(NO_TIME);
  return { rule, ...verdictOf(tally, rule) };
}

function exchangesOf(rule: AnyDemand, facts: Facts): readonly Exchange[] {
  if (rule.onNoResponse === 'judge-even-after-stop') return facts.all;
  return rule.everyAttempt ? facts.everyAttempt : facts.exchanges;
}

function addJudgement(tally: Tally, rule: AnyDemand, exchange: Exchange, probe: Probe, facts: Facts): void {
  const isSpecific = isSpecificTo(rule, probe);
  const isLost = facts.stop?.lost.has(exchange) === true;
  if (isLost && rule.onNoResponse !== 'judge-even-after-stop') {
    // It was sent again after the provider was started again.
    if (!isSpecific || facts.stop === undefined || (facts.stop.isRestarted && exchange.role === 'superseded'))
      return;
    // What is heavy comes after everything else that the rule needs, and everything else was sent again.
    if (probe.phase === 'heavy' || facts.stop.isRestarted) tally.notApplicable.add(stopInBrief(facts.stop));
    else addBlocked(tally, stopInBrief(facts.stop), true);
    return;
  }
  if (!mayBeJudged(exchange, rule)) return;
  if (isSpecific && exchange.response === undefined && rule.onNoResponse === undefined) {
    addSilence(tally, exchange, probe, facts);
    return;
  }
  const judgement = rule.judge(exchange, { probe, sequence: facts.of(probe.name), facts });
  if (judgement === 'nothing-to-judge') addGap(tally, rule, exchange, probe, facts);
  else if (judgement !== undefined && 'notApplicable' in judgement)
    tally.notApplicable.add(judgement.notApplicable);
  else if (judgement !== undefined && 'error' in judgement) tally.errors.add(judgement.error);
  else if (judgement !== undefined && 'blocked' in judgement)
    addBlocked(tally, judgement.blocked, isSpecific);
  else {
    const control = rule.control === 'none' ? undefined : failedControl(probe, facts);
    if (control === undefined) tally.judged++;
    else if (control.expectation === 'open')
      tally.notApplicable.add(`its control was rejected: ${control.title}`);
    else addBlocked(tally, `its control was not accepted: ${control.title}`, isSpecific);
    if (judgement !== undefined && (control === undefined || rule.control === 'for-a-pass'))
      tally.failures.push({ exchange, ...judgement });
  }
}

/**
 * Whether a demand may judge a request: what nobody sends is the business of the HTTP server. Only that it stops the provider
 * counts, and what a user demands of it.
 */
function mayBeJudged({ request }: Exchange, { level, onNoResponse }: AnyDemand): boolean {
  return request.isUnusual !== true || level === HOUSE_LEVEL || onNoResponse === 'judge-even-after-stop';
}

function addBlocked(tally: Tally, reason: string, isSpecific: boolean): void {
  tally.blocked.add(reason);
  tally.isIncomplete ||= isSpecific;
}

/** A request that a rule needs, and that got no response: a pass rests on responses only. */
function addSilence(tally: Tally, exchange: Exchange, probe: Probe, facts: Facts): void {
  const { title, together } = probe;
  const { request, failure, role, shared } = exchange;
  // It was sent again.
  if (role === 'superseded') return;
  // There was no time to send it, and other probes show whether the rule is kept.
  if (isUnsent(exchange) && facts.cutShort.has(probe)) {
    addBlocked(tally, `${title} was not sent: ${failure?.message}`, false);
    return;
  }
  // A server may close the connection while a large body is being sent, or because of an unusual request.
  if (request.isUnusual === true || request.body.length > OVERSIZED) return;
  const isClosed = failure?.kind === 'reset' || failure?.kind === 'not-connected';
  if (together && shared && isClosed)
    tally.notApplicable.add('the provider accepts fewer connections at once, as it is allowed to');
  else addBlocked(tally, `${title} got no response: ${failure?.message}`, true);
}

/** A request that a rule needs, and that the provider did not process. */
function addGap(tally: Tally, rule: AnyDemand, exchange: Exchange, probe: Probe, facts: Facts): void {
  // It was sent again.
  if (exchange.role === 'superseded') return;
  if (!isSpecificTo(rule, probe) || exchange.expectation === 'open' || !isUnprocessed(exchange)) return;
  // To a rule that judges every exchange, one of its probes that is throttled in every attempt does not matter.
  if (!isAboutCertainProbes(rule) && isThrottled(exchange)) return;
  if (isLockedOut(exchange, facts))
    tally.notApplicable.add('the provider does not respond after wrong tokens, as it is allowed to');
  else if (isThrottled(exchange) && probe.together)
    tally.notApplicable.add('the provider accepts fewer requests at once, as it is allowed to');
  // What there was no time to send again is left out, if other probes show whether the rule is kept.
  else {
    const isNeeded = !(facts.cutShort.has(probe) && (isThrottled(exchange) || isUnsent(exchange)));
    addBlocked(tally, `${probe.title} was not processed: ${whyUnprocessed(exchange)}`, isNeeded);
  }
}

function verdictOf(
  { failures, judged, blocked, isIncomplete, notApplicable, errors }: Tally,
  rule: AnyDemand,
): Omit<JudgedRule, 'rule'> {
  const without = (verdict: Verdict, reasons: Iterable<string>): Omit<JudgedRule, 'rule'> => ({
    verdict,
    failures,
    reason: [...reasons].join('; '),
  });
  const [error] = errors;
  if (error !== undefined) return { verdict: 'error', failures: [], reason: error };
  if (failures.length > 0) return { verdict: rule.severity === 'warning' ? 'warn' : 'fail', failures };
  if (isIncomplete || (blocked.size > 0 && judged === 0)) return without('blocked', blocked);
  if (judged > 0) return { verdict: 'pass', failures };
  if (notApplicable.size > 0) return without('not-applicable', notApplicable);
  return without('blocked', [rule.nothingToJudge]);
}

function isAboutCertainProbes({ judges }: AnyDemand): boolean {
  return typeof judges !== 'function';
}

/** Whether a probe was sent for a rule. To a rule that judges every exchange, one gap does not matter. */
function isSpecificTo(rule: AnyDemand, { rules }: Probe): boolean {
  return isAboutCertainProbes(rule) || rules?.includes(rule.id) === true;
}

/** Whether the provider throttles because of wrong tokens: it throttled nothing before them. */
function isLockedOut(exchange: Exchange, facts: Facts): boolean {
  // A lockout is a 4xx: a 503 says that the provider failed.
  return isThrottled(exchange) && isRejected(exchange) && !facts.limitsItsRate;
}

function whyUnprocessed({ response, failure }: Exchange): string {
  return response === undefined ? (failure?.message ?? '') : `the response is ${response.status}`;
}

/** The control of a probe, if it had to be accepted and was not. */
function failedControl(probe: Probe, facts: Facts): Probe | undefined {
  if (probe.control === undefined || facts.accepted(probe.control)) return undefined;
  return facts.probes.get(probe.control);
}

/** A demand that a probe breaks, and how. */
export interface BrokenDemand {
  readonly rule: Demand;
  readonly failure: Failure;
}

/**
 * Judges one more probe, beside the exchanges of a run. Pure.
 *
 * @param rules the demands that concern the probe
 * @param sequence its exchanges, in the order of its requests
 * @param run the run that has its controls
 */
export function judgeProbe(
  rules: readonly Demand[],
  probe: Probe,
  sequence: readonly Exchange[],
  run: Facts,
): BrokenDemand[] {
  const broken: BrokenDemand[] = [];
  const context = { probe, sequence, facts: run.with(sequence) };
  const isControlled = failedControl(probe, run) === undefined;
  // Exploring judges thousands of exchanges in a second.
  for (const exchange of sequence)
    for (const rule of rules) {
      if (!mayBeJudged(exchange, rule)) continue;
      if (rule.control === 'for-any-verdict' && !isControlled) continue;
      const isSilent = exchange.response === undefined && rule.onNoResponse === undefined;
      if (isSilent && isSpecificTo(rule, probe)) continue;
      const judgement = rule.judge(exchange, context);
      if (typeof judgement === 'object' && 'expected' in judgement)
        broken.push({ rule, failure: { exchange, ...judgement } });
    }
  return broken;
}

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

interface Judged {
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
