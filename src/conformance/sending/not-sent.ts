import type { NoResponse } from '../exchange.js';
import type { Delivery } from './send.js';

/** A check ends within 45 s: no request begins after this time. */
export const BUDGET_MS = 36_000;

/** A request that had less time than the provider may take was not waited for, and says nothing about the provider. */
export function asUnfinished(failure: NoResponse | undefined): NoResponse | undefined {
  if (failure?.kind !== 'timeout' && failure?.kind !== 'not-connected') return failure;
  return { kind: 'stopped', message: 'no response before the check had to end' };
}

/** Why a request was not sent at all. */
export function notSent(isStopped: boolean, hasProviderStopped: boolean): Delivery {
  const message = isStopped
    ? 'not sent: the check was stopped'
    : hasProviderStopped
      ? 'not sent: the provider had stopped responding'
      : `not sent: the check had run for ${BUDGET_MS / 1000} s`;
  return { failure: { kind: 'not-sent', message }, reusedConnection: false, connectMs: 0 };
}
