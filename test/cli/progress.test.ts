import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Progress } from '../../src/cli/progress.js';

vi.mock('node:timers', () => ({
  setInterval: (...given: Parameters<typeof setInterval>) => globalThis.setInterval(...given),
  clearInterval: (...given: Parameters<typeof clearInterval>) => globalThis.clearInterval(...given),
}));

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** What is written after a time, of a check of 100 requests of which 25 were sent, one of them twice. */
function written(isTTY: boolean, ms: number): string {
  let text = '';
  const progress = new Progress(100, { isTTY, write: (more) => (text += more) });
  for (let step = 0; step < 25; step++) progress.saw({ probe: 'row', step, role: 'judged' });
  progress.saw({ probe: 'row', step: 0, role: 'judged' });
  progress.saw({ probe: 'plain-plant', step: 0, role: 'confirmation' });
  vi.advanceTimersByTime(ms);
  progress.end();
  vi.advanceTimersByTime(60_000);
  return text;
}

test('a log gets a line every ten seconds, with the time that is left', () => {
  expect(written(false, 9_000)).toBe('');
  expect(written(false, 20_000)).toBe(
    '25 of 100 requests, about 30 s left\n25 of 100 requests, about 60 s left\n',
  );
});

test('a terminal gets one line, which is gone at the end', () => {
  expect(written(true, 300)).toBe('\r\x1b[K25 of 100 requests, about 1 s left\r\x1b[K');
});
