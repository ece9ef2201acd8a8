import { wait } from './time.js';

/** How many requests are under way at first: as many as a browser opens connections. */
const FIRST_PLACES = 6;
/** A provider is far if a lone creation takes longer than this. */
const FAR_MS = 90;
/** A response that takes less time than this did not wait in a queue. */
const FAST_MS = 100;
/** A response that takes this many times as long as a lone creation waited for others. */
const QUEUED = 3;
/** Several signs of crowding within this time have one cause, and count once. */
const BURST_MS = 200;
const LEAST_PLACES = 2;

interface Waiting {
  readonly count: number;
  readonly go: (granted: number) => void;
}

/**
 * How many requests are under way at once. The number grows while the provider responds as fast as it does to one request, and
 * shrinks when the provider shows that there are too many. So a provider that serves one client at a time does not run into
 * timeouts that we cause.
 */
export class Places {
  private readonly waiting: Waiting[] = [];
  private size: number;
  private taken = 0;
  private fastestMs = Number.POSITIVE_INFINITY;
  private shrunkAt = Number.NEGATIVE_INFINITY;
  /** How many the provider could serve, if it could not serve more. */
  private served: number | undefined;

  /**
   * @param usual how many requests may be under way at once at most
   * @param ifFar the same if each response takes long, although nothing waits
   */
  constructor(
    private readonly usual: number,
    private readonly ifFar: number,
  ) {
    this.size = Math.min(usual, FIRST_PLACES);
  }

  /** Whether each response takes long, although nothing waits for another request. */
  get isFar(): boolean {
    return this.loneMs > FAR_MS;
  }

  /** How many requests may be under way at once at most. */
  get most(): number {
    return this.served ?? (this.isFar ? this.ifFar : this.usual);
  }

  /** Milliseconds that a creation takes at least if it is alone; 0 if that is not known yet. */
  get loneMs(): number {
    return Number.isFinite(this.fastestMs) ? this.fastestMs : 0;
  }

  /** How many requests are under way. */
  get underWay(): number {
    return this.taken;
  }

