import { didYouMean } from '../output/suggestion.js';
import type { Verdict } from '../report/frame.js';
import { invalidOption, type ToolkitError } from '../toolkit-error.js';
import type { ExpectedFailure } from './options.js';
import type { CheckReport } from './report/check-report.js';
import type { AnyRule } from './rule.js';

/** A rule that may be expected to fail, if its level allows it. */
type KnownRule = Pick<AnyRule, 'id' | 'level'>;

/** The expected failures that count today, and notes about the others. */
export interface ActiveExpectations {
  /** By the id of the rule. */
  readonly active: ReadonlyMap<string, Omit<ExpectedFailure, 'rule'>>;
  readonly notes: readonly string[];
}

/**
 * Selects the expected failures whose last day has not passed.
 *
 * @param rules the rules that there are
 * @param today as `YYYY-MM-DD`
 * @throws ToolkitError `invalid-option` if an entry has no known rule, no reason, or an invalid date
 */
export function activeExpectations(
  expected: readonly ExpectedFailure[],
  rules: readonly KnownRule[],
  today = new Date().toISOString().slice(0, 10),
): ActiveExpectations {
  const active = new Map<string, Omit<ExpectedFailure, 'rule'>>();
  const notes: string[] = [];
  for (const [at, entry] of expected.entries()) {
    const { rule, ...expectation } = checked(entry, at, rules);
    const { until } = expectation;
    if (active.has(rule)) throw invalid(at, `names ${rule} again`);
    if (until !== undefined && until < today)
      notes.push(`${rule} was expected to fail until ${until}, and now counts.`);
    else active.set(rule, expectation);
  }
  return { active, notes };
}

/** A list of expected failures after a check. */
export interface UpdatedFailures {
  readonly list: readonly ExpectedFailure[];
  /** The rules that were added to it. */
  readonly added: readonly string[];
  /** The rules that were removed from it, since they pass. */
  readonly removed: readonly string[];
}

/**
 * The expected failures of a provider as a check found it. What is listed keeps its reason and its last day, even if that
 * is over. A rule is removed only if it passes in a check that judged everything: one that was not judged may still fail.
 *
 * @param today as `YYYY-MM-DD`
 */
export function updatedFailures(
  listed: readonly ExpectedFailure[],
  { rules, houseRules = [], conclusion }: Pick<CheckReport, 'rules' | 'houseRules' | 'conclusion'>,
  today = new Date().toISOString().slice(0, 10),
): UpdatedFailures {
  const withVerdict = (wanted: Verdict): string[] =>
    [...rules, ...houseRules].flatMap(({ id, verdict }) => (verdict === wanted ? [id] : []));
  const passing = new Set(conclusion === 'incomplete' ? [] : withVerdict('pass'));
  const known = new Set(listed.map(({ rule }) => rule));
  const added = withVerdict('fail').filter((rule) => !known.has(rule));
  const reason = `fails since ${today} or before; write here why it is not fixed yet`;
  return {
    list: [...listed.filter(({ rule }) => !passing.has(rule)), ...added.map((rule) => ({ rule, reason }))],
    added,
    removed: listed.flatMap(({ rule }) => (passing.has(rule) ? [rule] : [])),
  };
}

function checked(entry: ExpectedFailure, at: number, rules: readonly KnownRule[]): ExpectedFailure {
  if (typeof entry !== 'object' || entry === null) throw invalid(at, 'is not an object');
  const { rule, reason, until } = entry;
  const known = rules.find(({ id }) => id === rule);
  if (known === undefined) {
    const hint = didYouMean(
      String(rule),
      rules.map(({ id }) => id),
    );
    throw invalid(at, `names an unknown rule: ${JSON.stringify(rule)}${hint}`);
  }
  if (known.level === 'unspecified') throw invalid(at, `names ${rule}, which cannot fail`);
  if (typeof reason !== 'string' || reason.trim() === '') throw invalid(at, `has no reason for ${rule}`);
  if (until !== undefined && !isDate(until))
    throw invalid(at, `must have "until" as YYYY-MM-DD; got ${JSON.stringify(until)}`);
  const unknown = Object.keys(entry).find((key) => !['rule', 'reason', 'until'].includes(key));
  if (unknown !== undefined) throw invalid(at, `has an unknown field: ${JSON.stringify(unknown)}`);
  return entry;
}

function isDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.valueOf()) && date.toISOString().startsWith(text);
}

function invalid(at: number, what: string): ToolkitError {
  return invalidOption(`entry ${at + 1} of the expected failures ${what}`);
}
