/**
 * Does some work unless a time is over first, or somebody stops it. The work is told by a signal; whether it heeds it
 * or not, nobody waits for it any longer.
 *
 * @param timeoutMs milliseconds until it is over
 * @param outer what may stop it before
 * @param work is given the signal
 * @throws a `TimeoutError`, as `AbortSignal.timeout` gives it, or the reason of `outer`
 */
export async function withDeadline<T>(
  timeoutMs: number,
  outer: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  outer?.throwIfAborted();
  // `AbortSignal.timeout` and `AbortSignal.any` would keep a timer and listeners until the time is over.
  const controller = new AbortController();
  const { signal } = controller;
  let stop = (_reason: unknown): void => {};
  const stopped = new Promise<never>((_resolve, reject) => {
    stop = (reason) => {
      reject(reason);
      controller.abort(reason);
    };
  });
  const onAbort = (): void => stop(outer?.reason);
  outer?.addEventListener('abort', onAbort, { once: true });
  const timer = setTimeout(
    () => stop(new DOMException(`no whole answer came within ${timeoutMs} ms`, 'TimeoutError')),
    timeoutMs,
  );
  try {
    return await Promise.race([stopped, work(signal)]);
  } finally {
    clearTimeout(timer);
    outer?.removeEventListener('abort', onAbort);
  }
}
