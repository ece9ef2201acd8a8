import { setTimeout as sleep } from 'node:timers/promises';
import { headerValues } from '../../http/fields.js';
import { type Exchange, isAccepted, isSilence, isThrottled, type ProbeRequest } from '../exchange.js';
import { LAST_ATTEMPTS } from '../judge/facts.js';
import type { CheckSettings } from '../options.js';
import { isAlone, type Probe } from '../probe.js';
import { plainPlant } from '../topics/plain.js';
import { Connections } from './connections.js';
import { openConnection } from './http.js';
import { Pace, Rate, type Speed, wait } from './pace.js';
import { Quota, rateLimitIn, UnusualRateLimit } from './resend.js';
import { inOrder, Session, type Way } from './session.js';
import { Deadline, type TimeParts, timePartsOf } from './time-limit.js';

/** The place of a plain plant that shows something about the provider. */
const AS_A_SIGN = { step: 0, role: 'confirmation' } as const;
/** A client sends a SYN again after 1 s if the provider's queue is full. */
const SLOW_CONNECT_MS = 900;
/** How long requests that are sent together wait for their connections. */
const OPENING_MS = 300;
/** After this time, the provider has the requests that end together, except for their last bytes. */
const ENDING_MS = 8;
/** So many requests are sent at once even if that is more than the pace. */
const FEW = 7;
/** After so many requests in a row without a response, a plain plant shows whether the provider still responds. */
const SUSPECTED = 5;
/** At a limited rate, so much of the time that is left is planned. */
const LEFT_IF_LIMITED = 0.6;
/** A provider that was restarted needs some time. */
const FIRST_WAIT_MS = 150;

/** Sends one request of a probe. */
type SendStep = (request: ProbeRequest, step: number, way?: Way) => Promise<Exchange>;

/** Whether a request that was turned away is sent again. It waits until then. */
type Retry = (exchange: Exchange, tries: number) => Promise<boolean>;

/** Sends the requests of probes as fast as the provider allows, and keeps every exchange. */
export class CheckSession extends Session {
  /** In the order in which they ended. */
  readonly exchanges: Exchange[] = [];
  readonly pace: Pace;
  readonly rate: Rate;
  private readonly connections: Connections;
  /**
   * Whether each response takes so long that probes which are alone otherwise are sent side by side. Then it is chance if no other
   * request comes between those of a sequence.
   */
  isFar = false;
  /** How many responses there were. */
  private responses = 0;
  readonly liveness: Liveness;
  private readonly unusualRateLimit: UnusualRateLimit;
  readonly quota: Quota;
  readonly times: TimeParts;
  private readonly deadline: Deadline;

  /** @param planned how many requests are planned at least */
  constructor(
    settings: CheckSettings,
    private readonly planned: number,
  ) {
    super(settings);
    this.times = timePartsOf(settings.timeLimitMs);
    this.deadline = new Deadline(this.times.lastBeginMs, settings.signal);
    this.pace = new Pace(settings.concurrency);
    this.rate = new Rate(settings.rate);
    this.connections = new Connections(settings, settings.concurrencyIfFar, () => this.pace.loneMs);
    const send = (): Promise<Exchange> => this.sendPlainPlant();
    this.liveness = new Liveness(send, this.waiting);
    this.unusualRateLimit = new UnusualRateLimit(send);
    this.quota = new Quota(send, this.times.longestWaitMs);
  }

  /** Closes the kept connections. They are opened again if they are needed. */
  close(): void {
    this.connections.close();
  }

  /**
   * Starts a provider again that has stopped responding. That takes no time of the check.
   *
   * @returns whether it answers
   */
  async startAgain(start: () => Promise<boolean>): Promise<boolean> {
    if (this.waiting.aborted || !(await this.awayFor(start))) return false;
    this.close();
    this.liveness.started();
    return true;
  }

  /** Ends every wait: the time is over, or the check is stopped. */
  override get waiting(): AbortSignal {
    return this.deadline.signal;
  }

  /** Whether the time is over in which requests begin. */
  get isOver(): boolean {
    return this.spentMs >= this.times.lastBeginMs;
  }

  /** Milliseconds that are left for the planned requests. */
  get leftMs(): number {
    // What is throttled is sent more than once.
    return (this.times.plannedMs - this.spentMs) * (this.rate.isLearned ? LEFT_IF_LIMITED : 1);
  }

  get speed(): Speed {
    const { pace, rate } = this;
    return {
      aloneMs: pace.loneMs,
      atOnce: pace.most,
      perSecond: this.learnedRate || Math.min(rate.current, this.seenRate),
      isSideBySide: this.isFar,
    };
  }

