import { setTimeout as sleep } from 'node:timers/promises';
import type { LimitSide } from '../../report/profile.js';
import { isObject } from '../../validation/json-value.js';
import { curlLines } from '../curl.js';
import { type Exchange, isAccepted, isThrottled, type ProbeRequest } from '../exchange.js';
import { creation } from '../families/requests.js';
import type { CheckSettings } from '../options.js';
import type { ProbeValues } from '../probe.js';
import { jsonOf } from '../response-body.js';
import { callHandler } from '../sending/fetch-handler.js';
import { freshValues } from '../sending/fresh-values.js';
import { retryAfterMs } from '../sending/resend.js';
import { type Delivery, send } from '../sending/send.js';

/** One exchange of the search for limits. */
export type LimitExchange = Omit<Exchange, 'probe'> & {
  /** What was sent. */
  readonly probe: string;
};

/** Whether the provider accepted a request, and the exchange that shows it. */
export interface Answer {
  readonly accepted: boolean;
  readonly sent: string;
  readonly exchange: LimitExchange;
}

/** Thrown where a limit cannot be found. The message is a clause without a full stop. */
export class CannotFind extends Error {}

/** No request is sent after this time. The last one may take five more seconds. */
const BUDGET_MS = 25_000;
/** It waits this long in all for a provider that limits its rate, and for one response at most this long. */
const MOST_WAITING_MS = 15_000;
const LONGEST_WAIT_MS = 5_000;
const GUESSED_WAIT_MS = 500;
/** A provider may reset the connection instead of reading a body of this size to its end. */
const LARGE_BODY = 64 * 1024;
/** How often a request is sent again because the token had expired. */
const MOST_EXPIRED = 3;

/** Sends requests one by one, and says whether the provider accepted them. */
export class LimitSession {
  readonly exchanges: LimitExchange[] = [];
  readonly values: ProbeValues;
  private readonly start = performance.now();
  private waitedMs = 0;
  /** When the next request may be sent. */
  private nextAt = 0;

  /** @param place where the search is in the run: its start in milliseconds, and the index of its first exchange */
  constructor(
    private readonly settings: CheckSettings,
    private readonly place: { readonly startMs: number; readonly firstIndex: number },
    private readonly onExchange: (exchange: LimitExchange) => void,
  ) {
    this.values = freshValues(settings.tokens);
  }

  /**
   * Asks whether a request is accepted. It waits for a provider that limits its rate, and renews a token that has expired.
   *
   * @param sent what is sent, as a noun
   * @param request makes it, with a new id each time
   * @throws CannotFind if the provider gives no answer that counts
   */
  async ask(sent: string, request: () => ProbeRequest): Promise<Answer> {
    let lost = 0;
    let expired = 0;
    for (;;) {
      const exchange = await this.send(sent, request());
      const { response, failure } = exchange;
      if (expired < MOST_EXPIRED && (await this.hadExpired(exchange))) {
        expired++;
        continue;
      }
      if (isThrottled(exchange)) {
        await this.wait(exchange);
        continue;
      }
      if (response !== undefined)
        return { accepted: isAccepted(exchange) && !isChanged(exchange), sent, exchange };
      if (lost++ > 0) {
        const isLarge = exchange.request.body.length >= LARGE_BODY && failure?.kind === 'reset';
        if (isLarge) return { accepted: false, sent, exchange };
        throw new CannotFind(`${sent} got no response (${failure?.message})`);
      }
    }
  }

  /**
   * Sends a rejected request once more, with a new id.
   *
   * @throws CannotFind if it is accepted now
   */
  async confirm(before: Answer, request: () => ProbeRequest): Promise<Answer> {
    const again = await this.ask(before.sent, request);
    if (!again.accepted) return again;
    throw new CannotFind(`${before.sent} got ${gotInWords(before.exchange)}, and was accepted the next time`);
  }

  /** One side of a limit, for the profile. */
  side({ sent, exchange }: Answer): LimitSide {
    return { sent, got: gotInWords(exchange), reproduce: curlLines([exchange.request], this.settings) };
  }

