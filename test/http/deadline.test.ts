import { getEventListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { deadline } from '../../src/http/deadline.js';

test('a deadline aborts when its time is over, although nothing else holds it', async () => {
  const limit = deadline(5);
  while (!limit.signal.aborted) await sleep(1);
  expect(limit.isOver()).toBe(true);
  expect(limit.signal.reason).toMatchObject({ name: 'TimeoutError' });
});

test('a deadline aborts with another signal, and for its reason', () => {
  const [stop, other] = [new AbortController(), new AbortController()];
  const limit = deadline(60_000, stop.signal, undefined, other.signal);
  other.abort('why');
  expect([limit.signal.aborted, limit.signal.reason, limit.isOver()]).toEqual([true, 'why', false]);
  limit.end();
  expect(getEventListeners(stop.signal, 'abort')).toEqual([]);
});

test('a deadline has aborted if another signal had', () => {
  expect(deadline(Number.POSITIVE_INFINITY, AbortSignal.abort()).signal.aborted).toBe(true);
});
