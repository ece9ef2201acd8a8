import { Rejection } from './error-codes.js';

const WINDOW_MS = 1_000;

/** Rejects requests beyond a number for each second. */
export function rateLimit(most: number | undefined): () => Rejection | undefined {
  if (most === undefined) return () => undefined;
  let since = Number.NEGATIVE_INFINITY;
  let seen = 0;
  return () => {
    const now = performance.now();
    if (now - since >= WINDOW_MS) [since, seen] = [now, 0];
    return ++seen <= most
      ? undefined
      : new Rejection('rate-limited', `the limit is ${most} requests per second; try again in a second`);
  };
}
