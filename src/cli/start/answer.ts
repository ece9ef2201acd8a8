import { setTimeout as sleep } from 'node:timers/promises';
import { beginRequest, type Route } from '../../http/route.js';
import { reasonOf } from '../../toolkit-error.js';

/** What a gateway says while the provider behind it starts. */
const STARTING: ReadonlySet<number> = new Set([502, 503, 504]);
/** The longest time for one attempt: a port may be open long before anybody reads from it. */
export const ATTEMPT_MS = 2_000;
const BETWEEN_MS = 100;

/**
 * Waits until a provider answers: with any HTTP response but 502, 503 and 504.
 *
 * @param operation the way to the operation. It is asked with GET, which creates no plant
 * @param signal ends the waiting
 * @returns why it does not answer; `undefined` if it does
 */
export async function untilAnswered(
  operation: Route,
  withinMs: number,
  signal: AbortSignal,
): Promise<string | undefined> {
  const end = performance.now() + withinMs;
  let reason: string | undefined;
  for (;;) {
    const left = end - performance.now();
    const answer = await ask(operation, Math.max(Math.min(ATTEMPT_MS, left), 1), signal);
    if (typeof answer === 'number' && !STARTING.has(answer)) return undefined;
    const isCutShort = left < ATTEMPT_MS && performance.now() >= end;
    // An attempt that the time limit cuts short says less than the one before.
    if (!isCutShort || reason === undefined)
      reason = typeof answer === 'number' ? `it returns ${answer}` : answer;
    if (signal.aborted || performance.now() + BETWEEN_MS > end) return reason;
    await sleep(BETWEEN_MS, undefined, { signal }).catch(() => {});
  }
}

/** @returns the status of the response, or the reason why there is none */
export function ask(operation: Route, withinMs: number, signal: AbortSignal): Promise<number | string> {
  const { url, headers } = operation;
  const { promise, resolve } = deferred<number | string>();
  const late = new Error(`no response within ${Math.round(withinMs)} ms`);
  const own = [['Host', url.host] as const, ['User-Agent', 'plant-store-contract'] as const];
  const sent = beginRequest(operation, { method: 'GET', headers: [...own, ...headers] }, { signal });
  const timer = setTimeout(() => sent.destroy(late), withinMs);
  sent
    .once('response', ({ statusCode = 0 }) => {
      resolve(statusCode);
      sent.destroy();
    })
    .on('error', (problem) => resolve(reasonOf(problem)))
    .once('close', () => clearTimeout(timer))
    .end();
  return promise;
}

function deferred<T>(): { promise: Promise<T>; resolve: (value: T) => void } {
  let resolve: (value: T) => void = () => {};
  const promise = new Promise<T>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}
