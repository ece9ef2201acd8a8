import { clearTimeout, setTimeout } from 'node:timers';
import { headerValues } from '../../http/fields.js';
import {
  type Exchange,
  isAccepted,
  isBusy,
  isRejected,
  isThrottled,
  type ProbeRequest,
  sentIn,
} from '../exchange.js';
import type { CheckSettings } from '../options.js';
import { type Probe, requestsOf } from '../row.js';
import { freshValues, type ProbeValues } from '../template.js';
import { plainPlant } from '../values/plain-plants.js';
import { Connections } from './connections.js';
import { type SendResult, sendOn } from './http.js';
import { Limit } from './limit.js';
import { Places, Rate } from './pace.js';
import type { Clock } from './time.js';
import { Watch } from './watch.js';

/** A provider is far if a lone creation takes longer than this. */
const FAR_MS = 90;
/** How much longer than usual a response may take beside an idle connection, before that connection is suspected. */
const SERVED_MS = 500;
/** How often a probe is sent again that proved nothing. */
const MOST_RESENDS = 2;

/** What a sender needs beside the settings of a check. */
interface SenderOptions {
  readonly clock: Clock;
  /** How many requests are sent again at most, but for those that a limit turned away. Default: any number. */
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
  /** Why it goes out at once: its turn has come with that of others, or it shows what the provider does. */
  readonly atOnce?: 'together' | 'sign' | undefined;
}

/**
 * Sends probes to one provider: for a check, and for exploring. A request that a limit turned away is sent again as it is. A probe
 * that proved nothing is sent again, whole and with new ids.
 */
export class Sender {
  readonly watch: Watch;
  readonly limit: Limit<Step>;
  readonly places: Places;
  /** Whether the provider did not connect, or was late, beside other requests. */
  private isCrowded = false;
  /** A plain plant that the provider accepts. */
  private sign = plainPlant;
  /** Whether each response takes long, although nothing waits for another request. */
  isFar = false;
  private readonly rate: Rate;
  private readonly connections: Connections;
  private readonly clock: Clock;
  /** Values that nothing else of this sender has. */
  private readonly values: ProbeValues;
  /** How many exchanges have ended. */
  private ended = 0;
  private again = 0;

  constructor(
    private readonly settings: CheckSettings,
    private readonly options: SenderOptions,
  ) {
    this.clock = options.clock;
    this.values = freshValues(settings.tokens);
    this.rate = new Rate(settings.rate);
    this.places = new Places(settings.concurrency);
    this.connections = new Connections(settings);
    this.watch = new Watch(async () => {
      // A provider with few threads may wait for idle connections.
      await this.connections.makeRoom(1, 1);
      return this.sendPlainPlant();
    }, this.clock.signal);
    this.limit = new Limit({
      clock: this.clock,
      watch: this.watch,
      places: this.places,
      send: (step) => this.exchange(step),
      sendPlainPlant: () => this.sendPlainPlant(),
      keep: (exchange) => options.keep(exchange),
    });
  }

  /**
   * Decides how many requests are under way at once, whether connections are kept, and which plain plant shows what the provider does.
   *
   * @param controls what was sent alone
   * @param plain plain plants, the plainest first
   */
  async decide(controls: readonly Exchange[], plain: readonly Probe[]): Promise<void> {
    const accepted = controls.filter(isAccepted);
    const loneMs = Math.min(...accepted.map(({ durationMs }) => durationMs));
    this.isFar = loneMs > FAR_MS;
    if (this.isFar) this.places.decide(this.settings.concurrencyIfFar);
    this.sign = plain.find(({ name }) => accepted.some(({ probe }) => probe === name)) ?? plainPlant;
    // A provider that serves a connection until it ends does not serve this one beside the one that was kept.
    const timer = setTimeout(() => this.connections.giveUp(), SERVED_MS + 2 * loneMs);
    await this.sendPlainPlant();
    clearTimeout(timer);
  }

