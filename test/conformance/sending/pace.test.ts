import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Pace } from '../../../src/conformance/sending/pace.js';

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => vi.useRealTimers());

type Step = 'fast' | 'slow' | 'lone 50 ms' | '149 ms' | '151 ms' | 'crowded' | 'later';

/** How many requests may be under way after these steps: as many as start at once. */
async function limitAfter(most: number, steps: readonly Step[]): Promise<number> {
  const pace = new Pace(most);
  for (const step of steps) {
    if (step === 'crowded') pace.crowded();
    else if (step === 'later') vi.advanceTimersByTime(1_000);
    else if (step === 'fast') pace.responded(1, false);
    else if (step === 'slow') pace.responded(5_000, false);
    else if (step === 'lone 50 ms') pace.responded(50, true);
    else pace.responded(Number.parseInt(step, 10), false);
  }
  let started = 0;
  for (let i = 0; i < 200; i++) {
    void pace.with(1, () => {
      started++;
      return new Promise(() => {});
    });
  }
  await Promise.resolve();
  await Promise.resolve();
  return started;
}

const times = (count: number, step: Step): Step[] => Array(count).fill(step);

describe('the limit', () => {
  test.each<[string, number, readonly Step[], number]>([
    ['is 4 at first', 16, [], 4],
    ['is never above the concurrency', 1, times(9, 'fast'), 1],
    ['grows by one with each fast response', 16, times(3, 'fast'), 7],
    ['grows to the concurrency', 16, times(99, 'fast'), 16],
    ['does not shrink before a creation was sent alone', 16, ['slow'], 5],
    ['shrinks if a response takes three times as long as a lone creation', 16, ['lone 50 ms', '151 ms'], 4],
    ['grows if it takes less', 16, ['lone 50 ms', '149 ms'], 6],
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
