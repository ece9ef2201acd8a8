import { describe, expect, test } from 'vitest';
import {
  type Demand,
  fieldsIn,
  rejects,
  rowsOf,
  type SentRow,
  type Topic,
  table,
} from '../../../src/conformance/rule.js';

function row(name: string, rules?: readonly string[]): SentRow {
  return { name, title: 'a row', expectation: 'rejected', ...(rules && { rules }), requests: [{ body: '' }] };
}

function rule(id: Demand['id'], ...rows: readonly SentRow[]): Demand {
  const words = { title: '', why: '', usualCause: '', fix: '' };
  return rejects({ id, source: '', ...words, rows });
}

test('a table throws if a line has another number of columns', () => {
  expect(table('one  1\n two   2 ', 2)).toEqual([
    ['one', '1'],
    ['two', '2'],
  ]);
  expect(() => table('one  1\ntwo 2', 2)).toThrow('not 2 columns: two 2');
});

test('fields throw if a line has no colon', () => {
  expect(fieldsIn('X-A X-B: 1\nForwarded: for=1;by="a:1"')).toEqual([
    ['X-A', '1'],
    ['X-B', '1'],
    ['Forwarded', 'for=1;by="a:1"'],
  ]);
  expect(() => fieldsIn('X-A')).toThrow('not a header field: X-A');
});

describe('the rows of a topic', () => {
  const topic: Topic = {
    controls: [row('control')],
    rules: [
      rule('a/one', row('first', ['c/three'])),
      rule('b/two', row('second'), row('first', ['c/three'])),
    ],
    open: [
      {
        ...row('open'),
        observed: { id: 'seen', subject: 'A row', gap: { source: '', why: '' } },
      },
    ],
  };

  test('are sent for the rules that own them, and for those that they name', () => {
    expect(rowsOf(topic).map(({ name, rules }) => [name, rules])).toEqual([
      ['control', []],
      ['first', ['a/one', 'c/three', 'b/two']],
      ['second', ['b/two']],
      ['open', ['unspecified/seen']],
    ]);
  });
});
