import { describe, expect, test } from 'vitest';
import { checkSendable, type HeaderFields, headerNames, headerValues } from '../../src/http/fields.js';

const SHAPES: Readonly<Record<string, HeaderFields>> = {
  'a record': { 'X-One': ['a', 'b'], host: 'c' },
  'a record with two spellings of a name': { 'x-one': 'a', 'X-One': 'b', host: 'c' },
  'a record with a missing value': { 'x-one': ['a', 'b'], 'X-ONE': undefined, host: 'c' },
  pairs: [
    ['X-One', 'a'],
    ['x-one', 'b'],
    ['host', 'c'],
  ],
  'an iterator of pairs': new Map([['x-ONE', 'a']]).entries(),
  'a fetch Headers': new Headers({ 'X-One': 'a' }),
  'a flat list': ['X-One', 'a', 'Host', 'c', 'x-one', 'b'],
};

describe('headerValues', () => {
  test.each(Object.entries(SHAPES))('reads %s', (name, headers) => {
    const values = headerValues(headers, 'x-one');
    expect(values).toEqual(/iterator|fetch/.test(name) ? ['a'] : ['a', 'b']);
  });

  test.each([[{}], [[]], [new Headers()], [['x-two', 'x-one']]])('finds nothing in %j', (headers) => {
    expect(headerValues(headers as HeaderFields, 'x-one')).toEqual([]);
  });
});

test('headerNames lists the names of a flat list as written', () => {
  expect(headerNames(['X-One', 'a', 'Host', 'c'])).toEqual(['X-One', 'Host']);
});

test.each([
  ['x y', 'a'],
  ['', 'a'],
  ['x', 'a\nb'],
  ['x', 'ü→'],
])('checkSendable rejects the header %j with the value %j', (name, value) => {
  expect(() => checkSendable(name, value)).toThrow(/cannot be sent as it is/);
  expect(() => checkSendable('x-one', 'a\tb \xfc')).not.toThrow();
});
