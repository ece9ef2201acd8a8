import { logText, visible } from '../escape.js';
import type { Case, Group, Report } from '../frame.js';
import { withReferences } from './html-markup.js';
import { type Result, resultOf, resultText, withoutFailure } from './test-result.js';

/**
 * The report as JUnit XML, in the form that Jenkins and GitLab read (junit-10.xsd of the xunit plugin of Jenkins): a
 * suite for each group, a test case for each case. A failure that does not count is skipped; a case that could not be
 * judged is an error. A run fails here exactly if the exit status of the command is not 0.
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
  const output = [...(verdict === 'observed' && detail !== '' ? [detail] : []), ...notes];
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
