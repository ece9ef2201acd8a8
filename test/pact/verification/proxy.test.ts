import { expect, test } from 'vitest';
import { withId, withToken } from '../../../src/pact/verification/proxy.js';

const request = (body: string | Uint8Array, headers: [string, string][] = []) => ({
  ...{ method: 'POST', target: '/plants', headers, trailers: [], complete: true },
  body: Buffer.from(body),
  bodyLength: body.length,
});

test.each([
  ['a number', '{"id": 7 ,"n":1.0}', 7, '{"id": 99 ,"n":1.0}'],
  ['a number beyond 2^53', '{"id":9007199254740993}', 9007199254740993n, '{"id":99}'],
  ['its neighbour beyond 2^53', '{"id":9007199254740992}', 9007199254740993n, '{"id":9007199254740992}'],
  ['a text', '{"id":"7"}', 7, '{"id":"7"}'],
  ['a number with a fraction', '{"id":7.5}', undefined, '{"id":7.5}'],
  ['past the end of int64', '{"id":9223372036854775808}', undefined, '{"id":9223372036854775808}'],
  ['the end of int64', '{"id":-9223372036854775808}', undefined, '{"id":99}'],
  ['in no JSON', '{"id":7', undefined, '{"id":7'],
])('an id that is %s', (_name, body, id, sent) => {
  const given = request(body);
  expect(withId(given, { id, by: 99 }).body.toString()).toBe(sent);
  expect(given.body.toString()).toBe(body);
});

test.each([
  ['Bearer a', 'Bearer secret'],
  ['bearer  a b', 'bearer  secret'],
  ['Bearer', 'Bearer'],
  ['Basic Bearer', 'Basic Bearer'],
])('the token of "%s" is swapped where it has one', (value, sent) => {
  const given = request('', [
    ['X-Token', 'Bearer a'],
    ['authorization', value],
  ]);
  expect(withToken(given, 'secret').headers).toEqual([
    ['X-Token', 'Bearer a'],
    ['authorization', sent],
  ]);
});

test('a token is written as it is, whatever a pattern would make of it', () => {
  expect(withToken(request('', [['Authorization', 'Bearer a']]), "$&$1$'").headers).toEqual([
    ['Authorization', "Bearer $&$1$'"],
  ]);
});
