import { describe, expect, test } from 'vitest';
import { judgeReturnedPlant } from '../../src/validation/returned-plant.js';

const found = (sent: string, received: string): string[] =>
  judgeReturnedPlant(Buffer.from(sent), Buffer.from(received)).map(
    ({ pointer, expected, actual }) => `${pointer}: ${expected} | ${actual}`,
  );

const LONG = 'x'.repeat(100);

describe('a plant that does not come back as it was sent', () => {
  test.each<[title: string, sent: string, received: string, expected: string[]]>([
    ['another name', '{"name":"Aloe","id":7}', '{"name":"ALOE"}', ['/name: "Aloe", as sent | "ALOE"']],
    [
      'a name with a space more',
      '{"name":"Aloe","id":7}',
      '{"name":"Aloe "}',
      ['/name: "Aloe", as sent | "Aloe "'],
    ],
    [
      'an added tag',
      '{"name":"Aloe","id":7}',
      '{"name":"Aloe","tag":""}',
      ['/tag: no tag, as sent | the string ""'],
    ],
    [
      'another tag',
      '{"name":"Aloe","id":7,"tag":"a"}',
      '{"name":"Aloe","tag":"b"}',
      ['/tag: "a", as sent | "b"'],
    ],
    [
      'a missing tag',
      '{"name":"Aloe","id":7,"tag":"a"}',
      '{"name":"Aloe"}',
      ['/tag: "a", as sent | nothing'],
    ],
    [
      'another normal form',
      '{"name":"\\u00e9","id":7}',
      '{"name":"e\\u0301"}',
      ['/name: "\u00e9", as sent | "e\u0301"'],
    ],
    [
      'a long name that differs at its end',
      `{"name":"${LONG}a","id":7}`,
      `{"name":"${LONG}b"}`,
      [`/name: …"${'x'.repeat(20)}a", as sent | …"${'x'.repeat(20)}b"`],
    ],
    [
      'both',
      '{"name":"Aloe","id":9223372036854775807}',
      '{"name":"Fern","tag":"a"}',
      ['/name: "Aloe", as sent | "Fern"', '/tag: no tag, as sent | the string "a"'],
    ],
  ])('%s', (_title, sent, received, expected) => {
    expect(found(sent, received)).toEqual(expected);
  });

  test('is a violation with a sentence', () => {
    expect(judgeReturnedPlant('{"name":"Aloe","id":7}', '{"name":"ALOE"}')).toEqual([
      {
        severity: 'error',
        part: 'body',
        pointer: '/name',
        keyword: 'unchanged',
        message: 'the name must come back as it was sent: expected "Aloe", as sent; got "ALOE"',
        expected: '"Aloe", as sent',
        actual: '"ALOE"',
      },
    ]);
  });
});

describe('no verdict', () => {
  test.each<[title: string, sent: string, received: string]>([
    ['the same plant', '{"name":"Aloe","id":7,"tag":"a"}', '{"tag":"a","name":"Aloe"}'],
    ['the same name, escaped', '{"name":"Aloe","id":7}', '{"name":"\\u0041loe"}'],
    ['an empty tag that is missing', '{"name":"Aloe","id":7,"tag":""}', '{"name":"Aloe"}'],
    ['a request that is not valid', '{"name":"Aloe","id":"7"}', '{"name":"Fern"}'],
    ['a request that is not JSON', 'Aloe', '{"name":"Fern"}'],
    ['a request without a body', '', '{"name":"Fern"}'],
    ['duplicate keys in the request', '{"name":"Aloe","id":7,"name":"Fern"}', '{"name":"Aloe"}'],
    ['duplicate keys in the response', '{"name":"Aloe","id":7}', '{"name":"Aloe","name":"Fern"}'],
    ['half a surrogate pair', '{"name":"\\ud83c","id":7}', '{"name":"\\ufffd"}'],
    ['what the schema of a Plant rejects', '{"name":"Aloe","id":7}', '{"name":null,"tag":null}'],
    ['a response that is no object', '{"name":"Aloe","id":7}', '["Fern"]'],
  ])('on %s', (_title, sent, received) => {
    expect(found(sent, received)).toEqual([]);
  });
});
