import { type Exchange, isThrottled, type ProbeRequest } from '../exchange.js';
import type { CheckSettings } from '../options.js';
import type { Probe, ProbeValues } from '../probe.js';
import { plainPlant } from '../topics/plain/rows.js';
import { Connections } from './connections.js';
import { type FastConnection, FastConnections, openFastConnections } from './fast-connection.js';
import { wait } from './pace.js';
import { LONGEST_WAIT_MS, retryAfterMs, UnusualRateLimit } from './resend.js';
import { inOrder, Session, type Way } from './session.js';

/** How long a connection waits for a provider that limits its rate and does not say how long. */
const GUESSED_MS = 250;

/** Sends the requests of many probes side by side, most of them on fast connections, and counts them. */
export class ExploringSession extends Session {
  requests = 0;
  protected readonly isShared = true;
  private connections = new FastConnections([]);
  /** Before this time, nothing is sent: the provider has asked for fewer requests. */
  private pausedUntil = 0;
  /** A check that explores has created plants. */
  private readonly unusualRateLimit = new UnusualRateLimit(() => this.sendPlainPlant(), true);

  /** @param onPlainPlant called with each plain plant that shows whether the provider limits its rate */
  constructor(
    settings: CheckSettings,
    private readonly onPlainPlant: (exchange: Exchange) => void = () => {},
  ) {
    super(settings);
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
    this.connections = await openFastConnections(settings, async (fast) => {
      const sequence = await this.send(probe, probe.requests(values), () => ({ fast }));
      exchanges.push(...sequence);
      return sequence.every(({ response }) => response !== undefined);
    });
    return { exchanges, width: Math.max(1, this.connections.size) };
  }

  /** Sends the requests of a probe on connections that other probes use too. */
  async sendFast(probe: Probe, values: ProbeValues): Promise<readonly Exchange[]> {
    const requests = probe.requests(values);
    const count = probe.together === true ? requests.length : 1;
    // A fast connection sends a message at once, but for its last byte.
    const isFast = requests.every(({ transfer }) => transfer === undefined || transfer.endsTogether);
    if (!isFast || count > this.connections.size) return this.onOwnConnections(probe, requests);
    const taken = await this.connections.take(count);
    let canEnd = (): void => {};
    const end = new Promise<void>((resolve) => {
      canEnd = resolve;
    });
    const sent = this.send(probe, requests, (step) => ({ fast: fastFor(step, taken), end }));
    // The provider reads the beginnings first.
    setImmediate(() => setImmediate(canEnd));
    return sent.finally(() => this.connections.giveBack(taken));
  }

  /** Sends the requests of a probe on connections of its own. */
  sendAlone(probe: Probe, values: ProbeValues = this.values): Promise<readonly Exchange[]> {
    return this.onOwnConnections(probe, probe.requests(values));
  }

  close(): void {
    this.connections.close();
  }

  private async sendPlainPlant(): Promise<Exchange> {
    const sequence = await this.onOwnConnections(plainPlant, [this.plainPlant()]);
    const [exchange] = sequence as [Exchange];
    this.onPlainPlant(exchange);
    return exchange;
  }

  private onOwnConnections(probe: Probe, requests: readonly ProbeRequest[]): Promise<Exchange[]> {
    const kept = probe.oneConnection === true ? new Connections(this.settings, 1) : undefined;
    return this.send(probe, requests, () => ({ kept })).finally(() => kept?.close());
  }

  private async send(
    probe: Probe,
    requests: readonly ProbeRequest[],
    wayOf: (step: number) => Way,
  ): Promise<Exchange[]> {
    const one = (request: ProbeRequest, step: number): Promise<Exchange> =>
      this.exchange(probe, request, step, wayOf(step));
    if (probe.together === true) return Promise.all(requests.map(one));
    return inOrder(requests.length, (step) => one(requests[step] as ProbeRequest, step));
  }

  private async exchange(probe: Probe, request: ProbeRequest, step: number, way: Way): Promise<Exchange> {
    const { signal } = this.settings;
    const isSign = probe === plainPlant;
    for (let now = performance.now(); now < this.pausedUntil && !isSign; now = performance.now())
      if (!(await wait(this.pausedUntil - now, signal))) break;
    const sent = await this.sendOne(probe, request, { step, role: 'judged' }, way);
    // Wrong tokens are drawn all the time, so a 403 is rather a lockout than a limit.
    const isLimited = await this.unusualRateLimit.isBusy(sent.exchange, isSign);
    const exchange: Exchange = {
      index: this.requests++,
      ...sent.exchange,
      ...(isLimited && { limited: true }),
    };
    if (isThrottled(exchange)) {
      const ms = Math.min(retryAfterMs(exchange) || GUESSED_MS, LONGEST_WAIT_MS);
      this.pausedUntil = Math.max(this.pausedUntil, performance.now() + ms);
    }
    return exchange;
  }
}

/** The requests of a probe go one after the other on a single connection, or each on its own. */
function fastFor(step: number, connections: readonly FastConnection[]): FastConnection | undefined {
  return connections[connections.length === 1 ? 0 : step];
}
