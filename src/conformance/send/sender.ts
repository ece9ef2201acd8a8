import { headerValues } from '../../http/fields.js';
import {
  type Exchange,
  isAccepted,
  isThrottled,
  isUnsent,
  type NoResponse,
  type ProbeRequest,
  sentIn,
} from '../exchange.js';
import type { CheckSettings } from '../options.js';
import { isAfterWrongTokens, isAlone, type Probe, requestsOf } from '../row.js';
import { freshValues, type ProbeValues } from '../template.js';
import { plainPlant } from '../topics/plain.js';
import { Connections } from './connections.js';
import { type SendResult, sendOn } from './http.js';
import { Liveness } from './liveness.js';
import { isBare503, MOST_RESENDS, type Reason, reasonToResend, retryAfterMs } from './outcome.js';
import { Places, Rate } from './throttle.js';
import { type Clock, wait } from './time.js';

/** How often a request is sent again that was turned away: by a limiter, by what may be one, and after wrong tokens. */
const MOST_TRIES = { sure: 20, unsure: 3, late: 2 };
/** Two tries take longer than a second: most limits are for a second. */
const GUESSED_MS = 400;
const LONGEST_GUESS_MS = 3_000;

/** What a sender needs beside the settings of a check. */
interface SenderOptions {
  readonly clock: Clock;
  /** How many requests are sent again at most. Default: any number. */
  readonly mostAgain?: number;
  /** Called for each exchange when it ends, and once more if its role changes. */
  keep(exchange: Exchange): void;
}

/** One request of a probe, and how it goes out. */
interface Step {
  readonly probe: Probe;
  readonly request: ProbeRequest;
  readonly place: Pick<Exchange, 'step' | 'role'>;
  /** Kept connections that it may use. By default, it has one of its own. */
  readonly kept?: Connections | undefined;
  /** Whether its turn has come already, with that of others that are sent at the same time. */
  readonly hadTurn?: boolean;
  /** Whether it shows if the provider still responds, and so waits for nothing. */
  readonly isSign?: true | undefined;
}

/**
 * Sends probes to one provider: for a check, and for exploring. It sends as many at once, and as soon, as the
 * provider allows. A request that was turned away is sent again as it is. A probe that proved nothing is sent again, whole and with
 * new ids: see {@link MOST_RESENDS}.
 */
export class Sender {
  readonly liveness: Liveness;
  readonly rate: Rate;
  /** Whether the provider accepts nothing more in the time of the run. */
  isUsedUp = false;
  readonly places: Places;
  private readonly connections: Connections;
  private readonly clock: Clock;
  /** Values that nothing else of this sender has. */
  private readonly values: ProbeValues;
  /** How many exchanges have ended. */
  private ended = 0;
  private again = 0;
  private hasAccepted = false;
  /** What a 503 without a Retry-After means: a limit, or that the provider fails on the content. */
  private bare503: 'unknown' | 'limit' | 'failure' = 'unknown';

  constructor(
    private readonly settings: CheckSettings,
    private readonly options: SenderOptions,
  ) {
    this.clock = options.clock;
    this.values = freshValues(settings.tokens);
    this.rate = new Rate(settings.rate);
    this.places = new Places(settings.concurrency, settings.concurrencyIfFar);
    this.connections = new Connections(settings, () => this.places.loneMs);
    this.liveness = new Liveness(() => this.sendPlainPlant(), this.clock.signal);
  }

  /**
   * Sends the requests of a probe until they prove something.
   *
   * @param role a confirmation is sent once, whatever comes back
   * @returns the last exchanges, in the order of the requests
   */
  async send(probe: Probe, role: 'judged' | 'confirmation' = 'judged'): Promise<readonly Exchange[]> {
    const tries: Record<Reason, number> = { stale: 0, crowded: 0, rejected: 0 };
    for (;;) {
      // After a stale connection, every connection is new: a missing response then has another reason.
      const isKept = role === 'judged' ? tries.stale === 0 : probe.oneConnection === true;
      const exchanges = await this.attempt(probe, requestsOf(probe, this.values), role, isKept);
      const reason = role === 'judged' ? reasonToResend(exchanges) : undefined;
      if (reason === undefined || tries[reason]++ >= MOST_RESENDS[reason]) return exchanges;
      if (reason === 'crowded' && probe.together !== true) this.places.crowded();
      // To a provider that has stopped, nothing is sent again: what got no response may have stopped it.
      if (reason !== 'rejected') await this.liveness.end();
      if (!this.mayResend(exchanges.length) || this.whyNotSent() !== undefined) return exchanges;
      this.assign(exchanges, 'superseded');
    }
  }

  /** Sends a plain plant that shows something about the provider, at once. */
  sendPlainPlant(): Promise<Exchange> {
    const [request] = requestsOf(plainPlant, this.values) as readonly [ProbeRequest];
    const place = { step: 0, role: 'confirmation' } as const;
    return this.exchange({ probe: plainPlant, request, place, isSign: true });
  }

