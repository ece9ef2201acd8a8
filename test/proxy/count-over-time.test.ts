import { describe, expect, test } from 'vitest';
import { CountOverTime } from '../../src/proxy/count-over-time.js';

describe('a count over time', () => {
  test('has a span for each second', () => {
    const count = new CountOverTime();
    for (const at of [10_000, 10_999, 11_000, 13_500]) count.add(at);
    expect(count.read()).toEqual({ from: 10_000, spanMs: 1_000, counts: [2, 1, 0, 1] });
  });

  test('makes spans longer instead of more than 120, and loses nothing', () => {
    const count = new CountOverTime();
    for (let second = 1; second <= 1_001; second++) count.add(second * 1_000);
    const { from, spanMs, counts } = count.read();
    expect([from, spanMs]).toEqual([0, 16_000]);
    expect(counts.length).toBeLessThanOrEqual(120);
    expect(counts.reduce((a, b) => a + b)).toBe(1_001);
    expect(counts.slice(0, 3)).toEqual([15, 16, 16]);
  });

  test('can be read with the spans of another one', () => {
    const count = new CountOverTime();
    for (const at of [3_000, 4_000, 5_000]) count.add(at);
    expect(count.read(4_000)).toEqual({ from: 0, spanMs: 4_000, counts: [1, 2] });
    expect(count.span).toBe(4_000);
  });

  test('bears a clock that is set back, or far forward', () => {
    const count = new CountOverTime();
    for (const at of [50_000, 20_000, 2 ** 45]) count.add(at);
    const { counts } = count.read();
    expect(counts.length).toBeLessThanOrEqual(120);
    expect(counts.reduce((a, b) => a + b)).toBe(3);
  });

  test('is empty at first', () => {
    expect(new CountOverTime().read()).toEqual({ from: 0, spanMs: 1_000, counts: [] });
  });
});
