import { createRedactor } from '../../output/redaction.js';
import { counted } from '../../output/wording.js';
import { reportFrame } from '../../report/build.js';
import type { Case, Evidence, Group, Section } from '../../report/frame.js';
import { operation } from '../../spec/operation.js';
import type { Discovery } from '../discovery/discover.js';
import type { Exchange } from '../exchange.js';
import type { ActiveExpectations } from '../expected-failures.js';
import type { Exploration } from '../exploring/exploration.js';
import type { Failure, JudgedRule } from '../judging/judge.js';
import type { NotAsked, PrismDifference, PrismOpinion } from '../judging/prism-opinion.js';
import type { RunRecord } from '../judging/run-record.js';
import type { CheckSettings } from '../options.js';
import { profileOf } from '../profiles/profile.js';
import { reproduceLines } from '../reproduce.js';
import { concerns, placeOf, topicOf } from '../rule.js';
import { createdSection, idsOf, type Sent, wasSent } from './created-plants.js';
import { remarksOfExploring } from './exploration.js';
import { groupFailures, isSeen } from './findings.js';
import { notesOf } from './notes.js';
import { type Omission, omissionInBrief } from './omission.js';
import type { CheckedRule, CheckReport } from './report.js';
import { reportedExchange } from './reported-exchange.js';
import { resentInBrief } from './resent.js';
import { houseCases } from './response-time.js';
import { sameResponse } from './same-response.js';
import { secretsOfCheck } from './secrets.js';
import { summaryOf } from './summary.js';
import { stopInSummary, unjudgedInBrief } from './unjudged.js';

/** What a report is made of. */
export interface CheckResult {
  readonly settings: CheckSettings;
  readonly startedAt: Date;
  readonly durationMs: number;
  readonly record: RunRecord;
  /** The simplest failure of each rule first. */
  readonly judged: readonly JudgedRule[];
  /** Why nothing could be judged, if that is so. */
  readonly notTestable: string | undefined;
  readonly exchanges: readonly Exchange[];
  /** Failures whose probe was sent once more, and whether it failed again. */
  readonly again: ReadonlyMap<Failure, boolean>;
  readonly expectations: ActiveExpectations;
  /** What was left out on purpose. */
  readonly omissions: readonly Omission[];
  /** Prism's opinion, or why there is none. Left out if it was not asked. */
  readonly prism: PrismOpinion | string | undefined;
  readonly exploration?: Exploration | undefined;
  /** The limits that were found. Left out if nothing looked for them. */
  readonly discovery: Discovery | undefined;
}

