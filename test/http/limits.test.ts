import { expect, test } from 'vitest';
import { SharedLimit } from '../../src/http/limits.js';

function limitOf(most: number) {
  const gone: string[] = [];
  return { limit: new SharedLimit<string>(most, (holder) => void gone.push(holder)), gone };
}

test('whoever holds the most lets go first, and no more than needed', () => {
  const { limit, gone } = limitOf(10);
  limit.holds('a', 3);
  limit.holds('b', 5);
  limit.holds('c', 2);
  expect(gone).toEqual([]);
  limit.holds('c', 3);
  expect(gone).toEqual(['b']);
  limit.holds('d', 4);
  expect(gone).toEqual(['b']);
  limit.holds('a', 8);
  expect(gone).toEqual(['b', 'a']);
});

test('the one that comes last lets go if it holds the most', () => {
  const { limit, gone } = limitOf(10);
  limit.holds('a', 4);
  limit.holds('b', 11);
  expect(gone).toEqual(['b']);
});

test('what is freed does not count', () => {
  const { limit, gone } = limitOf(10);
  for (let times = 0; times < 100; times++) {
    limit.holds('a', 10);
    limit.holds('a', 0);
  }
  limit.holds('b', 10);
  expect(gone).toEqual([]);
});
