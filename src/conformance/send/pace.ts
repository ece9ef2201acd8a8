import { wait } from './time.js';

interface Waiting {
  readonly count: number;
  readonly go: (granted: number) => void;
}

/** How many requests are under way at once. The number is decided once, and halved if the provider cannot serve so many. */
export class Places {
  private readonly waiting: Waiting[] = [];
  private taken = 0;
  private halvedAtMs = Number.NEGATIVE_INFINITY;

  constructor(private size: number) {}

  /** How many requests may be under way at once. */
  get most(): number {
    return this.size;
  }

  /** How many requests are under way. */
  get underWay(): number {
    return this.taken;
  }

  decide(size: number): void {
    this.size = size;
  }

  /**
   * Halves the number. What was sent before the last time shows nothing new.
   *
   * @param sentMs when the request was sent that the provider could not serve
   */
  halve(sentMs: number, nowMs: number): void {
    if (sentMs < this.halvedAtMs) return;
    this.halvedAtMs = nowMs;
    this.size = Math.max(1, Math.floor(this.size / 2));
  }

  /** Does work that needs this many places at once, first come, first served. If there are fewer, it gets all. */
  async with<T>(count: number, work: (granted: number) => Promise<T>): Promise<T> {
    const granted = await new Promise<number>((go) => {
      this.waiting.push({ count, go });
      this.serve();
    });
    try {
      return await work(granted);
    } finally {
      this.taken -= granted;
      this.serve();
    }
  }

  private serve(): void {
    for (let next = this.waiting[0]; next !== undefined; next = this.waiting[0]) {
      const granted = Math.min(next.count, this.size);
      if (this.taken + granted > this.size) return;
      this.waiting.shift();
      this.taken += granted;
      next.go(granted);
    }
  }
}

const SECOND_MS = 1_000;
/** Timers and networks are not exact, and the provider counts when requests arrive. */
const MARGIN = 1.03;

/** The highest number of requests per second, as the user sets it. Requests are spaced evenly, so that no second has more. */
export class Rate {
  private readonly gapMs: number;
  private queue = Promise.resolve();
  private nextAt = 0;

  constructor(private readonly perSecond: number) {
    this.gapMs = (MARGIN * SECOND_MS) / perSecond;
  }

  /** Whether so many requests may be sent at the same time. */
  allows(count: number): boolean {
    return count <= this.perSecond;
  }

  /** Waits until so many requests may be sent at once, first come, first served. It ends early if the signal stops it. */
  turn(count: number, signal: AbortSignal): Promise<void> {
    if (Number.isFinite(this.perSecond)) this.queue = this.queue.then(() => this.wait(count, signal));
    return this.queue;
  }

  private async wait(count: number, signal: AbortSignal): Promise<void> {
    // Several at once need a second in which nothing else is counted.
    const quietMs = count > 1 ? MARGIN * SECOND_MS : 0;
    const leftMs = this.nextAt + quietMs - performance.now();
    if (leftMs > 0) await wait(leftMs, signal);
    // From now on, and not from the time that was planned: a late request must not come close to the next one.
    this.nextAt = performance.now() + count * this.gapMs;
  }
}
