import {
  type HeaderFields,
  JsonNumber,
  type PlainResponse,
  type Violation,
  validateResponse,
} from 'plant-store-contract/validation';
import { describe, expect, test } from 'vitest';

const headers = { 'content-type': 'application/json' };
const PLANT = '{"name":"Aloe"}';
const ERROR = '{"error":3,"message":"no name"}';

const keywords = (violations: Violation[]) => violations.map(({ keyword }) => keyword);

describe('a response of the interface has no violation', () => {
  test.each<[string, PlainResponse]>([
    ['a Plant as text', { status: 200, headers, body: PLANT }],
    ['a Plant with a tag', { status: 200, headers, body: '{"tag":"succulent","name":"Aloe"}' }],
    ['a Plant as bytes', { status: 200, headers, body: new TextEncoder().encode(PLANT) }],
    ['a Plant as a value', { status: 200, headers, body: { name: 'Aloe', tag: '' } }],
    ['an Error as text', { status: 400, headers, body: ERROR }],
    ['an Error as a value', { status: 400, headers, body: { error: -1n, message: '' } }],
    ['an Error with more fields', { status: 400, headers, body: '{"error":3,"message":"m","id":7}' }],
    ['white space around the JSON', { status: 200, headers, body: `\r\n ${PLANT}\n` }],
    ['a key that occurs twice', { status: 200, headers, body: '{"name":1,"name":"Aloe"}' }],
  ])('%s', (_, response) => {
    expect(validateResponse(response)).toStrictEqual([]);
    expect(validateResponse(response, { statuses: 'documented' })).toStrictEqual([]);
  });

  test.each<[string, HeaderFields]>([
    ['in another case', { 'Content-Type': 'Application/JSON' }],
    ['with a charset', { 'content-type': 'application/json; charset=utf-8' }],
    ['in a list', { 'content-type': ['application/json'] }],
    [
      'in pairs',
      [
        ['date', 'now'],
        ['Content-type', 'application/json'],
      ],
    ],
  ])('with its Content-Type %s', (_, fields) => {
    expect(validateResponse({ status: 200, headers: fields, body: PLANT })).toStrictEqual([]);
  });
});

describe('a 200 has the fields of Plant only', () => {
  const extra = (key: string, actual: string, pointer = `/${key}`): Violation => ({
    severity: 'error',
    part: 'body',
    pointer,
    keyword: 'additionalProperties',
    message: `a Plant has no field "${key}"; got ${actual}`,
    expected: 'only the fields "name" and "tag"',
    actual,
  });

  test.each<[string, unknown, Violation[]]>([
    ['the id', '{"name":"Aloe","id":7}', [extra('id', '7')]],
    ['an id beyond 2^53', '{"name":"Aloe","id":9007199254740993}', [extra('id', '9007199254740993')]],
    ['a name in another case', '{"name":"Aloe","Name":"Aloe"}', [extra('Name', 'the string "Aloe"')]],
    ['an empty key', '{"name":"Aloe","":[]}', [extra('', 'an array')]],
    ['a key with a slash', '{"name":"Aloe","a/b":{}}', [extra('a/b', 'an object', '/a~1b')]],
    ['__proto__', '{"name":"Aloe","__proto__":true}', [extra('__proto__', 'true')]],
    ['a parsed value', { name: 'Aloe', id: 7n }, [extra('id', '7')]],
    ['two fields', '{"id":7,"name":"Aloe","at":"now"}', [extra('id', '7'), extra('at', 'the string "now"')]],
  ])('%s', (_, body, violations) => {
    expect(validateResponse({ status: 200, headers, body })).toStrictEqual(violations);
  });

  test('an extra field does not hide other violations', () => {
    expect(keywords(validateResponse({ status: 200, headers, body: '{"tag":null,"id":7}' }))).toStrictEqual([
      'required',
      'type',
      'additionalProperties',
    ]);
  });
});

describe('the body of a 200', () => {
  test.each<[string, unknown, string[]]>([
    ['left out', undefined, ['required']],
    ['an empty text', '', ['required']],
    ['malformed JSON', '{"name":"Aloe"', ['json']],
    ['an unquoted text', 'Aloe', ['json']],
    ['a byte-order mark', `\ufeff${PLANT}`, ['json']],
    ['Latin-1', Buffer.from('{"name":"Alo\xe9"}', 'latin1'), ['json']],
    ['null', 'null', ['type']],
    ['an array', '[{"name":"Aloe"}]', ['type']],
    // Not a JSON object, although it is an object in JavaScript: its type is the one violation.
    ['a number beyond a double', '1e400', ['type']],
    ['such a number as a value', new JsonNumber('1e400', true), ['type']],
    ['an Error', ERROR, ['required', 'additionalProperties', 'additionalProperties']],
    ['a null tag', '{"name":"Aloe","tag":null}', ['type']],
  ])('%s', (_, body, expected) => {
    expect(keywords(validateResponse({ status: 200, headers, body }))).toStrictEqual(expected);
  });
});

