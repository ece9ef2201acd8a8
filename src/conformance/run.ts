import { type Exchange, isAccepted, isRefused, isThrottled, type ProbeRequest } from './exchange.js';
import { freshMaterial } from './material.js';
import type { CheckSettings } from './options.js';
import { PHASES, type Probe, type ProbeMaterial } from './probe.js';
import { Patience, retryAfterMs } from './retry-after.js';
import { keptConnection, type Outcome, type Sending, send } from './send.js';
import { Slots } from './slots.js';

/** A check ends within 45 s: no request begins after this, and none may take longer than the rest. */
const BUDGET_MS = 40_000;
const LAST_MS = 44_000;
/** A SYN that found no room in the provider's queue is sent again after 1 s. */
const SLOW_CONNECT_MS = 900;
/** How often a probe is sent again because a connection was stale, or the provider asked to wait. */
const MOST_STALE = 2;
const MOST_WAITS = 20;

/**
 * Sends probes and keeps every exchange. A probe is sent again, whole and with new ids, where it proved nothing:
 * a kept connection had been closed meanwhile, the provider asked to come again later, or what must be created
 * was refused, since its id may be taken.
 */
export class Run {
  /** In the order in which they ended. */
  readonly exchanges: Exchange[] = [];
  private readonly start = performance.now();
  private readonly slots: Slots;
  private readonly patience = new Patience();
  private readonly material: ProbeMaterial;

  constructor(
    private readonly settings: CheckSettings,
    private readonly planned: number,
  ) {
    this.slots = new Slots(settings.concurrency);
    this.material = freshMaterial(settings.token);
  }

  /**
   * Sends probes phase by phase; those of a phase side by side, where their order does not matter. Where no
   * control is accepted, the rest would prove nothing and is not sent.
   */
  async send(probes: readonly Probe[]): Promise<void> {
    for (const phase of PHASES) {
      const now = probes.filter((probe) => probe.phase === phase);
      // Side by side, a provider that mixes its answers up would spoil the controls, on which all else rests.
      if (phase === 'control' || phase === 'recovery') for (const probe of now) await this.probe(probe);
      else await Promise.all(now.map((probe) => this.probe(probe)));
      if (phase === 'control' && now.length > 0 && !this.exchanges.some(isAccepted)) return;
    }
  }

  /** Sends probes that failed once more, to see whether they fail again. */
  async confirm(probes: readonly Probe[]): Promise<readonly Exchange[]> {
    const found = await Promise.all(probes.map((probe) => this.attempt(probe, 0, 'confirmation')));
    return found.flat();
  }

  private async probe(probe: Probe): Promise<void> {
    let [stale, waits, refused] = [0, 0, 0];
    for (let attempt = 0; ; attempt++) {
      const exchanges = await this.attempt(probe, attempt, 'judged');
      const throttled = exchanges.map((exchange) => retryAfterMs(exchange)).find((ms) => ms !== undefined);
      if (exchanges.some(isStale) && stale < MOST_STALE) stale++;
      else if (throttled !== undefined && waits < MOST_WAITS && (await this.waited(throttled))) waits++;
      else if (exchanges.some(isRefusedCreation) && refused === 0) refused++;
      else return;
      for (const { index } of exchanges)
        this.exchanges[index] = { ...(this.exchanges[index] as Exchange), role: 'superseded' };
    }
  }

  private waited(ms: number): Promise<boolean> {
    return this.patience.wait(ms, this.settings.signal);
  }

  /** The requests of a probe: all at once, or one after the other. */
  private async attempt(probe: Probe, attempt: number, role: 'judged' | 'confirmation'): Promise<Exchange[]> {
    const requests = probe.requests(this.material);
    // After a stale connection, connections are new: what ends without an answer then was not stale.
    const connection = probe.oneConnection && attempt === 0 ? keptConnection(this.settings) : undefined;
    const one = (request: ProbeRequest, step: number): Promise<Exchange> =>
      this.exchange(request, { probe: probe.name, attempt, step, role }, probe, connection);
    try {
      if (probe.together) {
        // Where there is less room, as many of them at once as there is room for.
        const isRoom = requests.length <= this.settings.concurrency;
        return isRoom
          ? await this.slots.with(requests.length, () => Promise.all(requests.map(one)))
          : await Promise.all(requests.map((request, step) => this.slots.with(1, () => one(request, step))));
      }
      const exchanges: Exchange[] = [];
      for (const [step, request] of requests.entries())
        exchanges.push(await this.slots.with(1, () => one(request, step)));
      return exchanges;
    } finally {
      connection?.destroy();
    }
  }

  private async exchange(
    request: ProbeRequest,
    place: Pick<Exchange, 'probe' | 'attempt' | 'step' | 'role'>,
    { expectation }: Probe,
    connection: Sending['connection'],
  ): Promise<Exchange> {
    const { settings } = this;
    const startMs = performance.now() - this.start;
    const timeoutMs = Math.min(settings.timeoutMs, LAST_MS - startMs);
    const outcome: Outcome =
      startMs < BUDGET_MS && !settings.signal.aborted
        ? await send(settings, request, {
            timeoutMs,
            signal: settings.signal,
            ...(connection !== undefined && { connection }),
          })
        : notSent(settings.signal.aborted);
    if (outcome.connectMs > SLOW_CONNECT_MS) this.slots.shrink();
    const exchange: Exchange = {
      ...place,
      index: this.exchanges.length,
      request,
      expectation: request.expectation ?? expectation,
      response: outcome.response,
      failure: outcome.failure,
      reusedConnection: outcome.reusedConnection,
      startMs,
      durationMs: performance.now() - this.start - startMs,
    };
    this.exchanges.push(exchange);
    settings.onExchange(exchange, Math.max(this.planned, this.exchanges.length));
    return exchange;
  }
}

/** The connection had been closed while it was idle, so that the request met nobody (RFC 9112, section 9.3.1). */
function isStale({ failure, reusedConnection }: Exchange): boolean {
  return failure?.kind === 'reset' && reusedConnection;
}

function isRefusedCreation(exchange: Exchange): boolean {
  return exchange.expectation === 'created' && isRefused(exchange) && !isThrottled(exchange);
}

function notSent(isStopped: boolean): Outcome {
  const message = isStopped
    ? 'not sent: the check was stopped'
    : `not sent: the check had taken ${BUDGET_MS / 1000} s already`;
  return {
    failure: { kind: isStopped ? 'stopped' : 'not-sent', message },
    reusedConnection: false,
    connectMs: 0,
  };
}