  /**
   * Sends the requests of a probe until they prove something.
   *
   * @param role a confirmation is sent once, whatever comes back
   * @returns the last exchanges, in the order of the requests
   */
  async send(probe: Probe, role: 'judged' | 'confirmation' = 'judged'): Promise<readonly Exchange[]> {
    let wasStale = false;
    for (let resends = 0; ; resends++) {
      // After a stale connection, every connection is new: a missing response then has another reason.
      const isKept = role === 'judged' ? !wasStale : probe.oneConnection === true;
      const exchanges = await this.attempt(probe, requestsOf(probe, this.values), role, isKept);
      wasStale ||= exchanges.some(isStale);
      const isRepeated = exchanges.some(isRejectedCreation) && resends > 0;
      if (role === 'confirmation' || resends >= MOST_RESENDS || isRepeated) return exchanges;
      if (!exchanges.some((one) => isStale(one) || isCrowdedOut(one) || isRejectedCreation(one)))
        return exchanges;
      // To a provider that has stopped, nothing is sent again: what got no response may have stopped it.
      if (!exchanges.some(isRejectedCreation)) await this.watch.end();
      if (!this.mayResend(exchanges.length) || this.whyNotSent() !== undefined) return exchanges;
      this.assign(exchanges, 'superseded');
    }
  }

  /** Whether a plain plant with the right token is rejected after wrong ones. */
  async rejectsRightToken(): Promise<boolean> {
    const exchanges = await this.send({ ...this.sign, phase: 'wrong-token' }, 'confirmation');
    return exchanges.some((one) => isRejected(one) || isThrottled(one));
  }

  /** Gives exchanges another role. */
  assign(exchanges: readonly Exchange[], role: Exchange['role']): readonly Exchange[] {
    const assigned = exchanges.map((exchange) => ({ ...exchange, role }));
    for (const exchange of assigned) this.options.keep(exchange);
    return assigned;
  }

  /** Whether so many requests may be sent again: their number is limited. */
  mayResend(requests: number): boolean {
    this.again += requests;
    return this.again <= (this.options.mostAgain ?? Number.POSITIVE_INFINITY);
  }

  /** Why nothing is sent any more. A clause without a full stop. */
  whyNotSent(): string | undefined {
    if (this.settings.signal.aborted) return 'the check was stopped';
    if (this.watch.ended === 'silent') return 'the provider had stopped responding';
    if (this.watch.ended === 'rejects') return 'the provider rejected every plain plant';
    if (this.limit.endlessPauseMs !== undefined) return 'the provider accepted no more requests';
    return this.clock.isOver ? 'there was no time for it' : undefined;
  }

  /** Closes the kept connections. They are opened again if they are needed. */
  close(): void {
    this.connections.close();
  }

  /** Sends the requests of a probe: all at the same time, or one after the other. */
  private async attempt(
    probe: Probe,
    requests: readonly ProbeRequest[],
    role: 'judged' | 'confirmation',
    isKept: boolean,
  ): Promise<Exchange[]> {
    const own = probe.oneConnection === true && isKept ? new Connections(this.settings) : undefined;
    const shared = isKept ? (own ?? this.connections) : undefined;
    const exchanges: Exchange[] = [];
    const isTogether = probe.together === true && this.rate.allows(requests.length);
    const work = async (places: number): Promise<void> => {
      if (this.whyNotSent() !== undefined) return;
      // A provider that showed how many requests it can serve gets no more.
      const isAtOnce = isTogether && !this.isCrowded;
      if (isAtOnce) await this.turn(requests.length);
      const left = requests.entries();
      const sendNext = async (): Promise<void> => {
        for (const [step, request] of left) {
          const kept = isShareable(probe, request, this.values.token) ? shared : own;
          const atOnce = isAtOnce ? 'together' : undefined;
          exchanges[step] = await this.limit.untilServed({
            probe,
            request,
            place: { step, role },
            kept,
            atOnce,
          });
        }
      };
      await Promise.all(Array.from({ length: isAtOnce ? requests.length : places }, sendNext));
    };
    await this.places.with(isTogether ? requests.length : 1, work).finally(() => own?.close());
    return exchanges;
  }

