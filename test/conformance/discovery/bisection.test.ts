import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findBoundary } from '../../../src/conformance/discovery/bisection.js';

/** Finds a boundary, and counts how often the provider is asked. */
async function search(
  inside: bigint,
  outside: bigint,
  accepts: (value: bigint) => boolean,
  landmarks: readonly bigint[] = [],
) {
  const asked: bigint[] = [];
  const boundary = await findBoundary({ inside, outside }, landmarks, async (value) => {
    asked.push(value);
    return accepts(value);
  });
  return { ...boundary, asked };
}

const int64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });

describe('findBoundary', () => {
  test('finds every limit exactly, upwards and downwards, whatever the usual limits are', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(int64, { minLength: 3, maxLength: 3 }),
        fc.array(int64),
        async (three, usual) => {
          const [low, limit, high] = [...three].sort((a, b) => (a < b ? -1 : 1)) as [bigint, bigint, bigint];
          const up = await search(low, high, (value) => value <= limit, usual);
          expect([up.inside, up.outside]).toEqual([limit, limit + 1n]);
          const down = await search(high, low, (value) => value >= limit, usual);
          expect([down.inside, down.outside]).toEqual([limit, limit - 1n]);
        },
      ),
    );
  });

  test('ends with two neighbours of which one is accepted, whatever is accepted', async () => {
    await fc.assert(
      fc.asyncProperty(fc.func(fc.boolean()), fc.array(fc.bigInt(0n, 1000n)), async (accepts, usual) => {
        const { inside, outside, asked } = await search(0n, 1000n, accepts, usual);
        expect(outside - inside).toBe(1n);
        expect(inside === 0n || accepts(inside)).toBe(true);
        expect(outside === 1000n || !accepts(outside)).toBe(true);
        expect(asked.length).toBeLessThan(20);
      }),
    );
  });

  test('asks few times for a usual limit, and twice as often as bisection at most for others', async () => {
    const usual = [30n, 50n, 64n, 100n, 255n, 256n, 500n, 1000n, 1024n, 2048n, 4096n, 10_000n];
    expect((await search(9n, 65_536n, (value) => value <= 255n, usual)).asked.length).toBeLessThanOrEqual(6);
    expect((await search(9n, 65_536n, (value) => value <= 7_777n, usual)).asked.length).toBeLessThanOrEqual(
      20,
    );
  });

  test('never asks the same twice, and nothing that is known', async () => {
    const { asked } = await search(9n, 65_536n, (value) => value <= 300n, [
      9n,
      100n,
      100n,
      256n,
      65_536n,
      70_000n,
    ]);
    expect(new Set(asked).size).toBe(asked.length);
    expect(asked.filter((value) => value <= 9n || value >= 65_536n)).toEqual([]);
  });
});
