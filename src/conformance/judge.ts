import { type Exchange, isAccepted } from './exchange.js';
import type { Probe } from './probe.js';
import type { Rule } from './rule.js';

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
  /** Why there is no judgement, as a sentence; only where the verdict is `blocked` or `error`. */
  readonly reason?: string;
}

/** Judges every rule by the exchanges of a run. */
export function judgeRules(
  rules: readonly Rule[],
  probes: readonly Probe[],
  exchanges: readonly Exchange[],
): JudgedRule[] {
  const byName = new Map(probes.map((probe) => [probe.name, probe]));
  const accepted = new Set(exchanges.filter(isAccepted).map(({ probe }) => probe));
  return rules.map((rule) => {
    try {
      return judgeRule(rule, byName, accepted, exchanges);
    } catch (cause) {
      const reason = `the rule itself broke: ${cause instanceof Error ? cause.message : String(cause)}`;
      return { rule, verdict: 'error', failures: [], reason };
    }
  });
}

function judgeRule(
  rule: Rule,
  probes: ReadonlyMap<string, Probe>,
  accepted: ReadonlySet<string>,
  exchanges: readonly Exchange[],
): JudgedRule {
  const failures: Failure[] = [];
  const missingControls = new Set<string>();
  let judged = 0;
  for (const exchange of exchanges) {
    const probe = probes.get(exchange.probe);
    if (probe === undefined || !concerns(rule, probe)) continue;
    const judgement = rule.judge(exchange, probe);
    if (judgement === 'nothing-to-judge') continue;
    const proven = rule.control === 'none' || probe.control === undefined || accepted.has(probe.control);
    if (proven) judged++;
    else missingControls.add(probe.control as string);
    if (judgement !== undefined && (proven || rule.control === 'for-a-pass'))
      failures.push({ exchange, ...judgement });
  }
  if (failures.length > 0) return { rule, verdict: 'fail', failures };
  if (missingControls.size > 0) {
    const titles = [...missingControls].map((name) => probes.get(name)?.title ?? name).join(' and ');
    return { rule, verdict: 'blocked', failures, reason: `its control was not accepted: ${titles}` };
  }
  if (judged === 0) return { rule, verdict: 'blocked', failures, reason: rule.nothingToJudge };
  return { rule, verdict: 'pass', failures };
}

/** Whether a rule judges the exchanges of a probe. */
export function concerns({ judges }: Rule, probe: Probe): boolean {
  return typeof judges === 'function' ? judges(probe) : judges.includes(probe.name);
}