/** Builds the report of a check. Pure. */
export function buildReport(result: CheckResult): CheckReport {
  const { settings, record, exchanges, expectations, notTestable, durationMs, prism } = result;
  const requests = exchanges.map(({ request }) => request);
  const redactor = createRedactor(secretsOfCheck(requests, settings.tokens, settings.headers));
  const judged = notTestable === undefined ? result.judged : result.judged.map(notJudged);
  const rules = judged.map((one) => checkedRule(one, expectations));
  const failureGroups = groupFailures(judged, record);
  const findingOf = new Map(
    failureGroups.flatMap(({ failures }, at) => failures.map(({ failure }) => [failure, at] as const)),
  );
  const times = timesOf(judged, exchanges, record);
  const evidenceOf = ({ failures }: JudgedRule): Evidence[] =>
    failures.map((failure) => ({
      ...caseEvidence(failure, failures, result, redactor.message),
      finding: findingOf.get(failure) ?? 0,
    }));
  const house = houseCases(result, failureGroups.length);
  const cases = [
    ...judged.map((one, at) =>
      caseOf(rules[at] as CheckedRule, evidenceOf(one), Math.round(times.get(one) ?? 0)),
    ),
    ...house.map((one) => one.case),
  ];
  const unsent = exchanges.filter(isUnsent).length;
  const implementation = settings.implementation && { implementation: settings.implementation };
  const everyExchange = [...exchanges, ...(result.discovery?.exchanges ?? [])];
  const { createdIds, uncertainIds } = idsOf(everyExchange);
  const frame = reportFrame({
    kind: 'check',
    subject: `${operation.method} ${settings.url.href}`,
    startedAt: result.startedAt,
    durationMs,
    circumstances: {
      notTestable: notTestable !== undefined,
      incomplete: unsent > 0 || record.stop !== undefined,
    },
    notes: notesOf(result),
    groups: groupsOf(cases),
    findings: [
      ...failureGroups.map(({ id, cause, fix, recipe, failures }) => ({
        id,
        title: cause,
        isLikelyCause: !isSeen(id),
        fix,
        ...(recipe !== undefined && { recipe }),
        cases: [...new Set(failures.map(({ rule }) => rule))],
      })),
      ...house.flatMap(({ finding }) => finding ?? []),
    ],
    sections: [
      ...limitsSection(result.discovery),
      ...(typeof prism === 'object' ? [prismSection(prism)] : []),
      ...createdSection(createdIds, uncertainIds),
    ],
    remarks: [
      ...remarksOf(everyExchange, createdIds, uncertainIds, cases),
      ...resentInBrief(exchanges, settings.tokens),
      ...remarksOfExploring(result.exploration),
    ],
  });
  const shown = redactor.data<Omit<CheckReport, 'exchanges'>>({
    ...frame,
    ...sameResponse(exchanges),
    summary: [
      ...stopInSummary(record),
      summaryOf(frame.conclusion, cases, notTestable, unsent),
      ...unjudgedInBrief(judged),
      ...result.omissions.map(omissionInBrief),
    ].join(' '),
    ...implementation,
    baseUrl: settings.baseUrl,
    rules,
    profile: profileOf(
      judged,
      {
        interfaceVersion: frame.interfaceVersion,
        ...implementation,
        ...(result.discovery !== undefined && { limits: result.discovery.limits }),
      },
      ({ failures }) => {
        const repeated = failures.map((failure) => result.again.get(failure));
        return repeated.includes(false) && !repeated.includes(true);
      },
    ),
    ...(typeof prism === 'object' && { prism }),
    ...(result.exploration !== undefined && { exploration: result.exploration }),
    createdIds,
    uncertainIds,
  });
  // These are most of a report, and redacted as messages already.
  const reported = everyExchange.map((exchange) => reportedExchange(exchange, settings.url, redactor));
  return { ...shown, exchanges: reported };
}

/** If no plain plant is accepted, no response says anything about a rule. */
function notJudged({ rule }: JudgedRule): JudgedRule {
  return { rule, verdict: 'blocked', failures: [], reason: 'the provider could not be tested' };
}

function checkedRule(
  { rule, verdict, reason, behaviour }: JudgedRule,
  expectations: ActiveExpectations,
): CheckedRule {
  const { id, title, level, source } = rule;
  const expectedFailure = expectations.active.get(id);
  return {
    id,
    title,
    level,
    source,
    verdict,
    ...(reason !== undefined && { reason }),
    ...(behaviour !== undefined && { behaviour }),
    ...(expectedFailure !== undefined && { expectedFailure }),
  };
}

function caseOf(
  { source, reason, behaviour, expectedFailure, ...shared }: CheckedRule,
  evidence: readonly Evidence[],
  durationMs: number,
): Case {
  const detail = behaviour?.sentence ?? reason;
  return {
    ...shared,
    ...(detail !== undefined && { detail }),
    source: `${placeOf(source)}; ${source.pointer}`,
    ...(expectedFailure !== undefined && { excuse: { kind: 'expected' as const, ...expectedFailure } }),
    durationMs,
    // A failure that comes and goes is worth less to a reader than one that stays.
    evidence: [
      ...evidence.filter(({ repeated }) => repeated !== 'intermittent'),
      ...evidence.filter(({ repeated }) => repeated === 'intermittent'),
    ],
  };
}

