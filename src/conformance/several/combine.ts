import { baseUrlOf } from '../../http/address.js';
import { counted } from '../../output/wording.js';
import { countVerdicts, exitStatus } from '../../report/conclusion.js';
import { type Case, type Conclusion, casesOf, type Group, type Report } from '../../report/frame.js';
import { toolVersion } from '../../report/version.js';
import { openApiDocument } from '../../spec/index.js';
import { operation, operationUrl } from '../../spec/operation.js';
import { invalidOption } from '../../toolkit-error.js';
import type { CheckReport } from '../reporting/report.js';

/** A provider with the report of its check, or with the reason why there is none. */
export type NamedReport =
  | { readonly name: string; readonly report: CheckReport }
  | { readonly name: string; readonly baseUrl: string; readonly problem: string };

/** What a check said about one of several providers. How a rule fails is in the case `<name>: <id of the rule>`. */
export interface CheckedProvider
  extends Pick<CheckReport, 'baseUrl' | 'conclusion' | 'summary'>,
    Partial<
      Pick<CheckReport, 'rules' | 'houseRules' | 'profile' | 'exploration' | 'createdIds' | 'uncertainIds'>
    > {
  readonly name: string;
}

/** The checks of several providers as one report. */
export interface ChecksReport extends Report {
  readonly kind: 'checks';
  readonly providers: readonly CheckedProvider[];
}

/**
 * Combines the reports of several providers. The name of the provider is in everything that is about one of them. The
 * conclusion is the worst, and so is the exit status.
 *
 * @param providers at least one; each has a name of its own
 * @throws ToolkitError `invalid-option` if there is none, or two have one name
 * @example
 * import assert from 'node:assert/strict';
 * import { checkConformance, combineReports } from 'plant-store-contract/conformance';
 * import { startPlantStore } from 'plant-store-contract/server';
 *
 * await using right = await startPlantStore({ token: 'secret' });
 * await using wrong = await startPlantStore({ token: 'secret', faults: ['leaks-id'] });
 * const named = async (name: string, baseUrl: string) => ({
 *   name,
 *   report: await checkConformance({ baseUrl, token: 'secret', only: ['success'] }),
 * });
 * const report = combineReports(await Promise.all([named('right', right.url), named('wrong', wrong.url)]));
 * assert.equal(report.conclusion, 'does-not-conform');
 * assert.deepEqual(report.providers.map(({ name, conclusion }) => [name, conclusion]), [
 *   ['right', 'conforms'],
 *   ['wrong', 'does-not-conform'],
 * ]);
 */
export function combineReports(providers: readonly NamedReport[]): ChecksReport {
  if (providers.length === 0) throw invalidOption('there is no report to combine');
  const names = providers.map(({ name }) => name);
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined) throw invalidOption(`two providers have the name ${JSON.stringify(twice)}`);
  let [findings, exchanges] = [0, 0];
  const parts = providers.map((one): Part => {
    const part = 'report' in one ? partOf(one.name, one.report, findings, exchanges) : untestedPart(one);
    findings += part.findings.length;
    exchanges += part.exchanges?.length ?? 0;
    return part;
  });
  const all = <Key extends 'groups' | 'findings' | 'sections' | 'notes' | 'remarks'>(
    key: Key,
  ): Part[Key][number][] => parts.flatMap((part) => part[key] as Part[Key][number][]);
  const reports = providers.flatMap((one) => ('report' in one ? [one.report] : []));
  const starts = reports.map(({ startedAt }) => Date.parse(startedAt));
  const ends = reports.map(({ durationMs }, at) => (starts[at] ?? 0) + durationMs);
  const start = starts.length === 0 ? Date.now() : Math.min(...starts);
  const checked = providers.map(checkedProvider);
  const groups = all('groups');
  const passing = checked.filter(({ conclusion }) => exitStatus(conclusion) === 0).length;
  const warnings = parts.flatMap(({ warning }) => warning ?? []);
  return {
    reportVersion: 1,
    kind: 'checks',
    toolVersion,
    interfaceVersion: openApiDocument.info.version,
    subject: parts.map(({ subject }) => subject).join('; '),
    startedAt: new Date(start).toISOString(),
    durationMs: ends.length === 0 ? 0 : Math.max(...ends) - start,
    conclusion: worst(checked.map(({ conclusion }) => conclusion)),
    ...(warnings.length > 0 && { warning: warnings.join(' ') }),
    summary: `${passing} of ${counted(providers.length, 'provider')} ${passing === 1 ? 'passes' : 'pass'} the check.`,
    notes: all('notes'),
    counts: countVerdicts(casesOf({ groups })),
    groups,
    findings: all('findings'),
    sections: all('sections'),
    remarks: [...all('remarks'), ...checked.map(({ name, summary }) => `${name}: ${summary}`)],
    exchanges: parts.flatMap((part) => part.exchanges ?? []),
    providers: checked,
  };
}

