import {
  type HeaderFields,
  JsonNumber,
  type PlainRequest,
  type Violation,
  validateRequest,
} from 'plant-store-contract/validation';
import { describe, expect, test } from 'vitest';

const JSON_TYPE = { 'content-type': 'application/json' };
const HEADERS = { authorization: 'Bearer s3cret-token', ...JSON_TYPE };
const BODY = '{"name":"Aloe","id":7}';

const keywords = (violations: Violation[]) => violations.map(({ keyword }) => keyword);

describe('a request of the interface has no violation', () => {
  test.each<[string, PlainRequest]>([
    ['text', { headers: HEADERS, body: BODY }],
    ['bytes', { headers: HEADERS, body: new TextEncoder().encode(BODY) }],
    ['a value with a bigint', { headers: HEADERS, body: { name: 'Aloe', id: 2n ** 63n - 1n, tag: '' } }],
    ['an exact id in the text', { headers: HEADERS, body: '{"name":"Aloe","id":9223372036854775807}' }],
    ['an id written as 7.0e0', { headers: HEADERS, body: '{"name":"Aloe","id":7.0e0}' }],
    ['an unknown field', { headers: HEADERS, body: '{"name":"Aloe","id":7,"colour":"green"}' }],
    [
      'the method and a URL with a base path',
      { method: 'POST', url: 'http://a/store/v1/plants', headers: HEADERS, body: BODY },
    ],
    ['a query and a fragment', { url: '/plants?dry-run=/x#top', headers: HEADERS, body: BODY }],
    ['a header that is undefined', { headers: { ...HEADERS, Authorization: undefined }, body: BODY }],
    ['white space around the value', { headers: { ...HEADERS, authorization: ' \tBearer a ' }, body: BODY }],
    // An iterator can be read but once.
    ['an iterator of headers', { headers: new Map(Object.entries(HEADERS)).entries(), body: BODY }],
  ])('%s', (_, request) => {
    expect(validateRequest(request)).toStrictEqual([]);
  });
});

describe('method and path', () => {
  test.each(['GET', 'post', ''])('the method %j', (method) => {
    const actual = JSON.stringify(method);
    const message = `the method must be POST; got ${actual}`;
    const found = { severity: 'error', part: 'method', pointer: '', keyword: 'method' };
    expect(validateRequest({ method, headers: HEADERS, body: BODY })).toStrictEqual([
      { ...found, message, expected: 'POST', actual },
    ]);
  });

  test.each([
    ['/plants/7?x=1', '/plants/7'],
    ['/Plants', '/Plants'],
    ['/houseplants', '/houseplants'],
    ['/store?next=/plants', '/store'],
    ['/store#/plants', '/store'],
    // Here plants is a host.
    ['http://plants?x=1', ''],
  ])('the URL %j', (url, path) => {
    const actual = JSON.stringify(path);
    const message = `the path must end with /plants; got ${actual}`;
    const found = { severity: 'error', part: 'path', pointer: '', keyword: 'path' };
    expect(validateRequest({ url, headers: HEADERS, body: BODY })).toStrictEqual([
      { ...found, message, expected: '…/plants', actual },
    ]);
  });
});

describe('Authorization', () => {
  const REDACTED = 'a redacted value';
  const MISSING = ['the Authorization header is missing', 'nothing'] as const;
  const TWICE = 'there is more than one Authorization header';

  test.each<[string, HeaderFields, message: string, actual: string]>([
    ['none', JSON_TYPE, ...MISSING],
    ['an empty list', { ...JSON_TYPE, authorization: [] }, ...MISSING],
    ['a look-alike name', { ...JSON_TYPE, 'x-authorization': 'Bearer s3cret-token' }, ...MISSING],
    ['two in a list', { ...JSON_TYPE, authorization: ['Bearer a', 'Bearer b'] }, TWICE, '2 headers'],
    ['two spellings', { ...HEADERS, Authorization: 'Bearer s3cret-token' }, TWICE, '2 headers'],
    [
      'two joined by Headers',
      new Headers([...Object.entries(HEADERS), ['authorization', 'Bearer s3cret-token']]),
      ...(['the token after Bearer has characters that RFC 6750 does not allow', REDACTED] as const),
    ],
    [
      'Basic',
      { ...JSON_TYPE, authorization: 'Basic czNjcmV0LXRva2Vu' },
      ...(['the scheme of the Authorization header is not Bearer', REDACTED] as const),
    ],
  ])('%s', (_, headers, message, actual) => {
    const violations = validateRequest({ headers, body: BODY });
    const expected = 'Authorization: Bearer <ACCESS_TOKEN>';
    const found = { severity: 'error', part: 'header', pointer: '/authorization', keyword: 'bearer' };
    expect(violations).toStrictEqual([{ ...found, message, expected, actual }]);
    expect(JSON.stringify(violations)).not.toContain('s3cret');
  });

  test('no violation contains the token, whatever else is wrong', () => {
    const violations = validateRequest({
      method: 'GET',
      url: 'https://user:s3cret-token@example.com/flowers?access_token=s3cret-token#s3cret-token',
      headers: {
        authorization: ['Bearer s3cret-token', 'Basic s3cret-token'],
        'content-type': 'text/plain',
        'x-token': 's3cret-token',
      },
      body: '{"name":7,"token":"s3cret-token"}',
    });
    const found = ['method', 'path', 'bearer', 'media-type', 'type', 'required'];
    expect(keywords(violations)).toStrictEqual(found);
    expect(JSON.stringify(violations)).not.toContain('s3cret');
  });

  test('200,000 spaces take no time', { timeout: 30_000 }, () => {
    const spaces = ' '.repeat(200_000);
    const judged = (authorization: string) =>
      keywords(validateRequest({ headers: { ...JSON_TYPE, authorization }, body: BODY }));
    expect(judged(`${spaces}Bearer${spaces}abc${spaces}`)).toStrictEqual([]);
    expect(judged(`a${spaces}b${spaces}c`)).toStrictEqual(['bearer']);
  });
});

