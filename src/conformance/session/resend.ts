import { headerValues } from '../../http/fields.js';
import { type Exchange, type Fields, isAccepted, isRejected, isThrottled } from '../exchange.js';
import { isAfterWrongTokens, type Probe } from '../probe.js';
import { wait } from './pace.js';

/**
 * Why a probe proved nothing and is sent once more, whole and with new ids.
 *
 * - `stale`: its connection was closed while it was idle (RFC 9112, section 9.3.1).
 * - `throttled`: the provider asks for fewer requests.
 * - `crowded`: it did not connect, or got no response in time, while others were under way.
 * - `rejected`: a valid creation was rejected. Its id may exist already, or the provider may limit its rate.
 */
export type ResendReason = 'stale' | 'throttled' | 'crowded' | 'rejected';

/** How often a probe is sent again, by reason. */
export const MOST_RESENDS: Readonly<Record<ResendReason, number>> = {
  stale: 2,
  throttled: 20,
  crowded: 2,
  rejected: 1,
};

/** How often a probe was sent again, before it was. */
export const NO_RESENDS: Readonly<Record<ResendReason, number>> = {
  stale: 0,
  throttled: 0,
  crowded: 0,
  rejected: 0,
};

/** How often a probe waits for a provider that throttles without Retry-After, and how long. If it throttles every probe, more often. */
const MOST_GUESSES = 5;
const LONGEST_GUESS_MS = 4_000;
/** After wrong tokens, a provider that throttles without Retry-After has probably locked the client out. */
const MOST_GUESSES_AFTER_WRONG_TOKENS = 2;
const GUESSED_MS = 500;
/** Each wait is at least this much longer than the one before, also if the provider says "at once". */
const LEAST_MS = 200;
/** Outside a check, nothing waits longer than this. */
export const LONGEST_WAIT_MS = 10_000;
/** Of the time that a check waits in all, this part is left to the probes that are not one of many for a rule. */
export const RESERVED_PART = 0.32;
/** A probe that is throttled this often, one attempt after the other, is probably throttled for what it sends. */
export const PERSISTENT = 4;

/** Why the exchanges of a probe prove nothing, or `undefined` if they prove something. */
export function resendReason(exchanges: readonly Exchange[]): ResendReason | undefined {
  if (exchanges.some(isStale)) return 'stale';
  if (exchanges.some(isThrottled)) return 'throttled';
  if (exchanges.some(isCrowdedOut)) return 'crowded';
  return exchanges.some(isRejectedCreation) ? 'rejected' : undefined;
}

/**
 * How long a throttled probe waits before it is sent again.
 *
 * @param resends how often it was sent again before
 * @param given how long it may wait, and whether the provider limits the rate of all requests
 * @returns milliseconds, or `undefined` if waiting is useless
 */
export function waitMs(
  exchanges: readonly Exchange[],
  resends: number,
  { phase }: Pick<Probe, 'phase'>,
  { longestMs = LONGEST_WAIT_MS, isRateLimited = false } = {},
): number | undefined {
  const asked = exchanges.map((exchange) => retryAfterMs(exchange)).find((ms) => ms !== undefined);
  if (asked !== undefined) return asked <= longestMs ? Math.max(asked, LEAST_MS * (resends + 1)) : undefined;
  const mostGuesses = isAfterWrongTokens(phase) ? MOST_GUESSES_AFTER_WRONG_TOKENS : MOST_GUESSES;
  if (resends >= mostGuesses && !isRateLimited) return undefined;
  return Math.min(LONGEST_GUESS_MS, GUESSED_MS * (resends + 1));
}

/**
 * How long nothing should be sent, if a response shows that the provider limits its rate.
 *
 * @param longestMs how long a request may wait
 * @returns `isLimit`: false if it does not throttle, or if the reason is probably a lockout
 */
export function rateLimitIn(
  exchange: Exchange,
  { phase }: Pick<Probe, 'phase'>,
  longestMs = LONGEST_WAIT_MS,
): { readonly isLimit: boolean; readonly askedMs?: number } {
  if (!isThrottled(exchange)) return { isLimit: false };
  const askedMs = retryAfterMs(exchange);
  if (askedMs === undefined) return { isLimit: !isAfterWrongTokens(phase) };
  return askedMs <= longestMs ? { isLimit: true, askedMs } : { isLimit: false };
}

/**
 * The time in Retry-After: seconds, or a date (RFC 9110, section 10.2.3). A date is compared with the Date of the
 * response if it has one, because clocks differ.
 *
 * @returns milliseconds, or `undefined` if the response does not throttle or has no such time
 */
export function retryAfterMs(
  exchange: Pick<Exchange, 'response' | 'limited'>,
  now = Date.now(),
): number | undefined {
  if (exchange.response === undefined || !isThrottled(exchange)) return undefined;
  const { headers } = exchange.response;
  const value = headerValues(headers, 'retry-after')[0]?.trim() ?? '';
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1_000;
  // Every HTTP date begins with a day. JavaScript also reads "-1" as a date.
  const until = /^[a-z]{3,}/i.test(value) ? Date.parse(value) : Number.NaN;
  if (Number.isNaN(until)) return undefined;
  const sent = Date.parse(headerValues(headers, 'date')[0] ?? '');
  return Math.max(0, until - (Number.isNaN(sent) ? now : sent));
}

