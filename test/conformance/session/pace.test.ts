// Goes with src/conformance/session/pace.ts: it tests how that works. Whoever replaces it deletes this file.
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Pace } from '../../../src/conformance/session/pace.js';

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => vi.useRealTimers());

type Step = 'fast' | 'slow' | 'crowded' | 'later' | `${number} ms` | `lone ${number} ms`;

/** How many requests may be under way after these steps, while there is always more to send. */
async function limitAfter(most: number, steps: readonly Step[]): Promise<number> {
  const pace = new Pace(most);
  const underWay: (() => void)[] = [];
  for (let i = 0; i < 400; i++) void pace.with(1, () => new Promise<void>((end) => underWay.push(end)));
  for (const step of steps) {
    await turn();
    if (step === 'crowded') pace.crowded();
    else if (step === 'later') vi.advanceTimersByTime(1_000);
    else if (step.startsWith('lone ')) pace.responded(Number.parseInt(step.slice(5), 10), true);
    else {
      pace.responded(step === 'fast' ? 1 : step === 'slow' ? 5_000 : Number.parseInt(step, 10), false);
      underWay.shift()?.();
    }
  }
  return pace.limit;
}

const times = (count: number, step: Step): Step[] => Array(count).fill(step);

describe('the limit', () => {
  test.each<[string, number, readonly Step[], number]>([
    ['is 4 at first', 16, [], 4],
    ['is never above the concurrency', 1, times(9, 'fast'), 1],
    ['grows by one with each fast response', 16, times(3, 'fast'), 7],
    ['grows to the concurrency', 16, times(99, 'fast'), 16],
    ['does not shrink before a creation was sent alone', 16, ['slow'], 5],
    ['shrinks if a response takes three times as long as a lone creation', 16, ['lone 50 ms', '151 ms'], 3],
    ['grows if it takes less', 16, ['lone 50 ms', '149 ms'], 5],
    ['does not grow with requests that were sent alone', 16, times(9, 'lone 50 ms'), 4],
    ['does not believe one late response to be usual', 16, ['lone 50 ms', 'lone 900 ms', '301 ms'], 3],
    ['does not shrink below 2', 16, ['lone 50 ms', ...times(9, 'slow')], 2],
    ['is halved if the provider is crowded', 16, [...times(99, 'fast'), 'crowded'], 8],
    ['does not grow above that again', 16, [...times(99, 'fast'), 'crowded', ...times(99, 'fast')], 8],
    ['is halved once by a burst', 16, [...times(99, 'fast'), 'crowded', 'crowded'], 8],
    ['is halved again later', 16, [...times(99, 'fast'), 'crowded', 'later', 'crowded'], 4],
    ['is not halved below 2', 16, ['crowded', 'later', 'crowded', 'later', 'crowded'], 2],
    ['of 1 stays 1', 1, ['crowded', 'later', 'crowded'], 1],
  ])('%s', async (_what, most, steps, limit) => {
    expect(await limitAfter(most, steps)).toBe(limit);
  });
});

test('the limit does not grow while fewer requests are under way', async () => {
  const pace = new Pace(16);
  for (let i = 0; i < 9; i++) await pace.with(1, async () => pace.responded(1, false));
  expect(pace.limit).toBe(4);
  await Promise.all([1, 2, 3, 4].map(() => pace.with(1, async () => pace.responded(1, false))));
  expect(pace.limit).toBeGreaterThan(4);
});

/** Work that ends when `end` is called. */
function held(pace: Pace, count: number, name: string, log: string[]) {
  let end = (): void => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const done = pace.with(count, () => {
    log.push(name);
    return ended;
  });
  return { end, done };
}

describe('work', () => {
  test('starts in order: a large group is not overtaken', async () => {
    const pace = new Pace(4);
    const log: string[] = [];
    const first = held(pace, 3, 'three', log);
    const group = held(pace, 4, 'four', log);
    const last = held(pace, 1, 'one', log);
    await Promise.resolve();
    expect(log).toEqual(['three']);
    first.end();
    await first.done;
    await Promise.resolve();
    expect(log).toEqual(['three', 'four']);
    group.end();
    await group.done;
    last.end();
    await last.done;
    expect(log).toEqual(['three', 'four', 'one']);
  });

  test('that needs more places than there are gets them all', async () => {
    const pace = new Pace(2);
    const log: string[] = [];
    const group = held(pace, 100, 'hundred', log);
    const next = held(pace, 1, 'one', log);
    await Promise.resolve();
    expect(log).toEqual(['hundred']);
    group.end();
    await group.done;
    next.end();
    await next.done;
    expect(log).toEqual(['hundred', 'one']);
  });

  test('that fails gives its place back', async () => {
    const pace = new Pace(1);
    await expect(pace.with(1, () => Promise.reject(new Error('x')))).rejects.toThrow('x');
    expect(await pace.with(1, async () => 'next')).toBe('next');
  });

  test('is shared while other work is under way', async () => {
    const pace = new Pace(4);
    expect(pace.isShared).toBe(false);
    const alone = await pace.with(1, async () => pace.isShared);
    const [first] = await Promise.all([1, 1].map((count) => pace.with(count, async () => pace.isShared)));
    expect([alone, first, pace.isShared]).toEqual([false, true, false]);
  });
});

describe('if each response takes long', () => {
  test.each<[string, number, number, number]>([
    ['16 requests begin at once', 100, 32, 16],
    ['fewer begin if so many in line would time out', 300, 32, 8],
    ['the limit is not lowered', 2_000, 32, 4],
    ['no more begin than are allowed', 100, 3, 3],
  ])('%s', (_what, loneMs, highest, limit) => {
    const pace = new Pace(Math.min(16, highest));
    pace.responded(loneMs, true);
    pace.widen(5_000, highest);
    expect(pace.limit).toBe(limit);
  });

  test('more may be under way, but not if the provider was crowded before', () => {
    const pace = new Pace(16);
    pace.widen(5_000, 32);
    expect(pace.most).toBe(32);
    const crowded = new Pace(16);
    crowded.crowded();
    crowded.widen(5_000, 32);
    expect(crowded.most).toBe(2);
  });

  test('what has begun goes before what waits', async () => {
    const pace = new Pace(1);
    pace.responded(100, true);
    pace.widen(5_000, 1);
    const log: string[] = [];
    const first = held(pace, 1, 'first', log);
    const waiting = pace.with(1, async () => void log.push('another'));
    const next = pace.with(1, async () => void log.push('the next of the first'), true);
    first.end();
    await Promise.all([first.done, waiting, next]);
    expect(log).toEqual(['first', 'the next of the first', 'another']);
  });
});
