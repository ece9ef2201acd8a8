import {
  type HeaderFields,
  JsonNumber,
  type PlainResponse,
  type Violation,
  validateResponse,
} from 'plant-store-contract/validation';
import { describe, expect, test } from 'vitest';

// test/validation/prism-opinions.ts has many more responses, with the keywords of their violations.

const headers = { 'content-type': 'application/json' };
const PLANT = '{"name":"Aloe"}';
const ERROR = '{"error":3,"message":"no name"}';

const keywords = (violations: Violation[]) => violations.map(({ keyword }) => keyword);

test.each<[string, PlainResponse]>([
  ['a Plant as bytes', { status: 200, headers, body: new TextEncoder().encode(PLANT) }],
  ['a Plant as a value', { status: 200, headers, body: { name: 'Aloe', tag: '' } }],
  ['an Error as a value', { status: 400, headers, body: { error: -1n, message: '' } }],
  ['white space around the JSON', { status: 200, headers, body: `\r\n ${PLANT}\n` }],
  [
    'its Content-Type in pairs',
    { status: 200, headers: [['Content-type', 'application/json']], body: PLANT },
  ],
])('a response of the interface has no violation: %s', (_, response) => {
  expect(validateResponse(response)).toStrictEqual([]);
});

describe('a 200 has the fields of Plant only', () => {
  const extra = (key: string, actual: string, pointer = `/${key}`): Violation => ({
    severity: 'error',
    part: 'body',
    pointer,
    keyword: 'additionalProperties',
    actual,
    message: `a Plant has no field "${key}"; got ${actual}`,
    expected: 'only the fields "name" and "tag"',
  });

  test.each<[string, unknown, Violation[]]>([
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

  test.each([10, 11, 100_000])('of %i unknown fields, the first 10 are listed', (count) => {
    const fields = Object.fromEntries(Array.from({ length: count }, (_, at) => [`f${at}`, 1]));
    const violations = validateResponse({
      status: 200,
      headers,
      body: JSON.stringify({ name: '', ...fields }),
    });
    expect(violations.map(({ pointer }) => pointer)).toEqual(
      Array.from({ length: 10 }, (_, at) => `/f${at}`),
    );
  });

  test('a long key is cut in every text', () => {
    const body = { name: 'Aloe', ['k'.repeat(1e6)]: 1 };
    const [violation] = validateResponse({ status: 200, headers, body });
    expect(violation?.pointer).toBe(`/${'k'.repeat(200)}…`);
    expect(JSON.stringify(violation).length).toBeLessThan(700);
    expect(violation?.message).toContain('… (1000000 characters); got 1');
  });

  test.each<[string, unknown, string[]]>([
    ['missing and null fields too', '{"tag":null,"id":7}', ['required', 'type', 'additionalProperties']],
    ['an unquoted text', 'Aloe', ['json']],
    // Not a JSON object, although it is an object in JavaScript: its type is the one violation.
    ['a number beyond a double', new JsonNumber('1e400', true), ['type']],
  ])('%s', (_, body, expected) => {
    expect(keywords(validateResponse({ status: 200, headers, body }))).toStrictEqual(expected);
  });
});

test.each<[string, HeaderFields, string]>([
  ['missing', {}, 'nothing'],
  ['two', { 'content-type': ['application/json', 'text/html'] }, '"application/json" and "text/html"'],
])('a Content-Type that is %s is one violation of a 200, and of a failure', (_, fields, actual) => {
  for (const [status, body, severity] of [
    [200, PLANT, 'error'],
    [400, ERROR, 'error'],
    [422, ERROR, 'warning'],
  ] as const) {
    const found = { severity, part: 'header', pointer: '/content-type', keyword: 'media-type' };
    const response = { status, headers: fields, body };
    expect(validateResponse(response)).toMatchObject([{ ...found, expected: 'application/json', actual }]);
    expect(validateResponse(response, { strict: true })).toMatchObject([{ severity: 'error' }]);
  }
});

describe('the status', () => {
  test.each([401, 499])('%i is a rejection', (status) => {
    expect(validateResponse({ status, headers, body: ERROR })).toStrictEqual([]);
  });

  test.each([100, 201, 204, 302, 399, 500, 599])(
    '%i is a violation, and nothing is asked of its body',
    (status) => {
      const expected = '200, 400 or another 4xx';
      const message = `the status ${status} is not documented; expected ${expected}`;
      const found = { severity: 'error', part: 'status', pointer: '', keyword: 'status' };
      for (const body of [undefined, PLANT, '<html>'])
        expect(validateResponse({ status, headers: {}, body })).toStrictEqual([
          { ...found, message, expected, actual: String(status) },
        ]);
    },
  );
});

describe('the body of a failure', () => {
  test.each([undefined, ''])('%j is a violation of a 400 only: another 4xx may have none', (body) => {
    expect(keywords(validateResponse({ status: 400, headers, body }))).toStrictEqual(['required']);
    for (const status of [401, 422])
      expect(validateResponse({ status, headers: {}, body })).toStrictEqual([]);
  });

  test.each([408, 411, 413, 414, 417, 429, 431])('is not judged if a limit responds: %i', (status) => {
    for (const body of [undefined, '<h1>Too much</h1>', '{"error":"much"}'])
      expect(validateResponse({ status, headers: { 'content-type': 'text/html' }, body })).toStrictEqual([]);
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
    ['with no content', new Response(null, { status: 204 }), ['status']],
    ['with text', new Response('Aloe'), ['media-type', 'json']],
    ['with no Error', Response.json({ message: '' }, { status: 401 }), ['required']],
    ['with an exact number', new Response('{"name":9007199254740993}', { headers }), ['type']],
  ])('%s', async (_, response, expected) => {
    expect(keywords(await validateResponse(response))).toStrictEqual(expected);
  });
});