/** The fields in which limiters say how many more requests they accept: of their own, and of the draft of the IETF. */
const REMAINING = /^(?:x-)?rate-?limit-remaining/i;
const DRAFT = /^ratelimit$/i;
const REMAINING_OF_DRAFT = /\b(?:r|remaining)=(\d+)/;
/** So many plain plants show whether only some requests are asked to come back much later. */
const MOST_ASKED = 5;

/** Finds out how many requests a provider accepts, if its limit is not one of a few seconds. */
export class Quota {
  /** Whether the provider accepts nothing more in the time of the check. */
  isUsedUp = false;
  /** How many more requests the provider says that it accepts. */
  announced = Number.POSITIVE_INFINITY;
  private looking: Promise<void> | undefined;
  private asked = 0;

  /**
   * @param sendPlainPlant sends a plain plant at once
   * @param longestWaitMs how long a request may wait
   */
  constructor(
    private readonly sendPlainPlant: () => Promise<Exchange>,
    private readonly longestWaitMs: number,
  ) {}

  /** Call it after each exchange, but for the plain plants of this. It finds out whether every request would have to wait. */
  async saw(exchange: Pick<Exchange, 'response'>, { phase }: Pick<Probe, 'phase'>): Promise<void> {
    this.announced = announcedIn(exchange.response?.headers ?? []) ?? this.announced;
    // Nothing was accepted yet when the controls are sent. And after wrong tokens, the client may be locked out.
    const mayHaveOtherReason = phase === 'control' || isAfterWrongTokens(phase);
    if (this.isUsedUp || mayHaveOtherReason || !this.asksTooMuch(exchange)) return;
    if (this.looking === undefined && this.asked++ < MOST_ASKED)
      this.looking = this.look().finally(() => {
        this.looking = undefined;
      });
    await this.looking;
  }

  private async look(): Promise<void> {
    this.isUsedUp = this.asksTooMuch(await this.sendPlainPlant());
  }

  private asksTooMuch(exchange: Pick<Exchange, 'response'>): boolean {
    return (retryAfterMs(exchange) ?? 0) > this.longestWaitMs;
  }
}

function announcedIn(headers: Fields): number | undefined {
  const numbers = headers.flatMap(([name, value]) => {
    if (REMAINING.test(name)) return Number.parseInt(value, 10);
    return DRAFT.test(name) ? Number(REMAINING_OF_DRAFT.exec(value)?.[1]) : [];
  });
  const known = numbers.filter(Number.isFinite);
  return known.length === 0 ? undefined : Math.min(...known);
}

/** Whether it got no response in time while other requests were under way. */
function isOvertaken({ failure, shared }: Exchange): boolean {
  return shared && failure?.kind === 'timeout';
}

function isStale({ failure, reusedConnection }: Exchange): boolean {
  return failure?.kind === 'reset' && reusedConnection;
}

function isCrowdedOut(exchange: Exchange): boolean {
  const { failure, expectation, shared } = exchange;
  if (shared && (failure?.kind === 'not-connected' || failure?.kind === 'reset')) return true;
  return isOvertaken(exchange) && expectation === 'created';
}

function isRejectedCreation(exchange: Exchange): boolean {
  return (exchange.expectation === 'created' && isRejected(exchange)) || mayBeUnusualLimit(exchange);
}

/** The time that may be spent waiting for a provider that throttles. Waits at the same time count once. */
export class WaitBudget {
  private spentMs = 0;
  private waitsUntil = 0;

  constructor(readonly maxMs: number) {}

  /**
   * Waits.
   *
   * @param reservedMs how much must be left afterwards
   * @returns false, at once, if less time than that is left, or if the signal stops it
   */
  async wait(ms: number, signal: AbortSignal, reservedMs = 0): Promise<boolean> {
    const now = performance.now();
    const added = Math.max(0, now + ms - Math.max(now, this.waitsUntil));
    if (this.spentMs + added > this.maxMs - reservedMs) return false;
    this.spentMs += added;
    this.waitsUntil = Math.max(this.waitsUntil, now + ms);
    return wait(ms, signal);
  }
}

/**
 * With these, firewalls and gateways reject clients that send too much. They may also be about the request itself, so
 * only other requests tell.
 */
const UNUSUAL_STATUSES: ReadonlySet<number | undefined> = new Set([403, 420, 430]);
/**
 * So many plain plants are sent at once if a single one is accepted. At a limited rate, some are: a single request that
 * comes a little later may be one of them.
 */
const AT_ONCE = 8;
/** So many times it is found out. */
const MOST_LOOKS = 20;
/**
 * A limiter such as that of nginx rejects with 503, and a provider that is overloaded does so now and then. So of plain plants that
 * are sent at once, a limiter accepts at most one. After so many looks that show none, there is no limiter.
 */
