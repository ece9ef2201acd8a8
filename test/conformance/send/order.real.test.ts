import { checkConformance, probes, rules } from 'plant-store-contract/conformance';
import { startPlantStore } from 'plant-store-contract/server';
import { describe, expect, test } from 'vitest';
import type { Probe } from '../../../src/conformance/row.js';
import { type AnyRule, isSentFor } from '../../../src/conformance/rule.js';
import { inParts } from '../../../src/conformance/send/order.js';
import { answer, checkBehind } from '../checks.js';

const demands = rules.filter((rule) => rule.level !== 'unspecified');
const errors = demands.filter(({ severity }) => severity === 'error');
const warnings = demands.filter(({ severity }) => severity === 'warning');

describe.each([false, true])('the order of a check, if the provider is far: %s,', (isFar) => {
  const parts = inParts(probes, rules, isFar);
  const order = parts.flat();

  test('has every probe once', () => {
    expect(new Set(order)).toEqual(new Set(probes));
    expect(order).toHaveLength(probes.length);
  });

  const places = new Map(order.map((probe, at) => [probe, at]));
  const isLate = ({ phase }: Probe): boolean => phase === 'wrong-token' || phase === 'heavy';

  test('begins with a request without a token, and one with a wrong token', () => {
    expect(order.slice(0, 2).map(({ name }) => name)).toEqual(['no-authorization', 'wrong-token']);
  });

  test.runIf(!isFar)('then has the first probe of each rule, errors before warnings', () => {
    const firstOf = (rule: AnyRule): number =>
      Math.min(
        ...order
          .filter((probe) => isSentFor(rule, probe) && !isLate(probe))
          .map((probe) => places.get(probe) ?? 0),
      );
    const sent = errors.map(firstOf).filter(Number.isFinite);
    expect(Math.max(...sent)).toBeLessThan(70);
    expect(Math.max(...warnings.map(firstOf).filter(Number.isFinite))).toBeLessThan(110);
  });

  test('ends with the other wrong tokens, and what may stop the provider', () => {
    const late = order.slice(2).findIndex(isLate) + 2;
    expect(order.slice(late).every(isLate)).toBe(true);
    expect(parts.slice(-2).map((part) => [...new Set(part.map(({ phase }) => phase))])).toEqual([
      ['wrong-token'],
      ['heavy'],
    ]);
  });
});

test('a check opens six connections at most, until it sends more at the same time on purpose', async () => {
  await using store = await startPlantStore({ token: 'a-token-of-these-tests' });
  const report = await checkConformance({
    baseUrl: store.url,
    token: 'a-token-of-these-tests',
    prism: false,
  });
  const single = report.exchanges.filter(({ name }) => !/^volume|at-once|side-by-side/.test(name));
  const ends = single.map(({ startMs, durationMs }) => startMs + durationMs);
  const underWay = single.map(
    ({ startMs }) =>
      single.filter((one, at) => one.startMs <= startMs && (ends[at] ?? 0) > startMs + 1).length,
  );
  expect(Math.max(...underWay)).toBeLessThanOrEqual(6);
  expect(Math.max(...underWay)).toBeGreaterThan(3);
});

test('a rate limit with another status than 429 or 503 is named in a note', async () => {
  let requests = 0;
  const report = await checkBehind(({ pass }) => (++requests % 10 > 7 ? answer(403) : pass()));
  expect(report.notes.join('\n')).toMatch(
    /\d+ valid plants were rejected, the first with 403, .* lift its limit for the check/,
  );
});
