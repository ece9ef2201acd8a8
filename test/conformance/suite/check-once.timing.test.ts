import { createPlantStore } from 'plant-store-contract/server';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { Recorder } from './recorder.js';

afterEach(() => vi.useRealTimers());

const store = createPlantStore({ token: 'secret' });
const only = ['auth'];
/** The shortest. A provider has as long to start. */
const timeLimitMs = 5_000;

test('a provider that does not start fails every test, once, even with fake timers, and is stopped if it starts later', async () => {
  vi.useFakeTimers();
  const close = vi.fn();
  let start = (): void => {};
  const launch = () =>
    new Promise<typeof store & { close(): void }>((resolve) => {
      start = () => resolve({ ...store, close });
    });
  const suite = Recorder.of({ target: { start: launch }, token: 'secret', only, timeLimitMs });
  const ended = [...(await suite.runAll()).values()].map(({ error }) => error);
  // The next tests do not wait again: another wait would end with another error.
  expect(new Set(ended).size).toBe(1);
  expect(ended[0]?.message).toBe('the provider has not started within 5 s');
  vi.useRealTimers();
  expect(close).not.toHaveBeenCalled();
  start();
  await expect.poll(() => close).toHaveBeenCalledTimes(1);
});

test('a function that never responds fails every test, and is stopped', async () => {
  const close = vi.fn();
  const start = () => ({ fetch: () => new Promise<never>(() => {}), close });
  const suite = Recorder.of({ target: { start }, token: 'a', only, timeoutMs: 30_000, timeLimitMs });
  const { error } = await suite.run('auth/missing-token-is-refused');
  expect(error?.message).toMatch(/^The provider could not be tested: no response/);
  expect(close).toHaveBeenCalledTimes(1);
});

describe('a provider that cannot be stopped', () => {
  test.each<[string, () => unknown, string]>([
    ['because its close throws', () => Promise.reject(new Error('no such process')), 'no such process'],
    [
      'because its close never ends',
      () => new Promise<never>(() => {}),
      'the provider has not stopped within 5 s',
    ],
  ])('%s, changes no verdict', async (_why, close, problem) => {
    const written = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    const start = () => ({ ...createPlantStore({ token: 'secret', faults: ['leaks-id'] }), close });
    const ended = await Recorder.of({ target: { start }, only: ['success'] }).runAll();
    const failed = [...ended].filter(([, { error }]) => error !== undefined).map(([name]) => name);
    expect(failed).toEqual(['success/plant-fields-only']);
    expect(written.mock.calls).toEqual([[`the provider could not be stopped: ${problem}\n`]]);
    written.mockRestore();
  });
});
