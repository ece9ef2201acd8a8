import type { CheckReport } from 'plant-store-contract/conformance';
import { reporters } from 'plant-store-contract/reporters';
import { expect, test } from 'vitest';
import { schemaErrors } from '../../report/formats/schema.js';
import { checkFetch } from '../checks.js';

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

test('a provider that soon returns only 401: the report says that the token has expired, the text at its end', async () => {
  const report = await checkAfter(1, 401, JSON_TYPE);
  expect(report.warning).toMatch(/^After request 1, all \d+ valid requests got 401/);
  expect(schemaErrors(report)).toEqual([]);
  for (const quiet of [false, true]) {
    const lines = reporters.text(report, { width: 1_000, quiet }).trimEnd().split('\n');
    expect(lines.at(-1)).toBe(`Warning: ${report.warning}`);
  }
  expect(reporters.markdown(report)).toMatch(/^> \*\*Warning:\*\* /);
  expect(reporters.github(report)).toMatch(/^::warning title=check::/);
  expect(reporters.html(report)).toContain('<strong>Warning:</strong>');
  expect(reporters.junit(report)).toContain('name="warning"');
});

test('a provider that soon returns only 503 is asked no more, and the summary says so', async () => {
  const report = await checkAfter(3, 503, JSON_TYPE);
  expect(report.summary).toMatch(
    /\d+ of \d+ requests were sent: then every request got 503\. Lift the limit of the provider .* gateway that says so\.$/,
  );
  expect(report.exchanges.length).toBeLessThan(100);
});
