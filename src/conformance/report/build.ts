import { definedOnly } from '../../defined-only.js';
import { reportFrame } from '../../report/build.js';
import { HOUSE_LEVEL } from '../../report/conclusion.js';
import { type ReportedBody, type ReportedExchange, reportedBody } from '../../report/exchange.js';
import type { Case, Evidence, Group } from '../../report/frame.js';
import type { DemandedRule, Profile } from '../../report/profile.js';
import { createRedactor, type Secret } from '../../report/redaction.js';
import { counted } from '../../report/wording.js';
import { operation } from '../../spec/operation.js';
import { contentOf } from '../body.js';
import {
  type Exchange,
  type Fields,
  isUnsent,
  type ProbeRequest,
  type ProviderResponse,
  requestTarget,
} from '../exchange.js';
import type { ActiveExpectations } from '../expected-failures.js';
import type { Facts } from '../judge/facts.js';
import type { Failure, JudgedRule } from '../judge/judge.js';
import { headerVariable, reproduceLine, TOKEN_VARIABLE } from '../reproduce.js';
import { type AnyRule, concerns, isSentFor, placeOf, topicOf } from '../rule.js';
import { rulesVersion } from '../topics/index.js';
import type { CheckedRule, CheckReport } from './check-report.js';
import { factOf, groupFailures, plainestFirst } from './findings.js';
import { type CheckResult, createdIdsOf, detailsOf, notesOf, remarksOf, summaryOf } from './notes.js';
import { worthKnowing } from './worth-knowing.js';

/** Builds the report of a check. Pure. */
export function buildReport(result: CheckResult): CheckReport {
  const { settings, facts, exchanges, expectations, notTestable, durationMs, prism } = result;
  const requests = exchanges.map(({ request }) => request);
  const redactor = createRedactor(secretsOfCheck(requests, settings.tokens, settings.headers));
  const judged =
    notTestable === undefined
      ? result.judged.map((one) => ({ ...one, failures: plainestFirst(one.failures, facts) }))
      : result.judged.map(notJudged);
  const failureGroups = groupFailures(judged, facts);
  const findingOf = new Map(
    failureGroups.flatMap(({ failures }, at) => failures.map((failure) => [failure, at] as const)),
  );
  const cases = judged.map((one) => {
    const { failures } = one;
    const evidence = failures.map((failure) => ({
      ...caseEvidence(failure, failures, result, redactor.message),
      finding: findingOf.get(failure) ?? 0,
    }));
    const [plainest] = failures;
    const fact = plainest && factOf(plainest, facts);
    return {
      ...caseOf(withRedactedReason(one, redactor.message), expectations, evidence),
      ...definedOnly({ fact }),
    };
  });
  const expected = withExpectedBlocks(cases, result);
  const isStopExpected = facts.stop !== undefined && hasExpectedStop(judged, expectations);
  const createdIds = createdIdsOf(result);
  const findings = failureGroups.map(({ finding }) => finding);
  const frame = reportFrame({
    kind: 'check',
    subject: `${operation.method} ${settings.url.href}`,
    startedAt: result.startedAt,
    durationMs,
    circumstances: {
      notTestable: notTestable !== undefined,
      incomplete:
        settings.signal.aborted ||
        (!isStopExpected && (facts.stop?.isRestarted === false || lacksDemanded(judged, facts))),
    },
    notes: notesOf(result),
    groups: groupsOf(expected),
    findings,
    sections: notTestable === undefined ? worthKnowing(facts) : [],
    remarks: remarksOf(result, createdIds, cases, findings),
    details: detailsOf(result),
  });
  const shown = redactor.data<Omit<CheckReport, 'exchanges'>>({
    ...frame,
    summary: summaryOf(expected, result),
    baseUrl: settings.baseUrl,
    rulesVersion,
    rules: expected
      .filter(({ level }) => level !== HOUSE_LEVEL)
      .map(({ evidence: _, ...rule }): CheckedRule => rule),
    profile: profileOf(judged, frame.interfaceVersion),
    ...(typeof prism === 'object' && { prism }),
    ...definedOnly({ exploration: result.exploration }),
    createdIds,
  });
  // These are most of a report, and redacted as messages already.
  const remembered = { message: remembering(redactor.message), data: remembering(redactor.data<string>) };
  const reported = exchanges.map((exchange) => reportedExchange(exchange, settings.url, remembered));
  return { ...shown, exchanges: reported };
}

