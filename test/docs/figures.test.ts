import { readFileSync } from 'node:fs';
import { errorCodes, loadFaults } from 'plant-store-contract/server';
import { describe, expect, test } from 'vitest';
import { PAGES_WITH_FIGURES, withFigures } from './figures.js';
import { readPage } from './pages.js';

// `npm run generate` writes them.
describe('the figures of the package are right in', () => {
  test.for(PAGES_WITH_FIGURES)('%s', (path) => {
    const text = readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
    expect(text).toBe(withFigures(text));
  });
});

test('the page on bad responses says how many faults loadFaults() returns', async () => {
  const { text } = readPage('docs/faults.md');
  const [, shown] = /There are (\d+)\. Each one lists the\s+rules that it breaks/.exec(text) ?? [];
  expect(Number(shown)).toBe((await loadFaults()).length);
});

test('the page of the server lists every error code', () => {
  const { text } = readPage('docs/mock-server.md');
  for (const [name, code] of Object.entries(errorCodes))
    expect(text).toMatch(new RegExp(`\\b${code} \`${name}\``));
});