test.each<[string, string | string[] | undefined, message: string, actual: string]>([
  ['text/plain', 'text/plain', 'the Content-Type must be application/json; got "text/plain"', '"text/plain"'],
  [
    'too long to show',
    `a/${'b'.repeat(100_000)}`,
    `the Content-Type must be application/json; got "a/${'b'.repeat(58)}"… (100002 characters)`,
    `"a/${'b'.repeat(58)}"… (100002 characters)`,
  ],
  ['none', undefined, 'the Content-Type header is missing; all bodies are application/json', 'nothing'],
  [
    'two',
    ['application/json', 'application/json'],
    'there are 2 Content-Type fields: "application/json" and "application/json"; one may be there, with application/json',
    '"application/json" and "application/json"',
  ],
])('Content-Type: %s', (_, contentType, message, actual) => {
  const headers = { ...HEADERS, 'content-type': contentType };
  const found = { severity: 'error', part: 'header', pointer: '/content-type', keyword: 'media-type' };
  expect(validateRequest({ headers, body: BODY })).toStrictEqual([
    { ...found, message, expected: 'application/json', actual },
  ]);
});

describe('the body', () => {
  const expected = 'a NewPlant as JSON';
  const ofBody = { severity: 'error', part: 'body', pointer: '', expected };

  test.each<[string, PlainRequest]>([
    ['left out', { headers: HEADERS }],
    ['an empty text', { headers: HEADERS, body: '' }],
    ['no bytes', { headers: HEADERS, body: new Uint8Array() }],
  ])('%s is missing', (_, request) => {
    const message = 'the body is missing; it must be a NewPlant as JSON';
    expect(validateRequest(request)).toStrictEqual([
      { ...ofBody, keyword: 'required', message, actual: 'nothing' },
    ]);
  });

  test('a text that is not JSON is rejected with the reason and the place', () => {
    const actual = 'expected a key in double quotes, got "\'"';
    const message = `the body is not JSON: ${actual}, at character 1`;
    expect(validateRequest({ headers: HEADERS, body: "{'name':'Aloe'}" })).toStrictEqual([
      { ...ofBody, keyword: 'json', message, actual },
    ]);
  });

  test.each<[string, unknown, string[]]>([
    ['one past int64 in the text', '{"name":"Aloe","id":9223372036854775808}', ['int64']],
    ['a hair more than 7', '{"name":"Aloe","id":7.0000000000000000000001}', ['int64']],
    ['a JsonNumber', new JsonNumber('1e400', true), ['type']],
    ['null as text', 'null', ['type']],
    ['white space', ' \n', ['json']],
    ['malformed UTF-8', Buffer.from('{"name":"Alo\xe9","id":7}', 'latin1'), ['json']],
    ['several things at once', '{"tag":null,"id":1.5}', ['required', 'type', 'int64']],
    ['the last of two ids counts', '{"name":"Aloe","id":"x","id":7}', []],
  ])('%s', (_, body, found) => {
    expect(keywords(validateRequest({ headers: HEADERS, body }))).toStrictEqual(found);
  });
});

describe('a fetch Request', () => {
  const url = 'http://localhost/plants';

  test('is judged through a promise and can still be read', async () => {
    const request = new Request(url, { method: 'POST', headers: HEADERS, body: BODY });
    await expect(validateRequest(request)).resolves.toStrictEqual([]);
    expect(request.bodyUsed).toBe(false);
    await expect(request.json()).resolves.toStrictEqual({ name: 'Aloe', id: 7 });
  });

  test.each<[string, Request, string[]]>([
    ['GET without a body', new Request(url, { headers: HEADERS }), ['method', 'required']],
    [
      'no headers, to a host called plants',
      new Request('http://plants', { method: 'POST', body: BODY.replace('7', '9223372036854775808') }),
      ['path', 'bearer', 'media-type', 'int64'],
    ],
  ])('%s', async (_, request, expected) => {
    expect(keywords(await validateRequest(request))).toStrictEqual(expected);
  });

  test('that was read already rejects the promise', async () => {
    const request = new Request(url, { method: 'POST', headers: HEADERS, body: BODY });
    await request.text();
    await expect(validateRequest(request)).rejects.toThrow(TypeError);
  });
});
