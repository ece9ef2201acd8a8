import { ToolkitError } from '../toolkit-error.js';
import type { ExpectedFailure } from './options.js';
import { rules } from './rules/index.js';

/** The expectations that count today, and what is to be said of the others. */
export interface ActiveExpectations {
  readonly active: ReadonlyMap<string, ExpectedFailure>;
  readonly notes: readonly string[];
}

/**
 * Takes the expectations whose last day has not passed.
 *
 * @throws ToolkitError `invalid-option` where an entry names no rule, no reason, or no date
 */
export function activeExpectations(
  expected: readonly ExpectedFailure[],
  today = new Date().toISOString().slice(0, 10),
): ActiveExpectations {
  const active = new Map<string, ExpectedFailure>();
  const notes: string[] = [];
  for (const [at, entry] of expected.entries()) {
    const { rule, until } = checked(entry, at);
    if (active.has(rule)) throw invalid(at, `names ${rule} a second time`);
    if (until !== undefined && until < today)
      notes.push(`${rule} was expected to fail until ${until}, and counts again.`);
    else active.set(rule, entry);
  }
  return { active, notes };
}

function checked(entry: ExpectedFailure, at: number): ExpectedFailure {
  if (typeof entry !== 'object' || entry === null) throw invalid(at, 'is no object');
  const { rule, reason, until } = entry;
  const known = rules.find(({ id }) => id === rule);
  if (known === undefined) throw invalid(at, `names no rule: ${JSON.stringify(rule)}`);
  if (known.level === 'unspecified') throw invalid(at, `names ${rule}, which cannot fail`);
  if (typeof reason !== 'string' || reason.trim() === '') throw invalid(at, `gives no reason for ${rule}`);
  if (until !== undefined && !isDate(until))
    throw invalid(at, `must give the last day as YYYY-MM-DD; got ${JSON.stringify(until)}`);
  const further = Object.keys(entry).find((key) => !['rule', 'reason', 'until'].includes(key));
  if (further !== undefined) throw invalid(at, `has a field that is not known: ${JSON.stringify(further)}`);
  return entry;
}

function isDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.valueOf()) && date.toISOString().startsWith(text);
}

function invalid(at: number, what: string): ToolkitError {
  return new ToolkitError('invalid-option', `entry ${at + 1} of the expected failures ${what}`);
}