/** Whether something was not sent that an error rests on. A rule that judges every exchange has a verdict all the same. */
function lacksDemanded(judged: readonly JudgedRule[], { leftOut }: Facts): boolean {
  const errors = judged.filter(({ rule }) => rule.level !== 'unspecified' && rule.severity === 'error');
  return [...leftOut.keys()].some((probe) => errors.some(({ rule }) => concerns(rule, probe)));
}

/**
 * The cases, with an excuse for what could not be judged only because of expected failures: they fail, nothing else does, and everything
 * was sent that the rule needs.
 */
function withExpectedBlocks(cases: readonly Case[], { facts, judged }: CheckResult): readonly Case[] {
  const failing = cases.filter(({ verdict }) => verdict === 'fail');
  if (failing.length === 0 || failing.some(({ excuse }) => excuse === undefined)) return cases;
  const reason = `blocked by ${counted(failing.length, 'expected failure')}`;
  return cases.map((one, at) => {
    const { rule } = judged[at] ?? {};
    if (one.verdict !== 'blocked' || rule === undefined) return one;
    return isSentAll(rule, facts) ? { ...one, excuse: { kind: 'expected' as const, reason } } : one;
  });
}

/** Whether everything was sent that a rule needs, or the provider stopped responding before. */
function isSentAll(rule: AnyRule, { probes, leftOut, exchanges, stop }: Facts): boolean {
  if ([...leftOut.keys()].some((probe) => isSentFor(rule, probe))) return stop?.what === 'silent';
  return exchanges.every((one) => {
    const probe = probes.get(one.probe);
    return !isUnsent(one) || stop?.lost.has(one) === true || probe === undefined || !isSentFor(rule, probe);
  });
}

/** Whether it is expected that the provider stops responding. */
function hasExpectedStop(judged: readonly JudgedRule[], { active }: ActiveExpectations): boolean {
  return judged.some(
    ({ rule, verdict }) =>
      rule.level !== 'unspecified' &&
      rule.onNoResponse === 'judge-even-after-stop' &&
      verdict === 'fail' &&
      active.has(rule.id),
  );
}

/** If no plain plant is accepted, no response says anything about a rule. */
function notJudged({ rule }: JudgedRule): JudgedRule {
  return { rule, verdict: 'blocked', failures: [], reason: 'the provider could not be tested' };
}

/** A house rule may quote a response, and its module may have an error that quotes anything. */
function withRedactedReason(judged: JudgedRule, redact: (text: string) => string): JudgedRule {
  const { rule, reason } = judged;
  return rule.level === HOUSE_LEVEL && reason !== undefined ? { ...judged, reason: redact(reason) } : judged;
}

function caseOf(
  { rule, verdict, reason, behaviour }: JudgedRule,
  { active }: ActiveExpectations,
  evidence: readonly Evidence[],
): Case {
  const { id, title, level } = rule;
  const expected = active.get(id);
  // What fails now and then may pass. A list of failures says nothing of what was not judged.
  const isBlocked = verdict === 'blocked';
  const mayPass = expected?.intermittent === true && verdict === 'pass';
  const isIntermittent = ({ repeated }: Evidence): boolean => repeated === 'intermittent';
  return {
    id,
    title,
    level,
    ...(rule.level !== 'unspecified' && rule.severity === 'warning' && { severity: rule.severity }),
    verdict,
    ...definedOnly({ detail: behaviour?.sentence ?? reason }),
    ...(rule.level !== HOUSE_LEVEL && { source: placeOf(rule) }),
    ...(expected !== undefined &&
      !mayPass &&
      !isBlocked && {
        excuse: {
          kind: 'expected' as const,
          ...definedOnly({ reason: expected.reason, until: expected.until }),
        },
      }),
    // A failure that comes and goes is worth less to a reader than one that stays.
    evidence: [...evidence.filter((one) => !isIntermittent(one)), ...evidence.filter(isIntermittent)],
  };
}

