import { createRedactor } from '../../output/redaction.js';
import { reportFrame } from '../../report/build.js';
import { HOUSE_LEVEL } from '../../report/conclusion.js';
import type { Evidence, Section } from '../../report/frame.js';
import { operation } from '../../spec/operation.js';
import type { Exchange } from '../exchange.js';
import type { ActiveExpectations } from '../expected-failures.js';
import type { Exploration } from '../exploring/exploration.js';
import type { Facts } from '../facts/facts.js';
import type { Failure, JudgedRule } from '../judging/judge.js';
import type { PrismOpinion } from '../judging/prism-opinion.js';
import type { Discovery } from '../limits/discover.js';
import type { CheckSettings } from '../options.js';
import { profileOf } from '../profiles/profile.js';
import { rulesVersion } from '../rules/version.js';
import {
  type Checked,
  caseEvidence,
  caseOf,
  checkedCase,
  checkedRule,
  groupsOf,
  isOfHouse,
  timesOf,
} from './cases.js';
import { createdSection, idsOf } from './created-plants.js';
import { remarksOfExploring } from './exploration.js';
import { groupFailures } from './findings.js';
import { notesOf } from './notes.js';
import { type Omission, omissionInBrief } from './omission.js';
import { remarkOnPrism, remarksOf } from './remarks.js';
import type { CheckReport } from './report.js';
import { reportedExchange } from './reported-exchange.js';
import { resentInBrief } from './resent.js';
import { responseTime } from './response-time.js';
import { sameResponse } from './same-response.js';
import { secretsOfCheck } from './secrets.js';
import { summaryOf } from './summary.js';
import { stopInSummary, unjudgedInBrief } from './unjudged.js';

/** What a report is made of. */
export interface CheckResult {
  readonly settings: CheckSettings;
  readonly startedAt: Date;
  readonly durationMs: number;
  readonly facts: Facts;
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
  const { settings, facts, exchanges, expectations, notTestable, durationMs, prism } = result;
  const requests = exchanges.map(({ request }) => request);
  const redactor = createRedactor(secretsOfCheck(requests, settings.tokens, settings.headers));
  const judged = notTestable === undefined ? result.judged : result.judged.map(notJudged);
  const checked = judged.map((one) => checkedRule(withRedactedReason(one, redactor.message), expectations));
  const failureGroups = groupFailures(judged, facts);
  const findingOf = new Map(
    failureGroups.flatMap(({ failures }, at) => failures.map(({ failure }) => [failure, at] as const)),
  );
  const times = timesOf(judged, exchanges, facts);
  const evidenceOf = ({ failures }: JudgedRule): Evidence[] =>
    failures.map((failure) => ({
      ...caseEvidence(failure, failures, result, redactor.message),
      finding: findingOf.get(failure) ?? 0,
    }));
  const timed = responseTime(result, failureGroups.length);
  const cases = [
    ...judged.map((one, at) =>
      caseOf(checked[at] as Checked, evidenceOf(one), Math.round(times.get(one) ?? 0)),
    ),
    ...(timed === undefined ? [] : [timed.case]),
  ];
  const houseRules = [
    ...checked.filter(isOfHouse),
    ...(timed === undefined ? [] : [checkedCase(timed.case)]),
  ];
  const unsent = exchanges.filter(isUnsent).length;
  const titleOf = (index: number): string => {
    const probe = exchanges[index]?.probe;
    return probe === undefined ? `request ${index}` : (facts.probes.get(probe)?.title ?? probe);
  };
  const everyExchange = [...exchanges, ...(result.discovery?.exchanges ?? [])];
  const { createdIds, uncertainIds } = idsOf(everyExchange);
  const frame = reportFrame({
    kind: 'check',
    subject: `${operation.method} ${settings.url.href}`,
    startedAt: result.startedAt,
    durationMs,
    circumstances: {
      notTestable: notTestable !== undefined,
      incomplete: unsent > 0 || facts.stop !== undefined,
    },
    notes: notesOf(result),
    groups: groupsOf(cases),
    findings: [
      ...failureGroups.map(({ id, cause, isLikelyCause, fix, recipe, failures }) => ({
        id,
        title: cause,
        isLikelyCause,
        ...(fix !== undefined && { fix }),
        ...(recipe !== undefined && { recipe }),
        cases: [...new Set(failures.map(({ rule }) => rule))],
      })),
      ...(timed?.finding === undefined ? [] : [timed.finding]),
    ],
    sections: [...limitsSection(result.discovery), ...createdSection(createdIds, uncertainIds)],
    remarks: [
      ...remarksOf(everyExchange, createdIds, uncertainIds, cases),
      ...resentInBrief(exchanges, settings.tokens),
      ...(typeof prism === 'object' ? [remarkOnPrism(prism, titleOf)] : []),
      ...remarksOfExploring(result.exploration),
    ],
  });
  const shown = redactor.data<Omit<CheckReport, 'exchanges'>>({
    ...frame,
    ...sameResponse(exchanges),
    summary: [
      ...stopInSummary(facts),
      summaryOf(frame.conclusion, cases, notTestable, unsent),
      ...unjudgedInBrief(judged),
      ...result.omissions.map(omissionInBrief),
    ].join(' '),
    baseUrl: settings.baseUrl,
    rulesVersion,
    rules: checked.filter((one) => !isOfHouse(one)),
    ...(houseRules.length > 0 && { houseRules }),
    profile: profileOf(
      judged,
      {
        interfaceVersion: frame.interfaceVersion,
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

/** The limits that were found. */
function limitsSection(discovery: Discovery | undefined): Section[] {
  if (discovery === undefined) return [];
  const text = 'The interface does not show these. The profile has the requests on either side of each.';
  return [{ title: 'Limits', text, items: discovery.limits.map(({ sentence }) => sentence) }];
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

function isUnsent({ role, failure }: Exchange): boolean {
  return role === 'judged' && (failure?.kind === 'not-sent' || failure?.kind === 'stopped');
}
