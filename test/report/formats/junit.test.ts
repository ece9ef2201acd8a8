import { readFileSync } from 'node:fs';
import { type Report, reporters } from 'plant-store-contract/reporters';
import { expect, test } from 'vitest';
import { validateXML } from 'xmllint-wasm';
import { poisoned } from './hostile.js';
import { idsOf, quickReportOn } from './reports.js';
import { type Element, elementsOf, parseXml } from './xml.js';

/**
 * junit-10.xsd of the xunit plugin of Jenkins, under the MIT licence that it begins with:
 * https://github.com/jenkinsci/xunit-plugin/blob/master/src/main/resources/org/jenkinsci/plugins/xunit/types/model/xsd/junit-10.xsd
 * (this copy is from pytest 9.2.0, which validates its own reports with it). GitLab reads a subset of it:
 * https://docs.gitlab.com/ci/testing/unit_test_reports/
 */
const schema = readFileSync(new URL('junit-10.xsd', import.meta.url), 'utf8');

/** What libxml2 has to say against documents. */
async function violationsOf(documents: Readonly<Record<string, string>>): Promise<string[]> {
  const { errors } = await validateXML({
    xml: Object.entries(documents).map(([fileName, contents]) => ({ fileName, contents })),
    schema: { fileName: 'junit-10.xsd', contents: schema },
  });
  return errors.map(({ message, loc }) => `${loc?.fileName}: ${message}`);
}

/** The names of the test cases that hold an element. */
function casesWith(root: Element, name: string): (string | undefined)[] {
  return elementsOf(root, 'testcase')
    .filter(({ children }) => children.some((child) => child.name === name))
    .map(({ attributes }) => attributes.name);
}

/** True for every document: the counts of a suite are the numbers of its elements. */
function expectTalliesToHold(root: Element): void {
  const numbersIn = (suite: Element) => ({
    tests: String(elementsOf(suite, 'testcase').length),
    failures: String(elementsOf(suite, 'failure').length),
    errors: String(elementsOf(suite, 'error').length),
  });
  // The schema has no sum of what was skipped.
  expect(root.attributes).toMatchObject(numbersIn(root));
  for (const suite of elementsOf(root, 'testsuite')) {
    const skipped = String(elementsOf(suite, 'skipped').length);
    expect(suite.attributes).toMatchObject({ ...numbersIn(suite), skipped });
  }
}

test('a provider that conforms passes, rule by rule', async () => {
  const report = await quickReportOn([]);
  const root = parseXml(reporters.junit(report));
  expect(elementsOf(root, 'testcase').map(({ attributes }) => attributes.name)).toEqual(
    report.rules.map(({ id }) => id),
  );
  expect(elementsOf(root, 'testcase')[0]?.attributes.classname).toBe('success');
  expect(root.attributes).toMatchObject({ failures: '0', errors: '0' });
  expect(casesWith(root, 'system-out')).toEqual(idsOf(report, 'observed'));
  expect(elementsOf(root, 'system-out')[0]?.text).toBe(report.profile.behaviours[0]?.sentence);
  expectTalliesToHold(root);
  const [suite = root] = root.children;
  expect(elementsOf(suite, 'property').map(({ attributes }) => [attributes.name, attributes.value])).toEqual([
    ['subject', report.subject],
    ['interface version', '1.0.0'],
    ['tool version', report.toolVersion],
    ['conclusion', 'conforms'],
    ['summary', report.summary],
  ]);
});

test('a failure says how a rule fails, and how to reproduce that', async () => {
  const report = await quickReportOn(['leaks-id', 'accepts-null-tag']);
  const root = parseXml(reporters.junit(report));
  expect(casesWith(root, 'failure')).toEqual(['success/plant-fields-only', 'request/null-tag-is-refused']);
  expectTalliesToHold(root);
  const [leak, tag] = elementsOf(root, 'failure');
  expect(tag?.attributes.type).toBe('implied');
  expect(tag?.attributes.message).toBe('A plant whose tag is null is accepted.');
  expect(tag?.text).toMatch(/sent {7}a plant whose tag is null\n.*\n.*\nreproduce {2}curl .*"tag":null/s);
  expect(leak?.text).toMatch(
    /^The response has "id", .* \(breaks clients\)\nUsual cause: The whole stored record is .*\nFix: Define a type .*\nRule: .* \(documented; .*\)\n.*\nalso fails for a pl.*; \d+ more$/s,
  );
});