  /** Whether so many requests may be sent at the same time, for once. */
  mayMeet(count: number): boolean {
    return count <= (this.served === undefined ? this.ifFar : Math.min(this.ifFar, FIRST_PLACES));
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

  /** Call it for each creation that was accepted alone, with the time that it took. */
  respondedAlone(durationMs: number): void {
    // One late response does not make the provider slow.
    this.fastestMs = Math.min(this.fastestMs, durationMs);
  }

  /**
   * Call it for each other response.
   *
   * @param isUsual whether it would take as long as a lone creation. What is rejected may be late on purpose.
   */
  responded(durationMs: number, isUsual: boolean): void {
    const isQueued = durationMs > Math.max(FAST_MS, QUEUED * this.fastestMs);
    if (isQueued && isUsual) this.size = Math.max(Math.min(LEAST_PLACES, this.most), this.size - 1);
    // With fewer requests than are allowed, a fast response says nothing about more.
    else if (!isQueued && this.taken >= this.size) {
      this.size = Math.min(this.most, this.size + 1);
      this.serve();
    }
  }

  /** Call it if the provider could not serve this many. The number is halved. */
  crowded(): void {
    const now = performance.now();
    if (now - this.shrunkAt < BURST_MS) return;
    this.shrunkAt = now;
    this.served = Math.min(this.size, Math.max(LEAST_PLACES, Math.floor(this.size / 2)));
    this.size = this.served;
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

/** A single rejection may have another reason. This many among the latest responses show a limit of the rate. */
const SIGNS = 2;
const LATEST = 4;
/** The lowest rate that is tried first. A provider that allows 10 requests per second accepts it in any form of limiter. */
const FIRST_TRIED = 9;
/** Below the rate that was accepted, so that delays on the way do not matter. */
const SAFE = 0.9;
const SLOWER = 0.7;
const FASTER = 1.25;
/** So many accepted requests in a row show that a higher rate may work. */
const STEADY = 12;
const SECOND_MS = 1_000;
/** How long everything waits if the provider does not say how long: a limit is usually one per second. */
const GUESSED_MS = 1_000;
const LONGEST_GUESS_MS = 4_000;
/** The shortest pause, even if the provider says "at once". */
const LEAST_MS = 200;

/**
 * The number of requests per second. It is unlimited until the provider shows that it limits its rate. Then nothing is sent for as
 * long as the provider says, and requests are spaced evenly afterwards: a limiter that counts per second accepts that, and so does
 * one that allows no bursts.
 */
export class Rate {
  private perSecond: number;
  private isLearned = false;
  /** The rate at which the provider last limited us, if that is known. */
  private ceiling = Number.POSITIVE_INFINITY;
  private queue = Promise.resolve();
  private nextAt = 0;
  private pausedUntil = 0;
  private guessMs = GUESSED_MS;
  private steady = 0;
  private acceptedSincePause = 0;
  /** Whether each of the latest responses turned its request away. */
  private latest: boolean[] = [];

  /** @param most the highest rate */
  constructor(private readonly most: number) {
    this.perSecond = most;
  }

  /** How many requests per second the provider accepts, if it limits them. */
  get learned(): number | undefined {
    return this.isLearned ? this.perSecond : undefined;
  }

  /** Waits until so many requests may be sent at once, first come, first served. It ends early if the signal stops it. */
  turn(count: number, signal: AbortSignal): Promise<void> {
    this.queue = this.queue.then(() => this.wait(count, signal));
    return this.queue;
  }

  /** Call it for each response to a request that was processed. */
  responded(): void {
    this.note(false);
    this.acceptedSincePause++;
    if (++this.steady < STEADY || !this.isLearned) return;
    this.steady = 0;
    const highest = Math.min(this.most, this.ceiling * SAFE);
    if (this.perSecond < highest) this.perSecond = Math.min(highest, this.perSecond * FASTER);
  }

  /**
   * Call it for each response that turns a request away.
   *
   * @param askedMs how long to wait, if the provider says it
   */
  turnedAway(askedMs: number | undefined): void {
    const now = performance.now();
    this.note(true);
    this.steady = 0;
    if (this.latest.filter(Boolean).length < SIGNS) return;
    if (now < this.pausedUntil) {
      // Sent before the pause.
      if (askedMs !== undefined) this.pausedUntil = Math.max(this.pausedUntil, now + askedMs);
      return;
    }
    // If nothing was accepted since the last pause, that pause was too short. The rate may still be right.
    const wasTooShort = this.isLearned && this.acceptedSincePause === 0;
    this.guessMs = wasTooShort ? Math.min(LONGEST_GUESS_MS, this.guessMs * 2) : GUESSED_MS;
    if (!wasTooShort) this.slowDown();
    const leastMs = askedMs === undefined || wasTooShort ? this.guessMs : LEAST_MS;
    this.pausedUntil = now + Math.max(askedMs ?? 0, leastMs);
    this.acceptedSincePause = 0;
    this.latest = [];
  }

  /** Call it if what seemed to be a limit was about the content of a request. */
  forget(): void {
    this.perSecond = this.most;
    this.isLearned = false;
    this.ceiling = Number.POSITIVE_INFINITY;
    this.pausedUntil = 0;
  }

  private async wait(count: number, signal: AbortSignal): Promise<void> {
    const gapMs = (count * SECOND_MS) / this.perSecond;
    // Several at once need a second in which nothing else is counted.
    const quietMs = count > 1 ? Math.min(SECOND_MS, gapMs) : 0;
    for (;;) {
      const leftMs = Math.max(this.nextAt + quietMs, this.pausedUntil) - performance.now();
      if (leftMs <= 0 || !(await wait(leftMs, signal))) break;
      // A pause may have begun meanwhile.
    }
    // From now on, and not from the time that was planned: a late request must not come close to the next one.
    this.nextAt = performance.now() + gapMs;
  }

  private slowDown(): void {
    if (this.isLearned) {
      this.ceiling = this.perSecond;
      this.perSecond = Math.max(1, this.perSecond * SLOWER);
    } else this.perSecond = Math.min(this.most, FIRST_TRIED);
    this.isLearned = true;
  }

  private note(isTurnedAway: boolean): void {
    this.latest = [...this.latest, isTurnedAway].slice(-LATEST);
  }
}
