import { setTimeout as sleep } from 'node:timers/promises';
import type { Exchange } from '../exchange.js';
import { isSilence, LAST_ATTEMPTS } from '../facts/stop.js';

/** After so many requests in a row without a response, a plain plant shows whether the provider still responds. */
const SUSPECTED = 5;
/** A provider that was restarted needs some time. */
const FIRST_WAIT_MS = 150;

/**
 * Finds out whether a provider has stopped responding, so that a check of it ends soon. Before each request, wait until
 * it is ready. After each exchange, tell it.
 */
export class Liveness {
  /** Whether the provider stopped responding. Then nothing more is sent. */
  hasStopped = false;
  private hasResponded = false;
  private silent = 0;
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
    if (exchange.response !== undefined) {
      this.silent = 0;
      this.hasResponded = true;
    } else if (isSilence(exchange) && this.hasResponded && ++this.silent >= this.suspected) void this.look();
  }

  /** Call it at the end: the last request may have stopped the provider. */
  async end(): Promise<void> {
    await this.looking;
    if (this.silent > 0) await this.look();
  }

  private look(): Promise<void> {
    if (this.hasStopped) return Promise.resolve();
    this.looking ??= this.find().finally(() => {
      this.looking = undefined;
    });
    return this.looking;
  }

  private async find(): Promise<void> {
    for (let attempt = 0; attempt < LAST_ATTEMPTS; attempt++) {
      await sleep(FIRST_WAIT_MS * 2 ** attempt, undefined, { signal: this.signal }).catch(() => {});
      const exchange = await this.sendPlainPlant();
      if (!isSilence(exchange)) {
        // Some requests get no response, and others do: do not ask for every few of them.
        this.suspected *= 2;
        return;
      }
    }
    this.hasStopped = true;
  }
}