function caseEvidence(
  failure: Failure,
  failures: readonly Failure[],
  { settings, record, again }: CheckResult,
  redact: (text: string) => string,
): Omit<Evidence, 'finding'> {
  const { exchange, expected, actual } = failure;
  const probe = record.probes.get(exchange.probe);
  const sequence = exchange.role === 'judged' ? record.of(exchange.probe) : [exchange];
  const upToHere = sequence.filter(({ step }) => probe?.together === true || step <= exchange.step);
  const shown = again.get(failure);
  const isUnsteady = shown === undefined && failures.some((other) => again.get(other) === false);
  // What was superseded did not fail when it was sent again.
  const isMixed = record.mixed.of(exchange) !== undefined;
  const isIntermittent =
    isMixed ||
    (exchange.role === 'superseded' && record.stop?.lost.has(exchange) !== true) ||
    probe?.together === true ||
    shown === false ||
    isUnsteady;
  return {
    sent: probe?.title ?? exchange.probe,
    expected: redact(expected),
    actual: redact(actual),
    // Of requests that were sent at once, the last need not be the one that fails.
    exchanges: [...upToHere.filter((one) => one !== exchange), exchange].map(({ index }) => index),
    repeated: isIntermittent ? 'intermittent' : shown === true ? 'steady' : 'not-tried',
    ...(!isIntermittent && {
      reproduce: reproduceLines(
        upToHere.map(({ request }) => request),
        settings,
        probe,
      ),
    }),
  };
}

/** A rule's share of the time of the exchanges that it judges. So the times of all rules add up to that of the run. */
function timesOf(
  judged: readonly JudgedRule[],
  exchanges: readonly Exchange[],
  { probes }: RunRecord,
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

function groupsOf(cases: readonly Case[]): Group[] {
  const groups = new Map<string, Case[]>();
  for (const one of cases) {
    const topic = topicOf(one);
    groups.set(topic, [...(groups.get(topic) ?? []), one]);
  }
  return [...groups].map(([title, ofTopic]) => ({ title, cases: ofTopic }));
}

function isUnsent({ role, failure }: Exchange): boolean {
  return role === 'judged' && (failure?.kind === 'not-sent' || failure?.kind === 'stopped');
}

function limitsSection(discovery: Discovery | undefined): Section[] {
  if (discovery === undefined) return [];
  const text = 'The interface does not show these. The profile has the requests on either side of each.';
  return [{ title: 'Limits', text, items: discovery.limits.map(({ sentence }) => sentence) }];
}

function prismSection(opinion: PrismOpinion): Section {
  const { exchanges, requestErrors, responseErrors, differences, notAsked = [] } = opinion;
  const agreement = differences.length === 0 ? ' It and the rules agree.' : '';
  return {
    title: 'Prism',
    text: `Prism judged ${counted(exchanges, 'exchange')}. It objects to ${requestErrors} of the requests and ${responseErrors} of the responses.${agreement}`,
    items: [...differences.map(differenceInWords), ...notAsked.map(notAskedInWords)],
  };
}

function notAskedInWords({ why, exchanges }: NotAsked): string {
  return `Prism did not judge ${counted(exchanges.length, 'exchange')}: ${why}.`;
}

function differenceInWords({ objects, why, rules, exchanges: differing }: PrismDifference): string {
  const times = counted(differing.length, 'exchange');
  return objects === 'prism'
    ? `Only Prism objects to ${times}: ${why}`
    : `Prism accepts ${times} that break ${rules.join(', ')}: ${why}`;
}

function remarksOf(
  exchanges: readonly Sent[],
  ids: readonly string[],
  uncertain: readonly string[],
  cases: readonly Case[],
): string[] {
  const sent = exchanges.filter(({ failure }) => failure === undefined || wasSent(failure)).length;
  const more =
    uncertain.length === 0 ? '' : ` ${counted(uncertain.length, 'more plant')} may have been created.`;
  const hasCommands = cases.some(({ evidence }) => evidence.some(({ reproduce }) => reproduce !== undefined));
  return [
    `The check sent ${counted(sent, 'request')} and created ${ids.length === 0 ? 'no plant.' : `${counted(ids.length, 'plant')}; the JSON report lists the ids.`}${more}`,
    ...(hasCommands ? ['The commands after "reproduce" read the token from PLANT_STORE_TOKEN.'] : []),
  ];
}
