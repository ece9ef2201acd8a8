import { setTimeout as sleep } from 'node:timers/promises';
import { type Exchange, isThrottled, type ProbeRequest } from '../exchange.js';
import type { CheckSettings } from '../options.js';
import type { Probe, ProbeValues } from '../probe.js';
import { callHandler } from '../sending/fetch-handler.js';
import { freshValues } from '../sending/fresh-values.js';
import { MOST_RESENDS, resendReason, retryAfterMs } from '../sending/resend.js';
import { type Delivery, keptConnection, type Sending, send } from '../sending/send.js';
import { plainPlant } from '../topics/plain/rows.js';
import type { Lane } from './lane.js';
import { LanePool, openLanes } from './lane-pool.js';

/** How long a connection waits for a provider that limits its rate and does not say how long. */
const GUESSED_MS = 250;
const LONGEST_WAIT_MS = 10_000;

type Deliver = (request: ProbeRequest, step: number) => Promise<Delivery>;

/** Sends the requests of probes, and counts them. */
export class Sender {
  requests = 0;
  /** How many requests were rejected because there were too many. */
  throttled = 0;
  private readonly start = performance.now();
  private lanes = new LanePool([]);
  /** Before this time, nothing is sent: the provider has asked for fewer requests. */
  private pausedUntil = 0;

  private readonly values: ProbeValues;

  /** @param onWitness called with each plain plant that shows whether a token has expired */
  constructor(
    private readonly settings: CheckSettings,
    private readonly onWitness: (exchange: Exchange) => void = () => {},
  ) {
    this.values = freshValues(settings.tokens);
  }

  /**
   * Opens the connections that probes share.
   *
   * @param probe what is sent on each of them first
   * @returns what was sent, and how many probes can be under way at once
   */
  async open(
    probe: Probe,
    values: ProbeValues,
  ): Promise<{ readonly exchanges: readonly Exchange[]; readonly width: number }> {
    const { settings } = this;
    if (settings.fetch !== undefined) return { exchanges: [], width: settings.concurrency };
    const exchanges: Exchange[] = [];
    this.lanes = await openLanes(settings, async (lane) => {
      const sequence = await this.send(probe, probe.requests(values), onLanes([lane]));
      exchanges.push(...sequence);
      return sequence.every(({ response }) => response !== undefined);
    });
    return { exchanges, width: Math.max(1, this.lanes.size) };
  }

  /** Sends the requests of a probe on connections that other probes use too. */
  async onLanes(probe: Probe, values: ProbeValues): Promise<readonly Exchange[]> {
    await this.settings.tokens.ready();
    const requests = probe.requests(values);
    // A lane sends a message at once, but for its last byte.
    const isForLanes = requests.every(({ transfer }) => transfer === undefined || transfer.endsTogether);
    if (!isForLanes) return this.apart(probe, requests);
    const count = probe.together === true ? requests.length : 1;
    if (count > this.lanes.size) return this.apart(probe, requests);
    const lanes = await this.lanes.take(count);
    let canEnd = (): void => {};
    const end = new Promise<void>((resolve) => {
      canEnd = resolve;
    });
    const sent = this.send(probe, requests, onLanes(lanes, end));
    // The provider reads the beginnings first.
    setImmediate(() => setImmediate(canEnd));
    return this.withExpiry(await sent.finally(() => this.lanes.giveBack(lanes)));
  }

  /** Sends the requests of a probe on connections of its own; once more, with the next values, if its token had expired. */
  async alone(probe: Probe, values: ProbeValues): Promise<readonly Exchange[]> {
    for (let resends = 0; ; resends++) {
      const sequence = await this.apart(probe, probe.requests(values));
      if (resends === MOST_RESENDS.expired || resendReason(sequence) !== 'expired') return sequence;
    }
  }

  close(): void {
    this.lanes.close();
  }

  private async apart(probe: Probe, requests: readonly ProbeRequest[]): Promise<readonly Exchange[]> {
    return this.withExpiry(await this.onOwnConnections(probe, requests));
  }

  private onOwnConnections(probe: Probe, requests: readonly ProbeRequest[]): Promise<Exchange[]> {
    const connection = probe.oneConnection === true ? keptConnection(this.settings) : undefined;
    const { timeoutMs, signal } = this.settings;
    return this.send(probe, requests, (request) =>
      this.deliver(request, { timeoutMs, signal, connection }),
    ).finally(() => connection?.destroy());
  }

  /** The exchanges, with a mark on those whose token had expired. */
  private withExpiry(exchanges: readonly Exchange[]): Promise<readonly Exchange[]> {
    const { tokens, signal } = this.settings;
    const send = async (token: string): Promise<Exchange> => {
      const requests = plainPlant.requests({ ...this.values, token });
      const [exchange] = await this.onOwnConnections(plainPlant, requests);
      this.onWitness(exchange as Exchange);
      return exchange as Exchange;
    };
    return tokens.marked(exchanges, { send, signal });
  }

  private async send(probe: Probe, requests: readonly ProbeRequest[], deliver: Deliver): Promise<Exchange[]> {
    if (probe.together === true)
      return Promise.all(requests.map((request, step) => this.one(probe, request, step, deliver)));
    const exchanges: Exchange[] = [];
    for (const [step, request] of requests.entries())
      exchanges.push(await this.one(probe, request, step, deliver));
    return exchanges;
  }

  private async one(probe: Probe, request: ProbeRequest, step: number, deliver: Deliver): Promise<Exchange> {
    const now = performance.now();
    if (now < this.pausedUntil) await this.paused();
    const startMs = performance.now() - this.start;
    const delivery = await deliver(request, step);
    const exchange: Exchange = {
      index: this.requests++,
      probe: probe.name,
      step,
      request,
      expectation: request.expectation ?? probe.expectation,
      response: delivery.response,
      failure: delivery.failure,
      reusedConnection: delivery.reusedConnection,
      shared: true,
      role: 'judged',
      startMs,
      durationMs: performance.now() - this.start - startMs,
    };
    if (isThrottled(exchange)) {
      this.throttled++;
      const ms = Math.min(retryAfterMs(exchange) || GUESSED_MS, LONGEST_WAIT_MS);
      this.pausedUntil = Math.max(this.pausedUntil, performance.now() + ms);
    }
    return exchange;
  }

  private async paused(): Promise<void> {
    const { signal } = this.settings;
    while (performance.now() < this.pausedUntil && !signal.aborted)
      await sleep(this.pausedUntil - performance.now(), undefined, { signal }).catch(() => undefined);
  }

  private deliver(request: ProbeRequest, sending: Sending): Promise<Delivery> {
    const { fetch } = this.settings;
    return fetch === undefined
      ? send(this.settings, request, sending)
      : callHandler(fetch, this.settings, request, sending);
  }
}

/**
 * Sends the requests of a probe on lanes: one after the other on a single lane, or each on its own.
 *
 * @param end what the last bytes of requests wait for, if they end together
 */
function onLanes(lanes: readonly Lane[], end?: Promise<void>): Deliver {
  return async (request, step) => {
    const lane = lanes[lanes.length === 1 ? 0 : step] as Lane;
    const result = await lane.send(request, request.transfer?.endsTogether === true ? end : undefined);
    return { ...result, reusedConnection: lane.isUsed || result.failure !== undefined, connectMs: 0 };
  };
}
