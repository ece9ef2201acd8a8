import { readFileSync } from 'node:fs';
import { errorCodes, loadFaults } from 'plant-store-contract/server';
import { describe, expect, test } from 'vitest';
import { foundByPacts, PAGES_WITH_FIGURES, withFigures } from './figures.js';
import { readPage } from './pages.js';

test('the page on faults and pacts has the figures that are compared', () => {
  expect(foundByPacts()).toEqual([expect.any(String), expect.any(String)]);
});

test('figures are replaced, and nothing else', () => {
  const page = 'a check with 7 requests creates 1 to 2 plants; of 8 requests, 7 are plain. 7 plants';
  const [, requests] = /with (\d+) requests/.exec(withFigures(page)) ?? [];
  expect(Number(requests)).toBeGreaterThan(100);
  expect(withFigures(page)).toMatch(
    new RegExp(
      `^a check with ${requests} requests creates \\d{2,} to \\d{3,} plants; of ${requests} requests, 7 are plain\\. 7 plants$`,
    ),
  );
});

// `npm run generate` writes them.
describe('the figures of the package are right in', () => {
  test.for(PAGES_WITH_FIGURES)('%s', (path) => {
    const text = readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
    expect(text).toBe(withFigures(text));
  });
});

test('the page on bad responses says how many faults loadFaults() returns', async () => {
  const { text } = readPage('src/server/failures/README.md');
  const [, shown] = /There are (\d+)\. Each one lists the\s+rules that it breaks/.exec(text) ?? [];
  expect(Number(shown)).toBe((await loadFaults()).length);
});

test('the page of the server lists every error code', () => {
  const { text } = readPage('src/server/README.md');
  for (const [name, code] of Object.entries(errorCodes))
    expect(text).toMatch(new RegExp(`\\b${code} \`${name}\``));
});
