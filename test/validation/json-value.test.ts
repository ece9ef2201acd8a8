import { JsonNumber } from 'plant-store-contract/validation';
import { describe, expect, test } from 'vitest';
import { isObject, isWellFormedThroughout } from '../../src/validation/json-value.js';

test.each([
  [{}, true],
  [null, false],
  [[], false],
  [new JsonNumber('1e400', true), false],
  ['{}', false],
])('whether %j is a JSON object: %s', (value, expected) => {
  expect(isObject(value)).toBe(expected);
});

describe('half a surrogate pair is found', () => {
  test.each([
    ['in a key', { '\ud800': 1 }],
    ['in a member', { name: 'Aloe', tag: '\udc00' }],
    ['in the last element of an array', ['Aloe', '\ud800']],
    ['in the first element of an array', ['\ud800', 'Aloe']],
  ])('%s', (_where, value) => {
    expect(isWellFormedThroughout(value)).toBe(false);
  });

  test('and a whole pair is none', () => {
    expect(isWellFormedThroughout({ '🌱': ['🌱', 7, null, true] })).toBe(true);
  });
});