test('what is expected to fail is skipped, and fails if it passes', async () => {
  const expected = { rule: 'success/plant-fields-only', reason: 'clients read the id', until: '9999-12-31' };
  const only = ['success/plant-fields-only', 'request/null-tag-is-refused'];
  const options = { expectedFailures: [expected], only };
  const known = parseXml(reporters.junit(await quickReportOn(['leaks-id', 'accepts-null-tag'], options)));
  expect(casesWith(known, 'failure')).toEqual(['request/null-tag-is-refused']);
  expect(casesWith(known, 'skipped')).toEqual(['success/plant-fields-only']);
  expect(elementsOf(known, 'skipped')[0]?.attributes.message).toBe(
    'expected to fail until 9999-12-31: clients read the id',
  );
  expectTalliesToHold(known);
  const outdated = parseXml(reporters.junit(await quickReportOn([], options)));
  expect(casesWith(outdated, 'failure')).toEqual(['success/plant-fields-only']);
});

test('what could not be judged is an error, and what does not apply is skipped', async () => {
  const blocked = await quickReportOn(['answers-204']);
  const root = parseXml(reporters.junit(blocked));
  expect(casesWith(root, 'error')).toEqual(idsOf(blocked, 'blocked'));
  expect(elementsOf(root, 'error')[0]?.attributes).toEqual({
    message: 'no creation returned 200 with a JSON object',
    type: 'blocked',
  });

  const free = await quickReportOn([], { only: ['failure/other-4xx-is-json'] });
  const skipped = parseXml(reporters.junit(free));
  expect(idsOf(free, 'not-applicable')).not.toEqual([]);
  expect(casesWith(skipped, 'skipped')).toEqual(idsOf(free, 'not-applicable'));
  expectTalliesToHold(skipped);
});

test('whatever a provider sends, it is well-formed, and shows what XML forbids', async () => {
  const report = poisoned(await quickReportOn(['leaks-id', 'answers-html-errors']));
  const root = parseXml(reporters.junit(report));
  expectTalliesToHold(root);
  const [failure] = elementsOf(root, 'failure');
  expect(failure?.attributes.message).toContain(String.raw`a NUL \u0000, an escape \u001b[31m`);
  expect(failure?.text).toContain(String.raw`a half \ud800, and \ufffe`);
  expect(failure?.text).toContain(']]> & &amp; %0A');
  expect(failure?.text).toContain('<script>');
});

test('the schema that Jenkins reads holds, and notices an attribute that it does not know', async () => {
  const conforming = await quickReportOn([]);
  const failing = await quickReportOn(['leaks-id', 'answers-html-errors']);
  const reports: Readonly<Record<string, Report>> = {
    conforming,
    failing,
    blocked: await quickReportOn(['answers-204']),
    untested: await quickReportOn([], { token: 'another' }),
    hostile: poisoned(failing),
    empty: { ...conforming, groups: [], conclusion: 'not-testable' },
  };
  const documents = Object.entries(reports).map(([name, report]) => [name, reporters.junit(report)] as const);
  const unknown = reporters.junit(conforming).replace('<testcase ', '<testcase file="a.js" ');
  expect(await violationsOf(Object.fromEntries([...documents, ['unknown', unknown]]))).toEqual([
    expect.stringMatching(/^unknown: .*The attribute 'file' is not allowed/),
  ]);
});

test('a run without any case fails if the exit status is not 0', async () => {
  const report = await quickReportOn([]);
  const root = parseXml(
    reporters.junit({ ...report, groups: [], conclusion: 'not-testable', summary: 'Why.' }),
  );
  expect(root.attributes).toMatchObject({ tests: '1', errors: '1', failures: '0' });
  expect(elementsOf(root, 'error')[0]?.attributes.message).toBe('Why.');
});