  /**
   * Sends a plain plant, to see that the provider is still there.
   *
   * @throws CannotFind if it is not accepted
   */
  async control({ sent: after, exchange }: Answer): Promise<void> {
    const plain = await this.ask('a plain plant', () => creation(this.values));
    if (plain.accepted) return;
    const got = `${after} got ${gotInWords(exchange)}, and a plain plant after it ${gotInWords(plain.exchange)}`;
    throw new CannotFind(got);
  }

  /** Sends one request at the pace that the user set, and keeps the exchange. */
  private async send(sent: string, request: ProbeRequest): Promise<LimitExchange> {
    const { timeoutMs, signal } = this.settings;
    await this.keepPace();
    const begin = performance.now();
    if (signal.aborted) throw new CannotFind('the check was stopped');
    if (begin - this.start > BUDGET_MS)
      throw new CannotFind(`the search for limits had taken ${BUDGET_MS / 1000} s`);
    const delivery = await this.deliver(request, timeoutMs);
    const exchange: LimitExchange = {
      probe: sent,
      index: this.place.firstIndex + this.exchanges.length,
      step: 0,
      role: 'judged',
      request,
      expectation: 'open',
      response: delivery.response,
      failure: delivery.failure,
      reusedConnection: delivery.reusedConnection,
      shared: false,
      startMs: this.place.startMs + begin - this.start,
      durationMs: performance.now() - begin,
    };
    this.exchanges.push(exchange);
    this.onExchange(exchange);
    return exchange;
  }

  /** Waits until a provider that limits its rate may answer again. */
  private async wait(exchange: LimitExchange): Promise<void> {
    const ms = Math.max(GUESSED_WAIT_MS, retryAfterMs(exchange) ?? 0);
    this.waitedMs += ms;
    if (ms > LONGEST_WAIT_MS || this.waitedMs > MOST_WAITING_MS)
      throw new CannotFind(`the provider limits its rate (${gotInWords(exchange)})`);
    await sleep(ms, undefined, { signal: this.settings.signal }).catch(() => {});
  }

  /** Waits until the rate that the user set allows another request. */
  private async keepPace(): Promise<void> {
    const now = performance.now();
    const next = Math.max(now, this.nextAt);
    this.nextAt = next + 1_000 / this.settings.rate;
    if (next > now) await sleep(next - now, undefined, { signal: this.settings.signal }).catch(() => {});
  }

  private async hadExpired(exchange: LimitExchange): Promise<boolean> {
    const { tokens, signal } = this.settings;
    const send = (token: string): Promise<LimitExchange> =>
      this.send('a plain plant', creation({ ...this.values, token }));
    const [{ tokenExpired = false } = exchange] = await tokens.marked([exchange], { send, signal });
    return tokenExpired;
  }

  private deliver(request: ProbeRequest, timeoutMs: number): Promise<Delivery> {
    const { fetch, signal } = this.settings;
    const sending = { timeoutMs, signal, connection: undefined };
    return fetch === undefined
      ? send(this.settings, request, sending)
      : callHandler(fetch, this.settings, request, sending);
  }
}

/** Whether the name or the tag came back as another string: the provider cut it, for example. */
function isChanged({ request: { plant }, response }: LimitExchange): boolean {
  const read = response && jsonOf(response);
  if (plant === undefined || read?.ok !== true || !isObject(read.value)) return false;
  const { name, tag } = read.value;
  const isOther = (got: unknown, sent: string | undefined): boolean =>
    typeof got === 'string' && got !== sent;
  return isOther(name, plant.name) || isOther(tag, plant.tag);
}

/** `400`, `200 with another name or tag`, `no response`. */
export function gotInWords(exchange: LimitExchange): string {
  const { response, failure } = exchange;
  if (response === undefined) return failure?.kind === 'reset' ? 'a reset connection' : 'no response';
  const changed = isAccepted(exchange) && isChanged(exchange);
  return changed ? `${response.status} with another name or tag` : String(response.status);
}
