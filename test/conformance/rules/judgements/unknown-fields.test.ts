import { describe, expect, test } from 'vitest';
import type { Exchange } from '../../../../src/conformance/exchange.js';
import { creates, headers, inOrder, inWords, judged, nothing, says, sent, whyHidden } from './judged.js';

describe('an id among unknown fields', () => {
  const id = 'request/unknown-members-change-nothing';
  const allowed = 'notApplicable: the interface allows the provider to reject unknown fields, and it does';
  const steps = (...statuses: readonly number[]) =>
    inOrder(
      'unknown-field',
      ...statuses.map((status, at) =>
        creates({ name: 'Aloe', id: 7 + (at % 2) }, { response: says(status) }),
      ),
    );

  test.each<[string, Exchange[], string]>([
    ['is not read', steps(200, 200, 409), 'passes'],
    [
      'is read',
      steps(200, 409, 409),
      `expected 200 for the id 8, because 7 is another id | ${inWords(409)}, after 7 was accepted`,
    ],
    ['is not read, or duplicates are accepted', steps(200, 200, 200), whyHidden],
    ['may be rejected', steps(400, 200, 409), allowed],
    ['proves nothing after a 500', steps(500, 200, 409), nothing],
    ['proves nothing if the other fails', steps(200, 500, 409), nothing],
    ['proves nothing if the other is throttled', steps(200, 429, 409), nothing],
  ])('%s', (_what, sequence, expected) => {
    expect(judged(id, sequence[1] ?? sent(''), sequence)).toBe(expected);
    expect(judged(id, sequence[2] ?? sent(''), sequence)).toBe(expected === allowed ? allowed : nothing);
  });
});

describe('a plant with unknown fields', () => {
  const id = 'request/unknown-members-change-nothing';
  const controls = [
    creates({ name: 'Aloe', id: 7 }, { response: says(200, '{"name":"Aloe"}') }),
    creates(
      { name: 'Aloe', id: 7, tag: 'a' },
      { response: says(200, '{"name":"Aloe","tag":"a"}'), probe: 'plain-plant-with-tag' },
    ),
  ];
  const [plain, tagged] = controls;
  const one = (answer: string, given: Partial<Exchange> = {}) =>
    creates({ name: 'Fern', id: 7 }, { response: says(200, answer), probe: 'unknown-field', ...given });
  const wrong = one('{"name":"Palm","tag":"x"}');
  const name = 'expected "name" "Fern", as sent | "name" is the string "Palm"';
  const otherNames = { ...controls[0], response: says(200, '{"name":"aloe"}') } as Exchange;

  test.each<[string, Exchange, readonly (Exchange | undefined)[], string]>([
    ['is the plant that was sent', one('{"name":"Fern"}'), controls, 'passes'],
    ['is another', wrong, controls, name],
    ['is another, and tags are not known', wrong, [plain], name],
    ['is another, and no plain plant is known', wrong, [tagged], 'passes'],
    [
      'is another, as every plain plant',
      wrong,
      [otherNames, tagged],
      'expected no "tag", as sent | "tag" is the string "x"',
    ],
    ['is another, and plain plants are rejected', wrong, [{ ...otherNames, response: says(400) }], 'passes'],
    [
      'has a tag that is missing',
      { ...tagged, probe: 'unknown-field', response: says(200, '{"name":"Aloe"}') } as Exchange,
      controls,
      'expected "tag" "a", as sent | "tag" is missing',
    ],
    [
      'may be rejected',
      one('', { response: says(400) }),
      controls,
      'notApplicable: the interface allows the provider to reject unknown fields, and it does',
    ],
    ['is throttled', { ...wrong, response: says(429), turnedAway: true }, controls, nothing],
    ['gets a 500', { ...wrong, response: says(500) }, controls, nothing],
    ['is not known', { ...wrong, request: { headers, body: wrong.request.body } }, controls, nothing],
  ])('%s', (_what, exchange, others, expected) => {
    expect(
      judged(
        id,
        exchange,
        others.filter((other) => other !== undefined),
      ),
    ).toBe(expected);
  });

  test('is that of another request', () => {
    const mine = creates(
      { name: 'Aloeabcdef', id: 7 },
      { response: says(200, '{"name":"Aloeuvwxyz"}'), probe: 'unknown-field' },
    );
    const owner = creates({ name: 'Aloeuvwxyz', id: 8 }, { response: says(200, '{"name":"Aloeuvwxyz"}') });
    expect(judged(id, mine, [...controls, { ...owner, probe: 'plain-plant-with-tag' }])).toBe(nothing);
  });
});
