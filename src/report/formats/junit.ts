import { exitStatus, isOutdated, isUnjudged } from '../conclusion.js';
import { logText, visible, withReferences } from '../escape.js';
import type { Case, Group, Report } from '../frame.js';
import { excuseOf, failureText } from './wording.js';

/** Evidence of one case that is written out. */
const SHOWN = 3;

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
  const { subject, interfaceVersion, toolVersion, conclusion, summary, notes, sections } = report;
  return [
    ['subject', subject],
    ...(detail === undefined ? [] : [['source', detail] as const]),
    ['interface version', interfaceVersion],
    ['tool version', toolVersion],
    ['conclusion', conclusion],
    ['summary', summary],
    ...notes.map((note) => ['note', note] as const),
    ...sections.flatMap(({ title, items }) => items.map((item) => [title.toLowerCase(), item] as const)),
  ];
}

function testCaseOf(one: Case, classname: string, report: Report): Element {
  const { id, verdict, level, detail = '', notes = [], durationMs = 0 } = one;
  const result = resultOf(one);
  const type = result === 'failure' ? { type: level ?? verdict } : result === 'error' && { type: verdict };
  const text = verdict === 'fail' || verdict === 'warn' ? failureText(one, report, SHOWN) : '';
  const warning = verdict === 'warn' ? [`warning: ${excuseOf(one) ?? text}`] : [];
  const output = [...(verdict === 'observed' && detail !== '' ? [detail] : []), ...warning, ...notes];
  const attributes = { message: messageOf(one, report), ...type };
  return {
    name: 'testcase',
    attributes: { name: id, classname, time: secondsOf(durationMs) },
    content: [
      ...(result === 'passed' ? [] : [{ name: result, attributes, content: text }]),
      ...(output.length === 0 ? [] : [{ name: 'system-out', content: output.join('\n') }]),
    ],
  };
}

/** The result of a case in a sentence. Many readers of results show only this. */
function messageOf(one: Case, { findings, conclusion, summary }: Report): string {
  const { title, detail = '', evidence, fact } = one;
  const excuse = excuseOf(one);
  if (excuse !== undefined) return excuse;
  if (resultOf(one) === 'failure') return fact ?? findings[evidence[0]?.finding ?? -1]?.title ?? title;
  return resultOf(one) === 'error' && conclusion === 'not-testable' ? summary : detail;
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
