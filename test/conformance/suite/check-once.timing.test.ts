import type { SuiteOptions } from 'plant-store-contract/conformance';
import { createPlantStore } from 'plant-store-contract/server';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { Recorder } from './recorder.js';

afterEach(() => vi.useRealTimers());

const store = createPlantStore({ token: 'secret' });
const never = () => new Promise<never>(() => {});
const only = ['auth'];

/** The errors of all tests, each of them once. */
async function errorsOf(suite: Recorder): Promise<(Error | undefined)[]> {
  const ended = [...(await suite.runAll()).values()];
  return [...new Set(ended.map(({ error }) => error))];
}

describe('every test fails, once, if this never ends:', () => {
  test.each<[string, Partial<SuiteOptions>, string]>([
    ['the start of a provider', { target: { start: never } }, 'the provider has not started within 0.2 s'],
    ['the wait for a token', { token: never }, 'the check has not ended within 0.2 s'],
    [
      'a check',
      { target: { fetch: never }, token: 'a', timeoutMs: 30_000 },
      'the check has not ended within 0.2 s',
    ],
    ['onReport', { onReport: never, checkTimeoutMs: 2_000 }, 'the check has not ended within 1.8 s'],
  ])('%s', async (_what, options, message) => {
    const suite = Recorder.of({ target: store, only, checkTimeoutMs: 200, ...options });
    const errors = await errorsOf(suite);
    expect(errors.map((error) => error?.message)).toEqual([message]);
    // The next tests do not wait again: another wait would end with another error.
    expect((await errorsOf(suite))[0]).toBe(errors[0]);
  });

  test('fake timers in a test change nothing', async () => {
    vi.useFakeTimers();
    const suite = Recorder.of({ target: { start: never }, token: 'a', only, checkTimeoutMs: 100 });
    const [error, ...others] = await errorsOf(suite);
    expect(error?.message).toBe('the provider has not started within 0.1 s');
    expect(others).toEqual([]);
  });
});

describe('a provider is stopped', () => {
  test('even if onReport never ends', async () => {
    const close = vi.fn();
    await Recorder.of({
      target: { start: () => ({ ...store, close }) },
      only,
      checkTimeoutMs: 200,
      onReport: never,
    }).runAll();
    expect(close).toHaveBeenCalledTimes(1);
  });

  test('even if it starts too late', async () => {
    const close = vi.fn();
    let start = (): void => {};
    const launch = () =>
      new Promise<typeof store & { close(): void }>((resolve) => {
        start = () => resolve({ ...store, close });
      });
    await Recorder.of({ target: { start: launch }, token: 'secret', only, checkTimeoutMs: 50 }).runAll();
    start();
    await expect.poll(() => close).toHaveBeenCalledTimes(1);
  });
});

describe('a provider that cannot be stopped', () => {
  test.each<[string, () => unknown, string]>([
    ['because its close throws', () => Promise.reject(new Error('no such process')), 'no such process'],
    ['because its close never ends', never, 'the provider has not stopped within'],
  ])('%s, changes no verdict', async (_why, close, problem) => {
    const written = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    const start = () => ({ ...createPlantStore({ token: 'secret', faults: ['leaks-id'] }), close });
    const suite = Recorder.of({ target: { start }, checkTimeoutMs: 3_000, only: ['success'] });
    const ended = await suite.runAll();
    const failed = [...ended].filter(([, { error }]) => error !== undefined).map(([name]) => name);
    expect(failed).toEqual(['success/plant-fields-only']);
    expect(written.mock.calls).toEqual([
      [expect.stringContaining(`the provider could not be stopped: ${problem}`)],
    ]);
    written.mockRestore();
  });
});
