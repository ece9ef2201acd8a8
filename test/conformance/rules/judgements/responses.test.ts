import { describe, expect, test } from 'vitest';
import { LONGEST_BODY } from '../../../../src/conformance/body.js';
import {
  jsonIn,
  objectIn,
  type ProviderResponse,
  plantIn,
  problemIn,
} from '../../../../src/conformance/exchange.js';
import { judged, NONE, nothing, PLANT, says, sent } from './judged.js';

describe('a response', () => {
  test('that breaks a rule twice gives one line', () => {
    const wrong = sent(PLANT, { response: says(200, '{"tag":1,"id":7}') });
    expect(problemIn(wrong, ({ keyword }) => keyword !== 'additionalProperties')).toEqual({
      expected: 'the field "name"; a string',
      actual: '"name" is missing; "tag" is 1',
    });
    const two = sent(PLANT, { response: says(201, '{"name":1,"tag":1}') });
    expect(problemIn(two, ({ part }) => part === 'body')).toEqual({
      expected: 'a string',
      actual: '201: "name" is 1; "tag" is 1',
    });
    expect(problemIn(wrong, () => false)).toBeUndefined();
    expect(problemIn(sent(PLANT, NONE), () => true)).toBeUndefined();
  });
});

describe('a body and its framing', () => {
  const id = 'success/body-comes-whole';
  const expected = 'expected a body as long as its Content-Length or its chunks say | ';
  const framed = (given: Partial<ProviderResponse>) => sent(PLANT, { response: { ...says(200), ...given } });

  test.each([
    ['agree', framed({}), 'passes'],
    ['end too late', framed({ surplus: 3 }), `${expected}3 more bytes after the 15 of the body`],
    [
      'end too early',
      framed({ complete: false, received: 9 }),
      `${expected}the connection ended after 9 bytes of the body`,
    ],
    [
      'end too early at the longest length',
      framed({ complete: false, received: LONGEST_BODY }),
      `${expected}the connection ended after ${LONGEST_BODY} bytes of the body`,
    ],
    [
      'have no end',
      framed({ complete: false, received: LONGEST_BODY + 1 }),
      `${expected}a body of more than ${LONGEST_BODY} bytes; the checker stopped reading it`,
    ],
  ])('%s', (_what, one, words) => {
    expect(judged(id, one)).toBe(words);
    // Then the body says nothing.
    expect(judged('success/media-type-is-json', one)).toBe(words === 'passes' ? 'passes' : nothing);
    expect([jsonIn(one), objectIn(one), plantIn(one)].every((read) => read !== undefined)).toBe(
      words === 'passes',
    );
  });

  test('may end before the check read all, if the request is so long', () => {
    const of = (length: number) => {
      const long = framed({ complete: false, received: LONGEST_BODY + 1 });
      return judged(id, { ...long, request: { ...long.request, body: Buffer.alloc(length) } });
    };
    // Each character may be written as an escape of six.
    expect(of(LONGEST_BODY / 6)).toContain('the checker stopped reading it');
    expect(of(LONGEST_BODY / 6 + 1)).toBe(nothing);
  });
});

describe('a success', () => {
  test.each<[string, string, unknown, unknown, unknown]>([
    ['a plant', '{"name":"Aloe"}', { name: 'Aloe' }, { name: 'Aloe' }, { name: 'Aloe' }],
    ['an object without a name', '{"name":1}', { name: 1 }, { name: 1 }, undefined],
    ['an array', '[]', [], undefined, undefined],
    ['no JSON', '{', undefined, undefined, undefined],
  ])('may have %s', (_what, body, json, object, plant) => {
    const one = sent(PLANT, { response: says(200, body) });
    expect([jsonIn(one)?.value, objectIn(one), plantIn(one)]).toEqual([json, object, plant]);
    const rejected = { ...one, response: says(400, body) };
    expect([jsonIn(rejected), objectIn(rejected), plantIn(rejected)]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  test('is described by its fields and its header', () => {
    const one = sent(PLANT, { response: says(200, '{"name":1}') });
    expect(judged('success/body-is-a-plant', one)).toBe('expected a string | "name" is 1');
    const other = { ...one, response: { ...says(200), headers: [] } };
    expect(judged('success/media-type-is-json', other)).toMatch(/^expected application\/json \| .*header/);
  });
});
