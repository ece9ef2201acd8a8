import { describe, expect, test } from 'vitest';
import { CountOverTime, ReasonCounts, TrafficCounts } from '../../src/proxy/traffic-counts.js';
import type { JudgedExchange, TrafficViolation } from '../../src/validation/exchange.js';

test('the most frequent reasons come first, and only so many are kept apart', () => {
  const reasons = new ReasonCounts();
  for (let at = 0; at < 60; at++) reasons.add(`reason ${at}`);
  reasons.add('reason 7');
  const [others, seventh, ...rest] = reasons.sorted();
  expect([others, seventh]).toEqual([
    { reason: 'other reasons', count: 10 },
    { reason: 'reason 7', count: 2 },
  ]);
  expect(rest).toHaveLength(49);
});

const judged = (...violations: TrafficViolation[]) =>
  ({ violations, sides: ['response'], notes: [] }) as unknown as JudgedExchange;

test('the texts of a kind are an example if something else was found in others', () => {
  const found = (pointer: string, actual: string): TrafficViolation => ({
    ...({ judge: 'interface', side: 'request', part: 'body', keyword: 'int64' } as const),
    ...{ pointer, message: `it must be an integer; got ${actual}`, expected: 'an integer', actual },
  });
  const counts = new TrafficCounts();
  const values = ['the string "7"', 'the string "7"', '7.5'];
  for (const [at, value] of values.entries()) counts.add(judged(found('/id', value), found('/tag', '7')), at);
  expect(counts.sortedKinds()).toMatchObject([
    {
      ...{ pointer: '/id', count: 3, actual: 'the string "7", for example' },
      message: 'it must be an integer; got the string "7", for example',
    },
    { pointer: '/tag', count: 3, actual: '7', message: 'it must be an integer; got 7' },
  ]);
});

test('violations are counted by kind: ours first, then those of responses, then the most frequent', () => {
  const counts = new TrafficCounts();
  const violation = (
    judge: TrafficViolation['judge'],
    side: TrafficViolation['side'],
    pointer: string,
  ): TrafficViolation => ({
    judge,
    side,
    pointer,
    part: 'body',
    keyword: 'type',
    message: `${pointer} is wrong`,
    expected: 'a string',
    actual: '7',
  });
  counts.add(judged(violation('prism', 'response', '/a'), violation('interface', 'request', '/b')), 0);
  counts.add(judged(violation('interface', 'response', '/c')), 1);
  const twice = violation('interface', 'response', '/d');
  counts.add(judged(twice, twice), 2);
  expect(counts.sortedKinds().map(({ pointer, count, first }) => [pointer, count, first])).toEqual([
    ['/d', 2, 2],
    ['/c', 1, 1],
    ['/b', 1, 0],
    ['/a', 1, 0],
  ]);
  expect(counts).toMatchObject({ judged: 3, violations: { request: 1, response: 3 } });
});

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
