import { expect, test } from 'vitest';
import { brokenIn, checkBehind, checkStore } from '../checks.js';
import type { AnyFaultName } from '../faults/index.js';

test.each<[AnyFaultName, string]>([
  ['answers-html-errors', 'framework-error-page'],
  ['answers-problem-json', 'error-has-no-json-type'],
  ['answers-empty-errors', 'framework-error-page'],
  ['redirects-to-login', 'login-page'],
  ['resets-on-malformed-json', 'no-response'],
  ['rounds-ids', 'id-through-a-double'],
  ['wraps-ids', 'id-in-32-bits'],
  ['refuses-large-ids', 'id-in-32-bits'],
  ['leaks-id', 'success/plant-fields-only'],
  ['renders-null-tag', 'absent-tag-is-null'],
  ['turns-name-into-text', 'types-are-converted'],
  ['turns-id-into-number', 'types-are-converted'],
  ['cuts-fractions-off', 'request/id-is-an-integer'],
  ['accepts-null-tag', 'request/null-tag-is-refused'],
  ['ignores-case-of-keys', 'request/keys-are-exact'],
  ['accepts-any-token', 'token-is-not-verified'],
  ['fails-on-nul', 'exception-on-a-valid-plant'],
  ['nests-error', 'error-is-nested'],
  ['answers-latin-1', 'success/body-is-json'],
  // If no cause of several failures is known, the finding is that of the rule.
  ['requires-tag', 'success/tag-is-optional'],
  ['races-equal-ids', 'state/equal-ids-side-by-side'],
])('the failures of the fault %s are the finding %s', async (fault, finding) => {
  const report = await checkStore([fault]);
  expect(report.findings.map(({ id }) => id)).toEqual([finding]);
  const [found] = report.findings;
  expect(found?.title).toMatch(/^[A-Zn].*\.$/);
  expect(found?.fix).toMatch(/^.*\.$/);
  expect([...(found?.cases ?? [])].sort()).toEqual(brokenIn(report).sort());
});

test('values of any type that come back untouched are one finding: the types are not checked', async () => {
  const report = await checkBehind(({ body, isAuthorised, pass }) => {
    const values = [/^\{"name":(.+),"id":\d+\}$/, /^\{"name":"\w+","id":\d+,"tag":(.+)\}$/];
    const [json = '""'] = values.flatMap((value) => value.exec(body)?.[1] ?? []);
    if (!isAuthorised || json.startsWith('"')) return pass();
    return Response.json({ ...JSON.parse(body), id: undefined });
  });
  expect(report.findings.map(({ id, cases }) => [id, ...cases])).toEqual([
    [
      'types-are-not-checked',
      'request/name-is-a-string',
      'request/tag-is-a-string',
      'request/null-tag-is-refused',
    ],
  ]);
});
