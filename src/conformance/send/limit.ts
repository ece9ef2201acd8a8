import { headerValues } from '../../http/fields.js';
import { type Exchange, isAccepted, isBusy } from '../exchange.js';
import { isAfterWrongTokens, type Probe } from '../row.js';
import type { Places } from './pace.js';
import { type Clock, wait } from './time.js';
import type { Watch } from './watch.js';

/** After so many tries of one request, plain plants show whether a limit turns it away, or its content does. */
const TRIES = 3;
/** How long the whole check pauses if the provider does not say how long, by the tries of one request. */
const PAUSES_MS = [400, 800, 1_600] as const;
/** If the provider turns away this many requests at first, which takes six seconds, nothing can be tested. */
const MOST_AT_FIRST = 6;
/** How long a request must have waited alone, in milliseconds, before a limit cannot be the reason that it is turned away. */
const LEAST_WAIT_MS = 800;

/** A request, and why it goes out at once: with others, or to show what the provider does. */
interface Turn {
  readonly probe: Probe;
  readonly atOnce?: 'together' | 'sign' | undefined;
}

/** What a limit needs of its sender. */
interface Needs<Step extends Turn> {
  readonly clock: Clock;
  readonly watch: Watch;
  readonly places: Places;
  /** Sends a request, and keeps its exchange. */
  send(step: Step): Promise<Exchange>;
  /** Sends a plain plant at once. */
  sendPlainPlant(): Promise<Exchange>;
  keep(exchange: Exchange): void;
}

/**
 * Waits for a provider that turns requests away, with 429 or 503: the whole check pauses as long as it is asked to, and the request is
 * sent again as it is. This is the one place for limits.
 */
export class Limit<Step extends Turn> {
  /** Whether the provider limits how many requests it accepts. */
  isKnown = false;
  /** How many milliseconds the provider asks to wait, if that is longer than there is time. */
  endlessPauseMs: number | undefined;
  private pausedUntil = 0;
  /** What shows whether a limit or its content turned a request away: one such look at a time. */
  private looking: Promise<unknown> = Promise.resolve();
  /** Whether the provider turned a request away for its content. */
  private turnsContentAway = false;
  /** Whether fewer requests are sent at once. A limit of a rate stays the same for fewer, so once is enough. */
  private isSlowed = false;
  private hasAccepted = false;
  /** How many requests were turned away before anything was accepted. */
  private busyAtFirst = 0;

  constructor(private readonly needs: Needs<Step>) {}

  /** Waits while it is being found out what turns a request away, and while the check pauses. */
  async ready(): Promise<void> {
    await this.looking;
    // A pause may become longer meanwhile.
    for (let ms = this.pauseLeftMs; ms > 0; ms = this.pauseLeftMs)
      if (!(await wait(ms, this.needs.clock.signal))) return;
  }

  /** Sends a request, and sends it again as it is while a limit turns it away: then it was not processed. */
  async untilServed(first: Step): Promise<Exchange> {
    let step = first;
    for (let tries = 1; ; tries++) {
      const exchange = await this.needs.send(step);
      if (!isBusy(exchange)) {
        this.hasAccepted ||= isAccepted(exchange);
        if (tries > 1) this.show(step);
        return exchange;
      }
      // Before anything was accepted, the provider does not work, or is about to begin.
      if (!this.hasAccepted && ++this.busyAtFirst >= MOST_AT_FIRST) return this.turnedAway(exchange);
      const ms = pauseMs(exchange, tries);
      const isTooLong = ms > this.needs.clock.leftMs;
      const isTriedEnough = tries === TRIES || (this.turnsContentAway && !this.isKnown);
      if (this.hasAccepted && (isTriedEnough || isTooLong)) {
        const counted = await this.whileOthersWait(() => this.aboutContent(step, ms));
        if (counted !== undefined) {
          this.turnedAway(exchange, 'superseded');
          return counted;
        }
        if (isTooLong) this.endlessPauseMs ??= ms;
      }
      const hasEnded = this.needs.watch.ended !== undefined || this.needs.clock.signal.aborted;
      if (hasEnded || this.endlessPauseMs !== undefined) return this.turnedAway(exchange);
      this.turnedAway(exchange, 'superseded');
      this.slowDown(exchange, step);
      this.pausedUntil = Math.max(this.pausedUntil, performance.now() + ms);
      step = { ...step, atOnce: undefined };
    }
  }

