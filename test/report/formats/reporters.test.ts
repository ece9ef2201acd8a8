import type { CheckReport } from 'plant-store-contract/conformance';
import { type Case, type Report, reporters } from 'plant-store-contract/reporters';
import type { FaultName } from 'plant-store-contract/server';
import { expect, test } from 'vitest';
import { quickReportOn, reportWith as report, SIX, wholeReportOn } from './reports.js';

/** A text without what differs from run to run. */
function settled(text: string): string {
  return (
    text
      .replaceAll(/\bAloe[a-z]{6}\b/g, 'AloeNAME')
      .replaceAll(/\b\d{5,}\b/g, 'ID')
      // Prism has little time, so on a busy machine it judges less.
      .replace(/on (?:all \d+|the one) responses?\./, 'on all N responses.')
      .replace(/on \d+ of \d+ responses?\./, 'on N of N responses.')
      .replaceAll(/\b\d+(?= other\s+rules)/g, 'N')
      .replaceAll(/\b\d+ (?=requests|plants|responses|of \d+ (?:requests|responses))/g, 'N ')
  );
}

/** The report with the same texts, times and places in every run. It changes before it is wrapped. */
function settledReport(report: CheckReport): CheckReport {
  return JSON.parse(JSON.stringify(report), (key, value: unknown) => {
    if (key === 'durationMs') return 5;
    if (key === 'exchanges' && typeof (value as unknown[])[0] === 'number') return [0];
    return typeof value === 'string' ? settled(value) : value;
  });
}

/** A few rules, so that the texts are short. */
const only = [
  'success/tag-is-optional',
  'success/plant-fields-only',
  'auth/missing-token-is-refused',
  'request/null-tag-is-refused',
  'unspecified/missing-token',
  'unspecified/repeated-id',
];

test.each<[what: string, faults: FaultName[], file: string]>([
  ['conforms', [], 'conforms.txt'],
  ['breaks rules', ['leaks-id', 'accepts-null-tag'], 'breaks-rules.txt'],
  ['breaks rules, at length', ['leaks-id', 'accepts-null-tag'], 'breaks-rules-verbose.txt'],
])('what a person reads of a provider that %s', async (what, faults, file) => {
  const report = await quickReportOn(faults, { only });
  const verbose = what.endsWith('at length');
  await expect(reporters.text(settledReport(report), { verbose })).toMatchFileSnapshot(file);
});

test('a person reads of a whole check that conforms on one screen, and of seven problems on two', async () => {
  const text = (report: CheckReport): string[] => reporters.text(report).trimEnd().split('\n');
  expect(text(await wholeReportOn([])).length).toBeLessThanOrEqual(15);
  const report = await wholeReportOn(SIX);
  expect(report.findings).toHaveLength(7);
  expect(text(report).length).toBeLessThanOrEqual(110);
  // What hurts most comes first, in the list at the end as well.
  const impacts = report.findings.map(({ impact = 'house' }) => impact);
  expect(impacts).toEqual(['clients', 'clients', 'clients', 'clients', 'callers', 'input', 'input']);
  expect(text(report).filter((line) => /^ {2}\d /.test(line))).toHaveLength(7);
});

test('a reason that leaves many cases without a verdict is said once, with their number', () => {
  const blocked = (id: string): Case => ({
    id,
    title: id,
    verdict: 'blocked',
    detail: 'no plant',
    evidence: [],
  });
  const cases = ['a', 'b', 'c', 'd', 'e'].map(blocked);
  const text = reporters.text(report({ groups: [{ title: 'g', cases }], conclusion: 'incomplete' }));
  expect(text).toContain('\n■ 5 not judged: no plant (a; b; c; 2 more)\n');
  expect(text.split('no plant')).toHaveLength(2);
});

test('a failure that does not count is a line, and counted apart', () => {
  const excuse = { kind: 'expected', reason: 'ticket 7' } as const;
  const text = reporters.text(
    report({
      groups: [{ title: 'g', cases: [{ ...CASE, excuse }] }],
      findings: [{ id: 'f', title: 'A problem.', cases: [CASE.id] }],
      conclusion: 'expected-failures',
    }),
  );
  expect(text).toContain('\n- A problem. (expected to fail: ticket 7)\n');
  expect(text).toContain('conforms, except for expected failures: 1 expected failure in');
});

test('a case of a file is named with its place, in each format for people', () => {
  const place = { file: 'a.json', line: 3, pointer: '/interactions/1' };
  const finding = { id: 'f', title: 'A problem.', cases: [CASE.id] };
  const one = report({ groups: [{ title: 'a → b', cases: [{ ...CASE, place }] }], findings: [finding] });
  for (const format of ['text', 'markdown', 'html', 'junit'] as const)
    expect(reporters[format](one), format).toContain('a.json, line 3, /interactions/1');
  expect(reporters.github(one)).toContain('::error file=a.json,line=3,');
});

const CASE: Case = {
  id: 'a plant is created',
  title: 'a plant is created',
  verdict: 'fail',
  evidence: [{ where: 'pact: $.body.name', expected: '"Aloe"', actual: '"Agave"', finding: 0, count: 3 }],
};

/** A report with a text at each place, and a command. */
function saying(text: string, command: string): Report {
  const evidence = [{ sent: text, expected: text, actual: text, finding: 0, reproduce: command }];
  const cases: Case[] = [{ ...CASE, title: text, notes: [text], evidence }];
  return report({
    groups: [{ title: text, detail: text, cases }],
    findings: [{ id: 'f', title: text, cause: text, fix: text, cases: [CASE.id] }],
    notes: [text],
    sections: [{ title: text, items: [text] }],
    remarks: [text],
    summary: text,
  });
}

test.each(Object.keys(reporters) as (keyof typeof reporters)[])(
  '%s has no character that cannot be seen or changes the direction of others',
  (format) => {
    const sent = 'a\u0007b\u001b[2Jc\u007fd\u0085e\u009b2Jf\u202eg\u2066h\u200fi';
    const text = reporters[format](saying(sent, `curl '${sent}'`));
    expect(text.replaceAll(/[\t\n\r]/g, '')).not.toMatch(
      /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u,
    );
  },
);

test('only a command is longer than a line', () => {
  const words = 'word '.repeat(40).trim();
  const text = reporters.text(saying(words, `curl ${words}`), { width: 60 });
  const long = text.split('\n').filter((line) => line.length > 60);
  expect(long).toEqual([expect.stringContaining(`curl ${words}`)]);
});

test('colour comes only when asked for', async () => {
  const report = await quickReportOn([], { only });
  expect(reporters.text(report)).not.toContain('\u001b[');
  expect(reporters.text(report, { color: true })).toContain('\u001b[32mconforms');
  expect(reporters.text(report, { color: true, verbose: true })).toContain('\u001b[32m✓');
});

test.each([
  ['conforms', 'conforms', 'brightgreen'],
  ['does-not-conform', 'does not conform', 'red'],
  ['not-testable', 'could not be tested', 'lightgrey'],
] as const)('badge says %s in the words and the colours of shields.io', (conclusion, message, color) => {
  expect(JSON.parse(reporters.badge(report({ conclusion })))).toEqual({
    schemaVersion: 1,
    label: 'plant store',
    message,
    color,
  });
});
