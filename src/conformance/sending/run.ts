import { type Exchange, isAccepted, type ProbeRequest } from '../exchange.js';
import type { CheckSettings } from '../options.js';
import { PHASES, type Phase, type Probe, type ProbeMaterial } from '../probe.js';
import { isOvertaken, MOST_TIMES, type Reason, reasonIn, waitMs } from './again.js';
import { callHandler } from './fetch-handler.js';
import { freshMaterial } from './material.js';
import { Pace } from './pace.js';
import { Patience } from './retry-after.js';
import { keptConnection, type Outcome, type Sending, send } from './send.js';

/** A check ends within 45 s: no request begins after this, and none may take longer than the rest. */
const BUDGET_MS = 40_000;
const LAST_MS = 44_000;
/**
 * Side by side, a provider that mixes its answers up would spoil the controls, on which all else rests; and the good
 * request after a bad one has to be the next one.
 */
const ONE_BY_ONE: ReadonlySet<Phase> = new Set<Phase>(['control', 'recovery']);
/** A SYN that found no room in the provider's queue is sent again after 1 s. */
const SLOW_CONNECT_MS = 900;

/**
 * Sends probes and keeps every exchange. A probe is sent again, whole and with new ids, where it proved nothing:
 * see `again.ts` for the reasons.
 */
export class Run {
  /** In the order in which they ended. */
  readonly exchanges: Exchange[] = [];
  private readonly start = performance.now();
  private readonly pace: Pace;
  private readonly patience = new Patience();
  private readonly material: ProbeMaterial;

  constructor(
    private readonly settings: CheckSettings,
    private readonly planned: number,
  ) {
    this.pace = new Pace(settings.concurrency);
    this.material = freshMaterial(settings.token);
  }

  /**
   * Sends probes phase by phase; those of a phase side by side, where their order does not matter. Where no
   * control is accepted, the rest would prove nothing and is not sent.
   */
  async send(probes: readonly Probe[]): Promise<void> {
    for (const phase of PHASES) {
      const now = probes.filter((probe) => probe.phase === phase);
      if (ONE_BY_ONE.has(phase)) for (const probe of now) await this.probe(probe);
      else await Promise.all(now.map((probe) => this.probe(probe)));
      if (phase === 'control' && now.length > 0 && !this.exchanges.some(isAccepted)) return;
    }
  }

  /**
   * Sends probes that failed once more, to see whether they fail again. Where one had waited for an answer in vain
   * beside others, and gets it now, it is judged by that: it may have been our other requests that it waited for.
   */
  async confirm(probes: readonly Probe[]): Promise<readonly Exchange[]> {
    const found = await Promise.all(
      probes.map((probe) => this.attempt(probe, 'confirmation', probe.oneConnection === true)),
    );
    return found.flatMap((sequence) => {
      const before = this.exchanges.filter(
        ({ probe, role }) => probe === sequence[0]?.probe && role === 'judged',
      );
      if (!before.some(isOvertaken) || sequence.some(({ failure }) => failure !== undefined)) return sequence;
      this.reassign(before, 'superseded');
      return this.reassign(sequence, 'judged');
    });
  }

  private async probe(probe: Probe): Promise<void> {
    const times: Record<Reason, number> = { stale: 0, throttled: 0, crowded: 0, refused: 0 };
    for (;;) {
      // After a stale connection, connections are new: what ends without an answer then was not stale.
      const isKept = probe.oneConnection === true && times.stale === 0;
      const exchanges = await this.attempt(probe, 'judged', isKept);
      const reason = reasonIn(exchanges);
      if (reason === undefined || times[reason] >= MOST_TIMES[reason]) return;
      if (reason === 'crowded' || reason === 'throttled') this.pace.crowded();
      if (reason === 'throttled' && !(await this.waited(exchanges, times.throttled))) return;
      times[reason]++;
      this.reassign(exchanges, 'superseded');
    }
  }

  private reassign(exchanges: readonly Exchange[], role: Exchange['role']): Exchange[] {
    return exchanges.map((exchange) => (this.exchanges[exchange.index] = { ...exchange, role }));
  }

  private async waited(exchanges: readonly Exchange[], times: number): Promise<boolean> {
    const ms = waitMs(exchanges, times);
    const now = performance.now() - this.start;
    return ms !== undefined && now + ms < BUDGET_MS && (await this.patience.wait(ms, this.settings.signal));
  }

  /** The requests of a probe: all at once, or one after the other. */
  private async attempt(probe: Probe, role: 'judged' | 'confirmation', isKept: boolean): Promise<Exchange[]> {
    const requests = probe.requests(this.material);
    const connection = isKept ? keptConnection(this.settings) : undefined;
    const one = (request: ProbeRequest, step: number): Promise<Exchange> =>
      this.exchange(request, { probe: probe.name, step, role }, probe, connection);
    try {
      if (probe.together) {
        // Where there is less room, as many of them at once as there is room for.
        const isRoom = requests.length <= this.settings.concurrency;
        return isRoom
          ? await this.pace.with(requests.length, () => Promise.all(requests.map(one)))
          : await Promise.all(requests.map((request, step) => this.pace.with(1, () => one(request, step))));
      }
      // A kept connection may hold the only thread of a provider: no other request comes between.
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
    const startMs = performance.now() - this.start;
    // What is under way when it ends says little: what it waited for has been answered by then.
    const sharedAtFirst = this.pace.isShared;
    const timeoutMs = Math.min(settings.timeoutMs, LAST_MS - startMs);
    const outcome: Outcome =
      startMs < BUDGET_MS && !settings.signal.aborted
        ? await this.deliver(request, {
            timeoutMs,
            signal: settings.signal,
            ...(connection !== undefined && { connection }),
          })
        : notSent(settings.signal.aborted);
    const durationMs = performance.now() - this.start - startMs;
    const exchange: Exchange = {
      ...place,
      index: this.exchanges.length,
      request,
      expectation: request.expectation ?? expectation,
      response: outcome.response,
      failure: outcome.failure,
      reusedConnection: outcome.reusedConnection,
      startMs,
      shared: sharedAtFirst || this.pace.isShared,
      durationMs,
    };
    if (outcome.connectMs > SLOW_CONNECT_MS) this.pace.crowded();
    // Refusals are often faster than creations, and say nothing of how long these take.
    else if (exchange.response !== undefined)
      this.pace.answered(durationMs, ONE_BY_ONE.has(phase) && isAccepted(exchange));
    this.exchanges.push(exchange);
    settings.onExchange(exchange, Math.max(this.planned, this.exchanges.length));
    return exchange;
  }

  private deliver(request: ProbeRequest, sending: Sending): Promise<Outcome> {
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
