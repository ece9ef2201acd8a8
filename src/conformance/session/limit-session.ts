import type { LimitSide } from '../../report/profile.js';
import { isObject } from '../../validation/json-value.js';
import { curlLines } from '../curl.js';
import { type Exchange, isAccepted, isThrottled, type ProbeRequest } from '../exchange.js';
import type { CheckSettings } from '../options.js';
import { jsonOf } from '../response-body.js';
import { Rate } from './pace.js';
import { retryAfterMs, WaitBudget } from './resend.js';
import { Session } from './session.js';

/** Whether the provider accepted a request, and the exchange that shows it. */
export interface Answer {
  readonly accepted: boolean;
  readonly sent: string;
  readonly exchange: Exchange;
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

/** Sends requests one by one, and says whether the provider accepted them. */
export class LimitSession extends Session {
  /** Each has what was sent instead of the name of a probe. */
  readonly exchanges: Exchange[] = [];
  protected readonly isShared = false;
  private readonly rate: Rate;
  private readonly waitBudget = new WaitBudget(MOST_WAITING_MS);

  /** @param place where the search is in the run: its start in milliseconds, and the index of its first exchange */
  constructor(
    settings: CheckSettings,
    private readonly place: { readonly startMs: number; readonly firstIndex: number },
    private readonly onExchange: (exchange: Exchange) => void,
  ) {
    super(settings, place.startMs);
    this.rate = new Rate(settings.rate);
  }

  /**
   * Asks whether a request is accepted. It waits for a provider that limits its rate.
   *
   * @param sent what is sent, as a noun
   * @param request makes it, with a new id each time
   * @throws CannotFind if the provider gives no answer that counts
   */
  async ask(sent: string, request: () => ProbeRequest): Promise<Answer> {
    let lost = 0;
    for (;;) {
      const exchange = await this.send(sent, request());
      const { response, failure } = exchange;
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
    const plain = await this.ask('a plain plant', () => this.plainPlant());
    if (plain.accepted) return;
    const got = `${after} got ${gotInWords(exchange)}, and a plain plant after it ${gotInWords(plain.exchange)}`;
    throw new CannotFind(got);
  }

  /** Sends one request at the pace that the user set, and keeps the exchange. */
  private async send(sent: string, request: ProbeRequest): Promise<Exchange> {
    const { signal } = this.settings;
    await this.rate.turn(1, signal);
    if (signal.aborted) throw new CannotFind('the check was stopped');
    if (this.elapsedMs - this.place.startMs > BUDGET_MS)
      throw new CannotFind(`the search for limits had taken ${BUDGET_MS / 1000} s`);
    const probe = { name: sent, expectation: 'open' } as const;
    const { exchange: unnumbered } = await this.sendOne(probe, request, { step: 0, role: 'judged' });
    const exchange = { index: this.place.firstIndex + this.exchanges.length, ...unnumbered };
    this.exchanges.push(exchange);
    this.onExchange(exchange);
    return exchange;
  }

  /** Waits until a provider that limits its rate may answer again. */
  private async wait(exchange: Exchange): Promise<void> {
    const { signal } = this.settings;
    const ms = Math.max(GUESSED_WAIT_MS, retryAfterMs(exchange) ?? 0);
    const hasWaited = ms <= LONGEST_WAIT_MS && (await this.waitBudget.wait(ms, signal));
    if (!hasWaited && !signal.aborted)
      throw new CannotFind(`the provider limits its rate (${gotInWords(exchange)})`);
  }
}

/** Whether the name or the tag came back as another string: the provider cut it, for example. */
function isChanged({ request: { plant }, response }: Exchange): boolean {
  const read = response && jsonOf(response);
  if (plant === undefined || read?.ok !== true || !isObject(read.value)) return false;
  const { name, tag } = read.value;
  const isOther = (got: unknown, sent: string | undefined): boolean =>
    typeof got === 'string' && got !== sent;
  return isOther(name, plant.name) || isOther(tag, plant.tag);
}

/** `400`, `200 with another name or tag`, `no response`. */
export function gotInWords(exchange: Exchange): string {
  const { response, failure } = exchange;
  if (response === undefined) return failure?.kind === 'reset' ? 'a reset connection' : 'no response';
  const changed = isAccepted(exchange) && isChanged(exchange);
  return changed ? `${response.status} with another name or tag` : String(response.status);
}
