import { describe, expect, test } from 'vitest';
import { isValidPlant } from '../../../src/conformance/exchange.js';
import { exchange } from '../recorded.js';

const headers = [
  ['Authorization', 'Bearer a-token'],
  ['Content-Type', 'application/json'],
] as const;

function isValid(body: string | Uint8Array): boolean {
  return isValidPlant(exchange({ request: { headers, body: Buffer.from(body as string) } }));
}

describe('a plant beyond doubt', () => {
  test.each([
    ['is plain', '{"name":"Aloe","id":7}'],
    ['has escapes, white space and another order', '{ "\\u0069d" : 7 , "name" : "\\u0041loe" }'],
    ['has fractions and exponents in an unknown field', '{"name":"Aloe","id":7,"x":[1.5,1e2,-0.5E-10]}'],
    ['has a number with a point in a string', '{"name":"id 7.0","id":7,"x":"\\"id\\":7.0"}'],
    ['has 400 arrays in each other', `{"name":"Aloe","id":7,"x":${'['.repeat(400)}${']'.repeat(400)}}`],
  ])('%s', (_, body) => {
    expect(isValid(body)).toBe(true);
  });
});

describe('a plant that leaves doubt', () => {
  test.each([
    ['has its id as 7.0', '{"name":"Aloe","id":7.0}'],
    ['has its id as 7e0', '{"name":"Aloe","id":7e0}'],
    ['has an escaped key before a fraction', '{"name":"Aloe","\\u0069d":7.0}'],
    ['has a number beyond doubles', '{"name":"Aloe","id":7,"x":1e400}'],
    ['has a key twice', '{"name":"Aloe","id":7,"id":8}'],
    ['has half a surrogate pair', '{"name":"Aloe","id":7,"x":"\\ud800"}'],
    ['is nested deeper than we read', `{"name":"Aloe","id":7,"x":${'['.repeat(600)}${']'.repeat(600)}}`],
    ['is not a plant', '{"name":"Aloe"}'],
    ['is not JSON', '{"name":"Aloe","id":7'],
  ])('%s', (_, body) => {
    expect(isValid(body)).toBe(false);
  });
});

describe('a request is a plant beyond doubt', () => {
  const body = Buffer.from('{"name":"Aloe","id":7}');
  const [token, type] = headers;
  const withHeaders = (...fields: readonly (readonly [string, string])[]) =>
    exchange({ request: { headers: fields, body } });
  const one = exchange({ request: { headers, body } });
  const ofType = (value: string) => withHeaders(token, ['Content-Type', value]);
  const withToken = (value: string) => withHeaders(['Authorization', value], type);

  test.each([
    ['as it is', one],
    ['if it may be rejected', { ...one, expectation: 'open' as const }],
    ['with other fields', withHeaders(token, type, ['X-Tag', 'green'])],
    ['with its charset', ofType('application/json; charset=utf-8')],
    ['with its charset in capitals', ofType('Application/JSON; charset=UTF-8')],
  ])('%s', (_what, request) => {
    expect(isValidPlant(request)).toBe(true);
    // The second time, the request is known.
    expect(isValidPlant(request)).toBe(true);
  });

  test.each([
    ['if it must be rejected', { ...one, expectation: 'rejected' as const }],
    [
      'otherOperation',
      exchange({ request: { headers, body, otherOperation: { method: 'GET', path: '/' } } }),
    ],
    ['in bad HTTP', exchange({ request: { headers, body, isUnusual: true } })],
    ['without a token', withHeaders(type)],
    ['with two tokens', withHeaders(token, token, type)],
    ['with two words for a token', withToken('Bearer a token')],
    ['with a word before', withToken('x Bearer a-token')],
    ['with another scheme', withToken('Basic a-token')],
    ['with a tab after the scheme', withToken('Bearer \ta-token')],
    ['without a type', withHeaders(token)],
    ['with two types', withHeaders(token, type, type)],
    ['with another type', ofType('text/plain')],
    ['with another charset', ofType('application/json; charset=latin1')],
    ['with a coding', withHeaders(token, type, ['Content-Encoding', 'identity'])],
  ])('but not %s', (_what, request) => {
    expect(isValidPlant(request)).toBe(false);
  });
});
