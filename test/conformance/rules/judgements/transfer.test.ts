import { describe, expect, test } from 'vitest';
import type { Exchange } from '../../../../src/conformance/exchange.js';
import { probe } from '../../recorded.js';
import { error, inOrder, inWords, judged, NONE, nothing, PLANT, says, sent, verdictOf } from './judged.js';

describe('bodies of several lengths', () => {
  const id = 'request/shorter-bodies-are-accepted';
  const lengths = probe({
    name: 'transport/lengths-at-buffer-sizes',
    expectation: 'open',
    phase: 'valid',
    rules: [id],
  });
  const allowed = 'the interface allows the provider to reject bodies of this length, and it does';
  const body = (length: number, status: number): Exchange =>
    sent(PLANT.padEnd(length), { expectation: 'open', response: says(status) });

  test.each<[string, Exchange, Exchange, unknown[]]>([
    ['both may be accepted', body(100, 200), body(200, 200), ['pass']],
    ['both may be rejected', body(100, 400), body(200, 413), ['not-applicable', allowed]],
    ['only the shorter one may be accepted', body(100, 200), body(200, 413), ['pass']],
    ['one of two that are as long may be rejected', body(100, 200), body(100, 400), ['pass']],
    ['a shorter one may be throttled', body(100, 429), body(200, 200), ['pass']],
    ['a shorter one may get a 500, as far as this rule goes', body(100, 500), body(200, 200), ['pass']],
    [
      'a shorter one is not rejected',
      body(100, 400),
      body(200, 200),
      ['fail', `200, as for a body of 200 bytes | 400 (application/json) ${error} for a body of 100 bytes`],
    ],
  ])('%s', (_what, first, second, expected) => {
    expect(verdictOf(id, inOrder(lengths.name, first, second), [lengths])).toEqual(expected);
  });
});

describe('a body in several pieces', () => {
  const id = 'request/transfer-makes-no-difference';
  const pieces = (status: number, given: Partial<Exchange> = {}) =>
    sent(PLANT, { response: says(status), ...given });
  const chunks = (status: number, given: Partial<Exchange> = {}) => {
    const one = pieces(status, given);
    return { ...one, request: { ...one.request, chunked: true } };
  };
  const oneChunk = (status: number) => chunks(status, { probe: 'chunked-body' });
  const allowed = 'notApplicable: the interface allows the provider to reject chunks, and it does';
  const asOne = (status: number) => `expected 200, as for other chunks | ${inWords(status)}`;

  test.each<[string, Exchange, readonly Exchange[], string]>([
    ['is accepted', pieces(200), [], 'passes'],
    ['is rejected', pieces(400), [], `expected 200 | ${inWords(400)}`],
    ['is accepted in chunks', chunks(200), [oneChunk(200)], 'passes'],
    ['is accepted in chunks, whatever happened to one', chunks(200), [oneChunk(400)], 'passes'],
    ['is rejected in chunks', chunks(400), [oneChunk(200)], asOne(400)],
    ['gets a 500 in chunks', chunks(500), [oneChunk(200)], asOne(500)],
    ['is rejected in chunks, and so is one chunk', chunks(411), [oneChunk(411)], allowed],
    ['is rejected in chunks, and one was not sent', chunks(411), [], allowed],
    ['is throttled in chunks', chunks(429), [oneChunk(200)], nothing],
    [
      'gets no response in chunks',
      chunks(200, NONE),
      [oneChunk(200)],
      'expected 200, as for other chunks | the connection was reset',
    ],
  ])('%s', (_what, one, others, expected) => {
    expect(judged(id, one, others)).toBe(expected);
  });
});
