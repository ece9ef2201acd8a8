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

describe('a valid request after an invalid one', () => {
  const plant = { name: 'Fern', id: 7 };
  const bad = sent('{"name":7,"id":8}', { expectation: 'rejected', response: says(400) });
  const alike = sent('{"name":"Fern","id":"8"}', {
    ...bad,
    request: { ...bad.request, body: Buffer.from('{"name":"Fern"') },
  });
  const withId = (id: number) => ({ ...bad, request: { ...bad.request, id } });
  const good = (status: number, given: Partial<Exchange> = {}) =>
    creates(plant, { response: says(status), ...given });
  const no200 = (status: number) => `expected 200 | ${inWords(status)}`;

  test.each<[string, Exchange, Exchange, string]>([
    ['gets a 200', bad, good(200), 'passes'],
    ['gets a 500', withId(7), good(500), no200(500)],
    ['gets no response', withId(7), good(200, NONE), 'expected 200 | the connection was reset'],
    ['gets a 201, which another rule judges', bad, good(201), 'blocked: the response is 201'],
    ['gets a 503', bad, good(503), 'blocked: the response is 503'],
    ['is throttled', bad, good(429), nothing],
    ['is rejected', withId(8), good(400), no200(400)],
    ['is rejected, perhaps for the same id', withId(7), good(400), nothing],
    ['is rejected, perhaps for the same name', alike, good(400), nothing],
    ['is rejected after a valid one', { ...withId(7), expectation: 'created' }, good(400), no200(400)],
    ['may be rejected', bad, good(400, { expectation: 'open' }), nothing],
  ])('%s', (_what, before, after, expected) => {
    const accepted = sent(PLANT);
    expect(
      lastJudged(
        'state/bad-request-spoils-nothing',
        'good-after-malformed-json',
        [before, after],
        [accepted],
      ),
    ).toBe(expected);
  });

  test('is not to blame for what comes later', () => {
    const turned = inOrder('good-after-malformed-json', good(400), withId(7));
    expect(judged('state/bad-request-spoils-nothing', turned[0] ?? good(400), turned)).toBe(no200(400));
  });
});

describe('a plant that was rejected', () => {
  const id = 'state/refused-plant-is-not-stored';
  const plant = { name: 'Fern', id: 7 };
  const bad = sent('{"name":"Fern","id":7,"tag":1}', { expectation: 'rejected', response: says(400) });
  const good = (status: number) => creates(plant, { response: says(status) });
  const between = (status: number) => creates({ name: 'Palm', id: 8 }, { response: says(status) });
  const strict = repeated({ response: says(409) });
  const silence = 'blocked: there was no response to a duplicate id';
  const another = { ...bad, request: { ...bad.request, id: 9, body: Buffer.from('{}') } };
  const locked = 'notApplicable: the provider also rejects other plants after this one';
  const stored = `expected 200 | ${inWords(409)}`;
  const request = (given: Partial<Exchange['request']>, status = 409) => {
    const one = good(status);
    return { ...one, request: { ...one.request, ...given } };
  };

  test.each<[string, Exchange[], readonly Exchange[], string]>([
    ['is not stored', [bad, good(200)], strict, 'passes'],
    ['is stored', [bad, good(409)], strict, stored],
    ['is not stored, or duplicates are accepted', [bad, good(200)], repeated({}), whyHidden],
    ['is not stored, or nothing shows it', [bad, good(200)], [], silence],
    ['was accepted', [{ ...bad, response: says(200) }, good(409)], strict, nothing],
    ['is sent again and throttled', [bad, good(429)], strict, nothing],
    ['is sent again and fails', [bad, good(500)], strict, 'blocked: the response is 500'],
    ['is stored, and another plant is accepted', [bad, between(200), good(409)], strict, stored],
    ['is rejected like another plant', [bad, between(403), good(403)], strict, locked],
    ['is not stored, and another plant comes later', [between(403), bad, good(200)], strict, 'passes'],
    ['was another one', [another, good(409)], strict, nothing],
    ['may have existed', [bad, request({ idMayExist: true })], strict, nothing],
    ['is not known', [bad, sent('{}', { response: says(409) })], strict, nothing],
    ['is rejected again, as it must be', [bad, { ...good(409), expectation: 'rejected' }], strict, nothing],
    ['may be rejected again', [bad, { ...good(409), expectation: 'open' }], strict, stored],
  ])('%s', (_what, exchanges, others, expected) => {
    expect(lastJudged(id, 'created-after-wrong-tag', exchanges, others)).toBe(expected);
  });
});