  /** Sends a plain plant that shows something about the provider, at once. */
  private sendPlainPlant(): Promise<Exchange> {
    const [request] = requestsOf(this.sign, this.values) as readonly [ProbeRequest];
    const place = { step: 0, role: 'confirmation' } as const;
    return this.exchange({ probe: this.sign, request, place, atOnce: 'sign' });
  }

  /** Waits until so many requests may be sent at the same time. */
  private async turn(count: number): Promise<void> {
    await this.watch.ready();
    await this.limit.ready();
    await this.rate.turn(count, this.clock.signal);
    if (count > 1) await this.connections.makeRoom(this.places.underWay + count, this.places.most);
  }

  /** Sends one request when its turn has come, and makes an exchange of it. */
  private async exchange({ probe, request, place, kept, atOnce }: Step): Promise<Exchange> {
    const { settings, clock } = this;
    if (atOnce === undefined) await this.turn(1);
    else if (atOnce === 'sign') await this.rate.turn(1, clock.signal);
    if (kept !== this.connections && probe.together !== true)
      await this.connections.makeRoom(this.places.underWay, this.places.most);
    const timeoutMs = Math.min(settings.timeoutMs, clock.leftMs);
    const isCut = timeoutMs < settings.timeoutMs;
    const startMs = clock.elapsedMs;
    // Both moments count: the request that delayed this one may have ended before this one does.
    const wasShared = this.places.underWay > 1;
    const why = this.whyNotSent();
    const { response, failure, reusedConnection } =
      why !== undefined
        ? notSent(why)
        : inTime(await sendOn(settings, request, { timeoutMs, signal: settings.signal, kept }), isCut);
    const exchange: Exchange = {
      index: this.ended++,
      ...place,
      probe: probe.name,
      request,
      sent: sentIn(request),
      expectation: request.expectation ?? probe.expectation,
      response,
      failure,
      reusedConnection,
      startMs,
      shared: wasShared || this.places.underWay > 1,
      durationMs: clock.elapsedMs - startMs,
    };
    if (isCrowdedOut(exchange) && probe.together !== true) {
      this.isCrowded = true;
      this.places.halve(startMs, clock.elapsedMs);
    }
    this.options.keep(exchange);
    this.watch.saw(exchange);
    return exchange;
  }
}

function notSent(why: string): SendResult {
  return { failure: { kind: 'not-sent', message: `not sent: ${why}` }, reusedConnection: false };
}

/** A request that had less time than the provider may take was not waited for, and says nothing about the provider. */
function inTime(result: SendResult, isCut: boolean): SendResult {
  const { response, failure, reusedConnection } = result;
  const isLate = failure?.kind === 'timeout' || failure?.kind === 'not-connected' || response?.isStalled;
  if (!isCut || !isLate) return result;
  return {
    failure: { kind: 'stopped', message: 'no response before the check had to end' },
    reusedConnection,
  };
}

/** Whether a connection was closed while it was idle (RFC 9112, section 9.3.1). */
function isStale({ failure, reusedConnection }: Exchange): boolean {
  return failure?.kind === 'reset' && reusedConnection;
}

/** Whether a request did not connect, or got no response in time, while others were under way. */
function isCrowdedOut({ failure, expectation, shared, reusedConnection }: Exchange): boolean {
  if (!shared) return false;
  if (failure?.kind === 'reset') return !reusedConnection;
  if (failure?.kind === 'not-connected' || failure?.kind === 'unreachable') return true;
  return failure?.kind === 'timeout' && expectation === 'created';
}

/** Whether a valid creation was rejected. Its id may exist already, so it is sent once more with another. */
function isRejectedCreation(exchange: Exchange): boolean {
  return exchange.expectation === 'created' && isRejected(exchange) && !isBusy(exchange);
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
