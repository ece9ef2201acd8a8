import { headerValues } from '../../http/fields.js';
import { type Exchange, isRejected, isThrottled } from '../exchange.js';

/**
 * Why a probe proved nothing and is sent once more, whole and with new ids.
 *
 * - `stale`: its connection was closed while it was idle (RFC 9112, section 9.3.1).
 * - `crowded`: it did not connect, or got no response in time, while others were under way.
 * - `rejected`: a valid creation was rejected. Its id may exist already.
 */
export type Reason = 'stale' | 'crowded' | 'rejected';

/** How often a probe is sent again, by reason. */
export const MOST_RESENDS: Readonly<Record<Reason, number>> = { stale: 2, crowded: 2, rejected: 1 };

/** Why the exchanges of a probe prove nothing, or `undefined` if they prove something. */
export function reasonToResend(exchanges: readonly Exchange[]): Reason | undefined {
  if (exchanges.some(isStale)) return 'stale';
  if (exchanges.some(isCrowdedOut)) return 'crowded';
  return exchanges.some(isRejectedCreation) ? 'rejected' : undefined;
}

function isStale({ failure, reusedConnection }: Exchange): boolean {
  return failure?.kind === 'reset' && reusedConnection;
}

function isCrowdedOut({ failure, expectation, shared }: Exchange): boolean {
  if (!shared) return false;
  if (failure?.kind === 'not-connected' || failure?.kind === 'reset') return true;
  return failure?.kind === 'timeout' && expectation === 'created';
}

function isRejectedCreation(exchange: Exchange): boolean {
  return exchange.expectation === 'created' && isRejected(exchange) && !isThrottled(exchange);
}

/**
 * Whether a response is a 503 that does not say when to come again. That is how nginx turns away by default what is too much. A
 * provider also has it that fails on the content of a request.
 */
export function isBare503(exchange: Exchange): boolean {
  return exchange.response?.status === 503 && !isThrottled(exchange);
}

/**
 * The time in Retry-After: seconds, or a date (RFC 9110, section 10.2.3). A date is compared with the Date of the
 * response if it has one, because clocks differ.
 *
 * @returns milliseconds, or `undefined` if the response does not throttle or has no such time
 */
export function retryAfterMs(exchange: Pick<Exchange, 'response'>, now = Date.now()): number | undefined {
  if (exchange.response === undefined || !isThrottled(exchange)) return undefined;
  const { headers } = exchange.response;
  const value = headerValues(headers, 'retry-after')[0]?.trim() ?? '';
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1_000;
  // Every HTTP date begins with a day. JavaScript also reads "-1" as a date.
  const until = /^[a-z]{3,}/i.test(value) ? Date.parse(value) : Number.NaN;
  if (Number.isNaN(until)) return undefined;
  const sent = Date.parse(headerValues(headers, 'date')[0] ?? '');
  return Math.max(0, until - (Number.isNaN(sent) ? now : sent));
}
