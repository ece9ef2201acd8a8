import { expect, test } from 'vitest';
import { pieceOf } from '../../src/server/slow-body.js';

test.each([
  [1_000_000, 50_000, 50],
  [1_000, 50, 50],
  [30, 2, 66.7],
  [1, 1, 1_000],
])('%d bytes per second are pieces of %d bytes every %d ms', (bytesPerSecond, size, everyMs) => {
  const piece = pieceOf(bytesPerSecond);
  expect(piece.size).toBe(size);
  expect(piece.everyMs).toBeCloseTo(everyMs, 0);
});
