import { HOUSE_LEVEL } from '../../report/conclusion.js';
import type { Case, Evidence, Group } from '../../report/frame.js';
import { curlLines } from '../curl.js';
import type { Exchange } from '../exchange.js';
import type { ActiveExpectations } from '../expected-failures.js';
import type { Facts } from '../facts/facts.js';
import type { Failure, JudgedRule } from '../judging/judge.js';
import { concerns, placeOf, topicOf } from '../rule.js';
import type { CheckedHouseRule, CheckedRule } from './check-report.js';
import type { CheckResult } from './check-result.js';

/** A rule with its verdict, of the interface or of the user. */
export type Checked = CheckedRule | CheckedHouseRule;

/** A rule as the report lists it. */
export function checkedRule(
  { rule, verdict, reason, behaviour }: JudgedRule,
  expectations: ActiveExpectations,
): Checked {
  const { id, title } = rule;
  const expectedFailure = expectations.active.get(id);
  const origin =
    rule.level === HOUSE_LEVEL ? { level: rule.level } : { level: rule.level, source: rule.source };
  return {
    id,
    title,
    ...origin,
    verdict,
    ...(reason !== undefined && { reason }),
    ...(behaviour !== undefined && { behaviour }),
    ...(expectedFailure !== undefined && { expectedFailure }),
  };
}

/** Whether a rule is the user's own. */
export function isHouseRule(rule: Checked): rule is CheckedHouseRule {
  return rule.level === HOUSE_LEVEL;
}

/** A rule as a case. */
export function caseOf(checked: Checked, evidence: readonly Evidence[], durationMs: number): Case {
  const { id, title, level, verdict, reason, expectedFailure } = checked;
  const { source, behaviour }: Partial<CheckedRule> = isHouseRule(checked) ? {} : checked;
  const detail = [behaviour?.sentence ?? reason, behaviour?.caveat]
    .filter((one) => one !== undefined)
    .join(' ');
  return {
    id,
    title,
    level,
    verdict,
    ...(detail !== '' && { detail }),
    ...(source !== undefined && { source: `${placeOf(source)}; ${source.pointer}` }),
    ...(expectedFailure !== undefined && { excuse: { kind: 'expected' as const, ...expectedFailure } }),
    durationMs,
    // A failure that comes and goes is worth less to a reader than one that stays.
    evidence: [
      ...evidence.filter(({ repeated }) => repeated !== 'intermittent'),
      ...evidence.filter(({ repeated }) => repeated === 'intermittent'),
    ],
  };
}

/** One failure as evidence. */
export function caseEvidence(
  failure: Failure,
  failures: readonly Failure[],
  { settings, facts, again }: CheckResult,
  redact: (text: string) => string,
): Omit<Evidence, 'finding'> {
  const { exchange, expected, actual } = failure;
  const probe = facts.probes.get(exchange.probe);
  const upToHere = facts
    .attemptOf(exchange)
    .filter(({ step }) => probe?.together === true || step <= exchange.step);
  const shown = again.get(failure);
  const isUnsteady = shown === undefined && failures.some((other) => again.get(other) === false);
  // What was superseded did not fail when it was sent again.
  const isMixed = facts.mixed.of(exchange) !== undefined;
  // What stopped the provider was not sent again, or not for this.
  const isIntermittent =
    facts.stop?.lost.has(exchange) !== true &&
    (isMixed || exchange.role === 'superseded' || probe?.together === true || shown === false || isUnsteady);
  return {
    sent: facts.titleOf(exchange),
    expected: redact(expected),
    actual: redact(actual),
    // Of requests that were sent at once, the last need not be the one that fails.
    exchanges: [...upToHere.filter((one) => one !== exchange), exchange].map(({ index }) => index),
    repeated: isIntermittent ? 'intermittent' : shown === true ? 'steady' : 'not-tried',
    ...(!isIntermittent && {
      reproduce: curlLines(
        upToHere.map(({ request }) => request),
        settings,
        probe,
      ),
    }),
  };
}

/** A rule's share of the time of the exchanges that it judges. So the times of all rules add up to that of the run. */
export function timesOf(
  judged: readonly JudgedRule[],
  exchanges: readonly Exchange[],
  { probes }: Facts,
): ReadonlyMap<JudgedRule, number> {
  const times = new Map<JudgedRule, number>();
  const judges = new Map(
    [...probes.values()].map((probe) => [probe.name, judged.filter(({ rule }) => concerns(rule, probe))]),
  );
  for (const { probe, durationMs } of exchanges) {
    const sharing = judges.get(probe) ?? [];
    for (const one of sharing) times.set(one, (times.get(one) ?? 0) + durationMs / sharing.length);
  }
  return times;
}

/** The cases by topic. */
export function groupsOf(cases: readonly Case[]): Group[] {
  const groups = new Map<string, Case[]>();
  for (const one of cases) {
    const topic = topicOf(one);
    groups.set(topic, [...(groups.get(topic) ?? []), one]);
  }
  return [...groups].map(([title, ofTopic]) => ({ title, cases: ofTopic }));
}
