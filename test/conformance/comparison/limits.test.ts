import type { DiscoveredLimit, Profile } from 'plant-store-contract/conformance';
import { describe, expect, test } from 'vitest';
import { compareLimits } from '../../../src/conformance/comparison.js';

const NAMES = ['a', 'b'] as const;

function profile(limits: readonly DiscoveredLimit[] | undefined): Profile {
  const empty = { profileVersion: 1, interfaceVersion: '1.0.0', demands: [], behaviours: [] } as const;
  return limits === undefined ? empty : { ...empty, limits };
}

type Known = Partial<DiscoveredLimit>;

/** How two findings for one limit compare. */
function outcomeOf(id: DiscoveredLimit['id'], one: Known, other: Known): string | undefined {
  const [a, b] = [one, other].map((given) => {
    const outcome = given.value !== undefined ? 'found' : given.upTo !== undefined ? 'not-found' : 'unknown';
    return profile([{ id, outcome, sentence: 'A limit.', ...given } as DiscoveredLimit]);
  }) as [Profile, Profile];
  return compareLimits(a, b, NAMES)[0]?.outcome;
}

describe('limits', () => {
  test.for<[DiscoveredLimit['id'], Known, Known, string]>([
    ['longest-name', { value: '255' }, { value: '255' }, 'alike'],
    ['longest-name', { value: '255' }, { value: '256' }, 'different'],
    ['longest-name', { upTo: '65536' }, { upTo: '954' }, 'alike'],
    ['longest-name', { value: '255' }, { upTo: '65536' }, 'different'],
    ['longest-name', { value: '2000' }, { upTo: '954' }, 'not-comparable'],
    ['longest-name', { reason: 'no response' }, { value: '255' }, 'not-comparable'],
    ['largest-body', { value: '1048576' }, { value: '999999' }, 'different'],
    ['largest-depth', { value: '500' }, { upTo: '20000' }, 'different'],
  ])('%s: %j and %j are %s', ([id, one, other, expected]) => {
    expect(outcomeOf(id, one, other)).toBe(expected);
    expect(outcomeOf(id, other, one), 'in the other order').toBe(expected);
  });

  test('are not compared if one profile has none', () => {
    const limit: DiscoveredLimit = { id: 'longest-tag', outcome: 'found', sentence: 'A limit.', value: '7' };
    expect(compareLimits(profile(undefined), profile(undefined), NAMES)).toEqual([]);
    expect(compareLimits(profile([limit]), profile(undefined), NAMES)).toEqual([
      {
        id: 'limit/longest-tag',
        kind: 'limit',
        title: 'Longest tag',
        outcome: 'not-comparable',
        reason: 'b was checked without a search for limits',
      },
    ]);
  });
});
