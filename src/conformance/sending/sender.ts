import { setTimeout as sleep } from 'node:timers/promises';
import { type Exchange, isAccepted, isOfProxy, isThrottled, type ProbeRequest } from '../exchange.js';
import type { CheckSettings } from '../options.js';
import { isAlone, type Probe, type ProbeValues } from '../probe.js';
import { plainPlant } from '../topics/plain/rows.js';
import { callHandler } from './fetch-handler.js';
import { freshValues } from './fresh-values.js';
import { Liveness } from './liveness.js';
import { asUnfinished, BUDGET_MS, notSent } from './not-sent.js';
import { type OpenedConnection, openConnection } from './open-connection.js';
import { OwnLimits } from './own-limits.js';
import { Pace } from './pace.js';
import { Rate } from './rate.js';
import { rateLimitIn } from './resend.js';
import { type Delivery, keptConnection, type Sending, send } from './send.js';
import { series } from './series.js';

/** Every request ends before this time. The rest is for judging. */
const LAST_MS = 39_000;
/** A plain plant that shows whether the provider still responds. */
const LAST_ATTEMPT = { probe: 'plain-plant', step: 0, role: 'confirmation' } as const;
/** A client sends a SYN again after 1 s if the provider's queue is full. */
const SLOW_CONNECT_MS = 900;
/** How long requests that are sent together wait for their connections. */
const OPENING_MS = { usually: 300, throughProxy: 1_500 } as const;
/** After so many failures of a proxy in a row, nothing more is sent. */
const MOST_PROXY_FAILURES = 6;
/** After this time, the provider has the requests that end together, except for their last bytes. */
const ENDING_MS = 8;
/** So many requests are sent at once even if that is more than the pace. */
const FEW = 7;

/** Sends one request of a probe. */
type SendOne = (
  request: ProbeRequest,
  step: number,
  opened?: OpenedConnection,
  end?: Promise<void>,
) => Promise<Exchange>;

/** Whether a request that was throttled is sent again. It waits until then. */
type Retry = (exchange: Exchange, tries: number) => Promise<boolean>;

/** Sends the requests of probes as fast as the provider allows, and keeps every exchange. */
export class Sender {
  /** In the order in which they ended. */
  readonly exchanges: Exchange[] = [];
  readonly pace: Pace;
  readonly rate: Rate;
  /** How many responses there were. */
  responses = 0;
  private readonly start = performance.now();
  private awayMs = 0;
  /** How many requests in a row got no connection from a proxy. */
  private proxyFailures = 0;
  readonly liveness: Liveness;
  private readonly ownLimits = new OwnLimits(() => this.plainPlant(this.values));
  private readonly values: ProbeValues;

  /** @param planned how many requests are planned at least */
  constructor(
    private readonly settings: CheckSettings,
    private readonly planned: number,
  ) {
    this.pace = new Pace(settings.concurrency);
    this.rate = new Rate(settings.rate);
    this.values = freshValues(settings.tokens);
    this.liveness = new Liveness(() => this.plainPlant(this.values), settings.signal);
  }

  /** Call it when a plant was rejected for what may be a limit of the provider, and then accepted. */
  recovered(rejected: Exchange): void {
    this.ownLimits.recovered(rejected);
  }

  /** Milliseconds since the start of the run. */
  get elapsedMs(): number {
    return performance.now() - this.start;
  }

  /** Milliseconds that the run itself has taken. */
  get spentMs(): number {
    return this.elapsedMs - this.awayMs;
  }

  /** Does other work. Its time does not count towards the time of the run. */
  async awayFor<T>(work: () => Promise<T>): Promise<T> {
    const start = performance.now();
    return work().finally(() => {
      this.awayMs += performance.now() - start;
    });
  }

