import { exitStatus, isOutdated, isUnjudged } from '../conclusion.js';
import type { Case, Finding, Group, Report } from '../frame.js';
import { capitalised } from '../wording.js';
import {
  alsoFailsFor,
  evidenceInWords,
  evidenceText,
  excuseOf,
  factLines,
  originOf,
  ruleLine,
} from './wording.js';

/** Evidence of one case that is written out, and how much of the rest is named. */
const SHOWN = 3;
const NAMED = 20;

/** What becomes of a case in a format for the results of tests. */
export type Result = 'passed' | 'failure' | 'error' | 'skipped';

/** A failure that does not count is skipped; a case that could not be judged is an error. */
export function resultOf(one: Case): Result {
  if (isOutdated(one)) return 'failure';
  switch (one.verdict) {
    case 'pass':
    case 'observed':
      return 'passed';
    case 'fail':
      return one.excuse === undefined ? 'failure' : 'skipped';
    case 'not-applicable':
      return 'skipped';
    case 'blocked':
    case 'error':
      return isUnjudged(one) ? 'error' : 'skipped';
  }
}

/** A group with a case that fails, if the exit status is not 0 and no other case shows that. */
export function withoutFailure({ kind, groups, conclusion, summary }: Report): Group[] {
  const results = groups.flatMap(({ cases }) => cases.map(resultOf));
  if (exitStatus(conclusion) === 0 || results.includes('failure') || results.includes('error')) return [];
  return [
    {
      title: kind,
      cases: [{ id: conclusion, title: summary, verdict: 'error', detail: summary, evidence: [] }],
    },
  ];
}

/** The result of a case in a sentence, and everything about it; both empty if it passed. */
export function resultText(
  one: Case,
  { findings, conclusion, summary }: Report,
): { readonly message: string; readonly body: string } {
  const result = resultOf(one);
  if (result === 'passed') return { message: '', body: '' };
  if (result === 'failure')
    return { message: failureMessage(one, findings), body: failureBody(one, findings) };
  // Many readers of results show only the message, so it says why nothing could be tested.
  const detail = result === 'error' && conclusion === 'not-testable' ? summary : one.detail;
  const excuse = result === 'skipped' ? excuseOf(one) : undefined;
  return { message: excuse ?? detail ?? '', body: bodyOf(one) };
}

function failureMessage(one: Case, findings: readonly Finding[]): string {
  const [first] = one.evidence;
  const excuse = excuseOf(one);
  if (excuse !== undefined) return excuse;
  if (first === undefined) return one.title;
  const { impact, title = '' } = findings[first.finding] ?? {};
  const seen = evidenceInWords(first);
  return impact === undefined ? seen : `${title} ${capitalised(seen)}`;
}

function failureBody(one: Case, findings: readonly Finding[]): string {
  const origin = originOf(one);
  const rule = origin.length === 0 ? ruleLine(one) : `${ruleLine(one)}\n(${origin.join('; ')})`;
  return [...factsOf(one, findings), rule, ...evidenceOf(one)].join('\n\n');
}

/** The findings that a case belongs to: what happened, the cause and the fix of each. */
function factsOf(one: Case, findings: readonly Finding[]): string[] {
  return [...new Set(one.evidence.map(({ finding }) => finding))].flatMap((at) => {
    const finding = findings[at];
    const lines = finding === undefined ? [] : factLines(finding, one);
    return lines.length === 0 ? [] : [lines.join('\n')];
  });
}

/** The title of a case and its evidence, if it has any. */
function bodyOf(one: Case): string {
  const evidence = evidenceOf(one);
  return evidence.length === 0 ? '' : [one.title, ...evidence].join('\n\n');
}

function evidenceOf({ evidence }: Case): string[] {
  const rest = alsoFailsFor(evidence.slice(SHOWN), NAMED);
  return [...evidence.slice(0, SHOWN).map(evidenceText), ...(rest === '' ? [] : [rest])];
}
