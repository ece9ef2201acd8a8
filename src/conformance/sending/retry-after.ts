import { setTimeout as sleep } from 'node:timers/promises';
import { type Exchange, isThrottled, valuesOf } from '../exchange.js';

/** A check waits so long in all, counted once where several requests wait at the same time. */
const PATIENCE_MS = 10_000;

/**
 * How long a provider asks a client to wait before it comes again: Retry-After in seconds or as a date
 * (RFC 9110, section 10.2.3), told from the Date of the answer where there is one, since clocks differ.
 *
 * @returns milliseconds; `undefined` where the answer asks for nothing of the kind
 */
export function retryAfterMs({ response, ...exchange }: Exchange, now = Date.now()): number | undefined {
  if (response === undefined || !isThrottled({ response, ...exchange })) return undefined;
  const value = valuesOf(response, 'retry-after')[0]?.trim() ?? '';
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1_000;
  const until = Date.parse(value);
  if (Number.isNaN(until)) return undefined;
  const sent = Date.parse(valuesOf(response, 'date')[0] ?? '');
  return Math.max(0, until - (Number.isNaN(sent) ? now : sent));
}

/** What is left of the time that a check waits for providers that ask it to come again later. */
export class Patience {
  private spentMs = 0;
  private waitsUntil = 0;

  /** @param maxMs how long is waited in all */
  constructor(private readonly maxMs = PATIENCE_MS) {}

  /**
   * Waits.
   *
   * @returns false, at once, where that would take longer than is left, or where the signal stops it
   */
  async wait(ms: number, signal: AbortSignal): Promise<boolean> {
    const now = performance.now();
    const added = Math.max(0, now + ms - Math.max(now, this.waitsUntil));
    if (this.spentMs + added > this.maxMs) return false;
    this.spentMs += added;
    this.waitsUntil = Math.max(this.waitsUntil, now + ms);
    return sleep(ms, true, { signal }).catch(() => false);
  }
}
