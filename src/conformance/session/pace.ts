import { setTimeout as sleep } from 'node:timers/promises';
import { isAlone, type Probe } from '../probe.js';

/**
 * Waits.
 *
 * @returns false, at once, if the signal stops it
 */
export function wait(ms: number, signal: AbortSignal): Promise<boolean> {
  return sleep(ms, true, { signal }).catch(() => false);
}

/** How many requests are under way at first. */
const FIRST = 4;
/** How many begin at most if each takes long. */
const WIDER = 16;
/** A response that takes less time than this did not wait in a queue. */
const FAST_MS = 100;
/** A response that takes this many times as long as a lone creation waited for others. */
const QUEUED = 3;
/** Several signs of crowding within this time have one cause, and count once. */
const BURST_MS = 200;

interface Waiting {
  readonly count: number;
  readonly go: (granted: number) => void;
}

/**
 * Limits how many requests are under way at once. First come, first served, except for what has begun already.
 *
 * The limit grows while the provider responds as fast as it does to one request. It shrinks when the provider shows that
 * there are too many. So a provider that serves one client at a time does not run into timeouts that we cause.
 */
export class Pace {
  private readonly waiting: Waiting[] = [];
  private size: number;
  private taken = 0;
  private prefersBegun = false;
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

  /**
   * Does work that needs this many places at once. If the limit is lower, it gets all places.
   *
   * @param isNext whether it belongs to what has begun: if each response takes long, it goes before all that waits
   */
  async with<T>(count: number, work: () => Promise<T>, isNext = false): Promise<T> {
    const granted = await new Promise<number>((go) => {
      if (isNext && this.prefersBegun) this.waiting.unshift({ count, go });
      else this.waiting.push({ count, go });
      this.serve();
    });
    try {
      return await work();
    } finally {
      this.taken -= granted;
      this.serve();
    }
  }

