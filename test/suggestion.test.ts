import { describe, expect, test } from 'vitest';
import { didYouMean } from '../src/suggestion.js';

const KNOWN = [
  'auth',
  'failure',
  'leaks-id',
  'leaks-type',
  'text',
  'junit',
  'cat',
  'car',
  'state/no-intermittent-failures',
];

describe('a mistyped word is compared with the known ones', () => {
  test.each([
    ['auht', '; did you mean "auth"?'],
    ['AUTH', '; did you mean "auth"?'],
    ['leaks-ids', '; did you mean "leaks-id"?'],
    ['leaks-ie', '; did you mean "leaks-id"?'],
    ['intermittent', '; did you mean "state/no-intermittent-failures"?'],
    ['cab', '; did you mean "cat" or "car"?'],
    ['tetx', '; did you mean "text"?'],
    ['fail', '; did you mean "failure"?'],
    ['xml', ''],
    ['', ''],
    ['nothing-like-it', ''],
  ])('%s', (word, hint) => {
    expect(didYouMean(word, KNOWN)).toBe(hint);
  });

  test('a very long word costs nothing', () => {
    const start = performance.now();
    expect(didYouMean('x'.repeat(2 ** 20), KNOWN)).toBe('');
    expect(performance.now() - start).toBeLessThan(500);
  });
});