  /** Gives exchanges another role. */
  assign(exchanges: readonly Exchange[], role: Exchange['role']): readonly Exchange[] {
    const assigned = exchanges.map((exchange) => ({ ...exchange, role }));
    for (const exchange of assigned) this.options.keep(exchange);
    return assigned;
  }

  /** Closes the kept connections. They are opened again if they are needed. */
  close(): void {
    this.connections.close();
  }

  /** Sends the requests of a probe: all at the same time, or one after the other. What is turned away is sent again as it is. */
  private async attempt(
    probe: Probe,
    requests: readonly ProbeRequest[],
    role: 'judged' | 'confirmation',
    isKept: boolean,
  ): Promise<Exchange[]> {
    const own = probe.oneConnection === true && isKept ? new Connections(this.settings) : undefined;
    const shared = isKept ? (own ?? this.connections) : undefined;
    const exchanges: Exchange[] = [];
    const work = async (atOnce: number): Promise<void> => {
      if (this.clock.isOver || this.isUsedUp) return;
      const isAtOnce = probe.together === true && this.places.mayMeet(requests.length);
      if (isAtOnce) await this.turnOf(requests.length);
      const left = requests.entries();
      const sendNext = async (): Promise<void> => {
        for (const [step, request] of left) {
          const kept = isShareable(probe, request, this.values.token) ? shared : own;
          exchanges[step] = await this.untilServed({ probe, request, place: { step, role }, kept }, isAtOnce);
        }
      };
      await Promise.all(Array.from({ length: isAtOnce ? requests.length : atOnce }, sendNext));
    };
    const places = probe.together === true ? requests.length : 1;
    await this.places.with(places, work).finally(() => own?.close());
    return exchanges;
  }

  /** Waits until so many requests may be sent at the same time, each on a connection of its own. */
  private async turnOf(count: number): Promise<void> {
    await this.liveness.ready();
    await this.rate.turn(count, this.clock.signal);
    await this.connections.makeRoom(this.places.underWay + count, this.places.most);
  }

  /** Sends a request, and sends it again as it is while it is turned away: then it was not processed. */
  private async untilServed(step: Step, hadTurn: boolean): Promise<Exchange> {
    const turnedAway: Exchange[] = [];
    let exchange = await this.exchange({ ...step, hadTurn });
    let isAboutContent = false;
    while (this.isTurnedAway(exchange) && !this.isUsedUp) {
      const ms = this.waitMs(exchange, step.probe, turnedAway.length);
      if (ms === undefined) isAboutContent = isBare503(exchange) && (await this.servesPlainPlant());
      if (ms === undefined || !this.mayResend(1) || !(await wait(ms, this.clock.signal))) break;
      this.assign([exchange], 'superseded');
      turnedAway.push(exchange);
      exchange = await this.exchange(step);
    }
    if (turnedAway.some(isBare503) && !isBare503(exchange)) this.bare503 = 'limit';
    // What a limit turned away says nothing about the request. Nor does a 503 if the check ends before its meaning is known.
    const mayBeLimit = this.bare503 === 'unknown' && this.isTurnedAway(exchange);
    if (this.bare503 !== 'limit' && !mayBeLimit) return exchange;
    for (const one of turnedAway.filter(isBare503))
      this.options.keep({ ...one, role: 'superseded', limited: true });
    if (isAboutContent || !isBare503(exchange)) return exchange;
    const limited = { ...exchange, limited: true } as const;
    this.options.keep(limited);
    return limited;
  }

  /**
   * Whether a plain plant is served at once, although another request got 503 in all its tries: then the 503 is about what that request
   * contains. Otherwise it is a limit.
   */
  private async servesPlainPlant(): Promise<boolean> {
    const isServed = isAccepted(await this.sendPlainPlant());
    if (!isServed) this.bare503 = 'limit';
    else if (this.bare503 === 'unknown') {
      this.bare503 = 'failure';
      this.rate.forget();
    }
    return isServed;
  }

  /** How long a request waits that was turned away, or `undefined` if waiting is useless. Its response then counts. */
  private waitMs(exchange: Exchange, { phase }: Probe, tries: number): number | undefined {
    const askedMs = retryAfterMs(exchange);
    const isLate = isAfterWrongTokens(phase);
    if ((askedMs ?? 0) > this.clock.longestWaitMs) {
      // Others would have to wait as long.
      this.isUsedUp ||= !isLate && phase !== 'control' && exchange.expectation === 'created';
      return undefined;
    }
    const isSure = isBare503(exchange)
      ? this.bare503 === 'limit'
      : this.rate.learned !== undefined || askedMs !== undefined;
    return tries < MOST_TRIES[isSure ? 'sure' : isLate ? 'late' : 'unsure']
      ? Math.max(askedMs ?? 0, Math.min(LONGEST_GUESS_MS, GUESSED_MS * (tries + 1)))
      : undefined;
  }

