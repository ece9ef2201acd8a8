import { headerValues } from '../../http/fields.js';
import type { Exchange } from '../exchange.js';
import { wait } from './time.js';

/** After so many tries of one request, a plain plant shows whether a limit turns it away, or its content does. */
export const TRIES = 3;
/** How long the whole check pauses if the provider does not say how long, by the tries of one request. */
const PAUSES_MS = [400, 800, 1_600] as const;

/** Whether the provider says that there are too many requests: 429 (RFC 6585, section 4) or 503 (RFC 9110, section 15.6.4). */
export function isBusy({ response }: Pick<Exchange, 'response'>): boolean {
  return response?.status === 429 || response?.status === 503;
}

/** How long to wait after a request was turned away for the n-th time, in milliseconds. */
export function pauseMs(exchange: Exchange, tries: number): number {
  return retryAfterMs(exchange) ?? PAUSES_MS[tries - 1] ?? PAUSES_MS[2];
}

/**
 * The time in Retry-After: seconds, or a date (RFC 9110, section 10.2.3). A date is compared with the Date of the
 * response if it has one, because clocks differ.
 *
 * @returns milliseconds, or `undefined` if there is no such time
 */
export function retryAfterMs({ response }: Pick<Exchange, 'response'>, now = Date.now()): number | undefined {
  if (response === undefined || !isBusy({ response })) return undefined;
  const value = headerValues(response.headers, 'retry-after')[0]?.trim() ?? '';
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1_000;
  // Every HTTP date begins with a day. JavaScript also reads "-1" as a date.
  const until = /^[a-z]{3,}/i.test(value) ? Date.parse(value) : Number.NaN;
  if (Number.isNaN(until)) return undefined;
  const sent = Date.parse(headerValues(response.headers, 'date')[0] ?? '');
  return Math.max(0, until - (Number.isNaN(sent) ? now : sent));
}

/** The pause of a whole check: while it lasts, nothing is sent. */
export class Pause {
  private until = 0;

  begin(ms: number): void {
    this.until = Math.max(this.until, performance.now() + ms);
  }

  /** Waits until it is over. It ends early if the signal stops it. */
  async over(signal: AbortSignal): Promise<void> {
    // It may become longer meanwhile.
    for (let leftMs = this.until - performance.now(); leftMs > 0; leftMs = this.until - performance.now())
      if (!(await wait(leftMs, signal))) return;
  }
}
