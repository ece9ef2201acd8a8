import { describe, expect, test } from 'vitest';
import type { Exchange } from '../../../../src/conformance/exchange.js';
import { probe } from '../../recorded.js';
import {
  creates,
  headers,
  inOrder,
  inWords,
  judged,
  NONE,
  nothing,
  PLANT,
  says,
  sent,
  verdictOf,
} from './judged.js';

describe('a valid plant that the provider fails on', () => {
  const id = 'success/valid-plant-is-processed';
  const [valid, repeated] = [probe({ phase: 'valid' }), probe({ name: 'repeated-id', phase: 'state' })];
  const failed = says(500);
  const request = { headers, body: Buffer.from(PLANT) };
  const long = (length: number) => ({ ...request, id: 7, body: Buffer.from(PLANT.padEnd(length)) });
  const existing = { response: failed, request: { ...request, id: 7, idMayExist: true } };
  const known = { response: failed, request: { ...request, idMayExist: true } };
  const duplicates = (status: number): Exchange[] =>
    inOrder(
      'repeated-id',
      sent(PLANT),
      sent(PLANT, { response: says(409) }),
      sent(PLANT, { response: says(status) }),
    );

  test.each<[string, Partial<Exchange>, number, string]>([
    ['is a failure', { response: failed }, 409, 'fail'],
    ['is none if its id exists: that response is not shown', existing, 409, 'blocked'],
    ['is a failure if the id may exist, and duplicates get something else', known, 400, 'fail'],
    ['is none if the id may exist, and one duplicate gets the same', known, 500, 'blocked'],
    ['is none if a large body is cut off', { ...NONE, request: long(2 ** 16 + 1) }, 409, 'blocked'],
    ['is none if a large body gets a 500', { ...known, request: long(2 ** 16 + 1) }, 409, 'blocked'],
    ['is a failure if the body is not large', { ...NONE, request: long(2 ** 16) }, 409, 'fail'],
  ])('%s', (_what, given, status, verdict) => {
    // They are judged apart. If the failure is none either, there is nothing to judge.
    const others = duplicates(status).map((one) => ({ ...one, expectation: 'rejected' as const }));
    expect(verdictOf(id, [...others, sent(PLANT, given)], [valid, repeated])[0]).toBe(verdict);
  });

  test('is none if the id may exist, and a duplicate got no response either', () => {
    const others = inOrder('repeated-id', sent(PLANT), sent(PLANT, NONE));
    const judged = others.map((one) => ({ ...one, expectation: 'rejected' as const }));
    const failed = sent(PLANT, { ...NONE, request: { ...request, idMayExist: true } });
    expect(verdictOf(id, [...judged, failed], [valid, repeated])[0]).toBe('blocked');
  });
});

describe('a valid plant', () => {
  const id = 'success/valid-plant-is-processed';
  const [open, valid] = ['200, or a 4xx', '200'];
  const answered = (status: number, given: Partial<Exchange> = {}) =>
    sent(PLANT, { response: says(status), ...given });
  const fails = (expected: string, status = 500) => `expected ${expected} | ${inWords(status)}`;
  const busy = (status: number) => fails(valid, status);
  const superseded = { role: 'superseded' } as const;
  const chunked = { headers, body: Buffer.from(PLANT), id: 7, chunked: true };
  const maybe = answered(500, { expectation: 'open' });
  const probes = (['valid', 'control', 'recovery'] as const).map((phase) => probe({ phase }));

  test.each<[string, Exchange, readonly [valid: string, control: string, recovery: string]]>([
    ['is accepted', answered(200), ['passes', 'passes', 'passes']],
    ['is accepted with another 2xx', answered(204), ['passes', 'passes', 'passes']],
    ['is rejected', answered(404), ['passes', 'passes', 'passes']],
    ['gets a 500', answered(500), [fails(valid), nothing, fails(valid)]],
    ['gets a 500 later', answered(500, { step: 1 }), [fails(valid), nothing, nothing]],
    ['gets a 501 because of its chunks', answered(501, { request: chunked }), [nothing, nothing, nothing]],
    ['gets a 501', answered(501), [fails(valid, 501), nothing, fails(valid, 501)]],
    ['is redirected', answered(302), [fails(valid, 302), nothing, fails(valid, 302)]],
    ['may be rejected, and gets a 500', maybe, [fails(open), nothing, fails(open)]],
    ['gets a 500 in an earlier attempt', answered(500, superseded), [nothing, nothing, nothing]],
    ['gets a 503', answered(503), [busy(503), busy(503), busy(503)]],
    ['gets a 504 in an earlier attempt', answered(504, superseded), [busy(504), busy(504), busy(504)]],
    ['is throttled', answered(429), [nothing, nothing, nothing]],
    ['is none', sent('{"name":7,"id":7}', { response: says(500) }), [nothing, nothing, nothing]],
  ])('%s', (_what, one, expected) => {
    expect(probes.map((each) => judged(id, one, [], [each]))).toEqual(expected);
  });
});

describe('a provider that stops', () => {
  const id = 'state/provider-keeps-responding';
  const first = sent(PLANT, { startMs: 0 });
  const silence = (startMs: number, given: Partial<Exchange> = {}) =>
    sent(PLANT, { ...NONE, startMs, role: 'confirmation', ...given });
  const killer = silence(10, { role: 'judged', probe: 'malformed-json' });
  const others = [20, 30, 40].map((startMs) => silence(startMs));

  test('is judged by the first request without a response', () => {
    const all = [first, killer, ...others];
    expect(all.map((one) => judged(id, one, all))).toEqual([
      'passes',
      'expected a response | the connection was reset; nor was there a response to anything after it',
      ...Array(3).fill(nothing),
    ]);
  });

  test('is judged by all responses if it does not stop', () => {
    const all = [first, killer, sent(PLANT, { startMs: 50 })];
    expect(all.map((one) => judged(id, one, all))).toEqual(['passes', nothing, 'passes']);
  });
});

describe('a valid plant that fails now and then', () => {
  const id = 'state/no-intermittent-failures';
  const plant = { name: 'Fern', id: 7 };
  const attempt = (status: number, given: Partial<Exchange> = {}) =>
    creates(plant, { response: says(status, status === 200 ? '{"name":"Fern"}' : undefined), ...given });
  const failed = attempt(500, { role: 'superseded' });
  const again = attempt(200);
  const problem = `expected the same response as when the request was sent again | ${inWords(500)}; intermittent (1 of 2 valid requests)`;

  test.each<[string, Exchange, readonly Exchange[], string]>([
    ['is a failure', failed, [failed, again], problem],
    ['is none in the attempt that counts', again, [failed, again], 'passes'],
    ['is none if it fails again', failed, [failed, attempt(500)], 'passes'],
    ['is none if it was never sent again', failed, [failed], 'passes'],
    ['is none if it is invalid', { ...failed, expectation: 'rejected' }, [again], nothing],
    ['is none if it got no response twice', attempt(200, NONE), [], nothing],
  ])('%s', (_what, one, others, expected) => {
    expect(judged(id, one, others)).toBe(expected);
  });
});
