interface Waiting {
  readonly count: number;
  readonly go: (granted: number) => void;
}

/** How many requests are under way at first; more once it shows that the provider takes them. */
const FIRST = 4;
/** Answers that come faster than this say nothing about a queue. */
const FAST_MS = 100;
/** Answers that take so many times as long as a creation without company have waited for others. */
const QUEUED = 3;
/** What crowds one request crowds those beside it: that counts once. */
const BURST_MS = 200;

/**
 * So many requests under way at once and no more; first come, first served. Their number grows while the provider
 * answers as fast as it does one request, and shrinks where it shows that there are too many: a provider that
 * serves one client after the other is not to run into time-outs that our own queue makes.
 */
export class Pace {
  private readonly waiting: Waiting[] = [];
  private size: number;
  private taken = 0;
  private aloneMs = Number.POSITIVE_INFINITY;
  private shrunkAt = Number.NEGATIVE_INFINITY;

  /** @param most how many there may be */
  constructor(private most: number) {
    this.size = Math.min(most, FIRST);
  }

  /** Whether other requests are under way beside one. */
  get isShared(): boolean {
    return this.taken > 1;
  }

  /** Does work that needs so many places at once; where there are fewer, it gets them all. */
  async with<T>(count: number, work: () => Promise<T>): Promise<T> {
    const granted = await new Promise<number>((go) => {
      this.waiting.push({ count, go });
      this.serve();
    });
    try {
      return await work();
    } finally {
      this.taken -= granted;
      this.serve();
    }
  }

  /** Told of each answer, how long it took, and whether it was to a creation that had no company. */
  answered(durationMs: number, isLoneCreation: boolean): void {
    if (isLoneCreation) this.aloneMs = durationMs;
    const isQueued = durationMs > Math.max(FAST_MS, QUEUED * this.aloneMs);
    this.size = isQueued
      ? Math.max(Math.min(2, this.most), this.size - 1)
      : Math.min(this.most, this.size + 1);
  }

  /** Told that the provider could not take as many: there will be half of them, and two at least. */
  crowded(): void {
    const now = performance.now();
    if (now - this.shrunkAt < BURST_MS) return;
    this.shrunkAt = now;
    this.most = Math.min(this.size, Math.max(2, Math.floor(this.size / 2)));
    this.size = this.most;
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
