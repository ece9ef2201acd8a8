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

describe('the time of an audit grows with the length of the pact, not with its square', () => {
  test('2,000 interactions take less than 2 s', () => {
    const patches = Array.from(
      { length: 2_000 },
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
    const indented = JSON.stringify(JSON.parse(pactOf(...patches)), null, 2);
    expect(cpuTimeOf(indented)).toBeLessThan(2_000);
  });

  test.each<[string, InteractionPatch]>([
    ['fields', { request: { body: { name: 'Aloe', id: 7, ...others(20_000) } } }],
    ['headers', { response: { headers: others(20_000) } }],
  ])('20,000 unknown %s take less than 4 s', (_what, patch) => {
    expect(cpuTimeOf(pactOf(patch))).toBeLessThan(4_000);
  });

  test('20,000 interactions with one description and the same states get different ids in less than 4 s', () => {
    const [one] = JSON.parse(pactOf({})).interactions;
    const pact = JSON.stringify({ ...JSON.parse(pactOf({})), interactions: Array(20_000).fill(one) });
    expect(cpuTimeOf(pact)).toBeLessThan(4_000);
  });
});
