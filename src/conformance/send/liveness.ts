import { type Exchange, isSilence } from '../exchange.js';
import { LAST_ATTEMPTS } from '../judge/facts.js';
import { wait } from './time.js';

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

  /** Call it after what may stop the provider, and at the end. */
  async end(): Promise<void> {
    await this.looking;
    if (this.silent > 0) await this.look();
  }

  /** Call it if something else has shown that the provider responds: it was started again, or checked before. */
  started(): void {
    this.hasStopped = false;
    this.hasResponded = true;
    this.silent = 0;
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
      await wait(FIRST_WAIT_MS * 2 ** attempt, this.signal);
      if (!isSilence(await this.sendPlainPlant())) {
        // Some requests get no response, and others do: do not ask for every few of them.
        this.suspected *= 2;
        return;
      }
    }
    this.hasStopped = true;
  }
}
