import { expect, test } from 'vitest';
import { isWellFormedThroughout } from '../../src/validation/json-value.js';

test.each([
  [{ '\ud800': 1 }, false],
  [{ name: 'Aloe', tag: '\udc00' }, false],
  [['Aloe', '\ud800'], false],
  [['\ud800', 'Aloe'], false],
  [{ '🌱': ['🌱', 7, null, true] }, true],
])('whether no string in %j has half a surrogate pair: %s', (value, expected) => {
  expect(isWellFormedThroughout(value)).toBe(expected);
});
