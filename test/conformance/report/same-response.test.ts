import { reporters } from 'plant-store-contract/reporters';
import { expect, test } from 'vitest';
import { schemaErrors } from '../../report/formats/schema.js';
import { checkFetch } from '../checks.js';

test('a provider that soon returns only 401: the report says that the token has expired, the text at its end', async () => {
  let count = 0;
  const report = await checkFetch(() =>
    ++count === 1
      ? Response.json({ name: 'Aloe' })
      : Response.json({ error: 1, message: 'no' }, { status: 401 }),
  );
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
