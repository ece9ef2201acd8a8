import { describe, expect, test } from 'vitest';
import { prepareCheck } from '../../src/conformance/prepare.js';
import { type Row, rowOf } from '../../src/conformance/row.js';

const request = {
  headers: [['Authorization', 'Bearer <TOKEN x{..-4}{-4..-3 next-characters} | base64>']],
  body: '{"name":"<NAME>","id":<ID*128+1>}<PAD 4096>',
  encoding: 'gzip',
  plant: { name: '<NAME>', id: '<ID>' },
  query: '?token=<TOKEN {in-query}>',
  transfer: { bodyCuts: [-1], chunks: [1] },
};
const row = {
  name: 'drawn/edited',
  title: 'an edited token',
  expectation: 'rejected',
  rules: ['auth/near-miss-token-is-refused'],
  phase: 'wrong-token',
  control: false,
  ids: ['-9223372036854775808', '-9223372036854775800'],
  requests: [request, { body: '{"id":<ID>}<REPEAT 400 [>', plant: false, isUnusual: true }],
};
const prepared = (given: object) => prepareCheck({ baseUrl: 'http://localhost', row: given as Row });
const withRequest = (changes: object) => ({ ...row, requests: [{ body: '{}', ...changes }] });

describe('a row that is given', () => {
  test('is the only one that is judged, and can be given again', () => {
    const { row: probe, probes, rules } = prepared(row);
    expect(rowOf(probe as NonNullable<typeof probe>)).toEqual(row);
    expect(probes.at(-1)).toBe(probe);
    expect(rules.map(({ id }) => id)).toContain('auth/near-miss-token-is-refused');
  });

  test.each<[string, object, string]>([
    ['no name', { ...row, name: undefined }, 'the row needs a "name" such as "drawn/1"'],
    ['the name of another row', { ...row, name: 'strings/name-marks' }, 'needs a "name"'],
    ['a name with a line break', { ...row, name: 'drawn/a\nb' }, 'needs a "name"'],
    ['no title', { ...row, title: undefined }, 'the row needs a "title"'],
    ['no expectation', { ...row, expectation: undefined }, 'the row needs an "expectation"'],
    ['another expectation', { ...row, expectation: 'x' }, '"expectation": created, rejected, open'],
    ['another phase', { ...row, phase: 'x' }, 'the row must have one of these as "phase": control, '],
    ['an unknown control', { ...row, control: 'x' }, 'must have false or the name of a row as "control"'],
    ['a text as rules', { ...row, rules: 'x' }, 'the row must have a list of ids as "rules"'],
    ['an unknown rule', { ...row, rules: ['auth/x'] }, '"rules"; `plant-store-contract rules` lists them'],
    ['parts', { ...row, parts: [] }, 'the row must not have "parts"'],
    ['no requests', { ...row, requests: [] }, 'the row needs a list of "requests"'],
    ['a number for a request', { ...row, requests: [7] }, 'a request needs a text as "body"'],
    ['a number for a body', withRequest({ body: 7 }), 'a request needs a text as "body"'],
    ['another encoding', withRequest({ encoding: 'x' }), 'one of these as "encoding": gzip, utf-16le'],
    ['ids that are no numbers', { ...row, ids: ['a', 'b'] }, 'the row drawn/edited cannot make its requests'],
    ['cuts that are none', withRequest({ transfer: { bodyCuts: 7 } }), 'cannot make its requests'],
    [
      'another operation',
      withRequest({ otherOperation: {} }),
      'the row must not be sent to another operation',
    ],
    ['much padding', withRequest({ body: '<PAD 10000000>' }), 'must not have a placeholder for so much'],
    [
      'long repetitions',
      withRequest({ body: `<REPEAT 9999999 ${'x'.repeat(40)}>` }),
      'a placeholder for so much',
    ],
    ['many paddings', withRequest({ body: '<REPEAT 999999 x>'.repeat(5) }), 'a placeholder for so much'],
    ['1,001 requests', { ...row, requests: Array(1_001).fill({ body: '{}' }) }, 'more than 1000 requests'],
    ['long numbers', withRequest({ body: `<ID+${'9'.repeat(41)}>` }), 'must not have a placeholder'],
    ['a header that splits the request', withRequest({ headers: [['X', 'a\r\nY: b']] }), 'the header "X"'],
    ['a query that ends the line', withRequest({ query: '?a b' }), 'the query cannot be sent as it is'],
  ])('with %s is rejected', (_what, given, sentence) => {
    expect(() => prepared(given)).toThrow(sentence);
  });
});
