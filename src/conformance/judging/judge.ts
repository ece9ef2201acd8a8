import { type Exchange, isThrottled, isUnanswered } from '../exchange.js';
import type { Probe } from '../probe.js';
import { type Behaviour, concerns, type Demand, type Observation, type Rule } from '../rule.js';
import type { Evidence } from './evidence.js';

/**
 * What is known of a rule: `pass`; `fail`; `observed`, an unspecified behaviour that is recorded; `blocked`, it
 * rests on something that failed; `not-applicable`, its control was refused as the provider is free to; `error`,
 * a fault of the checker.
 */
export type Verdict = 'pass' | 'fail' | 'observed' | 'blocked' | 'not-applicable' | 'error';

/** One exchange that breaks a rule. */
export interface Failure {
  readonly exchange: Exchange;
  readonly expected: string;
  readonly actual: string;
}

/** A rule with its verdict. */
export interface JudgedRule {
  readonly rule: Rule;
  readonly verdict: Verdict;
  /** The exchanges that break it; none unless the verdict is `fail`. */
  readonly failures: readonly Failure[];
  /** Why there is no judgement; only where the verdict is `blocked`, `not-applicable` or `error`. */
  readonly reason?: string;
  /** What was seen; only where the verdict is `observed`. */
  readonly behaviour?: Behaviour;
}

/** Judges every rule by what a run has shown. Pure. */
export function judgeRules(rules: readonly Rule[], evidence: Evidence): JudgedRule[] {
  return rules.map((rule) => {
    try {
      return rule.level === 'unspecified' ? observe(rule, evidence) : judgeDemand(rule, evidence);
    } catch (cause) {
      const reason = `the rule itself broke: ${cause instanceof Error ? cause.message : String(cause)}`;
      return { rule, verdict: 'error', failures: [], reason };
    }
  });
}

function observe(rule: Observation, evidence: Evidence): JudgedRule {
  const seen = [...evidence.probes.values()]
    .filter((probe) => concerns(rule, probe))
    .flatMap(({ name }) => evidence.of(name));
  const behaviour = seen.every(isUnanswered) ? undefined : rule.observe(seen, evidence);
  if (behaviour !== undefined) return { rule, verdict: 'observed', failures: [], behaviour };
  const reason = evidence.whyLeftOut(rule)[0] ?? 'nothing was seen of it';
  return { rule, verdict: 'not-applicable', failures: [], reason };
}

function judgeDemand(rule: Demand, evidence: Evidence): JudgedRule {
  const failures: Failure[] = [];
  const blocked = new Set<string>();
  const free = new Set<string>(isSpecific(rule) ? evidence.whyLeftOut(rule) : []);
  const open = new Set<string>();
  let judged = 0;
  for (const exchange of rule.everyAttempt ? evidence.everyAttempt : evidence.exchanges) {
    const probe = evidence.probes.get(exchange.probe);
    if (probe === undefined || !concerns(rule, probe)) continue;
    const judgement = rule.judge(exchange, { probe, sequence: evidence.of(probe.name), evidence });
    if (judgement === 'nothing-to-judge') {
      if (leavesGap(exchange, rule)) {
        if (isLockedOut(exchange, probe, evidence)) free.add(LOCKED_OUT);
        else if (isThrottled(exchange) && probe.together) free.add(TOO_MANY);
        else blocked.add(`${probe.title} was not looked at: ${whyUnanswered(exchange)}`);
      }
      continue;
    }
    if (judgement !== undefined && 'notApplicable' in judgement) {
      free.add(judgement.notApplicable);
      continue;
    }
    if (judgement !== undefined && 'leftOpen' in judgement) {
      open.add(judgement.leftOpen);
      continue;
    }
    if (judgement !== undefined && 'blocked' in judgement) {
      blocked.add(judgement.blocked);
      continue;
    }
    const missing = rule.control === 'none' ? undefined : missingControl(probe, evidence);
    if (missing === undefined) judged++;
    else if (missing.expectation === 'open') free.add(`its control was refused: ${missing.title}`);
    else blocked.add(`its control was not accepted: ${missing.title}`);
    if (judgement !== undefined && (missing === undefined || rule.control === 'for-a-pass'))
      failures.push({ exchange, ...judgement });
  }
  if (failures.length > 0) return { rule, verdict: 'fail', failures };
  if (blocked.size > 0 && (isSpecific(rule) || judged === 0))
    return { rule, verdict: 'blocked', failures, reason: [...blocked].join('; ') };
  if (open.size > 0) return { rule, verdict: 'not-applicable', failures, reason: [...open].join('; ') };
  if (judged > 0) return { rule, verdict: 'pass', failures };
  if (free.size > 0) return { rule, verdict: 'not-applicable', failures, reason: [...free].join('; ') };
  return { rule, verdict: 'blocked', failures, reason: rule.nothingToJudge };
}

/** Whether it is for wrong tokens that a request was not looked at: nothing was throttled to the end before. */
function isLockedOut(exchange: Exchange, { phase }: Probe, { exchanges, probes }: Evidence): boolean {
  if (phase !== 'wrong-token' || !isThrottled(exchange)) return false;
  return !exchanges.some((other) => {
    const before = probes.get(other.probe)?.phase;
    return isThrottled(other) && before !== 'wrong-token' && before !== 'afterwards';
  });
}

/** Whether a rule that says what has to become of certain requests cannot say it of this one. */
function leavesGap(exchange: Exchange, rule: Demand): boolean {
  return isSpecific(rule) && exchange.expectation !== 'open' && isUnanswered(exchange);
}

/** A rule about whatever comes is judged by what came. */
function isSpecific({ judges }: Demand): boolean {
  return typeof judges !== 'function';
}

const TOO_MANY = 'the provider takes fewer requests at once, as it is free to';
const LOCKED_OUT = 'the provider answers no more after wrong tokens, as it is free to';

function whyUnanswered({ response, failure }: Exchange): string {
  return response === undefined ? (failure?.message ?? '') : `it was answered with ${response.status}`;
}

function missingControl(probe: Probe, evidence: Evidence): Probe | undefined {
  if (probe.control === undefined || evidence.accepted(probe.control)) return undefined;
  return evidence.probes.get(probe.control);
}