  /**
   * Call it if each response takes long. What has begun then goes first, and more requests begin at once: as many as would still
   * get their responses soon if the provider served one after the other.
   *
   * @param highest how many requests may be under way at once then, unless the provider was crowded before
   */
  widen(timeoutMs: number, highest: number): void {
    this.prefersBegun = true;
    if (!Number.isFinite(this.shrunkAt)) this.highest = highest;
    const inLine = Math.floor(timeoutMs / 2 / this.loneMs);
    this.size = Math.max(this.size, Math.min(this.highest, WIDER, inLine));
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

/** A single rejection may have another reason. This many among the latest responses show a rate limit. */
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
/** So long after the provider began to limit the rate, what it accepts shows how far. */
const SETTLED_MS = 2_500;
const WINDOW_MS = 10_000;
const SECOND_MS = 1_000;
/** How long everything waits if the provider does not say how long: a limit is usually one per second. */
const GUESSED_MS = 1_000;
const LONGEST_GUESS_MS = 4_000;
/** The shortest pause, even if the provider says "at once". */
const LEAST_MS = 200;

/**
 * The number of requests per second. It is unlimited until the provider shows that it limits its rate, by 429 or by 503
 * with Retry-After. Then nothing is sent for as long as the provider says, and requests are spaced evenly afterwards: a
 * limiter that counts per second accepts that, and so does one that allows no bursts.
 */
export class Rate {
  private perSecond: number;
  private learned = false;
  private learnedAt = 0;
  /** The rate at which the provider last limited us, if that is known. */
  private ceiling = Number.POSITIVE_INFINITY;
  private queue = Promise.resolve();
  private nextAt = 0;
  private pausedUntil = 0;
  private guessMs = GUESSED_MS;
  private steady = 0;
  private acceptedSincePause = 0;
  private latest: boolean[] = [];
  private acceptedAt: number[] = [];

  /** @param most the highest rate; default: no limit */
  constructor(private readonly most = Number.POSITIVE_INFINITY) {
    this.perSecond = most;
  }

  /** Requests per second; `Infinity` if there is no limit. */
  get current(): number {
    return this.perSecond;
  }

  /** Whether the provider has limited the rate. */
  get isLearned(): boolean {
    return this.learned;
  }

  /** How many requests per second the provider accepted lately; 0 as long as that says nothing. `Infinity`: it has no limit. */
  get accepted(): number {
    if (!this.learned) return Number.POSITIVE_INFINITY;
    const now = performance.now();
    const ms = Math.min(WINDOW_MS, now - this.learnedAt);
    if (ms < SETTLED_MS) return 0;
    return (this.acceptedAt.filter((at) => now - at < ms).length * SECOND_MS) / ms;
  }

  /** Waits until so many requests may be sent at once, first come, first served. It ends early if the signal stops it. */
  turn(count: number, signal: AbortSignal): Promise<void> {
    this.queue = this.queue.then(() => this.wait(count, signal));
    return this.queue;
  }

  /** Call it for each response that does not throttle. */
  responded(): void {
    const now = performance.now();
    this.note(false);
    this.acceptedSincePause++;
    this.acceptedAt.push(now);
    if (this.acceptedAt.length > 2_000) this.acceptedAt = this.acceptedAt.slice(-1_000);
    if (++this.steady < STEADY || !this.learned) return;
    this.steady = 0;
    const highest = Math.min(this.most, this.ceiling * SAFE);
    if (this.perSecond < highest) this.perSecond = Math.min(highest, this.perSecond * FASTER);
  }

  /**
   * Call it for each response that throttles.
   *
   * @param askedMs how long to wait, if the provider says it
   */
  throttled(askedMs: number | undefined): void {
    this.note(true);
    this.steady = 0;
    const now = performance.now();
    if (this.latest.filter(Boolean).length < SIGNS) return;
    if (now < this.pausedUntil) {
      // Sent before the pause.
      if (askedMs !== undefined) this.pausedUntil = Math.max(this.pausedUntil, now + askedMs);
      return;
    }
    // If nothing was accepted since the last pause, that pause was too short. The rate may still be right.
    const wasTooShort = this.learned && this.acceptedSincePause === 0;
    this.guessMs = wasTooShort ? Math.min(LONGEST_GUESS_MS, this.guessMs * 2) : GUESSED_MS;
    if (!wasTooShort) this.slowDown(now);
    this.pausedUntil =
      now + Math.max(askedMs ?? 0, askedMs === undefined || wasTooShort ? this.guessMs : LEAST_MS);
    this.acceptedSincePause = 0;
    this.latest = [];
  }

  private async wait(count: number, signal: AbortSignal): Promise<void> {
    const gapMs = (count * SECOND_MS) / this.perSecond;
    // Several at once need a second in which nothing else is counted.
    const quietMs = count > 1 ? Math.min(SECOND_MS, gapMs) : 0;
    for (;;) {
      const now = performance.now();
      const leftMs = Math.max(this.nextAt + quietMs, this.pausedUntil) - now;
      if (leftMs <= 0 || !(await wait(leftMs, signal))) break;
      // A pause may have begun meanwhile.
    }
    // From now on, and not from the time that was planned: a late request must not come close to the next one.
    this.nextAt = performance.now() + gapMs;
  }

  private slowDown(now: number): void {
    const accepted = this.acceptedAt.filter((at) => now - at < SECOND_MS).length;
    if (this.learned || this.most <= FIRST_TRIED) {
      this.ceiling = this.perSecond;
      this.perSecond = Math.max(1, this.perSecond * SLOWER);
    } else {
      this.perSecond = Math.min(this.most, Math.max(FIRST_TRIED, accepted * SAFE));
      // If fewer were accepted, the limiter allows no bursts, and its rate is not known.
      if (accepted * SAFE >= FIRST_TRIED) this.ceiling = accepted;
    }
    if (!this.learned) this.learnedAt = now;
    this.learned = true;
  }

  private note(isThrottled: boolean): void {
    this.latest = [...this.latest, isThrottled].slice(-LATEST);
  }
}

/** How fast requests can be sent. */
export interface Speed {
  /** Milliseconds that a request takes if it is alone. */
  readonly aloneMs: number;
  /** How many requests are under way at once, if their order does not matter. */
  readonly atOnce: number;
  /** How many requests per second the provider allows; `Infinity` if there is no limit. */
  readonly perSecond: number;
  /** Whether probes that are alone otherwise are sent beside others. */
  readonly isSideBySide: boolean;
}

/** Numbers of requests. */
interface Requests {
  alone: number;
  shared: number;
}

/**
 * Decides which probes a check still has the time to send, if the provider limits its rate or is slow: those that people need
 * most.
 */
export class TimePlan {
  /** The probes that were not asked for yet. */
  private readonly pending: Set<Probe>;
  /** The requests of those, to see that there is time for all without an order. */
  private readonly left: Requests = { alone: 0, shared: 0 };
  private ordered: readonly Probe[] | undefined;

  /**
   * @param orderOf orders the probes, the most needed one first
   * @param countOf the number of requests of a probe
   */
  constructor(
    probes: Iterable<Probe>,
    private readonly orderOf: () => readonly Probe[],
    private readonly countOf: (probe: Probe) => number,
  ) {
    this.pending = new Set(probes);
    for (const probe of this.pending) this.left[kindOf(probe)] += countOf(probe);
  }

  /**
   * Whether there is time for a probe, and for all that are needed more. Ask once for each probe, before its first request.
   *
   * @param leftMs milliseconds until the last request must be sent
   */
  admits(probe: Probe, leftMs: number, speed: Speed): boolean {
    const isAdmitted = this.hasTimeForAll(leftMs, speed) || msFor(this.upTo(probe), speed) <= leftMs;
    if (this.pending.delete(probe)) this.left[kindOf(probe)] -= this.countOf(probe);
    return isAdmitted;
  }

  /** Whether there is time for all that were not asked for yet. */
  hasTimeForAll(leftMs: number, speed: Speed): boolean {
    return msFor(this.left, speed) <= leftMs;
  }

  /** The requests of a probe, and of all that are needed more. */
  private upTo(probe: Probe): Requests {
    const requests: Requests = { alone: 0, shared: 0 };
    this.ordered ??= this.orderOf();
    for (const one of this.ordered) {
      if (this.pending.has(one)) requests[kindOf(one)] += this.countOf(one);
      if (one === probe) break;
    }
    return requests;
  }
}

function kindOf(probe: Probe): keyof Requests {
  return isAlone(probe) ? 'alone' : 'shared';
}

function msFor({ alone, shared }: Requests, { aloneMs, atOnce, perSecond, isSideBySide }: Speed): number {
  const all = alone + shared;
  const oneByOne = isSideBySide ? 0 : alone;
  return Math.max(oneByOne * aloneMs + ((all - oneByOne) * aloneMs) / atOnce, (all * 1_000) / perSecond);
}
