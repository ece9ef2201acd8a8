/**
 * Does some work with a time limit. After the limit, or if `outer` aborts, the result of the work is ignored.
 *
 * @param timeoutMs the limit in milliseconds
 * @param outer may abort the work before the limit
 * @param work receives a signal that aborts
 * @throws a `TimeoutError`, like that of `AbortSignal.timeout`, or the reason of `outer`
 */
export async function withDeadline<T>(
  timeoutMs: number,
  outer: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  outer?.throwIfAborted();
  // `AbortSignal.timeout` and `AbortSignal.any` would keep a timer and listeners until the limit.
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
    () => stop(new DOMException(`timeout: no complete response within ${timeoutMs} ms`, 'TimeoutError')),
    timeoutMs,
  );
  try {
    return await Promise.race([stopped, work(signal)]);
  } finally {
    clearTimeout(timer);
    outer?.removeEventListener('abort', onAbort);
  }
}
