// Goes with src/conformance/session/order.ts: it tests how that works. Whoever replaces it deletes this file.
import { describe, expect, test } from 'vitest';
import { prepareCheck } from '../../../src/conformance/prepare.js';
import { isSentFor } from '../../../src/conformance/rule.js';
import {
  firstForEachRule,
  firstParts,
  isLate,
  orderOf,
  sideBySide,
} from '../../../src/conformance/session/order.js';

const { rules, probes, counts } = prepareCheck({ baseUrl: 'http://localhost' });
const countOf = (probe: (typeof probes)[number]): number => counts.get(probe) ?? 0;
const first = firstForEachRule(rules, probes, countOf);
const ordered = orderOf(first, rules, probes);

describe('the order of what people need to know', () => {
  test('has every probe once', () => {
    expect(new Set(ordered).size).toBe(probes.length);
    expect(ordered.length).toBe(probes.length);
  });

  test('begins with a plain plant and one without a token, and has a wrong token and a missing field early', () => {
    const names = ordered.map(({ name }) => name);
    expect(names.slice(0, 2)).toEqual(['plain-plant', 'plain-plant-with-tag']);
    expect(names.indexOf('no-authorization')).toBeLessThan(5);
    expect(names.indexOf('missing-name')).toBeLessThan(15);
    expect(names.indexOf('wrong-token')).toBeLessThan(25);
  });

  test('has single requests before sequences, so that 70 requests show what matters', () => {
    for (const some of first) {
      const isSequence = some.slice(2).map((probe) => countOf(probe) > 1);
      expect(isSequence).toEqual(isSequence.toSorted());
    }
  });

  test('has all but one wrong token late, unless requests are scarce', () => {
    const { first: parts, ifScarce } = firstParts(first, probes);
    const names = (some: readonly (typeof probes)[]): string[] =>
      some.flatMap((part) => part.filter(isLate).map(({ name }) => name));
    expect(names(parts)).toEqual(['no-authorization', 'tokens/none-from-a-user', 'wrong-token']);
    expect(names(ifScarce)).toEqual(
      expect.arrayContaining(['token-in-query', 'plain-plant-after-wrong-tokens']),
    );
    const early = new Set([...parts, ...ifScarce].flat());
    expect(first.flat().filter((probe) => probe.phase !== 'control' && !early.has(probe))).toEqual([]);
  });

  test('begins with the longest sequence if all are sent side by side', () => {
    const { first: parts } = firstParts(first, probes);
    const [longest, next] = sideBySide([...parts, probes], countOf);
    expect(longest?.name).toBe('sequences/on-one-connection');
    expect(next?.phase).toBe('valid');
  });

  test('gives each rule its first probe with few requests', () => {
    const [documented, implied] = first;
    const requests = (some: typeof probes): number => some.reduce((sum, probe) => sum + countOf(probe), 0);
    expect(requests(documented)).toBeLessThanOrEqual(25);
    expect(requests([...documented, ...implied])).toBeLessThanOrEqual(85);
    const early = new Set([...documented, ...implied]);
    const without = rules.filter((rule) => {
      const sent = probes.filter((probe) => isSentFor(rule, probe));
      return rule.level !== 'unspecified' && sent.length > 0 && !sent.some((probe) => early.has(probe));
    });
    expect(without.map(({ id }) => id)).toEqual([]);
  });
});
