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
    ['a Buffer', { headers: HEADERS, body: Buffer.from(BODY) }],
    ['a value', { headers: HEADERS, body: { name: 'Aloe', id: 7, tag: 'succulent' } }],
    ['a value with a bigint', { headers: HEADERS, body: { name: 'Aloe', id: 2n ** 63n - 1n } }],
    ['an exact id in the text', { headers: HEADERS, body: '{"name":"Aloe","id":9223372036854775807}' }],
    ['ids written as 7.0 and 7e0', { headers: HEADERS, body: '{"name":"Aloe","id":7.0e0}' }],
    ['an unknown field', { headers: HEADERS, body: '{"name":"Aloe","id":7,"colour":"green"}' }],
    ['the method and the target', { method: 'POST', url: '/plants', headers: HEADERS, body: BODY }],
    ['a whole URL', { url: 'https://api.example.com/plants', headers: HEADERS, body: BODY }],
    [
      'a base URL with a path',
      { url: 'http://localhost:8080/store/v1/plants', headers: HEADERS, body: BODY },
    ],
    ['a query and a fragment', { url: '/plants?dry-run=/x#top', headers: HEADERS, body: BODY }],
  ])('%s', (_, request) => {
    expect(validateRequest(request)).toStrictEqual([]);
  });
});

describe('headers are read in every usual shape', () => {
  const authorization = 'Bearer s3cret-token';
  test.each<[string, HeaderFields]>([
    ['a record in lower case', HEADERS],
    ['a record in the usual case', { Authorization: authorization, 'Content-Type': 'application/json' }],
    ['a record of lists', { authorization: [authorization], 'Content-Type': ['application/json'] }],
    ['a record with undefined', { ...HEADERS, Authorization: undefined, 'x-request-id': undefined }],
    [
      'pairs',
      [
        ['Authorization', authorization],
        ['content-TYPE', 'application/json'],
      ],
    ],
    ['Headers', new Headers(HEADERS)],
    ['white space around the value', { ...HEADERS, authorization: ` \t${authorization} ` }],
  ])('%s', (_, headers) => {
    expect(validateRequest({ headers, body: BODY })).toStrictEqual([]);
    expect(keywords(validateRequest({ headers: headers, body: '{}' }))).toStrictEqual([
      'required',
      'required',
    ]);
  });

  test('an iterator, which can be read but once', () => {
    const pairs = Object.entries(HEADERS);
    expect(validateRequest({ headers: new Headers(pairs).entries(), body: BODY })).toStrictEqual([]);
    expect(validateRequest({ headers: new Map(pairs.reverse()).entries(), body: BODY })).toStrictEqual([]);
  });
});

describe('method and path', () => {
  test.each(['GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'post', ''])('the method %j', (method) => {
    const actual = JSON.stringify(method);
    const message = `the method must be POST; got ${actual}`;
    expect(validateRequest({ method, headers: HEADERS, body: BODY })).toStrictEqual([
      {
        severity: 'error',
        part: 'method',
        pointer: '',
        keyword: 'method',
        message,
        expected: 'POST',
        actual,
      },
    ]);
  });

  test.each([
    ['/plants/7?x=1', '/plants/7'],
    ['/Plants', '/Plants'],
    ['/houseplants', '/houseplants'],
    ['/store?next=/plants', '/store'],
    ['/store#/plants', '/store'],
    // Here plants is a host.
    ['http://plants', ''],
    ['http://plants?x=1', ''],
  ])('the URL %j', (url, path) => {
    const actual = JSON.stringify(path);
    const message = `the path must end with /plants; got ${actual}`;
    expect(validateRequest({ url, headers: HEADERS, body: BODY })).toStrictEqual([
      {
        severity: 'error',
        part: 'path',
        pointer: '',
        keyword: 'path',
        message,
        expected: '…/plants',
        actual,
      },
    ]);
  });
});