  /** How many requests per second the provider accepted lately, if it limits them. */
  get learnedRate(): number | undefined {
    const { rate, quota } = this;
    if (quota.isUsedUp) return 0;
    return rate.isLearned ? Math.min(rate.current, rate.accepted) : undefined;
  }

  /** How many responses per second there were so far; `Infinity` while that says nothing. */
  private get seenRate(): number {
    const { spentMs, responses, times } = this;
    return spentMs < times.measuredMs ? Number.POSITIVE_INFINITY : (responses * 1_000) / spentMs;
  }

  override awayFor<T>(work: () => Promise<T>): Promise<T> {
    return super.awayFor(() => this.deadline.postponedFor(work));
  }

  /** Call it when a plant was rejected for what may be a limit of the provider, and then accepted. */
  recovered(rejected: Exchange): void {
    this.unusualRateLimit.recovered(rejected);
  }

  /**
   * Sends the requests of a probe: all at once, or one after the other.
   *
   * @param isKept whether it may use connections that carried other requests; its own one otherwise
   * @param isDropped is asked before the first request; if it returns true, nothing is sent
   * @param isRetried is asked if a request of several was turned away; if it returns true, the request is sent again
   */
  async attempt(
    probe: Probe,
    role: 'judged' | 'confirmation',
    isKept: boolean,
    isDropped: () => boolean = () => false,
    isRetried: Retry = async () => false,
  ): Promise<Exchange[]> {
    const { settings } = this;
    const { token } = this.values;
    const requests = probe.requests(this.values);
    const { length } = requests;
    const own = probe.oneConnection === true && isKept ? new Connections(settings, 1) : undefined;
    const kept = isKept ? (own ?? this.connections) : undefined;
    const one: SendStep = (request, step, way) =>
      this.exchange(
        probe,
        request,
        { step, role },
        { kept: isShareable(probe, request, token) ? kept : own, ...way },
      );
    const turn = async (step: number): Promise<Exchange> => {
      await this.rate.turn(1, this.waiting);
      return one(requests[step] as ProbeRequest, step);
    };
    /** What was throttled was not processed: the same request is sent again. */
    const again = async <T extends Exchange | undefined>(
      first: T,
      sendOnce: () => Promise<T>,
    ): Promise<T> => {
      let exchange = first;
      for (let tries = 0; exchange !== undefined && length > 1 && isThrottled(exchange); tries++) {
        if (!(await isRetried(exchange, tries))) break;
        exchange = await sendOnce();
      }
      return exchange;
    };
    try {
      if (probe.together === true) {
        const exchanges = await this.together(requests, isDropped, one);
        const alone = (step: number): Promise<Exchange> => this.pace.with(1, () => turn(step));
        return await Promise.all(exchanges.map((exchange, step) => again(exchange, () => alone(step))));
      }
      // A kept connection may occupy the only thread of a provider, so no other request may come between.
      if (own !== undefined)
        return await this.pace.with(1, async () =>
          isDropped() ? [] : await inOrder(length, async (step) => again(await turn(step), () => turn(step))),
        );
      return await inOrder(length, async (step) => {
        const first = await this.pace.with(
          1,
          async () => (step > 0 || !isDropped() ? await turn(step) : undefined),
          step > 0,
        );
        return again(first, () => this.pace.with(1, () => turn(step), true));
      });
    } finally {
      own?.close();
    }
  }

  /**
   * Sends requests at once. If the pace is slower, each request waits for a place of its own.
   *
   * @param isDropped is asked when their turn has come; if it returns true, nothing is sent
   */
  private async together(
    requests: readonly ProbeRequest[],
    isDropped: () => boolean,
    send: SendStep,
  ): Promise<Exchange[]> {
    const { length } = requests;
    const { concurrency, fetch } = this.settings;
    const most = this.rate.isLearned ? FEW : Math.max(FEW, this.pace.limit);
    if (length <= Math.min(most, concurrency))
      return this.pace.with(length, async () => {
        if (isDropped()) return [];
        await this.rate.turn(length, this.waiting);
        // The connections come first, so that the requests arrive together.
        const opened =
          fetch === undefined
            ? await Promise.all(requests.map(() => openConnection(this.settings, OPENING_MS)))
            : [];
        const end = sleep(ENDING_MS);
        try {
          return await Promise.all(
            requests.map((request, step) => send(request, step, { opened: opened[step], end })),
          );
        } finally {
          for (const { socket } of opened) socket.destroy();
        }
      });
    if (isDropped()) return [];
    return Promise.all(
      requests.map((request, step) =>
        this.pace.with(1, async () => {
          await this.rate.turn(1, this.waiting);
          return send(request, step);
        }),
      ),
    );
  }