test('a response may belong to another request', () => {
  const id = 'state/answers-do-not-mix';
  const [mine, other] = ['Aloeabcdef', 'Aloeuvwxyz'];
  const owner = { ...creates({ name: other, id: 8 }), probe: 'plain-plant-with-tag' as const };
  const of = (body: string) =>
    judged(id, creates({ name: mine, id: 7 }, { response: says(200, body) }), [owner]);
  expect(of(`{"name":"${mine}"}`)).toBe('passes');
  expect(of('{"name":"Fern"}')).toBe(nothing);
  expect(of(`{"name":"${other}"}`)).toBe(
    `expected the response to this request | a 200 with "${other}", the name in another request`,
  );
});

describe('equal ids side by side', () => {
  const id = 'state/equal-ids-side-by-side';
  const probes = [
    probe({
      name: 'equal-ids-side-by-side',
      rules: [id],
      expectation: 'open',
      together: true,
      phase: 'state',
    }),
    probe({ name: 'repeated-id', phase: 'state' }),
  ];
  const repeated = inOrder('repeated-id', sent(PLANT), sent(PLANT), sent(PLANT, { response: says(409) }));
  const together = (...given: readonly Partial<Exchange>[]): Exchange[] =>
    inOrder(
      'equal-ids-side-by-side',
      ...given.map((one) => sent(PLANT, { expectation: 'open', shared: true, ...one })),
    );
  const [yes, no] = [{ response: says(200) }, { response: says(409) }];
  const apart = together(yes, { ...no, startMs: 5 }, { ...no, startMs: 9 });
  const notAtOnce = 'no two of these requests were sent at the same time';
  const twice =
    '1 of 3 concurrent plants with the same id accepted, as in sequential requests | 2 of 3 accepted';

  test.each<[string, Exchange[], unknown[]]>([
    ['one may be accepted', together(no, yes, no), ['pass']],
    ['two may not, and one failure says so', together(yes, no, yes), ['fail', twice]],
    ['two may not if the last gets no response', together(yes, yes, NONE), ['fail', twice]],
    ['two may not if the last is throttled', together(yes, yes, { response: says(429) }), ['fail', twice]],
    ['none may be accepted', together(no, no, no), ['blocked', 'none of the plants was accepted']],
    ['one after the other proves nothing', apart, ['not-applicable', notAtOnce]],
  ])('%s', (_what, exchanges, expected) => {
    expect(verdictOf(id, [...repeated, ...exchanges], probes)).toEqual(expected);
  });
});

describe('a duplicate among others', () => {
  const id = 'state/duplicates-are-treated-alike';
  const first = creates({ name: 'Fern', id: 7 });
  const again = (status: number, given: Partial<Exchange> = {}) =>
    creates({ name: 'Palm', id: 7 }, { expectation: 'open', response: says(status), ...given });
  const open = { ...first, expectation: 'open' } as const;
  const strict = repeated({ response: says(409) });
  const problem = `expected a rejection, as for other duplicate ids | ${inWords(200, '{"name":"Aloe"}')}`;

  test.each<[string, Exchange[], readonly Exchange[], string]>([
    ['is rejected', [first, again(409)], strict, 'passes'],
    ['is accepted', [first, again(200)], strict, problem],
    ['is accepted, as is every duplicate', [first, again(200)], repeated({}), whyHidden],
    ['is throttled', [first, again(429)], strict, nothing],
    ['is none if the first was rejected', [{ ...first, response: says(400) }, again(200)], strict, nothing],
    ['is none if the first might be rejected', [open, again(200)], strict, nothing],
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
