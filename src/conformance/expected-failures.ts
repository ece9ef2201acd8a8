import { isUnjudged } from '../report/conclusion.js';
import { visibleInLine } from '../report/escape.js';
import type { Case } from '../report/frame.js';
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
 * @param expected from a file or a program: it may be anything
 * @param rules the rules that there are
 * @param today as `YYYY-MM-DD`
 * @throws ToolkitError `invalid-option`, with a sentence that says what is wrong and where
 */
export function activeExpectations(
  expected: readonly ExpectedFailure[],
  rules: readonly KnownRule[],
  today = new Date().toISOString().slice(0, 10),
): ActiveExpectations {
  const active = new Map<string, Omit<ExpectedFailure, 'rule'>>();
  const notes: string[] = [];
  if (!Array.isArray(expected))
    throw invalidOption('the expected failures must be a list: [{ "rule": …, "reason": … }]');
  for (const [at, entry] of expected.entries()) {
    const { rule, ...expectation } = Object(entry) as ExpectedFailure;
    const { reason, until, intermittent, ...others } = expectation;
    const known = rules.find(({ id }) => id === rule);
    if (known === undefined)
      throw invalid(
        at,
        'rule',
        `names an unknown rule: ${JSON.stringify(rule)}; \`plant-store-contract rules\` lists them`,
      );
    if (known.level === 'unspecified') throw invalid(at, 'rule', `names ${rule}, which cannot fail`);
    if (active.has(rule)) throw invalid(at, 'rule', `names ${rule} again`);
    if (typeof reason !== 'string' || reason.trim() === '')
      throw invalid(at, 'reason', 'must be a text that says why it is not fixed yet');
    if (until !== undefined && !isDay(until))
      throw invalid(at, 'until', `must be a day that exists, as YYYY-MM-DD; got ${JSON.stringify(until)}`);
    if (intermittent !== undefined && typeof intermittent !== 'boolean')
      throw invalid(at, 'intermittent', 'must be true or false');
    for (const other of Object.keys(others)) throw invalid(at, other, 'is not known');
    if (until !== undefined && until < today)
      notes.push(`${rule} was expected to fail until ${until}, and now counts.`);
    else active.set(rule, expectation);
  }
  return { active, notes };
}

/** A list of expected failures, and how it differs from the one before. */
export interface UpdatedFailures {
  readonly list: readonly ExpectedFailure[];
  /** The ids of the rules that were added, that were removed, and whose last day was over. */
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly renewed: readonly string[];
}

/**
 * The expected failures of a provider as a check found it: with them, the next check of the same provider conforms, except for expected
 * failures. What is listed keeps its reason, and its last day unless that is over. A rule is removed only if it passes in a check that
 * judged everything: one that was not judged may still fail.
 *
 * @param today as `YYYY-MM-DD`
 */
export function updatedFailures(
  listed: readonly ExpectedFailure[],
  { groups, conclusion }: Pick<CheckReport, 'groups' | 'conclusion'>,
  today = new Date().toISOString().slice(0, 10),
): UpdatedFailures {
  const all = groups.flatMap(({ cases }) => cases);
  // If something fails as well, the conclusion does not say that not everything was judged.
  const isWhole = conclusion !== 'incomplete' && !all.some(isUnjudged);
  const passing = new Set(all.flatMap(({ id, verdict }) => (isWhole && verdict === 'pass' ? [id] : [])));
  const failing = new Map(all.flatMap((one) => (one.verdict === 'fail' ? [[one.id, one] as const] : [])));
  const known = new Set(listed.map(({ rule }) => rule));
  const reason = `fails since ${today} or before; write here why it is not fixed yet`;
  const added = [...failing.values()].filter(({ id }) => !known.has(id));
  const removed = listed.filter(({ rule, intermittent }) => passing.has(rule) && intermittent !== true);
  const renewed = listed.filter(
    ({ rule, until }) => failing.has(rule) && until !== undefined && until < today,
  );
  const kept = listed.filter((one) => !removed.includes(one));
  return {
    list: [
      ...kept.map((one) => (renewed.includes(one) ? withoutLastDay(one) : one)),
      ...added.map((one) => ({ rule: one.id, reason, ...(isIntermittent(one) && { intermittent: true }) })),
    ],
    added: added.map(({ id }) => id),
    removed: removed.map(({ rule }) => rule),
    renewed: renewed.map(({ rule }) => rule),
  };
}

function withoutLastDay({ until: _, ...others }: ExpectedFailure): ExpectedFailure {
  return others;
}

/** Whether a rule failed only now and then, so that it may pass in the next check. */
function isIntermittent({ evidence }: Case): boolean {
  return evidence.length > 0 && evidence.every(({ repeated }) => repeated === 'intermittent');
}

function isDay(text: string): boolean {
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.valueOf()) && date.toISOString().slice(0, 10) === text;
}

function invalid(at: number, member: string, what: string): ToolkitError {
  return invalidOption(visibleInLine(`the expected failures: /${at}/${member} ${what}`));
}