  protected get isShared(): boolean {
    return this.pace.isShared;
  }

  private sendPlainPlant(): Promise<Exchange> {
    return this.exchange(plainPlant, this.plainPlant(), AS_A_SIGN);
  }

  private async exchange(
    probe: Probe,
    request: ProbeRequest,
    place: Pick<Exchange, 'step' | 'role'>,
    way: Way = {},
  ): Promise<Exchange> {
    const { settings, liveness, unusualRateLimit } = this;
    const isSign = place === AS_A_SIGN;
    // Liveness waits for such a plain plant itself.
    if (!isSign) await liveness.ready();
    const sent = await this.sendOne(probe, request, place, {
      ...way,
      beside: this.connections,
      timeoutMs: Math.min(settings.timeoutMs, this.times.lastEndMs - this.spentMs),
      whyNot: this.whyNotSent(),
    });
    const isLimited = await unusualRateLimit.rejected(sent.exchange, probe, isSign);
    if (!isSign) await this.quota.saw(sent.exchange, probe);
    const exchange: Exchange = {
      index: this.exchanges.length,
      ...sent.exchange,
      ...(isLimited && { limited: true }),
    };
    this.learn(exchange, probe, sent.connectMs);
    this.exchanges.push(exchange);
    liveness.saw(exchange);
    unusualRateLimit.saw(exchange);
    settings.onExchange(exchange, Math.max(this.planned, this.exchanges.length));
    return exchange;
  }

  /** Why nothing is sent any more. */
  private whyNotSent(): string | undefined {
    if (this.settings.signal.aborted) return 'the check was stopped';
    if (this.liveness.hasStopped) return 'the provider had stopped responding';
    return this.isOver ? 'its time was over' : undefined;
  }

  /** What an exchange says about how many requests the provider can serve. */
  private learn(exchange: Exchange, probe: Probe, connectMs: number): void {
    if (exchange.response !== undefined) {
      this.responses++;
      const { isLimit, askedMs } = rateLimitIn(exchange, probe, this.times.longestWaitMs);
      // A limiter that allows no bursts rejects requests that are sent together at every rate.
      if (isLimit && !(probe.together === true && this.rate.isLearned)) this.rate.throttled(askedMs);
      else if (!isThrottled(exchange)) this.rate.responded();
    }
    if (connectMs > SLOW_CONNECT_MS) this.pace.crowded();
    else if (exchange.response !== undefined) {
      const isLone = isAlone(probe) && probe.together !== true;
      // Only accepted creations count as lone: rejections are often faster.
      if (!isLone || isAccepted(exchange)) this.pace.responded(exchange.durationMs, isLone);
    }
  }
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

/**
 * Finds out whether a provider has stopped responding, so that a check of it ends soon. Before each request, wait until
 * it is ready. After each exchange, tell it.
 */
class Liveness {
  /** Whether the provider stopped responding. Then nothing more is sent. */
  hasStopped = false;
  private hasResponded = false;
  private silent = 0;
  private suspected = SUSPECTED;
  private looking: Promise<void> | undefined;

  /** @param sendPlainPlant sends a plain plant at once, without waiting until this is ready */
  constructor(
    private readonly sendPlainPlant: () => Promise<Exchange>,
    private readonly signal: AbortSignal,
  ) {}

  /** Waits while it is being found out. */
  async ready(): Promise<void> {
    await this.looking;
  }

  /** Call it after each exchange. */
  saw(exchange: Exchange): void {
    if (exchange.response !== undefined) {
      this.silent = 0;
      this.hasResponded = true;
    } else if (isSilence(exchange) && this.hasResponded && ++this.silent >= this.suspected) void this.look();
  }

  /** Call it at the end: the last request may have stopped the provider. */
  async end(): Promise<void> {
    await this.looking;
    if (this.silent > 0) await this.look();
  }

  /** Call it when the provider was started again. */
  started(): void {
    this.hasStopped = false;
    this.silent = 0;
  }

  private look(): Promise<void> {
    if (this.hasStopped) return Promise.resolve();
    this.looking ??= this.find().finally(() => {
      this.looking = undefined;
    });
    return this.looking;
  }

  private async find(): Promise<void> {
    for (let attempt = 0; attempt < LAST_ATTEMPTS; attempt++) {
      await wait(FIRST_WAIT_MS * 2 ** attempt, this.signal);
      const exchange = await this.sendPlainPlant();
      if (!isSilence(exchange)) {
        // Some requests get no response, and others do: do not ask for every few of them.
        this.suspected *= 2;
        return;
      }
    }
    this.hasStopped = true;
  }
}
