import type { CheckReport } from 'plant-store-contract/conformance';
import { reporters } from 'plant-store-contract/reporters';
import type { FaultName } from 'plant-store-contract/server';
import { expect, test } from 'vitest';
import { schemaErrors } from '../../report/formats/schema.js';
import { checkFetch, checkStore } from '../checks.js';

const JSON_TYPE = 'application/json';

/** Checks a provider that responds to the first requests as if it worked, and then always in the same way. */
function checkAfter(
  first: number,
  status: number,
  type: string,
  body = '{"error":1,"message":"no"}',
): Promise<CheckReport> {
  let count = 0;
  return checkFetch(
    () =>
      ++count <= first
        ? Response.json({ name: 'Aloe' })
        : new Response(body, { status, headers: { 'content-type': type } }),
    {},
  );
}

test.for([
  [401, JSON_TYPE, /^After request 1, all \d+ valid requests got 401/],
  [
    500,
    JSON_TYPE,
    /^\d+ of the \d+ valid requests got the same response: 500\. Look at the log of the provider/,
  ],
  [
    404,
    JSON_TYPE,
    /^\d+ of the \d+ valid requests got the same response: 404\. Is the base URL right\? \/plants is appended/,
  ],
  [
    302,
    'text/html',
    /^\d+ of the \d+ valid requests got the same response: 302\. Is this the base URL of the provider itself/,
  ],
] as const)(
  'a provider that soon returns only %s %s: the report says so, the text at its end',
  async ([status, type, said]) => {
    const report = await checkAfter(1, status, type);
    expect(report.warning).toMatch(said);
    expect(schemaErrors(report)).toEqual([]);
    for (const quiet of [false, true]) {
      const lines = reporters.text(report, { width: 1_000, quiet }).trimEnd().split('\n');
      expect(lines.at(-1)).toBe(`Warning: ${report.warning}`);
    }
    expect(reporters.markdown(report)).toMatch(/^> \*\*Warning:\*\* /);
    expect(reporters.github(report)).toMatch(/^::warning title=check::/);
    expect(reporters.html(report)).toContain('<strong>Warning:</strong>');
    expect(reporters.junit(report)).toContain('name="warning"');
  },
);

test('a provider that soon returns only 503 is asked no more, and the summary says so', async () => {
  const report = await checkAfter(3, 503, JSON_TYPE);
  expect(report.summary).toMatch(
    /\d+ of \d+ requests were sent: then every request got 503\. Lift the limit of the provider .* gateway that says so\.$/,
  );
  expect(report.exchanges.length).toBeLessThan(100);
});

test('JSON that is called HTML may be a plant, and another 2xx is judged as well', async () => {
  for (const [status, type] of [
    [200, 'text/html'],
    [201, JSON_TYPE],
  ] as const) {
    const report = await checkAfter(0, status, type, '{"name":"Aloe"}');
    expect(report.conclusion).toBe('does-not-conform');
    expect(report).not.toHaveProperty('warning');
  }
});

test.for([
  ['conforms', []],
  ['breaks a rule', ['leaks-id']],
] as const satisfies readonly [string, readonly FaultName[]][])(
  'nothing is said of a provider that %s',
  async ([, faults]) => {
    const report = await checkStore(faults);
    expect('warning' in report).toBe(false);
    expect(reporters.text(report)).toMatch(/^POST http/);
  },
);

test('nor of one that responds in several ways', async () => {
  let count = 0;
  const various = () => Response.json({}, { status: [200, 500, 404, 503][count++ % 4] ?? 200 });
  expect((await checkFetch(various)).warning).toBeUndefined();
});
