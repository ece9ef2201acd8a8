import { reportFrame } from '../../report/build.js';
import { HOUSE_LEVEL } from '../../report/conclusion.js';
import type { Evidence, Section } from '../../report/frame.js';
import { createRedactor } from '../../report/redaction.js';
import { operation } from '../../spec/operation.js';
import type { Exchange } from '../exchange.js';
import type { JudgedRule } from '../judging/judge.js';
import type { Discovery } from '../limits/discover.js';
import { profileOf } from '../profiles/profile.js';
import { rulesVersion } from '../rules/version.js';
import { type Checked, caseEvidence, caseOf, checkedRule, groupsOf, isHouseRule, timesOf } from './cases.js';
import type { CheckReport } from './check-report.js';
import type { CheckResult } from './check-result.js';
import { reportedExchange, secretsOfCheck } from './exchanges.js';
import { groupFailures } from './findings.js';
import { createdSection, notesOf, plantIdsOf, prismSection, remarksOf } from './notes.js';
import { sameResponse } from './setup.js';
import { summaryOf } from './summary.js';

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
  const cases = judged.map((one, at) =>
    caseOf(checked[at] as Checked, evidenceOf(one), Math.round(times.get(one) ?? 0)),
  );
  const houseRules = checked.filter(isHouseRule);
  const unsent = exchanges.filter((one) => isUnsent(one) && one.role !== 'superseded').length;
  const everyExchange = [...exchanges, ...(result.discovery?.exchanges ?? [])];
  const plantIds = plantIdsOf(everyExchange);
  const titleOf = (index: number): string => {
    const exchange = exchanges[index];
    return exchange === undefined ? `request ${index}` : facts.titleOf(exchange);
  };
  const frame = reportFrame({
    kind: 'check',
    subject: `${operation.method} ${settings.url.href}`,
    startedAt: result.startedAt,
    durationMs,
    circumstances: {
      notTestable: notTestable !== undefined,
      incomplete: unsent > 0 || facts.stop?.isRestarted === false,
    },
    notes: notesOf(result),
    groups: groupsOf(cases),
    findings: failureGroups.map(({ id, title, impact, cause, fix, recipe, failures }) => ({
      id,
      title,
      impact,
      ...(cause !== undefined && { cause }),
      ...(fix !== undefined && { fix }),
      ...(recipe !== undefined && { recipe }),
      cases: [...new Set(failures.map(({ rule }) => rule.id))],
    })),
    sections: [
      ...limitsSection(result.discovery),
      ...(typeof prism === 'object' ? prismSection(prism, titleOf) : []),
      ...createdSection(plantIds),
    ],
    remarks: remarksOf(result, everyExchange, cases),
  });
  const shown = redactor.data<Omit<CheckReport, 'exchanges'>>({
    ...frame,
    ...(notTestable === undefined && sameResponse(exchanges)),
    summary: summaryOf(frame.conclusion, cases, result, { judged, unsent }),
    baseUrl: settings.baseUrl,
    rulesVersion,
    rules: checked.filter((one) => !isHouseRule(one)),
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
    ...plantIds,
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
