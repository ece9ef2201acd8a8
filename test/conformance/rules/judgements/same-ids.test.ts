import { describe, expect, test } from 'vitest';
import type { Exchange } from '../../../../src/conformance/exchange.js';
import { probe } from '../../recorded.js';
import {
  creates,
  inOrder,
  inWords,
  judged,
  lastJudged,
  NONE,
  nothing,
  PLANT,
  repeated,
  says,
  sent,
  verdictOf,
  whyHidden,
} from './judged.js';

describe('equal ids side by side', () => {
  const id = 'state/equal-ids-side-by-side';
  const probes = [
    probe({ name: 'equal-ids-side-by-side', expectation: 'open', together: true, phase: 'state' }),
    probe({ name: 'repeated-id', phase: 'state' }),
  ];
  const repeated = inOrder('repeated-id', sent(PLANT), sent(PLANT), sent(PLANT, { response: says(409) }));
  const together = (...given: readonly Partial<Exchange>[]): Exchange[] =>
    inOrder(
      'equal-ids-side-by-side',
      ...given.map((one) => sent(PLANT, { expectation: 'open', shared: true, ...one })),
    );
  const [yes, no] = [{ response: says(200) }, { response: says(409) }];
  const twice =
    '1 of 3 concurrent plants with the same id accepted, as in sequential requests | 2 of 3 accepted';

  test.each<[string, Exchange[], unknown[]]>([
    ['one may be accepted', together(no, yes, no), ['pass']],
    ['two may not, and one failure says so', together(yes, no, yes), ['fail', twice]],
    ['two may not if the last gets no response', together(yes, yes, NONE), ['fail', twice]],
    ['two may not if the last is throttled', together(yes, yes, { response: says(429) }), ['fail', twice]],
    ['none may be accepted', together(no, no, no), ['blocked', 'none of the plants was accepted']],
    [
      'one after the other proves nothing',
      together(yes, { ...no, startMs: 5 }, { ...no, startMs: 9 }),
      ['not-applicable', 'no two of these requests were sent at the same time'],
    ],
  ])('%s', (_what, exchanges, expected) => {
    expect(verdictOf(id, [...repeated, ...exchanges], probes)).toEqual(expected);
  });
});

describe('a duplicate among others', () => {
  const id = 'state/duplicates-are-treated-alike';
  const first = creates({ name: 'Fern', id: 7 });
  const again = (status: number, given: Partial<Exchange> = {}) =>
    creates({ name: 'Palm', id: 7 }, { expectation: 'open', response: says(status), ...given });
  const strict = repeated({ response: says(409) });
  const problem = `expected a rejection, as for other duplicate ids | ${inWords(200, '{"name":"Aloe"}')}`;

  test.each<[string, Exchange[], readonly Exchange[], string]>([
    ['is rejected', [first, again(409)], strict, 'passes'],
    ['is accepted', [first, again(200)], strict, problem],
    ['is accepted, as is every duplicate', [first, again(200)], repeated({}), whyHidden],
    ['is throttled', [first, again(429)], strict, nothing],
    ['is none if the first was rejected', [{ ...first, response: says(400) }, again(200)], strict, nothing],
    [
      'is none if the first might be rejected',
      [{ ...first, expectation: 'open' }, again(200)],
      strict,
      nothing,
    ],
    ['is none with another id', [creates({ name: 'Fern', id: 8 }), again(200)], strict, nothing],
    ['is none if it must be accepted', [first, again(200, { expectation: 'created' })], strict, nothing],
  ])('%s', (_what, exchanges, others, expected) => {
    expect(lastJudged(id, 'ids/sent-twice', exchanges, others)).toBe(expected);
  });

  test('is none if its id comes only later', () => {
    const sequence = inOrder('plain-plant', again(200), first);
    expect(judged(id, sequence[0] ?? first, [...strict, ...sequence])).toBe(nothing);
  });
});
