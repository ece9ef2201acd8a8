import { setTimeout as sleep } from 'node:timers/promises';
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
import { freshValues, isAfterWrongTokens, isAlone, type Probe, type ProbeValues } from '../probe.js';
import { requestsOf } from '../row.js';
import { plainPlant } from '../topics/plain.js';
import { Connections } from './connections.js';
import { callHandler } from './handler.js';
import { type SendResult, sendOn } from './http.js';
import { Liveness } from './liveness.js';
import { isBare503, MOST_RESENDS, type Reason, reasonToResend, retryAfterMs, waitMs } from './outcome.js';
import { Places, Rate } from './throttle.js';
import { type Clock, wait } from './time.js';

/** A client sends a SYN again after 1 s if the provider's queue is full. */
const SLOW_CONNECT_MS = 900;

/** After this time, and twice that of a lone creation, requests that are sent together have connections. Then they end. */
const OPENING_MS = 20;
const LONGEST_OPENING_MS = 300;
/** What is sent together is turned away and served at about the same time. */
const MEANWHILE_MS = 300;

const ACCEPTS_NO_MORE = 'the provider limits its rate, and accepted no more. Lift its limit for the check';
const RETURNS_ONLY_503 =
  'then every request got 503. Lift the limit of the provider for the check, or look behind the gateway that says so';

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
  /** When its last byte may go, if it is sent together with others: they have had their turn. */
  readonly end?: Promise<unknown> | undefined;
  /** Whether it shows if the provider still responds, and so waits for nothing. */
  readonly isSign?: true;
}

/**
 * Sends probes to one provider: for a check, for exploring, and for saved failures. It sends as many at once, and as soon, as the
 * provider allows. A request that was turned away is sent again as it is. A probe that proved nothing is sent again, whole and with
 * new ids: see {@link MOST_RESENDS}.
 */
export class Sender {
  readonly liveness: Liveness;
  readonly rate: Rate;
  /** The field Accept of every request that has none of its own, if the provider demands one. */
  accept: string | undefined;
  /** Why the provider accepts nothing more in the time of the run, if that is so. A clause without a full stop. */
  whyUsedUp: string | undefined;
  readonly places: Places;
  private readonly connections: Connections;
  private readonly clock: Clock;
  /** Values that nothing else of this sender has. */
  private readonly values: ProbeValues;
  /** How many exchanges have ended. */
  private ended = 0;
  private again = 0;
  private hasAccepted = false;
  /** When the last request was sent that was not turned away. */
  private servedMs = 0;
  /** What a 503 without a Retry-After means: a limit, or that the provider fails on the content. */
  private bare503: 'unknown' | 'limit' | 'failure' = 'unknown';
  /** The exchanges with such a 503 that is about what their requests contain, by number. */
  private readonly failed = new Set<number>();