describe('Content-Type', () => {
  const got = (actual: string): Violation => ({
    severity: 'error',
    part: 'header',
    pointer: '/content-type',
    keyword: 'media-type',
    message: `the Content-Type must be application/json; got ${actual}`,
    expected: 'application/json',
    actual,
  });

  test.each<[string, string | string[], Violation]>([
    ['text/plain', 'text/plain', got('"text/plain"')],
    ['a +json type', 'application/vnd.api+json', got('"application/vnd.api+json"')],
    ['no media type', 'json', got('"json"')],
    ['two, joined', 'application/json, application/json', got('"application/json, application/json"')],
    ['too long to show', `a/${'b'.repeat(100_000)}`, got(`"a/${'b'.repeat(58)}"… (100002 characters)`)],
  ])('%s', (_, contentType, violation) => {
    const headers = { ...HEADERS, 'content-type': contentType };
    expect(validateRequest({ headers, body: BODY })).toStrictEqual([violation]);
  });

  test('none', () => {
    const message = 'the Content-Type header is missing; all bodies are application/json';
    expect(validateRequest({ headers: { authorization: 'Bearer abc' }, body: BODY })).toStrictEqual([
      { ...got('nothing'), message },
    ]);
  });
});

describe('the body', () => {
  const REQUIRED: Violation = {
    severity: 'error',
    part: 'body',
    pointer: '',
    keyword: 'required',
    message: 'the body is missing; it must be a NewPlant as JSON',
    expected: 'a NewPlant as JSON',
    actual: 'nothing',
  };

  test.each<[string, PlainRequest]>([
    ['left out', { headers: HEADERS }],
    ['an empty text', { headers: HEADERS, body: '' }],
    ['no bytes', { headers: HEADERS, body: new Uint8Array() }],
  ])('%s is missing', (_, request) => {
    expect(validateRequest(request)).toStrictEqual([REQUIRED]);
  });

  test('two Content-Type fields are named as two, whatever they say', () => {
    const headers = { ...HEADERS, 'content-type': ['application/json', 'application/json'] };
    expect(validateRequest({ headers, body: BODY })).toMatchObject([
      {
        keyword: 'media-type',
        message:
          'there are 2 Content-Type fields: "application/json" and "application/json"; one may be there, with application/json',
      },
    ]);
  });

  test('a text that is not JSON is rejected with the reason and the place', () => {
    const actual = 'expected a key in double quotes, got "\'"';
    expect(validateRequest({ headers: HEADERS, body: "{'name':'Aloe'}" })).toStrictEqual([
      {
        severity: 'error',
        part: 'body',
        pointer: '',
        keyword: 'json',
        message: `the body is not JSON: ${actual}, at character 1`,
        expected: 'a NewPlant as JSON',
        actual,
      },
    ]);
  });

  test.each<[string, unknown, string[]]>([
    ['one past int64 in the text', '{"name":"Aloe","id":9223372036854775808}', ['int64']],
    ['20 digits', '{"name":"Aloe","id":12345678901234567890}', ['int64']],
    ['a hair more than 7', '{"name":"Aloe","id":7.0000000000000000000001}', ['int64']],
    ['a JsonNumber', new JsonNumber('1e400', true), ['type']],
    ['a number too great for anything, alone', '1e400', ['type']],
    ['null as text', 'null', ['type']],
    ['white space', ' \n', ['json']],
    ['a byte-order mark', `\ufeff${BODY}`, ['json']],
    ['malformed UTF-8', Buffer.from('{"name":"Alo\xe9","id":7}', 'latin1'), ['json']],
    ['several things at once', '{"tag":null,"id":1.5}', ['required', 'type', 'int64']],
    ['the last of two ids counts', '{"name":"Aloe","id":"x","id":7}', []],
  ])('%s', (_, body, expected) => {
    expect(keywords(validateRequest({ headers: HEADERS, body }))).toStrictEqual(expected);
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
      'no headers',
      new Request(url, { method: 'POST', body: '{}' }),
      ['bearer', 'media-type', 'required', 'required'],
    ],
    [
      'a host called plants',
      new Request('http://plants', { method: 'POST', headers: HEADERS, body: BODY }),
      ['path'],
    ],
    [
      'an exact id',
      new Request(url, {
        method: 'POST',
        headers: HEADERS,
        body: '{"name":"Aloe","id":9223372036854775808}',
      }),
      ['int64'],
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
