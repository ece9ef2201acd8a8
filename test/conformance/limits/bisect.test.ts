import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bisect } from '../../../src/conformance/limits/discover.js';

/** Finds a boundary, and counts how often the provider is asked. */
async function search(low: number, high: number, accepts: (value: number) => boolean) {
  const asked: number[] = [];
  const [inside, outside] = await bisect(
    { value: low, answer: { accepted: true } },
    { value: high, answer: { accepted: false } },
    async (value) => {
      asked.push(value);
      return { accepted: accepts(value) };
    },
  );
  return { inside, outside, asked };
}

describe('bisect', () => {
  test('finds every limit exactly, and asks nothing twice', async () => {
    const size = fc.integer({ min: 1, max: 2 ** 24 });
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(size, { minLength: 3, maxLength: 3 }), async (three) => {
        const [low, limit, high] = [...three].sort((a, b) => a - b) as [number, number, number];
        const { inside, outside, asked } = await search(low, high, (value) => value <= limit);
        expect([inside.value, outside.value]).toEqual([limit, limit + 1]);
        expect([inside.answer.accepted, outside.answer.accepted]).toEqual([true, false]);
        expect(new Set([low, high, ...asked]).size).toBe(asked.length + 2);
      }),
    );
  });

  test('ends with two neighbours, whatever is accepted', async () => {
    await fc.assert(
      fc.asyncProperty(fc.func(fc.boolean()), async (accepts) => {
        const { inside, outside } = await search(0, 1000, accepts);
        expect(outside.value - inside.value).toBe(1);
        expect(inside.value === 0 || accepts(inside.value)).toBe(true);
        expect(outside.value === 1000 || !accepts(outside.value)).toBe(true);
      }),
    );
  });

  test('asks few times for a usual limit, and a bit more often than halving for others', async () => {
    const asked = async (low: number, high: number, limit: number) =>
      (await search(low, high, (value) => value <= limit)).asked.length;
    for (const usual of [19, 20, 63, 64, 99, 100, 150, 255, 256, 500, 512])
      expect(await asked(9, 1000, usual), String(usual)).toBeLessThanOrEqual(8);
    const usualBodies = [100_000, 102_400, 102_399, 1_000_000, 2 ** 20, 2.5 * 2 ** 20];
    for (const usual of usualBodies)
      expect(await asked(65_536, 4 * 2 ** 20, usual), String(usual)).toBeLessThanOrEqual(8);
    expect(await asked(1000, 65_536, 57_777)).toBeLessThanOrEqual(22);
    expect(await asked(4 * 2 ** 20, 16 * 2 ** 20, 12_345_678)).toBeLessThanOrEqual(29);
  });
});
