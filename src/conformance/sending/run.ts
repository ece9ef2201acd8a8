import { type Exchange, isAccepted, type ProbeRequest } from '../exchange.js';
import { plainPlant } from '../families/plain.js';
import type { CheckSettings } from '../options.js';
import { PHASES, type Phase, type Probe, type ProbeValues } from '../probe.js';
import { callHandler } from './fetch-handler.js';
import { freshValues } from './fresh-values.js';
import { Liveness } from './liveness.js';
import { Pace } from './pace.js';
import { isOvertaken, MOST_RESENDS, type ResendReason, resendReason, WaitBudget, waitMs } from './resend.js';
import { type Delivery, keptConnection, type Sending, send } from './send.js';

/** A check ends within 45 s: no request begins after this time. */
const BUDGET_MS = 40_000;
/** Every request ends before this time. */
const LAST_MS = 44_000;
/**
 * Every other probe depends on the controls, so they run one by one: a provider that mixes up concurrent responses must
 * not spoil them. The valid request after an invalid one must be the next request.
 */
const ONE_BY_ONE: ReadonlySet<Phase> = new Set<Phase>(['control', 'recovery']);
/** A plain plant that shows whether the provider still responds. */
const LAST_ATTEMPT = { probe: 'plain-plant', step: 0, role: 'confirmation' } as const;
/** A client sends a SYN again after 1 s if the provider's queue is full. */
const SLOW_CONNECT_MS = 900;

/**
 * Sends probes, and keeps every exchange. If a probe proved nothing, it is sent again, whole and with new ids: see
 * {@link ResendReason}.
 */
export class Run {
  /** In the order in which they ended. */
  readonly exchanges: Exchange[] = [];
  private readonly start = performance.now();
  /** How long something else took, in milliseconds. It does not count towards the time of the run. */
  private awayMs = 0;
  private readonly pace: Pace;
  private readonly waitBudget = new WaitBudget();
  private readonly values: ProbeValues;
  private readonly liveness: Liveness;

  constructor(
    private readonly settings: CheckSettings,
    private readonly planned: number,
  ) {
    this.pace = new Pace(settings.concurrency);
    this.values = freshValues(settings.token);
    this.liveness = new Liveness(() => this.plainPlant(), settings.signal);
  }

  /**
   * Sends probes phase by phase. The probes of a phase run concurrently if their order does not matter. If no control
   * is accepted, the rest would prove nothing, and is not sent.
   */
  async send(probes: readonly Probe[]): Promise<void> {
    for (const phase of PHASES) {
      const now = probes.filter((probe) => probe.phase === phase);
      if (ONE_BY_ONE.has(phase)) for (const probe of now) await this.probe(probe);
      else await Promise.all(now.map((probe) => this.probe(probe)));
      if (phase === 'control' && now.length > 0 && !this.exchanges.some(isAccepted)) return;
    }
    await this.liveness.end();
  }

  /** Keeps exchanges that something else sent. */
  adopt(exchanges: readonly Exchange[]): void {
    for (const exchange of exchanges) this.exchanges.push({ ...exchange, index: this.exchanges.length });
  }

  /** Does other work. Its time does not count towards the time of the run. */
  async awayFor<T>(work: () => Promise<T>): Promise<T> {
    const start = performance.now();
    return work().finally(() => {
      this.awayMs += performance.now() - start;
    });
  }

  /**
   * Sends failed probes once more, to see whether their failures repeat. If a probe had timed out beside other requests
   * and gets a response now, the new exchange is judged: our own requests may have delayed the first one.
   */
  async confirm(probes: readonly Probe[]): Promise<readonly Exchange[]> {
    if (this.liveness.hasStopped) return [];
    const confirmations = await Promise.all(
      probes.map((probe) => this.attempt(probe, 'confirmation', probe.oneConnection === true)),
    );
    await this.liveness.end();
    return confirmations.flatMap((sequence) => {
      const before = this.exchanges.filter(
        ({ probe, role }) => probe === sequence[0]?.probe && role === 'judged',
      );
      if (!before.some(isOvertaken) || sequence.some(({ failure }) => failure !== undefined)) return sequence;
      this.reassign(before, 'superseded');
      return this.reassign(sequence, 'judged');
    });
  }

  private async probe(probe: Probe): Promise<void> {
    const resends: Record<ResendReason, number> = { stale: 0, throttled: 0, crowded: 0, rejected: 0 };
    for (;;) {
      // After a stale connection, every connection is new: a missing response then has another reason.
      const isKept = probe.oneConnection === true && resends.stale === 0;
      const exchanges = await this.attempt(probe, 'judged', isKept);
      const reason = resendReason(exchanges);
      if (reason === undefined || resends[reason] >= MOST_RESENDS[reason]) return;
      if (reason === 'crowded' || reason === 'throttled') this.pace.crowded();
      if (reason === 'throttled' && !(await this.waited(exchanges, resends.throttled))) return;
      resends[reason]++;
      this.reassign(exchanges, 'superseded');
    }
  }

