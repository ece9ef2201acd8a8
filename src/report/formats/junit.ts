import xmlbuilder, { type XMLElement } from 'xmlbuilder';
import { logText, visible } from '../escape.js';
import type { Case, Group, Report } from '../frame.js';
import { type Result, resultOf, resultText, withoutFailure } from './test-result.js';

/**
 * The report as JUnit XML, in the form that Jenkins and GitLab read (junit-10.xsd of the xunit plugin of Jenkins): a
 * suite for each group, a test case for each case. A failure that does not count is skipped; a case that could not be
 * judged is an error. A run fails here exactly if the exit status of the command is not 0.
 */
export function junit(report: Report): string {
  const { kind, subject, durationMs } = report;
  const suites = [...report.groups, ...withoutFailure(report)];
  const root = xmlbuilder.create('testsuites', { version: '1.0', encoding: 'UTF-8' });
  const { skipped, ...tally } = tallyOf(suites.flatMap(({ cases }) => cases));
  setAttributes(root, { name: `${kind} ${subject}`, time: secondsOf(durationMs), ...tally });
  for (const group of suites) addSuite(root, group, report);
  return `${root.end({ pretty: true })}\n`;
}

function addSuite(root: XMLElement, group: Group, report: Report): void {
  const { title, cases } = group;
  const time = cases.reduce((sum, { durationMs = 0 }) => sum + durationMs, 0);
  const suite = add(root, 'testsuite', {
    name: title,
    time: secondsOf(time),
    timestamp: report.startedAt,
    ...tallyOf(cases),
  });
  const properties = add(suite, 'properties', {});
  for (const [name, value] of propertiesOf(group, report)) add(properties, 'property', { name, value });
  for (const one of cases) addCase(suite, title, one, report);
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

function addCase(suite: XMLElement, classname: string, one: Case, report: Report): void {
  const { id, verdict, level, detail = '', notes = [], durationMs = 0 } = one;
  const testCase = add(suite, 'testcase', { name: id, classname, time: secondsOf(durationMs) });
  const result = resultOf(one);
  const { message, body } = resultText(one, report);
  if (result === 'failure') add(testCase, result, { message, type: level ?? verdict }, body);
  else if (result === 'error') add(testCase, result, { message, type: verdict }, body);
  else if (result === 'skipped') add(testCase, result, { message }, body);
  const output = [...(verdict === 'observed' && detail !== '' ? [detail] : []), ...notes];
  if (output.length > 0) add(testCase, 'system-out', {}, output.join('\n'));
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

/** The one way into the document: this replaces what XML forbids, and xmlbuilder escapes the rest. */
function add(
  parent: XMLElement,
  name: string,
  attributes: Readonly<Record<string, string | number>>,
  text = '',
): XMLElement {
  const child = parent.ele(name);
  setAttributes(child, attributes);
  if (text !== '') child.txt(logText(text));
  return child;
}

function setAttributes(element: XMLElement, attributes: Readonly<Record<string, string | number>>): void {
  for (const [key, value] of Object.entries(attributes)) element.att(key, visible(String(value)));
}
