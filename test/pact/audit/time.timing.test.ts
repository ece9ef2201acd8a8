import { auditPact } from 'plant-store-contract/pact';
import { describe, expect, test } from 'vitest';
import { type InteractionPatch, matchers, pactOf } from './one-interaction.js';

/** The CPU time of an audit in milliseconds. A busy machine does not change it much. */
function cpuTimeOf(pact: string): number {
  auditPact(pactOf({}));
  const before = process.cpuUsage();
  auditPact(pact);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

/** Members `k0`, `k1`, …, that no message of the interface has. */
function others(count: number): Record<string, number> {
  return Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, at]));
}

/** How much longer the audit of a pact takes that is four times as long: 4 if the time is linear, 16 if it is quadratic. */
function growth(pact: (length: number) => string, length: number): number {
  return cpuTimeOf(pact(length)) / cpuTimeOf(pact(length / 4));
}

/** Between linear and quadratic, with room for a busy machine. */
const MOST_GROWTH = 9;

describe('the time of an audit grows with the length of the pact, not with its square', () => {
  test('if it has many interactions', () => {
    const pact = (length: number): string => {
      const patches = Array.from(
        { length },
        (_, at): InteractionPatch => ({
          version: '4.0',
          description: 'a creation',
          states: [{ name: 'no plant with id', params: { id: at } }],
          request: { body: { name: 'Aloe', tag: 'succulent', id: at } },
          response: {
            body: { name: 'Fern', tag: 'indoor' },
            matchingRules: {
              body: { '$.name': matchers({ match: 'type' }), '$.tag': matchers({ match: 'type' }) },
            },
          },
        }),
      );
      return JSON.stringify(JSON.parse(pactOf(...patches)), null, 2);
    };
    expect(growth(pact, 2_000)).toBeLessThan(MOST_GROWTH);
  });

  test.each<[string, (length: number) => InteractionPatch]>([
    ['fields', (length) => ({ request: { body: { name: 'Aloe', id: 7, ...others(length) } } })],
    ['headers', (length) => ({ response: { headers: others(length) } })],
  ])('if it has many unknown %s', (_what, patch) => {
    expect(growth((length) => pactOf(patch(length)), 20_000)).toBeLessThan(MOST_GROWTH);
  });

  test('if many interactions have one description and the same states', () => {
    const [one] = JSON.parse(pactOf({})).interactions;
    const pact = (length: number): string =>
      JSON.stringify({ ...JSON.parse(pactOf({})), interactions: Array(length).fill(one) });
    expect(growth(pact, 20_000)).toBeLessThan(MOST_GROWTH);
  });
});