  constructor(
    private readonly settings: CheckSettings,
    private readonly options: SenderOptions,
  ) {
    this.clock = options.clock;
    this.values = freshValues(settings.tokens);
    this.accept = settings.accept;
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
      if (this.clock.isOver || this.whyUsedUp !== undefined) return;
      const isAtOnce = probe.together === true && this.places.mayMeet(requests.length);
      if (isAtOnce) await this.turnOf(requests.length);
      const end = isAtOnce
        ? sleep(Math.min(LONGEST_OPENING_MS, OPENING_MS + 2 * this.places.loneMs))
        : undefined;
      const left = requests.entries();
      const sendNext = async (): Promise<void> => {
        for (const [step, request] of left) {
          const kept = isShareable(probe, request, this.values.token) ? shared : own;
          const once: Step = { probe, request, place: { step, role }, kept };
          const turnedAway: Exchange[] = [];
          let exchange = await this.exchange({ ...once, end });
          while (await this.isSentAgain(exchange, probe, turnedAway)) {
            turnedAway.push(exchange);
            exchange = await this.exchange(once);
          }
          exchanges[step] = this.explained(exchange, turnedAway);
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

  /**
   * Whether a request is sent again as it is: it was turned away, so it was not processed. It waits until then.
   *
   * @param before its exchanges that were turned away before
   */
  private async isSentAgain(exchange: Exchange, probe: Probe, before: readonly Exchange[]): Promise<boolean> {
    if (!this.isTurnedAway(exchange) || this.whyUsedUp !== undefined) return false;
    const isKnown = this.rate.learned !== undefined && (!isBare503(exchange) || this.bare503 === 'limit');
    const isLate = isAfterWrongTokens(probe.phase);
    const { longestWaitMs, signal } = this.clock;
    const ms = waitMs(exchange, { tries: before.length, isKnown, isLate, longestWaitMs });
    if (ms === undefined) {
      if (isBare503(exchange)) {
        await this.lookInto503(exchange, (before[0] ?? exchange).startMs);
        if (!isKnown && this.bare503 === 'limit' && this.rate.learned !== undefined)
          return await this.isSentAgain(exchange, probe, before);
      }
      // Others would have to wait as long.
      else if (!isLate && probe.phase !== 'control' && retryAfterMs(exchange) !== undefined)
        this.whyUsedUp ??= exchange.expectation === 'created' ? ACCEPTS_NO_MORE : undefined;
      return false;
    }
    if (!this.mayResend(1) || !(await wait(ms, signal))) return false;
    this.assign([exchange], 'superseded');
    return true;
  }

  /**
   * Finds out why a request got a 503 again and again: for what it contains, or because nothing is accepted any more. If others
   * were served meanwhile, the provider only limits its rate, and others came first.
   */
  private async lookInto503(exchange: Exchange, firstMs: number): Promise<void> {
    if (isBare503(await this.sendPlainPlant())) {
      if (this.servedMs > firstMs + MEANWHILE_MS) this.bare503 = 'limit';
      else this.whyUsedUp ??= RETURNS_ONLY_503;
      return;
    }
    this.failed.add(exchange.index);
    if (this.bare503 === 'limit') return;
    this.bare503 = 'failure';
    this.rate.forget();
  }

  /** The last exchange of a request that was turned away before. What a limit turned away says nothing about the request. */
  private explained(last: Exchange, turnedAway: readonly Exchange[]): Exchange {
    const bare = turnedAway.filter(isBare503);
    if (bare.length > 0 && last.response !== undefined && !isBare503(last)) this.bare503 = 'limit';
    if (this.bare503 === 'failure' || this.failed.has(last.index)) return last;
    for (const one of bare) this.options.keep({ ...one, role: 'superseded', limited: true });
    if (!isBare503(last) || !this.isTurnedAway(last)) return last;
    const limited = { ...last, limited: true } as const;
    this.options.keep(limited);
    return limited;
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
  private async exchange({ probe, request: made, place, kept, end, isSign }: Step): Promise<Exchange> {
    const { settings, clock } = this;
    if (isSign !== true) {
      await this.liveness.ready();
      // Those that are sent at the same time had their turn together.
      if (end === undefined) await this.rate.turn(1, clock.signal);
    }
    if (kept !== this.connections && end === undefined)
      await this.connections.makeRoom(this.places.underWay, this.places.most);
    const request = this.accept === undefined ? made : withAccept(made, this.accept);
    const timeoutMs = Math.min(settings.timeoutMs, clock.leftMs);
    const startMs = clock.elapsedMs;
    // Both moments count: the request that delayed this one may have ended before this one does.
    const wasShared = this.places.underWay > 1;
    const sending = { timeoutMs, signal: settings.signal, kept, end, beside: this.connections };
    const why = this.whyNotSent();
    const { response, failure, reusedConnection, connectMs } =
      why !== undefined
        ? notSent(why)
        : await (settings.fetch === undefined
            ? sendOn(settings, request, sending)
            : callHandler(settings.fetch, settings, request, sending));
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
    this.learn(exchange, probe, connectMs);
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
  private learn(exchange: Exchange, probe: Probe, connectMs: number): void {
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
    this.servedMs = Math.max(this.servedMs, exchange.startMs);
    if (connectMs > SLOW_CONNECT_MS) this.places.crowded();
    // If the provider is far, others may be under way beside what is alone otherwise.
    else if (exchange.shared || !isAlone(probe) || probe.together === true)
      this.places.responded(
        exchange.durationMs,
        isAccepted(exchange) && exchange.request.transfer === undefined,
      );
    else if (isAccepted(exchange)) this.places.respondedAlone(exchange.durationMs);
  }
}

function notSent(why: string): SendResult {
  return {
    failure: { kind: 'not-sent', message: `not sent: ${why}` },
    reusedConnection: false,
    connectMs: 0,
  };
}

function withAccept(request: ProbeRequest, value: string): ProbeRequest {
  const { headers } = request;
  if (headerValues(headers, 'accept').length > 0) return request;
  return { ...request, headers: [...headers, ['Accept', value]] };
}

/** A request that had less time than the provider may take was not waited for, and says nothing about the provider. */
function asUnfinished(failure: NoResponse | undefined): NoResponse | undefined {
  if (failure?.kind !== 'timeout' && failure?.kind !== 'not-connected') return failure;
  return { kind: 'stopped', message: 'no response before the check had to end' };
}

/** Servers often close the connection instead of reading the rest of a long body, and then the next request suffers. */
const LONG_BODY = 8 * 1024;

/**
 * Whether a request may share a connection with other probes. Those about connections and their bytes have their own. So has
 * one without a token: that an earlier request authenticates the connection is shown by a probe of its own. And so has one
 * with the token in another case: Jetty keeps the fields of a connection, and finds them without regard to case. A server
 * that does not know chunks takes them for further requests, so its next responses are not those to the next requests.
 */
function isShareable({ together = false }: Probe, request: ProbeRequest, token: string): boolean {
  const { transfer, isUnusual = false, chunked = false, body, headers } = request;
  const isOrdinary = transfer === undefined && !isUnusual && !chunked && body.length < LONG_BODY;
  const [authorization] = headerValues(headers, 'authorization');
  const right = `Bearer ${token}`;
  const isInOtherCase = authorization !== right && authorization?.toLowerCase() === right.toLowerCase();
  const isToldApart = authorization !== undefined && !isInOtherCase;
  return isOrdinary && !together && isToldApart && headerValues(headers, 'connection').length === 0;
}