  /**
   * Sends the requests of a probe: all at once, or one after the other.
   *
   * @param isDropped is asked before the first request; if it returns true, nothing is sent
   * @param isRetried is asked if a request of a sequence was throttled; if it returns true, the request is sent again
   */
  async attempt(
    probe: Probe,
    role: 'judged' | 'confirmation',
    isKept: boolean,
    isDropped: () => boolean = () => false,
    isRetried: Retry = async () => false,
  ): Promise<Exchange[]> {
    const { settings } = this;
    const { tokens } = settings;
    let token = tokens.current;
    let requests = probe.requests(this.values);
    const { length } = requests;
    /** Whether the probe is sent, now that its turn has come. The token may have been renewed while it waited. */
    const begins = async (): Promise<boolean> => {
      await tokens.ready();
      if (isDropped()) return false;
      if (token !== tokens.current) requests = probe.requests(this.values);
      token = tokens.current;
      return requests.length === length;
    };
    const connection = isKept ? keptConnection(settings) : undefined;
    const one: SendOne = (request, step, opened, end) =>
      this.exchange(request, { probe: probe.name, step, role }, probe, { connection, opened, end });
    const turn = async (step: number): Promise<Exchange> => {
      await this.rate.turn(1, settings.signal);
      return one(requests[step] as ProbeRequest, step);
    };
    /** What was throttled was not processed, so the same request is sent again. */
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
        const made = async (): Promise<readonly ProbeRequest[]> => ((await begins()) ? requests : []);
        const exchanges = await this.together(length, made, one);
        const alone = (step: number): Promise<Exchange> => this.pace.with(1, () => turn(step));
        return await Promise.all(exchanges.map((exchange, step) => again(exchange, () => alone(step))));
      }
      // A kept connection may occupy the only thread of a provider, so no other request may come between.
      if (connection !== undefined)
        return await this.pace.with(1, async () =>
          (await begins())
            ? await series(length, async (step) => again(await turn(step), () => turn(step)))
            : [],
        );
      return await series(length, async (step) => {
        const first = await this.pace.with(1, async () =>
          step > 0 || (await begins()) ? await turn(step) : undefined,
        );
        return again(first, () => this.pace.with(1, () => turn(step)));
      });
    } finally {
      connection?.destroy();
    }
  }

  /**
   * Looks for requests whose token had expired. Call it when nothing of their probe is under way any more: its connection
   * may occupy the only thread of a provider.
   *
   * @returns the exchanges, with a mark on those
   */
  async withExpiry(exchanges: readonly Exchange[]): Promise<readonly Exchange[]> {
    const marked = await this.settings.tokens.marked(exchanges, {
      send: (token) => this.plainPlant({ ...this.values, token }),
      awayFor: (work) => this.awayFor(work),
      signal: this.settings.signal,
    });
    for (const exchange of marked)
      if (exchange.tokenExpired === true) this.exchanges[exchange.index] = exchange;
    return marked;
  }

  /**
   * Sends requests at once. If the pace is slower, each request waits for a place of its own.
   *
   * @param made makes the requests when their turn has come; there are none if the probe is not sent
   */
  private async together(
    length: number,
    made: () => Promise<readonly ProbeRequest[]>,
    send: SendOne,
  ): Promise<Exchange[]> {
    const { signal, concurrency, fetch, proxy } = this.settings;
    const openingMs = proxy === undefined ? OPENING_MS.usually : OPENING_MS.throughProxy;
    const most = this.rate.isLearned ? FEW : Math.max(FEW, this.pace.limit);
    if (length <= Math.min(most, concurrency))
      return this.pace.with(length, async () => {
        const requests = await made();
        if (requests.length === 0) return [];
        await this.rate.turn(length, signal);
        // The connections come first, so that the requests arrive together.
        const opened =
          fetch === undefined
            ? await Promise.all(requests.map(() => openConnection(this.settings, openingMs)))
            : [];
        const end = sleep(ENDING_MS);
        try {
          return await Promise.all(requests.map((request, step) => send(request, step, opened[step], end)));
        } finally {
          for (const { socket } of opened) socket.destroy();
        }
      });
    const requests = await made();
    return Promise.all(
      requests.map((request, step) =>
        this.pace.with(1, async () => {
          await this.rate.turn(1, signal);
          return send(request, step);
        }),
      ),
    );
  }

  private async exchange(
    request: ProbeRequest,
    place: Pick<Exchange, 'probe' | 'step' | 'role'>,
    probe: Probe,
    connections: Pick<Sending, 'connection' | 'opened' | 'end'>,
  ): Promise<Exchange> {
    const { settings, liveness } = this;
    if (place !== LAST_ATTEMPT) await liveness.ready();
    const startMs = this.elapsedMs;
    // Both moments count: the request that delayed this one may have ended before this one does.
    const sharedAtFirst = this.pace.isShared;
    const timeoutMs = Math.min(settings.timeoutMs, LAST_MS - this.spentMs);
    const { signal } = settings;
    const whyNot = this.whyNotSent();
    const delivery =
      whyNot === undefined
        ? await this.deliver(request, { timeoutMs, signal, ...connections })
        : notSent(whyNot);
    const durationMs = this.elapsedMs - startMs;
    const expectation = request.expectation ?? probe.expectation;
    const answered = { request, response: delivery.response, expectation };
    const isLimited = await this.ownLimits.rejected(answered, probe, place === LAST_ATTEMPT);
    const exchange: Exchange = {
      ...place,
      index: this.exchanges.length,
      ...answered,
      ...(isLimited && { limited: true }),
      failure: timeoutMs < settings.timeoutMs ? asUnfinished(delivery.failure) : delivery.failure,
      reusedConnection: delivery.reusedConnection,
      startMs,
      shared: sharedAtFirst || this.pace.isShared,
      durationMs,
    };
    this.learn(exchange, probe, delivery.connectMs);
    this.exchanges.push(exchange);
    liveness.saw(exchange);
    this.ownLimits.saw(exchange);
    settings.onExchange(exchange, Math.max(this.planned, this.exchanges.length));
    return exchange;
  }

  /** Why nothing is sent any more. */
  private whyNotSent(): string | undefined {
    const { signal, proxy } = this.settings;
    if (signal.aborted) return 'the check was stopped';
    if (this.liveness.hasStopped) return 'the provider had stopped responding';
    if (this.proxyFailures >= MOST_PROXY_FAILURES) return proxy?.lastFailure;
    return this.spentMs < BUDGET_MS ? undefined : `the check had run for ${BUDGET_MS / 1000} s`;
  }

  /** What an exchange says about how many requests the provider can serve. */
  private learn(exchange: Exchange, probe: Probe, connectMs: number): void {
    if (exchange.response !== undefined) {
      this.responses++;
      const { isLimit, askedMs } = rateLimitIn(exchange, probe);
      // A limiter that allows no bursts rejects requests that are sent together at every rate.
      if (isLimit && !(probe.together === true && this.rate.isLearned)) this.rate.throttled(askedMs);
      else if (!isThrottled(exchange)) this.rate.responded();
    }
    if (isOfProxy(exchange)) this.proxyFailures++;
    else if (exchange.response !== undefined) this.proxyFailures = 0;
    // A proxy takes its own time.
    if (connectMs > SLOW_CONNECT_MS && this.settings.proxy === undefined) this.pace.crowded();
    else if (exchange.response !== undefined) {
      const isLone = isAlone(probe) && probe.together !== true;
      // Only accepted creations count as lone: rejections are often faster.
      if (!isLone || isAccepted(exchange)) this.pace.responded(exchange.durationMs, isLone);
    }
  }

  private plainPlant(values: ProbeValues): Promise<Exchange> {
    const [request] = plainPlant.requests(values) as readonly [ProbeRequest];
    return this.exchange(request, LAST_ATTEMPT, plainPlant, { connection: undefined });
  }

  private deliver(request: ProbeRequest, sending: Sending): Promise<Delivery> {
    const { fetch } = this.settings;
    return fetch === undefined
      ? send(this.settings, request, sending)
      : callHandler(fetch, this.settings, request, sending);
  }
}
