import type { NoResponse } from '../exchange.js';
import type { Delivery } from './send.js';

/** A check ends within 45 s: no request begins after this time. */
export const BUDGET_MS = 36_000;

/** A request that had less time than the provider may take was not waited for, and says nothing about the provider. */
export function asUnfinished(failure: NoResponse | undefined): NoResponse | undefined {
  if (failure?.kind !== 'timeout' && failure?.kind !== 'not-connected') return failure;
  return { kind: 'stopped', message: 'no response before the check had to end' };
}

/** A request was not sent at all, for this reason. */
export function notSent(why: string): Delivery {
  const failure = { kind: 'not-sent', message: `not sent: ${why}` } as const;
  return { failure, reusedConnection: false, connectMs: 0 };
}
