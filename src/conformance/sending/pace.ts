interface Waiting {
  readonly count: number;
  readonly go: (granted: number) => void;
}

/** How many requests are under way at first. */
const FIRST = 4;
/** A response that takes less time than this did not wait in a queue. */
const FAST_MS = 100;
/** A response that takes this many times as long as a lone creation waited for others. */
const QUEUED = 3;
/** Several signs of crowding within this time have one cause, and count once. */
const BURST_MS = 200;

/**
 * Limits how many requests are under way at once. First come, first served.
 *
 * The limit grows while the provider responds as fast as it does to one request. It shrinks when the provider shows that
 * there are too many. So a provider that serves one client at a time does not run into timeouts that we cause.
 */
export class Pace {
  private readonly waiting: Waiting[] = [];
  private size: number;
  private taken = 0;
  private aloneMs = Number.POSITIVE_INFINITY;
  private fastestMs = Number.POSITIVE_INFINITY;
  private shrunkAt = Number.NEGATIVE_INFINITY;

  /** @param highest how many requests may be under way at once at most */
  constructor(private highest: number) {
    this.size = Math.min(highest, FIRST);
  }

  /** How many requests may be under way now. */
  get limit(): number {
    return this.size;
  }

  /** The highest limit, which is lower once the provider was crowded. */
  get most(): number {
    return this.highest;
  }

  /** Milliseconds that a creation takes at least if it is alone; 0 if that is not known yet. */
  get loneMs(): number {
    return Number.isFinite(this.fastestMs) ? this.fastestMs : 0;
  }

  /** Whether more than one request is under way. */
  get isShared(): boolean {
    return this.taken > 1;
  }

  /** Does work that needs this many places at once. If the limit is lower, it gets all places. */
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

  /** Call it for each response, with the time that it took, and whether it is to a creation that was sent alone. */
  responded(durationMs: number, isLoneCreation: boolean): void {
    if (isLoneCreation) {
      // One late response does not make the provider slow. And a request alone says nothing about several at once.
      this.aloneMs = Math.min(durationMs, 2 * this.aloneMs);
      this.fastestMs = Math.min(this.fastestMs, durationMs);
      return;
    }
    const isQueued = durationMs > Math.max(FAST_MS, QUEUED * this.aloneMs);
    if (isQueued) this.size = Math.max(Math.min(2, this.highest), this.size - 1);
    // With fewer requests than are allowed, a fast response says nothing about more.
    else if (this.taken >= this.size) this.size = Math.min(this.highest, this.size + 1);
  }

  /** Call it if the provider could not serve this many. The limit is halved, but stays at 2 or more. */
  crowded(): void {
    const now = performance.now();
    if (now - this.shrunkAt < BURST_MS) return;
    this.shrunkAt = now;
    this.highest = Math.min(this.size, Math.max(2, Math.floor(this.size / 2)));
    this.size = this.highest;
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
