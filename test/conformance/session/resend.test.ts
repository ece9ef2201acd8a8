// Goes with src/conformance/session/resend.ts: it tests how that works. Whoever replaces it deletes this file.
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { Exchange } from '../../../src/conformance/exchange.js';
import type { Probe } from '../../../src/conformance/probe.js';
import {
  Quota,
  resendReason,
  retryAfterMs,
  WaitBudget,
  waitMs,
} from '../../../src/conformance/session/resend.js';
import { creation, exchange, probe, response } from '../recorded.js';

const failed = (kind: 'reset' | 'timeout' | 'not-connected') => ({ failure: { kind, message: '' } });
const later = (status: number, ...headers: [string, string][]) =>
  exchange({ response: response(status, headers) });

describe('a probe is sent again', () => {
  const shared = true;
  const rejected = { expectation: 'rejected' } as const;

  test.each<[string, Partial<Exchange>, string | undefined]>([
    ['accepted', {}, undefined],
    ['a reset on a used connection', { ...failed('reset'), reusedConnection: true }, 'stale'],
    ['a reset on a new connection', failed('reset'), undefined],
    ['a reset beside others', { ...failed('reset'), shared }, 'crowded'],
    ['no connection beside others', { ...failed('not-connected'), shared }, 'crowded'],
    ['no connection, alone', failed('not-connected'), undefined],
    ['a timeout of a creation beside others', { ...failed('timeout'), shared }, 'crowded'],
    [
      'a timeout of an invalid request beside others',
      { ...failed('timeout'), shared, ...rejected },
      undefined,
    ],
    ['a timeout, alone', failed('timeout'), undefined],
    ['a 429', { response: response(429) }, 'throttled'],
    ['a 503 with Retry-After', { response: response(503, [['retry-after', '1']]) }, 'throttled'],
    ['a 503 without', { response: response(503) }, undefined],
    ['a valid creation that was rejected', { response: response(409) }, 'rejected'],
    ['an invalid request that was rejected', { response: response(400), ...rejected }, undefined],
    ['an open request that was rejected', { response: response(400), expectation: 'open' }, undefined],
    [
      'a plant that may be rejected, and got 403',
      { request: creation, response: response(403), expectation: 'open' },
      'rejected',
    ],
    [
      'a plant that must be rejected, and got 403',
      { request: creation, response: response(403), ...rejected },
      undefined,
    ],
    ['a redirect', { response: response(302) }, undefined],
  ])('after %s', (_what, given, reason) => {
    expect(resendReason([exchange(), exchange(given)])).toBe(reason);
  });

  test('for the reason that says most', () => {
    const stale = exchange({ ...failed('reset'), reusedConnection: true });
    const created = later(400);
    expect(resendReason([created, later(429), stale])).toBe('stale');
    expect(resendReason([created, later(429)])).toBe('throttled');
  });
});

describe('Retry-After', () => {
  const now = Date.parse('Sun, 06 Nov 1994 08:49:37 GMT');
  const date = 'Sun, 06 Nov 1994 08:49:40 GMT';

  test.each<[string, Exchange, number | undefined]>([
    ['seconds', later(429, ['Retry-After', '2']), 2_000],
    ['with white space around it', later(503, ['retry-after', ' 2 ']), 2_000],
    ['a date, by our clock', later(429, ['Retry-After', date]), 3_000],
    [
      'a date, by the clock of the provider',
      later(429, ['Retry-After', date], ['Date', 'Sun, 06 Nov 1994 08:49:39 GMT']),
      1_000,
    ],
    ['a date in the past', later(429, ['Retry-After', 'Sat, 05 Nov 1994 08:49:37 GMT']), 0],
    ['the first of two', later(429, ['Retry-After', '1'], ['Retry-After', '9']), 1_000],
    ['missing', later(429), undefined],
    ['unreadable', later(429, ['Retry-After', 'soon']), undefined],
    ['negative', later(429, ['Retry-After', '-1']), undefined],
    ['of another status', later(500, ['Retry-After', '2']), undefined],
    ['without a response', exchange(failed('reset')), undefined],
  ])('%s', (_what, given, ms) => {
    expect(retryAfterMs(given, now)).toBe(ms);
  });

  test.each<[string, Exchange, number, number | undefined, Partial<Probe>?]>([
    ['says how long to wait', later(429, ['Retry-After', '3']), 0, 3_000],
    ['of 0 waits a little', later(429, ['Retry-After', '0']), 0, 200],
    ['of 0 waits longer each time', later(429, ['Retry-After', '0']), 4, 1_000],
    ['that is missing is guessed', later(429), 0, 500],
    ['that is missing is guessed five times', later(429), 4, 2_500],
    ['that is missing is not guessed a sixth time', later(429), 5, undefined],
    ['that is missing after wrong tokens is guessed twice', later(429), 1, 1_000, { phase: 'wrong-token' }],
    ['that is missing after wrong tokens is a lockout', later(429), 2, undefined, { phase: 'wrong-token' }],
    ['of more than 10 s is not waited for', later(429, ['Retry-After', '11']), 0, undefined],
  ])('%s', (_what, given, resends, ms, of = {}) => {
    expect(waitMs([exchange(), given], resends, probe(of))).toBe(ms);
  });
});

