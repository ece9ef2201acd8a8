import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { type Case, type Report, reporters } from 'plant-store-contract/reporters';
import { expect, test } from 'vitest';
import { HOSTILE } from './hostile.js';
import { idsOf, quickReportOn, reportWith } from './reports.js';

/** The schema of CTRF 0.0, from the npm package ctrf 0.3.0, under the MIT licence: https://github.com/ctrf-io/ctrf */
const schema = JSON.parse(readFileSync(new URL('ctrf-schema-0.0.json', import.meta.url), 'utf8'));
const ajv = new Ajv({ allErrors: true });
addFormats.default(ajv);
const isCtrf = ajv.compile(schema);

interface Test {
  readonly name: string;
  readonly status: string;
  readonly rawStatus: string;
  readonly message?: string;
  readonly trace?: string;
  readonly [member: string]: unknown;
}

/** The tests of a report. Its counts are right, and the schema has nothing against it. */
function testsOf(report: Report): readonly Test[] {
  const document = JSON.parse(reporters.ctrf(report));
  expect(isCtrf(document) ? [] : isCtrf.errors).toEqual([]);
  const { tests, summary } = document.results as { tests: Test[]; summary: Record<string, number> };
  for (const status of ['passed', 'failed', 'skipped', 'pending', 'other'])
    expect([status, summary[status]]).toEqual([status, tests.filter((one) => one.status === status).length]);
  expect(summary.tests).toBe(tests.length);
  return tests;
}

const named = (tests: readonly Test[], status: string) =>
  tests.filter((one) => one.status === status).map(({ name }) => name);

test('a provider that conforms passes, rule by rule', async () => {
  const report = await quickReportOn([]);
  const tests = testsOf(report);
  expect(tests.map(({ name }) => name)).toEqual(report.rules.map(({ id }) => id));
  expect(named(tests, 'failed')).toEqual([]);
  expect(tests.filter(({ stdout }) => stdout !== undefined).map(({ name }) => name)).toEqual(
    idsOf(report, 'observed'),
  );
  const { results, timestamp } = JSON.parse(reporters.ctrf(report));
  expect(results.environment).toEqual({ reportName: `check ${report.subject}` });
  expect(results.summary.start).toBe(Date.parse(report.startedAt));
  expect(Date.parse(timestamp)).toBe(results.summary.start + report.durationMs);
});

test('a failure says how a rule fails, and how to reproduce that', async () => {
  const tests = testsOf(await quickReportOn(['leaks-id', 'accepts-null-tag']));
  expect(named(tests, 'failed')).toEqual(['success/plant-fields-only', 'request/null-tag-is-refused']);
  expect(tests.find(({ name }) => name === 'request/null-tag-is-refused')).toMatchObject({
    rawStatus: 'fail',
    suite: ['request'],
    tags: ['implied'],
    message: expect.stringMatching(
      /^A plant whose tag is null is accepted\. Expected a rejection: a 4xx with an Error; got 200/,
    ),
    trace: expect.stringMatching(/sent {7}a plant whose tag is null\n.*reproduce {2}id=/s),
  });
});

test('what is expected to fail is skipped, and fails if it passes', async () => {
  const expectedFailures = [{ rule: 'success/plant-fields-only', reason: 'clients read the id' }];
  const only = ['success/plant-fields-only'];
  const known = testsOf(await quickReportOn(['leaks-id'], { expectedFailures, only }));
  expect(named(known, 'failed')).toEqual([]);
  expect(known.find(({ name }) => name === 'success/plant-fields-only')).toMatchObject({
    status: 'skipped',
    message: 'expected to fail: clients read the id',
  });
  const outdated = testsOf(await quickReportOn([], { expectedFailures, only }));
  expect(named(outdated, 'failed')).toEqual(['success/plant-fields-only']);
});

test('what could not be judged fails, and its raw status says why', async () => {
  const report = await quickReportOn(['answers-204']);
  const tests = testsOf(report);
  const blocked = tests.filter(({ rawStatus }) => rawStatus === 'blocked');
  expect(blocked.map(({ name }) => name)).toEqual(idsOf(report, 'blocked'));
  expect(new Set(blocked.map(({ status }) => status))).toEqual(new Set(['failed']));
  expect(blocked[0]?.message).toBe('no creation returned 200');
});

const CASE: Case = { id: 'a', title: 'a', verdict: 'fail', evidence: [] };

test('a run that is incomplete fails although no case does', () => {
  const cases: Case[] = [{ ...CASE, verdict: 'pass' }];
  const report = reportWith({ groups: [{ title: 'g', cases }], conclusion: 'incomplete' });
  expect(named(testsOf(report), 'failed')).toEqual(['incomplete']);
});

test('a pending failure is pending, and hostile text stays text', () => {
  const pending: Case = {
    ...CASE,
    title: HOSTILE,
    excuse: { kind: 'pending', reason: HOSTILE },
    place: { file: 'pact.json', line: 3 },
    notes: [HOSTILE],
    evidence: [{ actual: HOSTILE, finding: 0 }],
  };
  const report = reportWith({ groups: [{ title: HOSTILE, cases: [pending] }] });
  const [only] = testsOf(report);
  expect(only).toMatchObject({ status: 'pending', filePath: 'pact.json', line: 3, suite: [HOSTILE] });
  expect(reporters.ctrf(report)).not.toMatch(/^\s*::|##\[/m);
});
