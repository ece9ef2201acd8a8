import type { ForwardedExchange } from './message.js';

/** So many exchanges wait to be judged; beyond that, judging comes before the next answer. */
const MOST_WAITING = 500;

/** Exchanges that wait to be judged, one in each turn of the event loop: traffic comes first. */
export class WaitingLine {
  private readonly waiting: (readonly [exchange: ForwardedExchange, index: number])[] = [];
  private underWay = 0;
  private whenQuiet: (() => void)[] = [];
  private isServing = false;

  constructor(private readonly judge: (exchange: ForwardedExchange, index: number) => void) {}

  /** An exchange has begun. */
  begin(): void {
    this.underWay++;
  }

  /** An exchange has ended; it is judged later where it is to be judged at all. */
  end(exchange: ForwardedExchange, index: number, isJudged: boolean): void {
    this.underWay--;
    if (isJudged) this.waiting.push([exchange, index]);
    if (this.waiting.length > MOST_WAITING) this.serveOne();
    if (this.isServing) return;
    this.isServing = true;
    setImmediate(this.serve);
  }

  /** Resolves when nothing is under way and nobody waits, or after so many milliseconds. */
  quiet(mostMs: number): Promise<void> {
    if (this.underWay === 0 && !this.isServing) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, mostMs);
      this.whenQuiet.push(() => {
        clearTimeout(timer);
        resolve();
      });
    });
  }

  private readonly serve = (): void => {
    this.serveOne();
    if (this.waiting.length > 0) {
      setImmediate(this.serve);
      return;
    }
    this.isServing = false;
    if (this.underWay === 0) for (const resolve of this.whenQuiet.splice(0)) resolve();
  };

  private serveOne(): void {
    const next = this.waiting.shift();
    if (next !== undefined) this.judge(...next);
  }
}
