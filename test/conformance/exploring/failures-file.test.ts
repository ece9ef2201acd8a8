import { failuresText, readFailures } from 'plant-store-contract/conformance';
import { describe, expect, test } from 'vitest';

const request = {
  headers: [['Authorization', 'Bearer <TOKEN x{..-4}{-4..-3 next-characters} | base64>']],
  body: '{"name":"<NAME>","id":<ID*128+1>}<PAD 4096>',
  encoding: 'gzip',
  plant: { name: '<NAME>', id: '<ID>' },
  query: '?token=<TOKEN {in-query}>',
  transfer: { bodyCuts: [-1], chunks: [1] },
};
const row = {
  name: 'tokens/edited',
  title: 'an edited token',
  expectation: 'rejected',
  rules: ['auth/near-miss-token-is-refused'],
  phase: 'wrong-token',
  control: false,
  ids: ['-9223372036854775808', '-9223372036854775800'],
  requests: [request, { body: '{"id":<ID>}<REPEAT 400 [>', plant: false, isUnusual: true }],
};
const good = { rule: 'request/ids-are-exact', foundAfter: 12, row };
const file = (failure: unknown) => JSON.stringify({ failuresVersion: 1, seed: 5, failures: [failure] });
const withRow = (changes: object) => file({ ...good, row: { ...row, ...changes } });
const withRequest = (changes: object) => withRow({ requests: [{ body: '{}', ...changes }] });

describe('a file of failures', () => {
  test('is read as it was written', () => {
    const failures = readFailures(file(good), 'f.json');
    expect(failures).toEqual([good]);
    expect(readFailures(failuresText({ seed: 5, failures }), 'f.json')).toEqual([good]);
  });

  test.each<[string, string, string]>([
    ['no JSON', '{', 'f.json is not JSON'],
    ['another version', '{"failuresVersion":2,"failures":[]}', 'f.json must be a file that exploring has'],
    ['no list', '{"failuresVersion":1,"failures":7}', 'f.json must be a file that exploring has written'],
    ['a text for a failure', file('x'), 'f.json: failure 1 must name a rule'],
    ['an unknown rule', file({ ...good, rule: 'a/b' }), 'failure 1 must name a rule that demands something'],
    ['no row', file({ ...good, row: undefined }), 'failure 1 cannot be sent'],
    ['a row of another family', withRow({ name: 'x/y' }), 'failure 1 must have a row with the name'],
    ['a row in another phase', withRow({ phase: 'x' }), 'failure 1 must have a row with the name'],
    ['no requests', withRow({ requests: 7 }), 'failure 1 cannot be sent'],
    ['a number for a body', withRequest({ body: 7 }), 'failure 1 cannot be sent'],
    ['cuts that are none', withRequest({ transfer: { bodyCuts: 7 } }), 'failure 1 cannot be sent'],
    [
      'a request to another operation',
      withRequest({ otherOperation: { method: 'DELETE', path: '/plants' } }),
      'failure 1 must not be sent to another operation',
    ],
    ['padding without an end', withRequest({ body: '<PAD 4194305>' }), 'must not have a placeholder'],
    [
      'much padding in all',
      withRequest({ body: '<REPEAT 900000 aa>'.repeat(3) }),
      'must not have a placeholder',
    ],
    ['long numbers', withRequest({ body: `<ID+${'9'.repeat(41)}>` }), 'must not have a placeholder'],
    ['a header that splits the request', withRequest({ headers: [['X', 'a\r\nY: b']] }), 'must have header'],
    ['a query that ends the line', withRequest({ query: '?a b' }), 'must have header fields and a query'],
  ])('with %s is rejected', (_what, text, sentence) => {
    expect(() => readFailures(text, 'f.json')).toThrow(sentence);
  });
});
