import { setTimeout as sleep } from 'node:timers/promises';

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
      if (leftMs <= 0 || !(await sleep(leftMs, true, { signal }).catch(() => false))) break;
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
    this.learned = true;
  }

  private note(isThrottled: boolean): void {
    this.latest = [...this.latest, isThrottled].slice(-LATEST);
  }
}
