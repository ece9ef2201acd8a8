import { forManyListeners } from '../options.js';

/** How a check divides its time. All are milliseconds since its start, or numbers of milliseconds. */
export interface TimeParts {
  /** The probes are planned to end by now. Then there is time to send failed ones once more. */
  readonly plannedMs: number;
  /** No request begins after this time, and nothing waits longer. */
  readonly lastBeginMs: number;
  /** Every request ends before this time. The rest is for judging. */
  readonly lastEndMs: number;
  /** After this time, the number of responses so far shows how fast the provider is. */
  readonly measuredMs: number;
  /** A check waits this long in all for a provider that throttles. */
  readonly waitingMs: number;
  /** A request that was throttled is not sent again if it would have to wait longer than this. */
  readonly longestWaitMs: number;
}

/** Divides the time limit of a check. */
export function timePartsOf(limitMs: number): TimeParts {
  const lastEndMs = limitMs - Math.min(6_000, 1_500 + limitMs / 10);
  const lastBeginMs = lastEndMs - Math.min(3_000, lastEndMs / 10);
  const plannedMs = lastBeginMs - Math.min(6_000, lastBeginMs / 6);
  return {
    plannedMs,
    lastBeginMs,
    lastEndMs,
    measuredMs: Math.min(10_000, plannedMs / 3),
    waitingMs: (plannedMs * 5) / 6,
    longestWaitMs: plannedMs / 3,
  };
}

/** Ends every wait at one moment, or when a check is stopped. The moment moves while other work is done. */
export class Deadline {
  private readonly over = new AbortController();
  private readonly at: number;
  private postponedMs = 0;
  private timer: NodeJS.Timeout | undefined;

  constructor(ms: number, stop: AbortSignal) {
    forManyListeners(this.over.signal);
    if (stop.aborted) this.over.abort();
    stop.addEventListener('abort', () => this.over.abort(), { once: true });
    this.at = performance.now() + ms;
    this.arm();
  }

  /** Aborts then. */
  get signal(): AbortSignal {
    return this.over.signal;
  }

  /** Does other work. Its time does not count. */
  async postponedFor<T>(work: () => Promise<T>): Promise<T> {
    const start = performance.now();
    clearTimeout(this.timer);
    return work().finally(() => {
      this.postponedMs += performance.now() - start;
      this.arm();
    });
  }

  private arm(): void {
    const leftMs = this.at + this.postponedMs - performance.now();
    // A check that has ended does not keep the process.
    this.timer = setTimeout(() => this.over.abort(), Math.max(0, leftMs)).unref();
  }
}
