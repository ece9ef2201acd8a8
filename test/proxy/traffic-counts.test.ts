import { expect, test } from 'vitest';
import { ReasonCounts, TrafficCounts } from '../../src/proxy/traffic-counts.js';
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

test('the texts of a kind are those of the first violation', () => {
  const found = (pointer: string, actual: string): TrafficViolation => ({
    ...({ severity: 'error', side: 'request', part: 'body', keyword: 'int64' } as const),
    ...{ pointer, message: `it must be an integer; got ${actual}`, expected: 'an integer', actual },
  });
  const counts = new TrafficCounts();
  const values = ['the string "7"', 'the string "7"', '7.5'];
  for (const value of values) counts.add(judged(found('/id', value), found('/tag', '7')));
  expect(counts.sortedKinds()).toMatchObject([
    {
      ...{ pointer: '/id', count: 3, actual: 'the string "7"' },
      message: 'it must be an integer; got the string "7"',
    },
    { pointer: '/tag', count: 3, actual: '7', message: 'it must be an integer; got 7' },
  ]);
});

test('violations are counted by kind: errors first, then those of responses, then the most frequent', () => {
  const counts = new TrafficCounts();
  const violation = (
    side: TrafficViolation['side'],
    pointer: string,
    severity: TrafficViolation['severity'] = 'error',
  ): TrafficViolation => ({
    severity,
    side,
    pointer,
    part: 'body',
    keyword: 'type',
    message: `${pointer} is wrong`,
    expected: 'a string',
    actual: '7',
  });
  counts.add(judged(violation('request', '/b')));
  counts.add(judged(violation('response', '/c')));
  counts.add(judged(violation('response', '/d', 'warning')));
  const twice = violation('response', '/d');
  counts.add(judged(twice, twice));
  expect(counts.sortedKinds().map(({ pointer, count }) => [pointer, count])).toEqual([
    ['/d', 2],
    ['/c', 1],
    ['/b', 1],
    ['/d', 1],
  ]);
  expect(counts).toMatchObject({
    judged: 4,
    errors: { request: 1, response: 3 },
    warnings: { request: 0, response: 1 },
  });
});
