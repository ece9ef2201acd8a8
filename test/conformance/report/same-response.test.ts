import type { CheckReport } from 'plant-store-contract/conformance';
import { reporters } from 'plant-store-contract/reporters';
import type { FaultName } from 'plant-store-contract/server';
import { expect, test } from 'vitest';
import { schemaErrors } from '../../reporters/schema.js';
import { checkFetch, checkStore } from '../checks.js';

const JSON_TYPE = 'application/json';

/** Checks a provider that responds to the first requests as if it worked, and then always in the same way. */
function checkAfter(first: number, status: number, type: string): Promise<CheckReport> {
  let count = 0;
  return checkFetch(
    () =>
      ++count <= first
        ? Response.json({ name: 'Aloe' })
        : new Response('{"error":1,"message":"no"}', { status, headers: { 'content-type': type } }),
    { quick: true },
  );
}

test.for([
  [401, JSON_TYPE, /: 401\. Before you read the failures: look at the token\./],
  [404, JSON_TYPE, /: 404\. .*look at the base URL\. \/plants is appended/],
  [503, JSON_TYPE, /: 503\. .*behind the gateway/],
  [500, JSON_TYPE, /: 500\. .*the log of the provider/],
  [200, 'text/html; charset=utf-8', /: 200 with an HTML page\. .*A web page or a login/],
  [302, 'text/html', /: 302 with an HTML page\. .*where the response redirects to/],
] as const)(
  'a provider that soon returns only %s %s: the report says so first',
  async ([status, type, said]) => {
    const report = await checkAfter(1, status, type);
    expect(report.warning).toMatch(/^\d+ of the \d+ valid requests got the same response: /);
    expect(report.warning).toMatch(said);
    expect(schemaErrors(report)).toEqual([]);
    const [first] = reporters.text(report, { width: 1_000 }).split('\n');
    expect(first).toBe(`Warning: ${report.warning}`);
    expect(reporters.markdown(report)).toMatch(/^> \*\*Warning:\*\* /);
    expect(reporters.github(report)).toMatch(/^::warning title=check::\d+ of the/);
    expect(reporters.html(report)).toContain('<strong>Warning:</strong>');
    expect(reporters.junit(report)).toContain('name="warning"');
    expect(JSON.parse(reporters.ctrf(report)).results.extra.warning).toBe(report.warning);
  },
);

test.for([
  ['conforms', []],
  ['breaks a rule', ['leaks-id']],
] as const satisfies readonly [string, readonly FaultName[]][])(
  'nothing is said of a provider that %s',
  async ([, faults]) => {
    const report = await checkStore(faults, { quick: true });
    expect('warning' in report).toBe(false);
    expect(reporters.text(report)).toMatch(/^POST http/);
  },
);

test('nor of one that responds in several ways', async () => {
  let count = 0;
  const various = () => Response.json({}, { status: [200, 500, 404, 503][count++ % 4] ?? 200 });
  expect((await checkFetch(various, { quick: true })).warning).toBeUndefined();
});
