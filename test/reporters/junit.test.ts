import { rules } from 'plant-store-contract/conformance';
import { reporters } from 'plant-store-contract/reporters';
import { expect, test } from 'vitest';
import { poisoned } from './hostile.js';
import { idsOf, reportOn } from './reports.js';
import { type Element, elementsOf, parseXml } from './xml.js';

/** The names of the test cases that hold an element. */
function casesWith(root: Element, name: string): (string | undefined)[] {
  return elementsOf(root, 'testcase')
    .filter(({ children }) => children.some((child) => child.name === name))
    .map(({ attributes }) => attributes.name);
}

/** Holds for every document: what a suite says of itself is what it holds. */
function expectTalliesToHold(root: Element): void {
  for (const suite of [root, ...elementsOf(root, 'testsuite')]) {
    const held = Object.fromEntries(
      [
        ['tests', 'testcase'],
        ['failures', 'failure'],
        ['errors', 'error'],
        ['skipped', 'skipped'],
      ].map(([count, name = '']) => [count, String(elementsOf(suite, name).length)]),
    );
    expect(suite.attributes).toMatchObject(held);
  }
}

test('a provider that conforms passes, rule by rule', async () => {
  const report = await reportOn([], { implementation: { name: 'the <reference>', version: '1' } });
  const root = parseXml(reporters.junit(report));
  expect(elementsOf(root, 'testcase').map(({ attributes }) => attributes.name)).toEqual(
    rules.map(({ id }) => id),
  );
  expect(elementsOf(root, 'testcase')[0]?.attributes.classname).toBe('success');
  expect(root.attributes).toMatchObject({ failures: '0', errors: '0' });
  expect(casesWith(root, 'system-out')).toEqual(idsOf(report, 'observed'));
  expect(elementsOf(root, 'system-out')[0]?.text).toBe(report.profile.behaviours[0]?.sentence);
  expectTalliesToHold(root);
  const [suite = root] = root.children;
  expect(elementsOf(suite, 'property').map(({ attributes }) => [attributes.name, attributes.value])).toEqual([
    ['base URL', report.baseUrl],
    ['interface version', '1.0.0'],
    ['implementation', 'the <reference> 1'],
    ['conclusion', 'conforms'],
    ['summary', report.summary],
  ]);
});

test('what is broken is a failure that says how, and how to see it again', async () => {
  const report = await reportOn(['leaks-id', 'accepts-null-tag']);
  const root = parseXml(reporters.junit(report));
  expect(casesWith(root, 'failure')).toEqual(['success/plant-fields-only', 'request/tag-is-a-string']);
  expectTalliesToHold(root);
  const [leak, tag] = elementsOf(root, 'failure');
  expect(tag?.attributes.type).toBe('documented');
  expect(tag?.attributes.message).toMatch(
    /^expected a refusal: a 4xx with an Error; got 200 \(application\/json\)/,
  );
  expect(tag?.text).toMatch(
    /sent {6}a plant whose tag is null\n.*\n.*\nagain {5}id=.*\n {10}curl .*"tag":null/s,
  );
  expect(leak?.text).toMatch(/and so with a plant whose name .*; \d+ more$/);
});

test('what is expected to fail is skipped, and fails once it is kept', async () => {
  const expected = {
    rule: 'success/plant-fields-only',
    reason: 'clients read the id',
    until: '9999-12-31',
  };
  const known = parseXml(
    reporters.junit(await reportOn(['leaks-id', 'accepts-null-tag'], { expectedFailures: [expected] })),
  );
  expect(casesWith(known, 'failure')).toEqual(['request/tag-is-a-string']);
  expect(casesWith(known, 'skipped')).toEqual(['success/plant-fields-only']);
  expect(elementsOf(known, 'skipped')[0]?.attributes.message).toBe(
    'expected to fail until 9999-12-31: clients read the id',
  );
  expectTalliesToHold(known);

  const outdated = await reportOn([], { expectedFailures: [expected] });
  expect(outdated.conclusion).toBe('outdated-list');
  const root = parseXml(reporters.junit(outdated));
  expect(casesWith(root, 'failure')).toEqual(['success/plant-fields-only']);
  expectTalliesToHold(root);
});

test('what could not be judged is an error, and what does not apply is skipped', async () => {
  const blocked = await reportOn(['answers-201']);
  const root = parseXml(reporters.junit(blocked));
  expect(casesWith(root, 'error')).toEqual(idsOf(blocked, 'blocked'));
  expect(elementsOf(root, 'error')[0]?.attributes).toEqual({
    message: 'no creation was answered with 200',
    type: 'blocked',
  });

  const free = await reportOn(['answers-html-errors']);
  const skipped = parseXml(reporters.junit(free));
  expect(idsOf(free, 'not-applicable')).not.toEqual([]);
  expect(casesWith(skipped, 'skipped')).toEqual(idsOf(free, 'not-applicable'));
  expectTalliesToHold(skipped);

  const untested = await reportOn([], { token: 'another' });
  expect(casesWith(parseXml(reporters.junit(untested)), 'error')).toHaveLength(rules.length);
});

test('whatever a provider sends, it is well-formed, and shows what XML forbids', async () => {
  const report = poisoned(await reportOn(['leaks-id', 'answers-html-errors']));
  const root = parseXml(reporters.junit(report));
  expectTalliesToHold(root);
  const [failure] = elementsOf(root, 'failure');
  expect(failure?.attributes.message).toContain(String.raw`a NUL \u0000, an escape \u001b[31m`);
  expect(failure?.text).toContain(String.raw`a half \ud800, and \ufffe`);
  expect(failure?.text).toContain(']]> & &amp; %0A');
  expect(failure?.text).toContain('<script>');
});