const BUSY = 503;
const MOST_ACCEPTED_IF_BUSY = 1;
const MOST_LOOKS_IF_BUSY = 5;

/** Whether a plant was rejected with a status with which some providers reject whoever sends too much. */
export function mayBeUnusualLimit({
  response,
  request,
  expectation,
}: Pick<Exchange, 'response' | 'request' | 'expectation'>): boolean {
  return UNUSUAL_STATUSES.has(response?.status) && request.plant !== undefined && expectation !== 'rejected';
}

/** Tells apart a limit of the rate that has a status of its own, and a rejection of what a request contains. */
export class UnusualRateLimit {
  /** The statuses with which plain plants were rejected, after others had been accepted. */
  private readonly known = new Set<number>();
  private looking: Promise<boolean> | undefined;
  private looks = 0;
  private looksIfBusy = 0;

  /**
   * @param sendPlainPlant sends a plain plant at once
   * @param hasCreated whether a creation was accepted. Before, the token may be the reason.
   */
  constructor(
    private readonly sendPlainPlant: () => Promise<Exchange>,
    private hasCreated = false,
  ) {}

  /** Call it after each exchange. */
  saw(exchange: Exchange): void {
    this.hasCreated ||= exchange.expectation === 'created' && isAccepted(exchange);
  }

  /** Call it when a plant was rejected for what may be a limit, and then accepted: what it contains was no reason. */
  recovered({ response }: Pick<Exchange, 'response'>): void {
    if (response !== undefined && UNUSUAL_STATUSES.has(response.status)) this.known.add(response.status);
  }

  /**
   * Whether a request was rejected as a plain plant is that is sent right after it. Once a limit is known, another
   * rejection with its status says nothing of a request that may be accepted. A plain plant sent after it does not tell,
   * since the next one may be accepted. After wrong tokens, a client may be locked out, which is something else.
   *
   * @param isPlain whether it is itself such a plain plant
   */
  async rejected(
    exchange: Pick<Exchange, 'response' | 'expectation' | 'request'>,
    { phase }: Probe,
    isPlain: boolean,
  ): Promise<boolean> {
    const status = exchange.response?.status;
    if (status === undefined || !this.hasCreated) return false;
    const isKnown = this.known.has(status);
    if (status === BUSY) return this.isBusy(exchange, isPlain);
    if (!UNUSUAL_STATUSES.has(status)) return false;
    if (isPlain || (isKnown && mayBeUnusualLimit(exchange))) return true;
    if (isAfterWrongTokens(phase)) return false;
    // Requests that must be rejected often are, with one of these.
    if (exchange.expectation !== 'created' && !isKnown) return false;
    return this.lookOnce(() => this.look(status), status);
  }

  /**
   * Whether a 503 is that of a limiter. It says so of any request, and of all that come too soon.
   *
   * @param isPlain whether the request is itself a plain plant that was sent to find out
   */
  async isBusy(
    { response, request, expectation }: Pick<Exchange, 'response' | 'request' | 'expectation'>,
    isPlain: boolean,
  ): Promise<boolean> {
    if (response?.status !== BUSY || !this.hasCreated) return false;
    const isKnown = this.known.has(BUSY);
    if (isPlain || request.isUnusual === true) return isKnown && isPlain;
    // A limiter that is known may still not be the reason if the request must be rejected: the provider may fail on it.
    if (isKnown && expectation !== 'rejected') return true;
    return this.lookOnce(() => (isKnown ? this.isRejected(BUSY) : this.lookIfBusy()), BUSY);
  }

  /** Several requests need one look. */
  private async lookOnce(look: () => Promise<boolean>, status: number): Promise<boolean> {
    this.looking ??= look().finally(() => {
      this.looking = undefined;
    });
    return (await this.looking) && this.known.has(status);
  }

  private async lookIfBusy(): Promise<boolean> {
    if (this.looksIfBusy >= MOST_LOOKS_IF_BUSY) return false;
    this.looksIfBusy++;
    const rejected = (await this.atOnce(BUSY)).filter(Boolean);
    if (rejected.length < AT_ONCE - MOST_ACCEPTED_IF_BUSY) return false;
    this.known.add(BUSY);
    return true;
  }

  /** Whether a plain plant is rejected, or one of several: a single one may come when the limiter accepts one. */
  private async isRejected(status: number): Promise<boolean> {
    return (await this.plainPlantGets(status)) || (await this.atOnce(status)).some(Boolean);
  }

  private atOnce(status: number): Promise<boolean[]> {
    return Promise.all(Array.from({ length: AT_ONCE }, () => this.plainPlantGets(status)));
  }

  private async plainPlantGets(status: number): Promise<boolean> {
    return (await this.sendPlainPlant()).response?.status === status;
  }

  private async look(status: number): Promise<boolean> {
    if (++this.looks > MOST_LOOKS) return this.known.has(status);
    const isRejected = await this.isRejected(status);
    if (isRejected) this.known.add(status);
    return isRejected;
  }
}
