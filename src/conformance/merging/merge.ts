import { conclude, countVerdicts } from '../../report/conclusion.js';
import type { Case, Evidence, Finding, Group, Verdict } from '../../report/frame.js';
import { casesOf } from '../../report/frame.js';
import { invalidOption } from '../../toolkit-error.js';
import type { CheckedHouseRule, CheckedRule, CheckReport } from '../reporting/report.js';
import { summaryOf } from '../reporting/summary.js';
import { mergeExplorations } from './explorations.js';

/** Verdicts, the one that wins first. */
const STRONGEST: readonly Verdict[] = ['fail', 'error', 'blocked', 'pass', 'observed', 'not-applicable'];

/**
 * Combines the reports of several machines that checked one provider, or copies of it, each with its own `--shard`. A
 * rule that fails in one report fails. Evidence, exchanges and created ids of all are kept.
 *
 * @param reports at least one report of `checkConformance`; all judged the same rules
 * @returns one report, as if one machine had done everything
 * @throws ToolkitError `invalid-option` if the reports do not belong together
 * @example
 * import assert from 'node:assert/strict';
 * import { checkConformance, mergeReports } from 'plant-store-contract/conformance';
 * import { startPlantStore } from 'plant-store-contract/server';
 *
 * await using store = await startPlantStore({ token: 'secret' });
 * const part = (index: number) =>
 *   checkConformance({
 *     baseUrl: store.url,
 *     token: 'secret',
 *     explore: { runs: 100, seed: 5, shard: { index, of: 2 } },
 *   });
 * const report = mergeReports([await part(1), await part(2)]);
 * assert.equal(report.conclusion, 'conforms');
 * assert.equal(report.exploration?.draws, 200);
 */
export function mergeReports(reports: readonly CheckReport[]): CheckReport {
  const [first] = reports;
  if (first === undefined) throw invalidOption('there is no report to merge');
  for (const report of reports) {
    if (idsOf(report) !== idsOf(first))
      throw invalidOption('the reports cannot be merged: they do not judge the same rules');
  }
  const { exploration, missing } = mergeExplorations(reports.map((report) => report.exploration));
  const findings = mergeFindings(reports);
  const exchangesBefore = startsOf(reports.map(({ exchanges }) => exchanges.length));
  const groups = first.groups.map((group) => mergeGroup(group, reports, findings.places, exchangesBefore));
  const cases = casesOf({ groups });
  const isIncomplete = missing.length > 0 || reports.some(({ conclusion }) => conclusion === 'incomplete');
  const conclusion = conclude(cases, {
    notTestable: reports.every((report) => report.conclusion === 'not-testable'),
    incomplete: isIncomplete || reports.some((report) => report.conclusion === 'not-testable'),
  });
  const { prism: _, ...shared } = first;
  const started = reports.map(({ startedAt }) => Date.parse(startedAt));
  const ended = reports.map(({ durationMs }, at) => (started[at] ?? 0) + durationMs);
  return {
    ...shared,
    startedAt: new Date(Math.min(...started)).toISOString(),
    durationMs: Math.max(...ended) - Math.min(...started),
    conclusion,
    summary: summaryOf(conclusion, cases, 'none of the reports could test it', missing.length),
    notes: [...distinct(reports.flatMap(({ notes }) => notes)), ...missing],
    counts: countVerdicts(cases),
    groups,
    findings: findings.merged,
    sections: first.sections.filter(({ title }) => title !== 'Prism'),
    remarks: [
      `This report combines ${reports.length} reports.`,
      ...distinct(reports.flatMap(({ remarks }) => remarks)),
    ],
    rules: first.rules.map((_rule, at) => strongest(reports.map(({ rules }) => rules[at] as CheckedRule))),
    ...(first.houseRules !== undefined && {
      houseRules: first.houseRules.map((_rule, at) =>
        strongest(reports.map(({ houseRules = [] }) => houseRules[at] as CheckedHouseRule)),
      ),
    }),
    createdIds: reports.flatMap(({ createdIds }) => createdIds),
    exchanges: reports.flatMap(({ exchanges }) => exchanges),
    ...(exploration !== undefined && { exploration }),
  };
}

/** The rules of a report, as a text to compare. */
function idsOf({ rules, houseRules = [] }: CheckReport): string {
  return [...rules, ...houseRules].map(({ id }) => id).join();
}

function strongest<T extends { readonly verdict: Verdict }>(all: readonly T[]): T {
  const place = ({ verdict }: T): number => STRONGEST.indexOf(verdict);
  return [...all].sort((a, b) => place(a) - place(b))[0] as T;
}

/** How many things there are before each report's own. */
function startsOf(lengths: readonly number[]): number[] {
  return lengths.map((_, at) => lengths.slice(0, at).reduce((sum, length) => sum + length, 0));
}

/** The findings of all reports, each once, and where those of each report are. */
function mergeFindings(reports: readonly CheckReport[]): {
  readonly merged: readonly Finding[];
  readonly places: readonly (readonly number[])[];
} {
  const merged: Finding[] = [];
  const places = reports.map(({ findings }) =>
    findings.map((finding) => {
      const at = merged.findIndex(({ id, title }) => id === finding.id && title === finding.title);
      const before = merged[at];
      if (before === undefined) return merged.push(finding) - 1;
      merged[at] = { ...before, cases: distinct([...before.cases, ...finding.cases]) };
      return at;
    }),
  );
  return { merged, places };
}

function mergeGroup(
  { title }: Group,
  reports: readonly CheckReport[],
  places: readonly (readonly number[])[],
  exchangesBefore: readonly number[],
): Group {
  const all = reports.map(({ groups }) => groups.find((group) => group.title === title)?.cases ?? []);
  const cases = (all[0] ?? []).map((one): Case => {
    const same = all.map((ofReport) => ofReport.find(({ id }) => id === one.id));
    const evidence = same.flatMap((found, at): Evidence[] =>
      (found?.evidence ?? []).map((shown) => ({
        ...shown,
        finding: places[at]?.[shown.finding] ?? 0,
        ...(shown.exchanges !== undefined && {
          exchanges: shown.exchanges.map((index) => index + (exchangesBefore[at] ?? 0)),
        }),
      })),
    );
    const found = same.filter((other) => other !== undefined);
    const durationMs = found.reduce((sum, other) => sum + (other.durationMs ?? 0), 0);
    return { ...strongest(found), evidence, durationMs };
  });
  return { title, cases };
}

function distinct<T>(values: readonly T[]): T[] {
  return [...new Set(values)];
}
