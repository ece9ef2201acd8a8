import { clearInterval, setInterval } from 'node:timers';
import type { Exchange } from '../conformance/exchange.js';
import type { OutputStream } from './io.js';

/** How often a terminal shows it, and how often a log does. */
const EVERY_MS = { terminal: 250, log: 10_000 } as const;
/** Before so many requests, nothing is known about the rest. */
const LEAST = 10;
/** Begins the line of a terminal again, and deletes what is in it. */
const ANEW = '\r\x1b[K';

/** Says how far a check is, and about how long the rest takes: in one line of a terminal, or in a line of a log every 10 s. */
export class Progress {
  private readonly sent = new Set<string>();
  private readonly start = performance.now();
  private readonly timer: NodeJS.Timeout;

  /**
   * @param requests the number of requests of the check
   * @param everyMs how often it is said, in milliseconds
   */
  constructor(
    private readonly requests: number,
    private readonly stream: OutputStream,
    everyMs: number = EVERY_MS[stream.isTTY === true ? 'terminal' : 'log'],
  ) {
    const isTerminal = stream.isTTY === true;
    const show = (): void => {
      stream.write(isTerminal ? ANEW + this.inWords() : `${this.inWords()}\n`);
    };
    this.timer = setInterval(show, everyMs).unref();
  }

  /** Call it after each exchange. What is sent again counts once. */
  saw({ probe, step, role }: Pick<Exchange, 'probe' | 'step' | 'role'>): void {
    if (role === 'judged') this.sent.add(`${probe} ${step}`);
  }

  /** Call it before anything else is written. */
  end(): void {
    clearInterval(this.timer);
    if (this.stream.isTTY === true) this.stream.write(ANEW);
  }

  private inWords(): string {
    const sent = Math.min(this.sent.size, this.requests);
    const leftMs = ((performance.now() - this.start) * (this.requests - sent)) / Math.max(1, sent);
    const left = sent < LEAST ? '' : `, about ${Math.ceil(leftMs / 1_000)} s left`;
    return `${sent} of ${this.requests} requests${left}`;
  }
}
