import { describe, expect, test } from 'vitest';
import type { Exchange } from '../../../../src/conformance/exchange.js';
import {
  creates,
  inOrder,
  inWords,
  judged,
  NONE,
  nothing,
  repeated,
  says,
  sent,
  whyHidden,
} from './judged.js';

describe('a large id', () => {
  const id = 'request/int64-ids-are-accepted';
  const probe = 'id-near-upper-end';
  const exists = 'notApplicable: this id may exist already, and it was rejected like a duplicate';
  const message = (text: string, code = 1) => JSON.stringify({ error: code, message: text });
  const large = (status: number, body?: string) => sent('', { probe, response: says(status, body) });
  const known = (status: number, body?: string) => {
    const one = large(status, body);
    return { ...one, request: { ...one.request, idMayExist: true }, expectation: 'open' as const };
  };
  const duplicate = (status: number, body?: string) => repeated({ response: says(status, body) });
  const four = duplicate(400, message('one plant exists already'));
  const other = message('no such plant');
  const silence = 'blocked: there was no response: the connection was reset';
  const otherCode = message('one plant exists already', 2);
  const no200 = (body?: string) => `expected 200 | ${inWords(400, body)}`;

  test.each([
    ['is accepted', large(200), [], 'passes'],
    ['is rejected', large(400), [], no200()],
    ['gets a 500, which another rule judges', large(500), [], 'blocked: the response is 500'],
    ['that may exist is accepted', known(200), four, 'passes'],
    ['that may exist is throttled', known(429), four, nothing],
    ['that may exist gets a 500', known(500), four, nothing],
    ['is rejected if nothing shows how duplicates are', known(400), [], exists],
    ['is rejected if the duplicate is throttled', known(400), duplicate(429), exists],
    ['is rejected like a duplicate without an Error', known(409), duplicate(409, 'no'), exists],
    ['is rejected without an Error', known(409, 'no'), duplicate(409), exists],
    ['is rejected with half of the words', known(400, message('no plant exists')), four, exists],
    ['is rejected with fewer words', known(400, other), four, no200(other)],
    ['is rejected with another code', known(400, otherCode), four, no200(otherCode)],
    ['is rejected with another status', known(400), duplicate(409), no200()],
    ['is rejected, and duplicates are accepted', known(400), duplicate(200), no200()],
    ['gets no response', sent('', { probe, ...NONE }), [], silence],
  ])('%s', (_what, one, others, expected) => {
    expect(judged(id, one, others)).toBe(expected);
  });
});

describe('an id that differs in one digit', () => {
  const rule = 'request/ids-are-exact';
  const name = 'ids-alike-as-doubles';
  const sequenceOf = (id: bigint, statuses: readonly number[]) =>
    inOrder(
      name,
      ...statuses.map((status, at) =>
        creates({ name: 'Aloe', id: at === 1 ? id + 1n : id }, { response: says(status) }),
      ),
    );
  const control = (probe: string, status: number) => sent('', { probe, response: says(status) });
  const second = (
    id: bigint,
    statuses: readonly number[],
    others: readonly ReturnType<typeof sent>[] = [],
  ) => {
    const sequence = sequenceOf(id, statuses);
    return judged(rule, sequence[1] ?? sent(''), [...others, ...sequence]);
  };
  const silence = 'blocked: there was no response to a duplicate id';
  const problem = (status: number) =>
    `expected 200 for the id 8, because 7 is another id | ${inWords(status)}, after 7 was accepted`;

  test.each([
    ['is accepted', [200, 200, 409], 'passes'],
    ['is accepted, as is a duplicate', [200, 200, 200], whyHidden],
    ['is accepted, and the duplicate is throttled', [200, 200, 429], silence],
    ['is rejected', [200, 409, 409], problem(409)],
    ['is rejected in another way', [200, 400, 409], problem(400)],
    ['fails like the duplicate', [200, 500, 500], problem(500)],
    ['fails, and the duplicate is rejected', [200, 500, 409], 'blocked: the response is 500'],
    ['is too much for the provider', [200, 503, 503], 'blocked: the response is 503'],
    ['is throttled', [200, 429, 409], nothing],
    ['follows a rejection', [400, 409, 409], nothing],
  ])('%s', (_what, statuses, expected) => {
    expect(second(7n, statuses)).toBe(expected);
  });

  test('is judged even if the duplicate gets no response', () => {
    const of = (status: number) => {
      const [first, one, again] = sequenceOf(7n, [200, status, 409]) as [Exchange, Exchange, Exchange];
      return judged(rule, one, [first, one, { ...again, ...NONE }]);
    };
    expect([of(409), of(500)]).toEqual([problem(409), 'blocked: the response is 500']);
  });

  test('is judged by the second request only', () => {
    const sequence = sequenceOf(7n, [200, 409, 409]);
    expect(sequence.map((one) => judged(rule, one, sequence))).toEqual([nothing, problem(409), nothing]);
  });

  const nothingAbove = (words: string) => `blocked: the provider accepts no id above ${words}`;
  const negative = 'notApplicable: the interface allows the provider to reject negative ids, and it does';
  test.each<[bigint, string, string]>([
    [2n ** 62n, 'id-near-upper-end', nothingAbove('2^62')],
    [2n ** 62n - 1n, 'id-beyond-doubles', nothingAbove('2^53')],
    [2n ** 53n, 'id-beyond-doubles', nothingAbove('2^53')],
    [2n ** 32n, 'id-above-uint32', nothingAbove('2^32')],
    [2n ** 31n, 'id-above-int32', nothingAbove('2^31')],
    [0n, 'plain-plant', nothingAbove('0')],
    [-1n, 'id-negative', negative],
    [-(2n ** 31n) - 1n, 'id-near-lower-end', negative],
  ])('proves nothing if %s is of a size that is rejected', (id, probe, expected) => {
    expect(second(id - 1n, [200, 409, 409], [control(probe, 400)])).toBe(expected);
    expect(second(id - 1n, [200, 409, 409], [control(probe, 200)])).toMatch(/^expected 200/);
    expect(second(id - 1n, [200, 409, 409])).toMatch(/^expected 200/);
  });
});
