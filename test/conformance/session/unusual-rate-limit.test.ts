// Goes with src/conformance/session/resend.ts: it tests how that works. Whoever replaces it deletes this file.
import { describe, expect, test } from 'vitest';
import type { Exchange } from '../../../src/conformance/exchange.js';
import { UnusualRateLimit } from '../../../src/conformance/session/resend.js';
import { creation, exchange, probe, response } from '../recorded.js';

const answered = (status: number, expectation: Exchange['expectation'] = 'created'): Exchange =>
  exchange({ request: creation, response: response(status), expectation });
const valid = probe({ phase: 'valid' });

/** Whether exchanges were rejected by a limit, if plain plants get these statuses, the last one for ever. */
function lookingAt(...statuses: readonly number[]) {
  let sent = 0;
  const limits = new UnusualRateLimit(async () =>
    answered(statuses[Math.min(sent++, statuses.length - 1)] ?? 200),
  );
  limits.saw(answered(200));
  return { limits, sent: () => sent };
}

test.each([
  [403, [403], true],
  [420, [420], true],
  [430, [200, 430], true],
  [403, [200, 200, 200, 200, 200, 200, 200, 200, 403], true],
  [403, [200, 200, 200, 200, 200, 200, 200, 200, 200, 403], false],
  [403, [401], false],
  [403, [429], false],
])('%d is of a limit if plain plants get %j: %j', async (status, plain, isOfLimit) => {
  const { limits } = lookingAt(...plain);
  expect(await limits.rejected(answered(status), valid, false)).toBe(isOfLimit);
});

test.each([200, 400, 401, 404, 409, 422, 429, 500, 502, 504])(
  '%d says nothing of this kind',
  async (status) => {
    const { limits, sent } = lookingAt(status);
    expect(await limits.rejected(answered(status), valid, false)).toBe(false);
    expect(sent()).toBe(0);
  },
);

test.each(['wrong-token', 'afterwards'] as const)('in the phase %s it may be a lockout', async (phase) => {
  const { limits, sent } = lookingAt(403);
  expect(await limits.rejected(answered(403), probe({ phase }), false)).toBe(false);
  expect(sent()).toBe(0);
});

test('what must be rejected counts only once a limit is known, and while there is one', async () => {
  const { limits, sent } = lookingAt(403, 403, 200);
  const rejected = answered(403, 'rejected');
  expect(await limits.rejected(rejected, valid, false)).toBe(false);
  expect(sent()).toBe(0);
  expect(await limits.rejected(answered(403), valid, false)).toBe(true);
  expect(await limits.rejected(rejected, valid, false)).toBe(true);
  expect(await limits.rejected(rejected, valid, false)).toBe(false);
});

test('a known limit needs no other plain plant, also after wrong tokens', async () => {
  const { limits, sent } = lookingAt(403, 200);
  expect(await limits.rejected(answered(403), valid, false)).toBe(true);
  expect(await limits.rejected(answered(403), valid, false)).toBe(true);
  expect(await limits.rejected(answered(403), probe({ phase: 'afterwards' }), false)).toBe(true);
  expect(await limits.rejected(answered(420), valid, false)).toBe(false);
  // A plant that may be rejected may as well be rejected for its content: that shows once a limit is known.
  expect(await limits.rejected(answered(403, 'open'), valid, false)).toBe(true);
  expect(await limits.rejected(answered(420, 'open'), valid, false)).toBe(false);
  expect(sent()).toBe(10);
});

test('a limit is known if a plant was rejected with its status, and then accepted', async () => {
  const { limits, sent } = lookingAt(200);
  limits.recovered(answered(403));
  limits.recovered(answered(409));
  expect(await limits.rejected(answered(403), valid, false)).toBe(true);
  expect(await limits.rejected(answered(409), valid, false)).toBe(false);
  expect(sent()).toBe(0);
});

test('several requests at once need one plain plant, and all of them at most 180', async () => {
  const { limits, sent } = lookingAt(403);
  const several = [1, 2, 3].map(() => limits.rejected(answered(403), valid, false));
  expect(await Promise.all(several)).toEqual([true, true, true]);
  expect(sent()).toBe(1);
  const accepting = lookingAt(200);
  for (let i = 0; i < 40; i++)
    expect(await accepting.limits.rejected(answered(403), valid, false)).toBe(false);
  expect(accepting.sent()).toBe(180);
});

test('nothing is a limit before a creation was accepted: the token may be the reason', async () => {
  const limits = new UnusualRateLimit(async () => answered(403));
  limits.saw(answered(403));
  limits.saw(answered(200, 'rejected'));
  expect(await limits.rejected(answered(403), valid, false)).toBe(false);
  expect(await limits.rejected(answered(403), valid, true)).toBe(false);
  limits.saw(answered(201));
  expect(await limits.rejected(answered(403), valid, false)).toBe(true);
  expect(await limits.rejected(answered(403), valid, true)).toBe(true);
});

describe('503 without Retry-After', () => {
  const times = (count: number, status: number): number[] => Array.from({ length: count }, () => status);

  test.each([
    ['all of eight plain plants at once', times(8, 503), true],
    ['all but one of them', [...times(4, 503), 200, ...times(3, 503)], true],
    ['six of them: the provider is overloaded', [...times(6, 503), 200, 200], false],
    ['one of them', [503, ...times(7, 200)], false],
    ['none of them', times(8, 200), false],
  ])('is of a limiter if it rejects %s: %j', async (_what, plain, isOfLimit) => {
    const { limits, sent } = lookingAt(...plain);
    expect(await limits.rejected(answered(503), valid, false)).toBe(isOfLimit);
    expect(sent()).toBe(8);
  });

  test('of a known limiter needs no other plain plant, unless the request must be rejected', async () => {
    const { limits, sent } = lookingAt(...times(9, 503), 200);
    const invalid = answered(503, 'rejected');
    expect(await limits.rejected(invalid, valid, false)).toBe(true);
    expect(await limits.rejected(answered(503), valid, false)).toBe(true);
    expect(sent()).toBe(8);
    expect(await limits.rejected(invalid, valid, false)).toBe(true);
    expect(await limits.rejected(invalid, valid, false)).toBe(false);
  });

  test('is looked at five times, and then it is a failure', async () => {
    const { limits, sent } = lookingAt(200);
    for (let i = 0; i < 9; i++) expect(await limits.rejected(answered(503), valid, false)).toBe(false);
    expect(sent()).toBe(40);
  });
});
