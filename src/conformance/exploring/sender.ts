import { setTimeout as sleep } from 'node:timers/promises';
import { type Exchange, isThrottled, type ProbeRequest } from '../exchange.js';
import type { CheckSettings } from '../options.js';
import type { Probe, ProbeValues } from '../probe.js';
import { callHandler } from '../sending/fetch-handler.js';
import { retryAfterMs } from '../sending/resend.js';
import { type Delivery, keptConnection, type Sending, send } from '../sending/send.js';
import { Lane } from './lane.js';

/** How long a connection waits for a provider that limits its rate and does not say how long. */
const GUESSED_MS = 250;
const LONGEST_WAIT_MS = 10_000;

type Deliver = (request: ProbeRequest) => Promise<Delivery>;

/** Sends the requests of probes, and counts them. */
export class Sender {
  requests = 0;
  /** How many requests were rejected because there were too many. */
  throttled = 0;
  private readonly start = performance.now();
  private readonly lanes: Lane[] = [];
  /** Before this time, nothing is sent: the provider has asked for fewer requests. */
  private pausedUntil = 0;

  constructor(private readonly settings: CheckSettings) {}

  /** Sends the requests of a probe on a connection that other probes use too. */
  async onLane(number: number, probe: Probe, values: ProbeValues): Promise<Exchange[]> {
    const { settings } = this;
    const { timeoutMs, signal } = settings;
    // A lane carries one request at a time.
    if (settings.fetch !== undefined || probe.together === true) return this.alone(probe, values);
    const lane = this.lanes[number] ?? new Lane(settings, settings.timeoutMs);
    this.lanes[number] = lane;
    return this.send(probe, values, async (request) => {
      // A lane sends a message at once.
      if (request.transfer !== undefined)
        return this.deliver(request, { timeoutMs, signal, connection: undefined });
      const result = await lane.send(request);
      return { ...result, reusedConnection: lane.isUsed || result.failure !== undefined, connectMs: 0 };
    });
  }

  /** Sends the requests of a probe on connections of its own. */
  async alone(probe: Probe, values: ProbeValues): Promise<Exchange[]> {
    const connection = probe.oneConnection === true ? keptConnection(this.settings) : undefined;
    const { timeoutMs, signal } = this.settings;
    return this.send(probe, values, (request) =>
      this.deliver(request, { timeoutMs, signal, connection }),
    ).finally(() => connection?.destroy());
  }

  close(): void {
    for (const lane of this.lanes) lane?.close();
  }

  private async send(probe: Probe, values: ProbeValues, deliver: Deliver): Promise<Exchange[]> {
    const requests = probe.requests(values);
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
    const delivery = await deliver(request);
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