describe('the Content-Type', () => {
  test.each<[string, HeaderFields, string]>([
    ['missing', {}, 'nothing'],
    ['text/html', { 'content-type': 'text/html' }, '"text/html"'],
    [
      'application/problem+json',
      { 'content-type': 'application/problem+json' },
      '"application/problem+json"',
    ],
    ['two', { 'content-type': ['application/json', 'text/html'] }, '"application/json" and "text/html"'],
  ])('%s is one violation of a 200, and of a failure', (_, fields, actual) => {
    for (const [status, body] of [
      [200, PLANT],
      [400, ERROR],
      [422, ERROR],
    ] as const) {
      expect(validateResponse({ status, headers: fields, body })).toMatchObject([
        {
          severity: status === 422 ? 'warning' : 'error',
          part: 'header',
          pointer: '/content-type',
          keyword: 'media-type',
          expected: 'application/json',
          actual,
        },
      ]);
    }
  });
});

describe('the status', () => {
  const refusal = (status: number, expected: string): Violation => ({
    severity: 'error',
    part: 'status',
    pointer: '',
    keyword: 'status',
    message: `the status ${status} is not documented; expected ${expected}`,
    expected,
    actual: String(status),
  });

  test.each([401, 403, 404, 409, 413, 415, 418, 422, 429, 499])(
    '%i is a refusal, unless only documented statuses are asked for',
    (status) => {
      const response = { status, headers, body: ERROR };
      expect(validateResponse(response)).toStrictEqual([]);
      expect(validateResponse(response, {})).toStrictEqual([]);
      expect(validateResponse(response, { statuses: 'any-4xx' })).toStrictEqual([]);
      expect(validateResponse(response, { statuses: 'documented' })).toStrictEqual([
        refusal(status, '200 or 400'),
      ]);
    },
  );

  test.each([100, 201, 202, 204, 206, 301, 302, 304, 307, 500, 501, 503, 599])(
    '%i is a violation, and nothing is asked of its body',
    (status) => {
      const expected = '200, 400 or another 4xx';
      for (const body of [undefined, '', PLANT, ERROR, '<html>']) {
        expect(validateResponse({ status, headers: {}, body })).toStrictEqual([refusal(status, expected)]);
      }
    },
  );
});

describe('the body of a failure', () => {
  test.each<[string, unknown]>([
    ['left out', undefined],
    ['empty', ''],
  ])('%s is a violation of a 400 only: another 4xx may have none', (_, body) => {
    expect(keywords(validateResponse({ status: 400, headers, body }))).toStrictEqual(['required']);
    for (const status of [401, 404, 409, 422])
      expect(validateResponse({ status, headers: {}, body })).toStrictEqual([]);
  });

  test.each([408, 411, 413, 414, 417, 429, 431])('is not judged if a limit responds: %i', (status) => {
    for (const body of [undefined, '', '<h1>Too much</h1>', '{"error":"much"}'])
      expect(validateResponse({ status, headers: { 'content-type': 'text/html' }, body })).toStrictEqual([]);
  });

  test.each<[string, unknown, string[]]>([
    ['malformed JSON', '{', ['json']],
    ['a page', '<h1>Bad Request</h1>', ['json']],
    ['an array', `[${ERROR}]`, ['type']],
    ['a Plant', PLANT, ['required', 'required']],
    ['a problem', '{"type":"about:blank","title":"Bad Request","status":400}', ['required', 'required']],
    ['no message', '{"error":3}', ['required']],
    ['no error', '{"message":"no name"}', ['required']],
    ['an error in quotes', '{"error":"3","message":"no name"}', ['int32']],
    ['an error past int32', '{"error":2147483648,"message":"no name"}', ['int32']],
    ['an error a hair past int32', '{"error":2147483647.0000000001,"message":""}', ['int32']],
    ['a null message', '{"error":3,"message":null}', ['type']],
  ])('%s', (_, body, expected) => {
    for (const status of [400, 404, 422]) {
      expect(keywords(validateResponse({ status, headers, body }))).toStrictEqual(expected);
    }
    expect(keywords(validateResponse({ status: 500, headers, body }))).toStrictEqual(['status']);
  });
});

describe('a fetch Response', () => {
  test('is judged through a promise and can still be read', async () => {
    const response = Response.json({ name: 'Aloe' });
    await expect(validateResponse(response)).resolves.toStrictEqual([]);
    expect(response.bodyUsed).toBe(false);
    await expect(response.json()).resolves.toStrictEqual({ name: 'Aloe' });
  });

  test.each<[string, Response, string[]]>([
    ['with an id', Response.json({ name: 'Aloe', id: 7 }), ['additionalProperties']],
    ['with no body', new Response(null, { headers }), ['required']],
    ['with no content', new Response(null, { status: 204 }), ['status']],
    ['with text', new Response('Aloe'), ['media-type', 'json']],
    ['with an Error', Response.json({ error: 3, message: '' }, { status: 400 }), []],
    ['with no Error', Response.json({ message: '' }, { status: 401 }), ['required']],
    ['with no body and another 4xx', new Response(null, { status: 401 }), []],
    ['with an exact number', new Response('{"name":9007199254740993}', { headers }), ['type']],
  ])('%s', async (_, response, expected) => {
    expect(keywords(await validateResponse(response))).toStrictEqual(expected);
  });

  test('is judged by documented statuses if asked', async () => {
    const response = Response.json({ error: 3, message: '' }, { status: 409 });
    expect(await validateResponse(response)).toStrictEqual([]);
    expect(keywords(await validateResponse(response, { statuses: 'documented' }))).toStrictEqual(['status']);
  });
});