function caseEvidence(
  failure: Failure,
  failures: readonly Failure[],
  { settings, facts, again }: CheckResult,
  redact: (text: string) => string,
): Omit<Evidence, 'finding'> {
  const { rule, exchange, expected, actual } = failure;
  const probe = facts.probes.get(exchange.probe);
  const upToHere = facts
    .attemptOf(exchange)
    .filter(({ step }) => probe?.together === true || step <= exchange.step);
  const shown = again.get(failure);
  // What was not sent again is as steady as what was, and what was superseded did not fail when it was sent again.
  const isSteadyElsewhere = failures.some((other) => again.get(other) === true);
  const isUnsteady = shown === undefined && failures.some((other) => again.get(other) === false);
  const isMixed = facts.mixed.has(exchange);
  const mayDiffer = exchange.role === 'superseded' || probe?.together === true || isUnsteady;
  // What stopped the provider was not sent again, or not for this.
  const isIntermittent =
    facts.stop?.lost.has(exchange) !== true &&
    (isMixed || shown === false || (mayDiffer && shown !== true && !isSteadyElsewhere));
  return {
    sent: facts.titleOf(exchange),
    expected: redact(expected),
    actual: redact(actual),
    // Of requests that were sent at once, the last need not be the one that fails.
    exchanges: [...upToHere.filter((one) => one !== exchange), exchange].map(({ index }) => index),
    repeated: isIntermittent ? 'intermittent' : shown === true ? 'steady' : 'not-tried',
    ...(probe !== undefined &&
      !isIntermittent && {
        reproduce: reproduceLine(
          probe,
          upToHere.map(({ request }) => request),
          settings,
          rule,
        ),
      }),
  };
}

function groupsOf(cases: readonly Case[]): Group[] {
  const topics = new Set(cases.map(topicOf));
  return Array.from(topics, (title) => ({ title, cases: cases.filter((one) => topicOf(one) === title) }));
}

/** Of the texts of many exchanges, most come again and again. */
function remembering(change: (text: string) => string): (text: string) => string {
  const known = new Map<string, string>();
  return (text) => {
    const changed = known.get(text) ?? change(text);
    known.set(text, changed);
    return changed;
  };
}

/**
 * An exchange as data, without secrets.
 *
 * @param url the URL of the operation
 */
function reportedExchange(
  exchange: Exchange,
  url: URL,
  { message: redact, data }: Readonly<Record<'message' | 'data', (text: string) => string>>,
): ReportedExchange {
  const { probe, role, request, response, failure, startMs, durationMs } = exchange;
  return {
    name: data(probe),
    role,
    request: {
      method: request.otherOperation?.method ?? 'POST',
      url: redact(url.origin + requestTarget(url, request)),
      headers: request.headers.map(([name, value]) => [data(name), redact(value)] as const),
      body: reportedBody(request.body, redact),
    },
    ...(response !== undefined && {
      response: {
        status: response.status,
        headers: response.headers.map(([name, value]) => [data(name), redact(value)] as const),
        body: responseBody(response, redact),
        complete: response.complete,
      },
    }),
    ...(failure !== undefined && { failure: { kind: failure.kind, message: redact(failure.message) } }),
    startMs: Math.round(startMs),
    durationMs: Math.round(durationMs),
  };
}

/** Decoded if it was compressed: then people can read it, and the redactor finds secrets in it. */
function responseBody(response: ProviderResponse, redact: (text: string) => string): ReportedBody {
  const { decoded } = contentOf(response);
  const { received, body } = response;
  const reported = reportedBody(typeof decoded === 'string' ? body : decoded, redact);
  return received > body.length ? { ...reported, wholeBytes: received } : reported;
}

/** A part of a short token that is no longer than this is too common to be hidden. */
const LONGEST_COMMON = 3;

/** The secrets of a check, and what the report shows instead: all tokens, what was made of them, and header values. */
function secretsOfCheck(
  requests: readonly ProbeRequest[],
  tokens: Iterable<string>,
  headers: Fields,
): Secret[] {
  const whole = [...tokens].map((value) => ({ value, shown: TOKEN_VARIABLE }));
  const derived = requests.flatMap(({ secrets = [] }) => secrets);
  const made = derived.filter(
    ({ value }) => value.length > LONGEST_COMMON && !whole.some((one) => one.value === value),
  );
  return [
    // They are often keys, so they are as secret as the token.
    ...headers.map(([, value], at) => ({ value, shown: headerVariable(at) })),
    // Of two that differ in the case of letters only, the first one is shown: the token, not what was made of it.
    ...whole,
    ...made,
  ];
}

function profileOf(judged: readonly JudgedRule[], interfaceVersion: string): Profile {
  return {
    profileVersion: 1,
    interfaceVersion,
    demands: judged.flatMap(({ rule, verdict, reason }): DemandedRule[] =>
      rule.level === HOUSE_LEVEL || rule.level === 'unspecified' || verdict === 'observed'
        ? []
        : [definedOnly({ rule: rule.id, verdict, reason })],
    ),
    behaviours: judged.flatMap(({ rule, behaviour }) =>
      behaviour === undefined ? [] : [{ rule: rule.id, ...behaviour }],
    ),
  };
}