describe('the wait budget', () => {
  const { signal } = new AbortController();

  test('counts concurrent waits once, and ends', async () => {
    // A busy machine may let time pass between two calls.
    const now = vi.spyOn(performance, 'now').mockReturnValue(0);
    onTestFinished(() => now.mockRestore());
    const budget = new WaitBudget(30);
    expect(await Promise.all([budget.wait(20, signal), budget.wait(20, signal)])).toEqual([true, true]);
    now.mockReturnValue(20);
    expect(await budget.wait(20, signal)).toBe(false);
    expect(await budget.wait(1, signal)).toBe(true);
  });

  test('keeps what is reserved', async () => {
    const budget = new WaitBudget(30);
    expect(await budget.wait(25, signal, 10)).toBe(false);
    expect(await budget.wait(25, signal)).toBe(true);
  });

  test('does not begin a wait that is too long', async () => {
    expect(await new WaitBudget(30).wait(3_600_000, signal)).toBe(false);
  });

  test('stops with its signal', async () => {
    const stop = new AbortController();
    const wait = new WaitBudget(10_000).wait(9_000, stop.signal);
    stop.abort();
    expect(await wait).toBe(false);
  });
});

describe('a quota', () => {
  const throttled = (seconds: number): Exchange => later(429, ['Retry-After', String(seconds)]);
  const valid = probe({ phase: 'valid' });

  /** What is known after an exchange, if plain plants get this. */
  async function afterSeeing(seen: Exchange, plain: Exchange, of = valid) {
    const sendPlainPlant = vi.fn(async () => plain);
    const quota = new Quota(sendPlainPlant, 10_000);
    await Promise.all([quota.saw(seen, of), quota.saw(seen, of)]);
    return { isUsedUp: quota.isUsedUp, looks: sendPlainPlant.mock.calls.length };
  }

  test('is used up if a plain plant has to wait too long as well', async () => {
    expect(await afterSeeing(throttled(900), throttled(899))).toEqual({ isUsedUp: true, looks: 1 });
  });

  test.each<[string, Exchange, Exchange, number]>([
    ['a plain plant is accepted', throttled(900), exchange(), 1],
    ['the wait is short', throttled(9), throttled(900), 0],
    ['nothing says how long to wait', later(429), throttled(900), 0],
  ])('is not used up if %s', async (_what, seen, plain, looks) => {
    expect(await afterSeeing(seen, plain)).toEqual({ isUsedUp: false, looks });
  });

  test('is not looked at after wrong tokens, for which a client may be locked out', async () => {
    const late = probe({ phase: 'wrong-token' });
    expect(await afterSeeing(throttled(900), throttled(900), late)).toEqual({ isUsedUp: false, looks: 0 });
  });

  test('is looked at a few times if only some requests have to wait', async () => {
    const sendPlainPlant = vi.fn(async () => exchange());
    const quota = new Quota(sendPlainPlant, 10_000);
    for (let i = 0; i < 9; i++) await quota.saw(throttled(900), valid);
    expect(sendPlainPlant).toHaveBeenCalledTimes(5);
  });

  test.each<[string, string, number]>([
    ['X-RateLimit-Remaining', '97', 97],
    ['X-Rate-Limit-Remaining', '97', 97],
    ['RateLimit-Remaining', '0', 0],
    ['X-RateLimit-Remaining-Minute', '9', 9],
    ['RateLimit', '"100-in-15min"; r=97; t=900', 97],
    ['RateLimit', 'limit=100, remaining=97, reset=900', 97],
    ['RateLimit-Limit', '97', Number.POSITIVE_INFINITY],
    ['X-RateLimit-Remaining', 'many', Number.POSITIVE_INFINITY],
  ])('is announced by %s: %s', async (name, value, left) => {
    const quota = new Quota(async () => exchange(), 10_000);
    await quota.saw(exchange({ response: response(200, [[name, value]]) }), valid);
    expect(quota.announced).toBe(left);
  });
});
