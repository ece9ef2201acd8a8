import { clearTimeout, setTimeout } from 'node:timers';
import { setTimeout as sleep } from 'node:timers/promises';
import { forManyListeners } from '../options.js';

/** Waits. Returns false, at once, if the signal stops it. */
export function wait(ms: number, signal: AbortSignal): Promise<boolean> {
  return sleep(ms, true, { signal }).catch(() => false);
}

/** The clock of a run. It stands still while other work is done. */
export class Clock {
  /** No request begins after this time, and nothing waits longer. */
  private lastBeginMs: number;
  /** Every request ends before this time. The rest is for judging. */
  private lastEndMs: number;
  private readonly start = performance.now();
  private readonly over = new AbortController();
  private awayMs = 0;
  private timer: NodeJS.Timeout | undefined;

  /**
   * @param limitMs how long the run may take; `Infinity` if its caller ends it
   * @param stop ends every wait as well
   */
  constructor(limitMs: number, stop: AbortSignal) {
    this.lastEndMs = limitMs - Math.min(6_000, 1_500 + limitMs / 10);
    this.lastBeginMs = this.lastEndMs - Math.min(3_000, this.lastEndMs / 10);
    forManyListeners(this.over.signal);
    if (stop.aborted) this.over.abort();
    stop.addEventListener('abort', () => this.over.abort(), { once: true });
    this.arm();
  }

  /** Aborts when no request begins any more: every wait ends then. */
  get signal(): AbortSignal {
    return this.over.signal;
  }

  /** Whether the time is over in which requests begin. */
  get isOver(): boolean {
    return this.spentMs >= this.lastBeginMs;
  }

  /** Milliseconds until the last request must end. */
  get leftMs(): number {
    return this.lastEndMs - this.spentMs;
  }

  /** Milliseconds since the start. */
  get elapsedMs(): number {
    return performance.now() - this.start;
  }

  /** Milliseconds since the start, without other work. */
  get spentMs(): number {
    return this.elapsedMs - this.awayMs;
  }

  /** Gives more time. */
  extend(ms: number): void {
    clearTimeout(this.timer);
    this.lastBeginMs += ms;
    this.lastEndMs += ms;
    this.arm();
  }

  /** Does other work. Its time does not count. */
  async awayFor<T>(work: () => Promise<T>): Promise<T> {
    const start = performance.now();
    clearTimeout(this.timer);
    return work().finally(() => {
      this.awayMs += performance.now() - start;
      this.arm();
    });
  }

  private arm(): void {
    const leftMs = this.lastBeginMs - this.spentMs;
    if (!Number.isFinite(leftMs)) return;
    // A timer may end a little early. When waits end, the time must be over. A check that has ended does not keep the process.
    this.timer = setTimeout(() => this.over.abort(), Math.max(0, leftMs) + 2).unref();
  }
}
