import { type Exchange, isThrottled, type ProbeRequest } from '../exchange.js';
import type { CheckSettings } from '../options.js';
import type { Probe } from '../probe.js';
import { plainPlant } from '../topics/plain.js';
import { Connections } from './connections.js';
import { wait } from './pace.js';
import { LONGEST_WAIT_MS, retryAfterMs, UnusualRateLimit } from './resend.js';
import { inOrder, Session, type Way } from './session.js';

/** How long a connection waits for a provider that limits its rate and does not say how long. */
const GUESSED_MS = 250;

/** Sends the requests of many probes side by side, and counts them. */
export class ExploringSession extends Session {
  requests = 0;
  protected readonly isShared = true;
  /** Before this time, nothing is sent: the provider has asked for fewer requests. */
  private pausedUntil = 0;
  /** A check that explores has created plants. */
  private readonly unusualRateLimit = new UnusualRateLimit(() => this.sendPlainPlant(), true);

  constructor(settings: CheckSettings) {
    super(settings);
  }

  /** Sends the requests of a probe on connections of its own. */
  async sendAlone(probe: Probe): Promise<readonly Exchange[]> {
    const requests = probe.requests(this.values);
    const kept = probe.oneConnection === true ? new Connections(this.settings, 1) : undefined;
    try {
      const one = (request: ProbeRequest, step: number): Promise<Exchange> =>
        this.exchange(probe, request, step, { kept });
      if (probe.together === true) return await Promise.all(requests.map(one));
      return await inOrder(requests.length, (step) => one(requests[step] as ProbeRequest, step));
    } finally {
      kept?.close();
    }
  }

  private async sendPlainPlant(): Promise<Exchange> {
    const [exchange] = (await this.sendAlone(plainPlant)) as [Exchange];
    return exchange;
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
