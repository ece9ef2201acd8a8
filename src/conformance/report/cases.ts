import { counted } from '../../output/wording.js';
import { HOUSE_LEVEL } from '../../report/conclusion.js';
import type { Case, Evidence, Finding, Group, Verdict } from '../../report/frame.js';
import { curlLines } from '../curl.js';
import { type Exchange, isUnprocessed } from '../exchange.js';
import type { ActiveExpectations } from '../expected-failures.js';
import type { Facts } from '../facts/facts.js';
import { RESPONSE_TIME } from '../house/house-id.js';
import type { Failure, JudgedRule } from '../judging/judge.js';
import type { ExpectedFailure } from '../options.js';
import { concerns, placeOf, topicOf } from '../rule.js';
import { OVERSIZED } from '../rules/validity.js';
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

/** A case of the house as the report lists it beside its rules. */
export function checkedCase({ id, title, verdict, detail, excuse }: Case): CheckedHouseRule {
  const { kind: _, ...expectedFailure } = excuse ?? {};
  return {
    id,
    title,
    level: HOUSE_LEVEL,
    verdict,
    ...(verdict === 'blocked' && detail !== undefined && { reason: detail }),
    ...(excuse !== undefined && { expectedFailure: expectedFailure as Omit<ExpectedFailure, 'rule'> }),
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
  const isIntermittent =
    isMixed ||
    (exchange.role === 'superseded' && facts.stop?.lost.has(exchange) !== true) ||
    probe?.together === true ||
    shown === false ||
    isUnsteady;
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

/** Slow responses that are evidence. The others are counted. */
const MOST_EVIDENCE = 20;

/** The case of the rule, and the finding of its failures. */
interface TimedCase {
  readonly case: Case;
  readonly finding: Finding | undefined;
}

/**
 * Judges the longest response time that the user asks for, if there is one.
 *
 * @param findingAt the place of the first finding, if there is one
 */
export function responseTime(
  { settings, exchanges, facts, notTestable, expectations }: CheckResult,
  findingAt: number,
): TimedCase | undefined {
  const { maxResponseTimeMs } = settings;
  if (maxResponseTimeMs === undefined || notTestable !== undefined) return undefined;
  const judged = judgeResponseTimes(maxResponseTimeMs, exchanges, facts, findingAt);
  const expected = expectations.active.get(RESPONSE_TIME);
  if (expected === undefined) return judged;
  return { ...judged, case: { ...judged.case, excuse: { kind: 'expected', ...expected } } };
}

/**
 * Judges the time of every response. What takes long to send says nothing about the provider: a long body, or a message
 * that goes out in pieces.
 *
 * @param limitMs the longest time that a response may take
 * @param findingAt the place of the finding, if there is one
 */
function judgeResponseTimes(
  limitMs: number,
  exchanges: readonly Exchange[],
  facts: Facts,
  findingAt: number,
): TimedCase {
  const timed = exchanges.filter(isTimed).sort((a, b) => b.durationMs - a.durationMs);
  const slow = timed.filter(({ durationMs }) => durationMs > limitMs);
  const title = `No response takes longer than ${limitMs} ms.`;
  const cause = `${slow.length} of ${counted(timed.length, 'response')} took longer than ${limitMs} ms.`;
  const [slowest] = timed;
  const verdict: Verdict = slowest === undefined ? 'blocked' : slow.length > 0 ? 'fail' : 'pass';
  const detail =
    slowest === undefined ? 'no response has a time' : `the slowest of ${timed.length} took ${inMs(slowest)}`;
  return {
    case: {
      id: RESPONSE_TIME,
      title,
      verdict,
      level: HOUSE_LEVEL,
      detail,
      evidence: slow.slice(0, MOST_EVIDENCE).map((exchange) => ({
        sent: facts.titleOf(exchange),
        expected: `a response within ${limitMs} ms`,
        actual: exchange.response === undefined ? `none after ${inMs(exchange)}` : inMs(exchange),
        finding: findingAt,
        exchanges: [exchange.index],
      })),
    },
    finding:
      slow.length === 0
        ? undefined
        : {
            id: RESPONSE_TIME,
            title: cause,
            isLikelyCause: false,
            fix: 'Find out what these requests wait for, or allow more time: --max-response-time. With --rate 10, few requests wait for another.',
            cases: [RESPONSE_TIME],
          },
  };
}

function isTimed(exchange: Exchange): boolean {
  const { request, response, failure } = exchange;
  if (request.transfer !== undefined || request.body.length > OVERSIZED) return false;
  return response === undefined ? failure?.kind === 'timeout' : !isUnprocessed(exchange);
}

function inMs({ durationMs }: Exchange): string {
  return `${Math.ceil(durationMs)} ms`;
}
