import * as fc from 'fast-check';
import { failuresText, readFailures } from 'plant-store-contract/conformance';
import { describe, expect, test } from 'vitest';
import { drawRows } from '../../../src/conformance/exploring/draw.js';

const row = {
  name: 'tokens/edited',
  title: 'an edited token',
  expectation: 'rejected',
  rules: ['auth/near-miss-token-is-refused'],
  phase: 'wrong-token',
  control: false,
  ids: ['-9223372036854775808', '-9223372036854775800'],
  requests: [
    {
      headers: [['Authorization', 'Bearer <TOKEN x{..-4}{-4..-3 next-characters} | base64><BYTES e9>']],
      body: '{"name":"<NAME>","id":<ID*128+1>}<PAD 4096>',
      encoding: 'gzip',
      plant: { name: '<NAME>', id: '<ID>' },
      query: '?token=<TOKEN {in-query}>',
      transfer: { headCuts: [-1], chunks: [1], chunkExtension: ';a=b', trailers: [['X', 'y']] },
    },
    { body: '{"id":<ID>}<REPEAT 400 [>', plant: false, isUnusual: true },
  ],
};
const file = (failure: unknown) => JSON.stringify({ failuresVersion: 1, seed: 5, failures: [failure] });
const good = { rule: 'request/ids-are-exact', foundAfter: 12, row };

describe('a file of failures', () => {
  test('is read as it was written', () => {
    expect(readFailures(file(good), 'f.json')).toEqual([good]);
    const failures = readFailures(file(good), 'f.json');
    expect(readFailures(failuresText({ seed: 5, failures }), 'f.json')).toEqual([good]);
  });

  test.each<[string, unknown, string]>([
    ['no JSON', '{', 'f.json is not JSON'],
    ['another version', '{"failuresVersion":2,"failures":[]}', 'f.json: /failuresVersion must be 1'],
    ['no failures', '{"failuresVersion":1}', 'f.json: /failures is missing'],
    ['no list', '{"failuresVersion":1,"failures":7}', 'f.json: /failures must be a list; got 7'],
    ['a list for the file', '[]', 'f.json: must be an object; got an array'],
    ['a text for a failure', file('x'), '/failures/0 must be an object'],
    ['an unknown rule', file({ ...good, rule: 'a/b' }), '/failures/0/rule must be the id of a rule'],
  ])('with %s is refused, with the place', (_what, text, sentence) => {
    expect(() => readFailures(String(text), 'f.json')).toThrow(sentence);
  });
});

describe('a row in a file of failures', () => {
  const withRow = (changes: object) => file({ ...good, row: { ...row, ...changes } });
  const withRequest = (request: object) => withRow({ requests: [{ body: '{}', ...request }] });

  test('is read, whatever exploring draws', () => {
    const rows = fc.sample(drawRows(fc), { seed: 27, numRuns: 3000 });
    const failures = rows.map((row) => ({ ...good, row }));
    const text = failuresText({ seed: 27, failures });
    expect(readFailures(text, 'f.json')).toEqual(JSON.parse(text).failures);
  });

  test.each<[string, string, string]>([
    ['without a body', withRow({ requests: [{}] }), '/failures/0/row/requests/0/body is missing'],
    ['with an unknown member', withRow({ x: 1 }), '/failures/0/row/x must be left out'],
    [
      'for another operation',
      withRequest({ otherOperation: { method: 'DELETE', path: '/plants' } }),
      '/failures/0/row/requests/0/otherOperation must be left out',
    ],
    ['of another family', withRow({ name: 'x/y' }), '/row/name must be the name of a generated probe'],
    ['in another phase', withRow({ phase: 'x' }), '/row/phase must be one of control, valid'],
    ['with a number for a body', withRequest({ body: 7 }), '/requests/0/body must be a string; got 7'],
    ['with another plant', withRequest({ plant: true }), '/requests/0/plant must be false, or an object'],
    ['with half a plant', withRequest({ plant: { name: 'x' } }), '/requests/0/plant/id is missing'],
    [
      'with too many requests',
      withRow({ requests: Array(1001).fill({ body: '' }) }),
      'a list of at most 1000',
    ],
    ['with one bound', withRow({ ids: ['1'] }), '/row/ids must be the lowest and the highest id'],
    ['with bounds in the wrong order', withRow({ ids: ['2', '1'] }), '/row/ids must be the lowest'],
    ['with a bound that is no number', withRow({ ids: ['1', 'x'] }), '/row/ids/1 must be digits'],
    [
      'with an id that is no number',
      withRow({ expectation: 'created', requests: [{ body: '', plant: { name: 'x', id: 'x' } }] }),
      '/failures/0/row cannot be sent: ',
    ],
    ['without an expectation', withRow({ expectation: undefined }), '/failures/0/row/expectation is missing'],
    [
      'with no edit of a token',
      withRequest({ headers: [['Authorization', '<TOKEN {upside-down}>']] }),
      '/requests/0/headers/0/1 must not have <TOKEN {upside-down}>',
    ],
    [
      'that is padded without an end',
      withRequest({ body: '<PAD 4194305>' }),
      '/row/requests must not be padded',
    ],
    [
      'that repeats without an end',
      withRequest({ body: '<REPEAT 2097153 ab>' }),
      'must not be padded beyond',
    ],
    [
      'that repeats often enough',
      withRequest({ body: '<REPEAT 4194304 a>'.repeat(2) }),
      '/requests must not be padded beyond 4194304 bytes',
    ],
    ['with long numbers', withRequest({ body: `<ID+${'9'.repeat(41)}>` }), 'numbers of more than 40 digits'],
    [
      'with a header that splits the request',
      withRequest({ headers: [['X', 'a\r\nY: b']] }),
      '/requests/0/headers/0 must be a field that can be sent',
    ],
    [
      'with bytes that split the request',
      withRequest({ headers: [['X', '<BYTES 0d0a>']] }),
      '/requests/0/headers/0 must be a field that can be sent',
    ],
    [
      'with the name of a header that cannot be sent',
      withRequest({ headers: [['X Y', '']] }),
      '/requests/0/headers/0 must be a field that can be sent',
    ],
    ['with a query that ends the line', withRequest({ query: '?a b' }), '/requests/0/query must be a query'],
    [
      'with a trailer that splits the request',
      withRequest({ transfer: { trailers: [['X', '\n']] } }),
      '/requests/0/transfer/trailers/0 must be a field that can be sent',
    ],
    [
      'with a chunk extension that ends the line',
      withRequest({ transfer: { chunkExtension: '\r\n' } }),
      '/transfer/chunkExtension must be characters of ASCII in one line',
    ],
  ])('%s is rejected, with the place', (_what, text, sentence) => {
    expect(() => readFailures(text, 'f.json')).toThrow(sentence);
  });
});