  /**
   * Finds out whether the content of a request turns it away, and not a limit. A limit treats all alike that come after the same time: it
   * does not turn this request away, then accept a plain plant, and then turn the request away although it waited twice as long.
   *
   * @returns the exchange that counts; `undefined` if there is a limit
   */
  private async aboutContent(step: Step, ms: number): Promise<Exchange | undefined> {
    const { clock, watch } = this.needs;
    // Once a content was turned away, and no limit was seen, a plain plant before and after it is enough.
    const isQuick = this.turnsContentAway && !this.isKnown;
    const waitMs = isQuick || ms > clock.leftMs ? 0 : Math.max(ms, LEAST_WAIT_MS);
    if (!isQuick) {
      const first = await this.sendAfter(waitMs, step);
      if (!isBusy(first)) return first;
      this.turnedAway(first, 'superseded');
      await wait(waitMs, clock.signal);
    }
    if (isAccepted(await this.needs.sendPlainPlant())) {
      const second = await this.sendAfter(2 * waitMs, step);
      if (!isBusy(second)) return second;
      if (isAccepted(await this.needs.sendPlainPlant())) {
        this.turnsContentAway = true;
        return second;
      }
      this.turnedAway(second, 'superseded');
    } else if (isAfterWrongTokens(step.probe.phase) && !this.isKnown) {
      // Wrong tokens come after everything that shows a limit: this may be a lockout.
      await watch.look('busy counts');
    }
    this.show(step);
    return undefined;
  }

  private async sendAfter(ms: number, step: Step): Promise<Exchange> {
    await wait(ms, this.needs.clock.signal);
    return this.needs.send({ ...step, atOnce: 'sign' });
  }

  private whileOthersWait<T>(work: () => Promise<T>): Promise<T> {
    const done = this.looking.then(work);
    this.looking = done.catch(() => {});
    return done;
  }

  /** A limit turned a request away, so the exchange says nothing about the request. */
  private turnedAway(exchange: Exchange, role = exchange.role): Exchange {
    const isConfirmation = exchange.role === 'confirmation';
    const turnedAway: Exchange = {
      ...exchange,
      turnedAway: true,
      role: isConfirmation ? 'confirmation' : role,
    };
    this.needs.keep(turnedAway);
    return turnedAway;
  }

  /** There is a limit. After wrong tokens, only these may be limited. */
  private show({ probe }: Step): void {
    if (!isAfterWrongTokens(probe.phase)) this.isKnown = true;
  }

  private slowDown({ shared, startMs }: Exchange, { probe }: Step): void {
    if (!shared || this.isSlowed || probe.together === true) return;
    this.isSlowed = true;
    this.needs.places.halve(startMs, this.needs.clock.elapsedMs);
  }

  private get pauseLeftMs(): number {
    return this.pausedUntil - performance.now();
  }
}

/** How long to wait after a request was turned away for the n-th time, in milliseconds. */
function pauseMs(exchange: Exchange, tries: number): number {
  return retryAfterMs(exchange) ?? PAUSES_MS[tries - 1] ?? PAUSES_MS[2];
}

/**
 * The time in Retry-After: seconds, or a date (RFC 9110, section 10.2.3). A date is compared with the Date of the
 * response if it has one, because clocks differ.
 *
 * @returns milliseconds, or `undefined` if the response turns nothing away, or has no such time
 */
export function retryAfterMs({ response }: Pick<Exchange, 'response'>, now = Date.now()): number | undefined {
  if (response === undefined || !isBusy({ response })) return undefined;
  const value = headerValues(response.headers, 'retry-after')[0]?.trim() ?? '';
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1_000;
  // Every HTTP date begins with a day. JavaScript also reads "-1" as a date.
  const until = /^[a-z]{3,}/i.test(value) ? Date.parse(value) : Number.NaN;
  if (Number.isNaN(until)) return undefined;
  const sent = Date.parse(headerValues(response.headers, 'date')[0] ?? '');
  return Math.max(0, until - (Number.isNaN(sent) ? now : sent));
}