  private reassign(exchanges: readonly Exchange[], role: Exchange['role']): Exchange[] {
    return exchanges.map((exchange) => (this.exchanges[exchange.index] = { ...exchange, role }));
  }

  private async waited(exchanges: readonly Exchange[], resends: number): Promise<boolean> {
    const ms = waitMs(exchanges, resends);
    const now = performance.now() - this.start - this.awayMs;
    return ms !== undefined && now + ms < BUDGET_MS && (await this.waitBudget.wait(ms, this.settings.signal));
  }

  /** Sends the requests of a probe: all at once, or one after the other. */
  private async attempt(probe: Probe, role: 'judged' | 'confirmation', isKept: boolean): Promise<Exchange[]> {
    const requests = probe.requests(this.values);
    const connection = isKept ? keptConnection(this.settings) : undefined;
    const one = (request: ProbeRequest, step: number): Promise<Exchange> =>
      this.exchange(request, { probe: probe.name, step, role }, probe, connection);
    try {
      if (probe.together) {
        // If the concurrency is lower, each request waits for a place of its own.
        return requests.length <= this.settings.concurrency
          ? await this.pace.with(requests.length, () => Promise.all(requests.map(one)))
          : await Promise.all(requests.map((request, step) => this.pace.with(1, () => one(request, step))));
      }
      // A kept connection may occupy the only thread of a provider, so no other request may come between.
      if (connection !== undefined) return await this.pace.with(1, () => inTurn(requests, one));
      return await inTurn(requests, (request, step) => this.pace.with(1, () => one(request, step)));
    } finally {
      connection?.destroy();
    }
  }

  private async exchange(
    request: ProbeRequest,
    place: Pick<Exchange, 'probe' | 'step' | 'role'>,
    { expectation, phase }: Probe,
    connection: Sending['connection'],
  ): Promise<Exchange> {
    const { settings } = this;
    if (place !== LAST_ATTEMPT) await this.liveness.ready();
    const startMs = performance.now() - this.start;
    // Both moments count: the request that delayed this one may have ended before this one does.
    const sharedAtFirst = this.pace.isShared;
    const spentMs = startMs - this.awayMs;
    const timeoutMs = Math.min(settings.timeoutMs, LAST_MS - spentMs);
    const { signal } = settings;
    const delivery =
      spentMs < BUDGET_MS && !signal.aborted && !this.liveness.hasStopped
        ? await this.deliver(request, { timeoutMs, signal, connection })
        : notSent(signal.aborted, this.liveness.hasStopped);
    const durationMs = performance.now() - this.start - startMs;
    const exchange: Exchange = {
      ...place,
      index: this.exchanges.length,
      request,
      expectation: request.expectation ?? expectation,
      response: delivery.response,
      failure: delivery.failure,
      reusedConnection: delivery.reusedConnection,
      startMs,
      shared: sharedAtFirst || this.pace.isShared,
      durationMs,
    };
    if (delivery.connectMs > SLOW_CONNECT_MS) this.pace.crowded();
    // Only accepted creations count as lone: rejections are often faster.
    else if (exchange.response !== undefined)
      this.pace.responded(durationMs, ONE_BY_ONE.has(phase) && isAccepted(exchange));
    this.exchanges.push(exchange);
    this.liveness.saw(exchange);
    settings.onExchange(exchange, Math.max(this.planned, this.exchanges.length));
    return exchange;
  }

  private plainPlant(): Promise<Exchange> {
    const [request] = plainPlant.requests(this.values) as readonly [ProbeRequest];
    return this.exchange(request, LAST_ATTEMPT, plainPlant, undefined);
  }

  private deliver(request: ProbeRequest, sending: Sending): Promise<Delivery> {
    const { fetch } = this.settings;
    return fetch === undefined
      ? send(this.settings, request, sending)
      : callHandler(fetch, this.settings, request, sending);
  }
}

async function inTurn(
  requests: readonly ProbeRequest[],
  send: (request: ProbeRequest, step: number) => Promise<Exchange>,
): Promise<Exchange[]> {
  const exchanges: Exchange[] = [];
  for (const [step, request] of requests.entries()) exchanges.push(await send(request, step));
  return exchanges;
}

function notSent(isStopped: boolean, hasProviderStopped: boolean): Delivery {
  const message = isStopped
    ? 'not sent: the check was stopped'
    : hasProviderStopped
      ? 'not sent: the provider had stopped responding'
      : `not sent: the check had run for ${BUDGET_MS / 1000} s`;
  return {
    failure: { kind: isStopped ? 'stopped' : 'not-sent', message },
    reusedConnection: false,
    connectMs: 0,
  };
}
