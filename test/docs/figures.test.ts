import { readFileSync } from 'node:fs';
import { planCheck, rules } from 'plant-store-contract/conformance';
import { errorCodes, faultNames, loadFaults } from 'plant-store-contract/server';
import { describe, expect, test } from 'vitest';
import { PAGES, readPage } from './pages.js';

const { requests, plants, more } = planCheck();
const applicable = rules.filter(({ level }) => level !== 'unspecified').length;
const faultsAndPacts = readFileSync(new URL('../../spec/pact-faults.md', import.meta.url), 'utf8');
const [, byPact, byVerify] =
  /by Pact alone, finds (\d+)\..* request, and finds (\d+)\. `check`/.exec(faultsAndPacts) ?? [];

/** How pages write a figure of the package, and what it is. */
const FIGURES: readonly [RegExp, readonly unknown[]][] = [
  [/(?:about|with|sends|of) (\d+) requests\b/g, [requests]],
  [/create (\d+) to (\d+) plants/g, [plants, plants + more]],
  [/\b(\d+) faults\b/g, [faultNames.length]],
  [/There are (\d+)\. Each one lists the\s+rules that it breaks/g, [faultNames.length]],
  [/\bbreaks 1 of (\d+) rules\b/g, [applicable]],
  [/\b(\d+) pass, 1 fail, (\d+) observed/g, [applicable - 1, rules.length - applicable]],
  [/with the shipped pact, Pact alone\s+finds (\d+) and `verify` finds (\d+)/g, [byPact, byVerify]],
];

test('the page on faults and pacts has the figures that are compared', () => {
  expect([byPact, byVerify]).toEqual([expect.any(String), expect.any(String)]);
});

describe('the figures of the package are right in', () => {
  // The benchmarks have figures of the day on which they ran.
  const paths = Object.keys(PAGES).filter((path) => !path.startsWith('test/lab/bench/'));
  test.for(paths)('%s', (path) => {
    const { text } = readPage(path);
    for (const [pattern, expected] of FIGURES)
      for (const [shown, ...figures] of text.matchAll(pattern))
        expect(figures, shown).toEqual(expected.map(String));
  });
});

test('the page of the server says how many faults loadFaults() returns', async () => {
  const { text } = readPage('src/server/README.md');
  const [, shown] = /There are (\d+)\. Each one lists the\s+rules that it breaks/.exec(text) ?? [];
  expect(Number(shown)).toBe((await loadFaults()).length);
});

test('the page of the server lists every error code', () => {
  const { text } = readPage('src/server/README.md');
  for (const [name, code] of Object.entries(errorCodes))
    expect(text).toMatch(new RegExp(`\\| ${code} +\\| \`${name}\` +\\|`));
});
