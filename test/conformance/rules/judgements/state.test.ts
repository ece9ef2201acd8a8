import { describe, expect, test } from 'vitest';
import type { Exchange } from '../../../../src/conformance/exchange.js';
import {
  creates,
  inOrder,
  inWords,
  judged,
  lastJudged,
  NONE,
  nothing,
  repeated,
  says,
  sent,
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
    expect(lastJudged('state/bad-request-spoils-nothing', 'good-after-wrong-type', [before, after])).toBe(
      expected,
    );
  });

  test('is not to blame for what comes later', () => {
    const turned = inOrder('good-after-wrong-type', good(400), withId(7));
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
    [
      'is not stored, or nothing shows it',
      [bad, good(200)],
      [],
      'blocked: there was no response to a duplicate id',
    ],
    ['was accepted', [{ ...bad, response: says(200) }, good(409)], strict, nothing],
    ['is sent again and throttled', [bad, good(429)], strict, nothing],
    ['is sent again and fails', [bad, good(500)], strict, 'blocked: the response is 500'],
    ['is stored, and another plant is accepted', [bad, between(200), good(409)], strict, stored],
    ['is rejected like another plant', [bad, between(403), good(403)], strict, locked],
    ['is not stored, and another plant comes later', [between(403), bad, good(200)], strict, 'passes'],
    [
      'was another one',
      [{ ...bad, request: { ...bad.request, id: 9, body: Buffer.from('{}') } }, good(409)],
      strict,
      nothing,
    ],
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