/** What one provider adds to the report. */
type Part = Pick<
  Report,
  'subject' | 'groups' | 'findings' | 'sections' | 'notes' | 'remarks' | 'exchanges' | 'warning'
>;

/** @param findings how many findings, and how many exchanges, the providers before it have */
function partOf(name: string, report: CheckReport, findings: number, exchanges: number): Part {
  const of = (text: string): string => `${name}: ${text}`;
  const caseOf = (one: Case): Case => ({
    ...one,
    id: of(one.id),
    evidence: one.evidence.map((shown) => ({
      ...shown,
      finding: shown.finding + findings,
      ...(shown.exchanges !== undefined && { exchanges: shown.exchanges.map((at) => at + exchanges) }),
    })),
  });
  return {
    subject: of(report.subject),
    groups: report.groups.map(({ title, cases, ...group }) => ({
      ...group,
      title: of(title),
      cases: cases.map(caseOf),
    })),
    findings: report.findings.map((finding) => ({
      ...finding,
      title: of(finding.title),
      cases: finding.cases.map(of),
    })),
    sections: report.sections.map((section) => ({ ...section, title: of(section.title) })),
    notes: report.notes.map(of),
    remarks: report.remarks.map(of),
    exchanges: report.exchanges.map((exchange) => ({ ...exchange, name: of(exchange.name) })),
    ...(report.warning !== undefined && { warning: of(report.warning) }),
  };
}

/** A provider that was not checked at all has one case, which says why. */
function untestedPart({ name, baseUrl, problem }: Extract<NamedReport, { readonly problem: string }>): Part {
  const cases: Case[] = [
    {
      id: `${name}: provider`,
      title: 'The provider can be checked.',
      verdict: 'blocked',
      detail: problem,
      evidence: [],
    },
  ];
  const group: Group = { title: name, cases };
  return {
    subject: `${name}: ${operation.method} ${operationUrl(baseUrlOf(baseUrl)).href}`,
    groups: [group],
    findings: [],
    sections: [],
    notes: [],
    remarks: [],
  };
}

function checkedProvider(one: NamedReport): CheckedProvider {
  if ('problem' in one) {
    const { name, baseUrl, problem } = one;
    return {
      name,
      baseUrl,
      conclusion: 'not-testable',
      summary: `The provider could not be tested: ${problem}`,
    };
  }
  const { baseUrl, conclusion, summary, rules, houseRules, profile, exploration } = one.report;
  const { createdIds, uncertainIds } = one.report;
  return {
    name: one.name,
    baseUrl,
    conclusion,
    summary,
    rules,
    ...(houseRules !== undefined && { houseRules }),
    profile,
    ...(exploration !== undefined && { exploration }),
    createdIds,
    uncertainIds,
  };
}

/** The conclusions of checks, the worst first. */
const WORST: readonly Conclusion[] = [
  'not-testable',
  'incomplete',
  'does-not-conform',
  'outdated-expectations',
  'breaks-house-rules',
  'expected-failures',
  'conforms',
];

function worst(conclusions: readonly Conclusion[]): Conclusion {
  const found = WORST.find((one) => conclusions.includes(one)) ?? 'incomplete';
  // Others were tested.
  return found === 'not-testable' && conclusions.some((one) => one !== found) ? 'incomplete' : found;
}
