import { isAlone, mayBeLeftOut, type Probe } from '../probe.js';

/** How fast requests can be sent. */
export interface Speed {
  /** Milliseconds that a request takes if it is alone. */
  readonly aloneMs: number;
  /** How many requests are under way at once, if their order does not matter. */
  readonly atOnce: number;
  /** How many requests per second the provider allows; `Infinity` if there is no limit. */
  readonly perSecond: number;
}

/** Numbers of requests. */
interface Requests {
  alone: number;
  shared: number;
}

/**
 * Decides which probes a check still has the time to send, if the provider limits its rate or is slow. Those that
 * families generate are left out, evenly, as far as the time requires. The others are always sent.
 */
export class TimePlan {
  private readonly essential: Requests = { alone: 0, shared: 0 };
  private readonly generated: Requests = { alone: 0, shared: 0 };
  private credit = 0;

  /** @param countOf the number of requests of a probe */
  constructor(
    probes: readonly Probe[],
    private readonly countOf: (probe: Probe) => number,
  ) {
    for (const probe of probes) this.add(probe, 1);
  }

  /**
   * Whether there is time for a probe. Ask once for each probe, before its first request.
   *
   * @param leftMs milliseconds until the last request must be sent
   */
  admits(probe: Probe, leftMs: number, speed: Speed): boolean {
    if (!mayBeLeftOut(probe)) {
      this.add(probe, -1);
      return true;
    }
    const share = (leftMs - msFor(this.essential, speed)) / msFor(this.generated, speed);
    this.add(probe, -1);
    if (share >= 1) return true;
    const count = this.countOf(probe);
    this.credit = Math.min(this.credit, count) + count * Math.max(0, share);
    if (this.credit < count) return false;
    this.credit -= count;
    return true;
  }

  private add(probe: Probe, sign: 1 | -1): void {
    const requests = mayBeLeftOut(probe) ? this.generated : this.essential;
    requests[isAlone(probe) ? 'alone' : 'shared'] += sign * this.countOf(probe);
  }
}

function msFor({ alone, shared }: Requests, { aloneMs, atOnce, perSecond }: Speed): number {
  return Math.max(alone * aloneMs + (shared * aloneMs) / atOnce, ((alone + shared) * 1_000) / perSecond);
}