  /** Whether a limiter may have turned a request away. */
  private isTurnedAway(exchange: Exchange): boolean {
    // Before anything was accepted, it says that the provider does not work.
    if (isBare503(exchange)) return this.bare503 !== 'failure' && this.hasAccepted;
    return isThrottled(exchange);
  }

  /** Whether so many requests may be sent again: their number is limited. */
  mayResend(requests: number): boolean {
    this.again += requests;
    return this.again <= (this.options.mostAgain ?? Number.POSITIVE_INFINITY);
  }

  /** Sends one request when its turn has come, and makes an exchange of it. */
  private async exchange({ probe, request, place, kept, hadTurn = false, isSign }: Step): Promise<Exchange> {
    const { settings, clock } = this;
    if (isSign !== true) {
      await this.liveness.ready();
      if (!hadTurn) await this.rate.turn(1, clock.signal);
    }
    if (kept !== this.connections && !hadTurn)
      await this.connections.makeRoom(this.places.underWay, this.places.most);
    const timeoutMs = Math.min(settings.timeoutMs, clock.leftMs);
    const startMs = clock.elapsedMs;
    // Both moments count: the request that delayed this one may have ended before this one does.
    const wasShared = this.places.underWay > 1;
    const sending = { timeoutMs, signal: settings.signal, kept, beside: this.connections };
    const why = this.whyNotSent();
    const { response, failure, reusedConnection } =
      why !== undefined ? notSent(why) : await sendOn(settings, request, sending);
    const exchange: Exchange = {
      index: this.ended++,
      ...place,
      probe: probe.name,
      request,
      sent: sentIn(request),
      expectation: request.expectation ?? probe.expectation,
      response,
      failure: timeoutMs < settings.timeoutMs ? asUnfinished(failure) : failure,
      reusedConnection,
      startMs,
      shared: wasShared || this.places.underWay > 1,
      durationMs: clock.elapsedMs - startMs,
    };
    this.learn(exchange, probe);
    this.options.keep(exchange);
    this.liveness.saw(exchange);
    return exchange;
  }

  /** Why nothing is sent any more. */
  private whyNotSent(): string | undefined {
    if (this.settings.signal.aborted) return 'the check was stopped';
    if (this.liveness.hasStopped) return 'the provider had stopped responding';
    return this.clock.isOver ? 'its time was over' : undefined;
  }

  /** What an exchange says about how many requests the provider can serve. */
  private learn(exchange: Exchange, probe: Probe): void {
    if (exchange.response === undefined || isUnsent(exchange)) return;
    this.hasAccepted ||= isAccepted(exchange);
    if (this.isTurnedAway(exchange)) {
      const askedMs = retryAfterMs(exchange);
      // After wrong tokens, the client may be locked out. And a limiter that allows no bursts turns away what is sent together.
      const isOther = isAfterWrongTokens(probe.phase) || probe.together === true;
      const isKnown = this.rate.learned !== undefined;
      if ((isOther && !isKnown) || (askedMs ?? 0) > this.clock.longestWaitMs) return;
      if (probe.together !== true) this.rate.turnedAway(askedMs);
      if (this.rate.learned !== undefined) this.places.crowded();
      return;
    }
    this.rate.responded();
    // If the provider is far, others may be under way beside what is alone otherwise.
    if (exchange.shared || !isAlone(probe) || probe.together === true)
      this.places.responded(
        exchange.durationMs,
        isAccepted(exchange) && exchange.request.transfer === undefined,
      );
    else if (isAccepted(exchange)) this.places.respondedAlone(exchange.durationMs);
  }
}

function notSent(why: string): SendResult {
  return { failure: { kind: 'not-sent', message: `not sent: ${why}` }, reusedConnection: false };
}

/** A request that had less time than the provider may take was not waited for, and says nothing about the provider. */
function asUnfinished(failure: NoResponse | undefined): NoResponse | undefined {
  if (failure?.kind !== 'timeout' && failure?.kind !== 'not-connected') return failure;
  return { kind: 'stopped', message: 'no response before the check had to end' };
}

/** Servers often close the connection instead of reading the rest of a long body, and then the next request suffers. */
const LONG_BODY = 8 * 1024;

/**
 * Whether a request may share a connection with other probes. Those about connections and their bytes have their own, and so have those
 * about tokens: that an earlier request authenticates the connection is shown by a probe of its own. A server that does not know
 * chunks takes them for further requests, so its next responses are not those to the next requests.
 */
function isShareable({ together = false }: Probe, request: ProbeRequest, token: string): boolean {
  const { transfer, isUnusual = false, chunked = false, body, headers } = request;
  const isOrdinary = transfer === undefined && !isUnusual && !chunked && body.length < LONG_BODY;
  const hasRightToken = headerValues(headers, 'authorization')[0] === `Bearer ${token}`;
  return isOrdinary && !together && hasRightToken && headerValues(headers, 'connection').length === 0;
}
