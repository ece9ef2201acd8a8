import { checkConformance, probes, rules } from 'plant-store-contract/conformance';
import { startPlantStore } from 'plant-store-contract/server';
import { describe, expect, test } from 'vitest';
import { isSentFor } from '../../../src/conformance/rule.js';
import { inParts } from '../../../src/conformance/send/order.js';
import { answer, checkBehind } from '../checks.js';

const errors = rules.filter((rule) => rule.level !== 'unspecified' && rule.severity === 'error');

describe.each([false, true])('the order of a check, if the provider is far: %s,', (isFar) => {
  const parts = inParts(probes, rules, isFar);
  const order = parts.flat();

  test('has every probe once', () => {
    expect(new Set(order)).toEqual(new Set(probes));
    expect(order).toHaveLength(probes.length);
  });

  test('has the first probe of each rule of severity error before a plain plant that shows a lockout', () => {
    const shown = order.findIndex(({ phase }) => phase === 'afterwards');
    for (const rule of errors) {
      const own = order.findIndex((probe) => isSentFor(rule, probe));
      // Some rules judge every exchange.
      if (own >= 0) expect([rule.id, own < shown]).toEqual([rule.id, true]);
    }
    expect(shown).toBeLessThan(90);
    expect(order.findLastIndex(({ phase }) => phase === 'wrong-token')).toBeGreaterThan(shown);
  });

  test('ends with a look for a lockout, and with what may stop the provider', () => {
    const [before, last] = parts.slice(-2);
    expect(before?.map(({ phase }) => phase)).toEqual(['afterwards']);
    expect(new Set(last?.map(({ phase }) => phase))).toEqual(new Set(['heavy']));
  });
});

test('a check opens six connections at most, until it sends more at the same time on purpose', async () => {
  await using store = await startPlantStore({ token: 'a-token-of-these-tests' });
  const report = await checkConformance({
    ...{ baseUrl: store.url, token: 'a-token-of-these-tests', prism: false },
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

test('a client that is locked out by the first wrong tokens gets a verdict of each error, and reads what was not sent', async () => {
  let wrong = 0;
  const report = await checkBehind(({ request, isAuthorised, pass }) => {
    if (!isAuthorised && request.headers.has('authorization')) wrong++;
    return wrong > 3 ? answer(403) : pass();
  });
  expect(report.conclusion).toBe('conforms');
  expect(report.summary).toMatch(
    / \d\d of \d+ requests were sent: the right token is rejected after wrong ones\./,
  );
  expect(report.notes.join('\n')).toContain('Lift it for the check.');
});

test('a provider that limits its rate with another status is told to lift its limit', async () => {
  let requests = 0;
  const report = await checkBehind(({ pass }) => (++requests % 10 > 7 ? answer(403) : pass()));
  expect(report.notes.join('\n')).toMatch(
    /\d+ valid plants were rejected, the first with 403, .* lift its limit for the check/,
  );
});

// nginx rejects so what comes too soon.
test('a 503 to a request that is accepted when it is sent again says nothing about the request', async () => {
  let requests = 0;
  const report = await checkBehind(({ pass }) => (++requests % 100 === 0 ? answer(503) : pass()), {
    skip: ['unspecified'],
  });
  expect(report.conclusion).toBe('conforms');
  expect(report.exchanges.filter(({ role }) => role === 'superseded').length).toBeGreaterThan(1);
});

test('a 503 that stays is a failure of the provider', async () => {
  const report = await checkBehind(
    ({ body, pass }) => (body.includes('"name":true') ? answer(503) : pass()),
    { only: ['request/name-is-a-string', 'failure/refusal-is-4xx'] },
  );
  expect(report.conclusion).toBe('does-not-conform');
});

test('a 503 is no failure if the check is stopped before it knows what the 503 means', async () => {
  const stop = new AbortController();
  let requests = 0;
  const report = await checkBehind(
    ({ pass }) => {
      if (++requests < 20) return pass();
      // The next try of the first one comes later.
      setTimeout(() => stop.abort(), 100);
      return answer(503);
    },
    { signal: stop.signal },
  );
  expect(report.conclusion).toBe('incomplete');
  expect(report.exchanges.some(({ response }) => response?.status === 503)).toBe(true);
});
