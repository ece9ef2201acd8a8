import { expect, test } from 'vitest';
import { Reasons } from '../../src/proxy/reasons.js';

test('the most frequent come first, and there are only so many', () => {
  const reasons = new Reasons();
  for (let at = 0; at < 60; at++) reasons.add(`reason ${at}`);
  reasons.add('reason 7');
  const [others, seventh, ...rest] = reasons.sorted();
  expect([others, seventh]).toEqual([
    { why: 'other reasons', count: 10 },
    { why: 'reason 7', count: 2 },
  ]);
  expect(rest).toHaveLength(49);
});
