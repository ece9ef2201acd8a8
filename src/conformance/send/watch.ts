import { type Exchange, isAccepted, isBusy, isRejected, isSilence, isUnsent } from '../exchange.js';
import type { LAST_ATTEMPTS } from '../judge/facts.js';
import { wait } from './time.js';

/** After so many valid requests in a row without a response, or with a rejection, a plain plant shows whether one is served. */
const SUSPECTED = 5;
/**
 * How long to wait before each plain plant. A provider that was restarted needs some time, and a lockout lasts for two seconds or
 * more: a plant that is rejected by chance, or for its id, is followed by one that is not.
 */
const WAITS_MS = [100, 900, 1_300] as const satisfies { readonly length: typeof LAST_ATTEMPTS };

/** What a provider does that serves no plain plant any more: it does not respond, or it rejects every one. */
export type End = 'silent' | 'rejects';

/**
 * Finds out whether a provider has stopped serving plain plants, so that a check of it ends soon, and nobody is blamed for what
 * comes after: it has stopped responding, the token has expired, a quota is used up, or the client is locked out after wrong
 * tokens. Before each request, wait until it is ready. After each exchange, tell it.
 */
export class Watch {
  /** What the provider does instead of serving plain plants. Then nothing more is sent. */
  ended: End | undefined;
  private hasResponded = false;
  private silent = 0;
  private rejected = 0;
  private suspected = SUSPECTED;
  private looking: Promise<void> | undefined;

  /** @param sendPlainPlant sends a plain plant at once, without waiting until this is ready */
  constructor(
    private readonly sendPlainPlant: () => Promise<Exchange>,
    private readonly signal: AbortSignal,
  ) {}

  /** Waits while it is being found out. */
  async ready(): Promise<void> {
    await this.looking;
  }

  /** Call it after each exchange. */
  saw(exchange: Exchange): void {
    if (isUnsent(exchange) || isBusy(exchange)) return;
    if (exchange.response !== undefined) {
      this.silent = 0;
      this.hasResponded = true;
    } else if (isSilence(exchange)) this.silent++;
    if (isAccepted(exchange)) this.rejected = 0;
    else if (exchange.expectation === 'created' && isRejected(exchange)) this.rejected++;
    if (this.hasResponded && Math.max(this.silent, this.rejected) >= this.suspected) void this.look();
  }

  /** Call it after what may stop the provider, after wrong tokens, and at the end. */
  async end(): Promise<void> {
    await this.looking;
    if (this.silent > 0 || this.rejected > 0) await this.look();
  }

  /** Call it if something else has shown that the provider responds: it was started again, or checked before. */
  started(): void {
    this.ended = undefined;
    this.hasResponded = true;
    this.silent = 0;
    this.rejected = 0;
  }

  /**
   * Finds it out now.
   *
   * @param busy whether a plain plant that is turned away counts as rejected. Otherwise, it may be a limit, which is waited for
   */
  look(busy?: 'busy counts'): Promise<void> {
    if (this.ended !== undefined) return Promise.resolve();
    this.looking ??= this.find(busy === 'busy counts').finally(() => {
      this.looking = undefined;
    });
    return this.looking;
  }

  private async find(busyCounts: boolean): Promise<void> {
    let last: Exchange | undefined;
    for (const ms of WAITS_MS) {
      await wait(ms, this.signal);
      last = await this.sendPlainPlant();
      if (isUnsent(last)) return;
      const isRefused = isBusy(last) ? busyCounts : isRejected(last);
      if (!isSilence(last) && !isRefused) {
        // Some requests get no response or a rejection, and others do not: do not ask for every few of them.
        this.suspected *= 2;
        this.silent = 0;
        this.rejected = 0;
        return;
      }
    }
    this.ended = last !== undefined && isSilence(last) ? 'silent' : 'rejects';
  }
}
