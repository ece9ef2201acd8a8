// Goes with src/conformance/session/time-limit.ts: it tests how that works. Whoever replaces it deletes this file.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Deadline, timePartsOf } from '../../../src/conformance/session/time-limit.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

test.each([5_000, 10_000, 45_000, 300_000])('a limit of %i ms leaves time for each part', (limit) => {
  const { measuredMs, plannedMs, lastBeginMs, lastEndMs } = timePartsOf(limit);
  const moments = [0, measuredMs, plannedMs, lastBeginMs, lastEndMs, limit];
  expect(moments.toSorted((a, b) => a - b)).toEqual(moments);
  expect(limit - lastEndMs).toBeGreaterThanOrEqual(2_000);
  expect(plannedMs).toBeGreaterThan(0.4 * limit);
});

test('a deadline ends waits at its time, or when the check is stopped', () => {
  const { signal } = new Deadline(100, new AbortController().signal);
  vi.advanceTimersByTime(99);
  expect(signal.aborted).toBe(false);
  vi.advanceTimersByTime(1);
  expect(signal.aborted).toBe(true);
  const stop = new AbortController();
  const stopped = new Deadline(100, stop.signal);
  stop.abort();
  expect(stopped.signal.aborted).toBe(true);
  expect(new Deadline(100, stop.signal).signal.aborted).toBe(true);
});

test('a deadline does not count other work', async () => {
  const deadline = new Deadline(100, new AbortController().signal);
  await deadline.postponedFor(async () => void vi.advanceTimersByTime(500));
  vi.advanceTimersByTime(99);
  expect(deadline.signal.aborted).toBe(false);
  vi.advanceTimersByTime(1);
  expect(deadline.signal.aborted).toBe(true);
});
