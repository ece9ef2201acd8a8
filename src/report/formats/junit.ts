import { exitStatus, isOutdated, isUnjudged } from '../conclusion.js';
import { logText, visible, withReferences } from '../escape.js';
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

/**
 * The report as JUnit XML, in the form that Jenkins and GitLab read (junit-10.xsd of the xunit plugin of Jenkins): a
 * suite for each group, a test case for each case. A failure that does not count is skipped; a case that could not be
 * judged is an error. A warning is a test that passed, with a note. A run fails here exactly if the exit status of the command is not 0.
 */
export function junit(report: Report): string {
  const { kind, subject, durationMs } = report;
  const groups = [...report.groups, ...withoutFailure(report)];
  const { skipped, ...tally } = tallyOf(groups.flatMap(({ cases }) => cases));
  const root: Element = {
    name: 'testsuites',
    attributes: { name: `${kind} ${subject}`, time: secondsOf(durationMs), ...tally },
    content: groups.map((group) => suiteOf(group, report)),
  };
  return `<?xml version="1.0" encoding="UTF-8"?>\n${xmlOf(root, '')}\n`;
}

function suiteOf(group: Group, report: Report): Element {
  const { title, cases } = group;
  const time = cases.reduce((sum, { durationMs = 0 }) => sum + durationMs, 0);
  const properties = propertiesOf(group, report).map(([name, value]) => ({
    name: 'property',
    attributes: { name, value },
  }));
  return {
    name: 'testsuite',
    attributes: { name: title, time: secondsOf(time), timestamp: report.startedAt, ...tallyOf(cases) },
    content: [
      { name: 'properties', content: properties },
      ...cases.map((one) => testCaseOf(one, title, report)),
    ],
  };
}

/** Some readers keep no more than the properties of a suite: each suite has everything that its reader must know. */
function propertiesOf({ detail }: Group, report: Report): (readonly [string, string])[] {
  const { subject, interfaceVersion, toolVersion, conclusion, warning, summary, notes } = report;
  return [
    ['subject', subject],
    ...(detail === undefined ? [] : [['source', detail] as const]),
    ['interface version', interfaceVersion],
    ['tool version', toolVersion],
    ['conclusion', conclusion],
    ...(warning === undefined ? [] : [['warning', warning] as const]),
    ['summary', summary],
    ...notes.map((note) => ['note', note] as const),
  ];
}

function testCaseOf(one: Case, classname: string, report: Report): Element {
  const { id, verdict, level, detail = '', notes = [], durationMs = 0 } = one;
  const result = resultOf(one);
  const { message, body } = resultText(one, report);
  const type = result === 'failure' ? { type: level ?? verdict } : result === 'error' && { type: verdict };
  const warning = verdict === 'warn' ? [`warning: ${excuseOf(one) ?? body}`] : [];
  const output = [...(verdict === 'observed' && detail !== '' ? [detail] : []), ...warning, ...notes];
  return {
    name: 'testcase',
    attributes: { name: id, classname, time: secondsOf(durationMs) },
    content: [
      ...(result === 'passed' ? [] : [{ name: result, attributes: { message, ...type }, content: body }]),
      ...(output.length === 0 ? [] : [{ name: 'system-out', content: output.join('\n') }]),
    ],
  };
}

function tallyOf(
  cases: readonly Case[],
): Readonly<Record<'tests' | 'failures' | 'errors' | 'skipped', number>> {
  const results = cases.map(resultOf);
  const count = (wanted: Result): number => results.filter((result) => result === wanted).length;
  return {
    tests: results.length,
    failures: count('failure'),
    errors: count('error'),
    skipped: count('skipped'),
  };
}

/** What becomes of a case. */
type Result = 'passed' | 'failure' | 'error' | 'skipped';

/** A warning passes; a failure that does not count is skipped; a case that could not be judged is an error. */
function resultOf(one: Case): Result {
  if (isOutdated(one)) return 'failure';
  switch (one.verdict) {
    case 'pass':
    case 'warn':
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
function withoutFailure({ kind, groups, conclusion, summary }: Report): Group[] {
  const results = groups.flatMap(({ cases }) => cases.map(resultOf));
  if (exitStatus(conclusion) === 0 || results.includes('failure') || results.includes('error')) return [];
  return [
    {
      title: kind,
      cases: [{ id: conclusion, title: summary, verdict: 'error', detail: summary, evidence: [] }],
    },
  ];
}

/** The result of a case in a sentence, and everything about it. Both are empty if it passed; the sentence, if it is a warning. */
function resultText(
  one: Case,
  { findings, conclusion, summary }: Report,
): { readonly message: string; readonly body: string } {
  const result = resultOf(one);
  if (one.verdict === 'warn') return { message: '', body: failureBody(one, findings) };
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

/** As the schema has it: no exponent, three digits after the point. */
function secondsOf(milliseconds: number): string {
  return (milliseconds / 1000).toFixed(3);
}

interface Element {
  readonly name: string;
  readonly attributes?: Readonly<Record<string, string | number>>;
  readonly content?: string | readonly Element[];
}

/** The one way into the document: this replaces what XML forbids, and escapes the rest. */
function xmlOf({ name, attributes = {}, content = '' }: Element, indent: string): string {
  const written = Object.entries(attributes).map(
    ([key, value]) => ` ${key}="${attributeText(String(value))}"`,
  );
  const start = `${indent}<${name}${written.join('')}`;
  if (content.length === 0) return `${start}/>`;
  if (typeof content === 'string') return `${start}>${withReferences(logText(content))}</${name}>`;
  const lines = content.map((child) => xmlOf(child, `${indent}  `));
  return [`${start}>`, ...lines, `${indent}</${name}>`].join('\n');
}

/** A reader makes a space of a tab or a line break that is written as it is (XML 1.0, section 3.3.3). */
function attributeText(text: string): string {
  return withReferences(visible(text)).replace(/[\t\n]/g, (space) => `&#${space.charCodeAt(0)};`);
}
