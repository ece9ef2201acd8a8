import { type Exchange, isRefused, isThrottled } from '../exchange.js';
import { retryAfterMs } from './retry-after.js';

/** Why a probe proved nothing and is sent once more, whole and with new ids. */
export type Reason = 'stale' | 'throttled' | 'crowded' | 'refused';

/** How often a probe is sent again, by reason. */
export const MOST_TIMES: Readonly<Record<Reason, number>> = {
  stale: 2,
  throttled: 20,
  crowded: 2,
  refused: 1,
};

/** An answer that says "too many" and not when to come again is waited for so often. */
const MOST_GUESSES = 2;
const GUESSED_MS = 500;
/** Whoever asks to come again at once is given a little longer each time. */
const LEAST_MS = 200;

/** Why the exchanges of a probe prove nothing, if they do not. */
export function reasonIn(exchanges: readonly Exchange[]): Reason | undefined {
  if (exchanges.some(isStale)) return 'stale';
  if (exchanges.some(isThrottled)) return 'throttled';
  if (exchanges.some(isCrowdedOut)) return 'crowded';
  return exchanges.some(isRefusedCreation) ? 'refused' : undefined;
}

/**
 * How long a throttled probe waits before it is sent again.
 *
 * @param times how often it was sent again before
 * @returns milliseconds; `undefined` where it is no use
 */
export function waitMs(exchanges: readonly Exchange[], times: number): number | undefined {
  const asked = exchanges.map((exchange) => retryAfterMs(exchange)).find((ms) => ms !== undefined);
  if (asked === undefined) return times < MOST_GUESSES ? GUESSED_MS * (times + 1) : undefined;
  return Math.max(asked, LEAST_MS * (times + 1));
}

/** The connection had been closed while it was idle, so that the request met nobody (RFC 9112, section 9.3.1). */
function isStale({ failure, reusedConnection }: Exchange): boolean {
  return failure?.kind === 'reset' && reusedConnection;
}

/** It waited too long for an answer, while others were under way. */
export function isOvertaken({ failure, shared }: Exchange): boolean {
  return shared && failure?.kind === 'time-out';
}

/** Nobody took the connection, or a valid request waited too long, while others were under way. */
function isCrowdedOut(exchange: Exchange): boolean {
  const { failure, expectation, shared } = exchange;
  if (shared && (failure?.kind === 'not-connected' || failure?.kind === 'reset')) return true;
  return isOvertaken(exchange) && expectation === 'created';
}

/** Its id may be taken. */
function isRefusedCreation(exchange: Exchange): boolean {
  return exchange.expectation === 'created' && isRefused(exchange);
}
