import { checkConformance, rules } from 'plant-store-contract/conformance';
import { createPlantStore, type Fault, loadFaults, startPlantStore } from 'plant-store-contract/server';
import { describe, expect, test, vi } from 'vitest';
import { faultsPage } from './faults-table.js';

const token = 'a-token-of-these-tests';
const known = new Set<string>(rules.map(({ id }) => id));
const faults = await loadFaults();

describe('faults and rules', () => {
  test('every rule that a fault names exists', () => {
    const named = new Set(faults.flatMap(({ breaks }) => breaks));
    expect([...named].filter((id) => !known.has(id))).toEqual([]);
  });

  test('every rule is broken by a fault', () => {
    expect(
      rules.filter(
        ({ id, level }) => level !== 'unspecified' && !faults.some(({ breaks }) => breaks.includes(id)),
      ),
    ).toEqual([]);
  });
});

// Some faults make a check wait, so the checks run at the same time.
vi.setConfig({ maxConcurrency: 6 });

const seen = new Map<string, readonly string[]>();

describe('each fault breaks exactly the rules that it names', () => {
  const ofCore = faults.filter(({ needsExploring }) => needsExploring !== true);
  // Two requests have to meet, or two segments must not. So nothing else runs meanwhile.
  const isOfTiming = ({ name }: Fault): boolean => /^races-|^decodes-each-segment$/.test(name);

  test.for(ofCore.filter(isOfTiming))('$name', breaksItsRules);
  test.concurrent.for(ofCore.filter((fault) => !isOfTiming(fault)))('$name', breaksItsRules);
});

/** On a busy machine, a check may miss a fault of timing, or judge less. It must never blame a server for something else. */
const ATTEMPTS = 3;

async function breaksItsRules({ name, breaks }: Fault): Promise<void> {
  let broken: readonly string[] = [];
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    broken = await brokenBy(name);
    expect(broken.filter((rule) => !(breaks as readonly string[]).includes(rule))).toEqual([]);
    if (broken.length === breaks.length) break;
  }
  seen.set(name, broken);
  expect([...broken].sort()).toEqual([...breaks].sort());
}

async function brokenBy(name: Fault['name']): Promise<readonly string[]> {
  await using store = await startPlantStore({ token, faults: [name] });
  // A machine that is busy for a while must not look like a provider that hangs.
  const timeoutMs = name.startsWith('hangs') ? 3_000 : 20_000;
  const report = await checkConformance({ baseUrl: store.url, token, timeoutMs, prism: false });
  return report.rules.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id);
}

describe('the core probes do not find rare input, and exploring does', () => {
  const rare = faults.filter(({ needsExploring }) => needsExploring === true);

  test('there is some', () => expect(rare.length).toBeGreaterThan(4));

  test.for(rare)('$name', async ({ name, breaks }) => {
    const { fetch } = createPlantStore({ token, faults: [name] });
    const options = { baseUrl: 'http://localhost', fetch, token, prism: false };
    const core = await checkConformance(options);
    expect(core.rules.filter(({ verdict }) => verdict === 'fail')).toEqual([]);
    const { exploration } = await checkConformance({ ...options, explore: { runs: 3_000, seed: 1 } });
    const found = new Set(exploration?.failures.map(({ rule }) => rule));
    expect([...found]).not.toEqual([]);
    expect([...found].filter((rule) => !breaks.includes(rule))).toEqual([]);
    seen.set(name, breaks);
  });
});

// After the checks above: it writes down what they saw.
test('the table in spec/faults.md is what was seen', async () => {
  await expect(faultsPage(faults, seen)).toMatchFileSnapshot('../../../spec/faults.md');
});
