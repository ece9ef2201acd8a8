import type { Judgement } from './judged.js';
import type { Judge } from './judges.js';
import type { ForwardedExchange } from './message.js';

/** So many exchanges may wait to be judged; beyond that, requests wait: memory is not to grow with the traffic. */
const MOST_WAITING = 2_000;
/** And so many bytes of bodies. */
const MOST_BYTES = 64 * 2 ** 20;
/** So many are judged at once, or what there is after a moment. */
const BATCH = 100;
const BATCH_BYTES = 4 * 2 ** 20;
const MOMENT_MS = 50;

interface Waiting {
  readonly exchange: ForwardedExchange;
  readonly index: number;
}

/** Exchanges that have passed and wait to be judged: traffic comes first. */
export class WaitingLine {
  private waiting: Waiting[] = [];
  private atJudge = 0;
  /** Of all that wait, and of those that wait to be sent to the judge. */
  private bytes = 0;
  private unsentBytes = 0;
  private underWay = 0;
  private moment: NodeJS.Timeout | undefined;
  private whenQuiet: (() => void)[] = [];
  private whenRoom: (() => void)[] = [];
  private whenServed: (() => void)[] = [];

  constructor(
    private readonly judge: Judge,
    private readonly judged: (exchange: ForwardedExchange, judgement: Judgement, index: number) => void,
  ) {}

  /** Where too many wait, resolves when there is room again. */
  room(): Promise<void> | undefined {
    if (this.hasRoom()) return undefined;
    return new Promise((resolve) => this.whenRoom.push(resolve));
  }

  /** An exchange has begun. */
  begin(): void {
    this.underWay++;
  }

  /** An exchange has ended; it is judged later where it is to be judged at all. */
  end(exchange: ForwardedExchange, index: number, isJudged: boolean): void {
    this.underWay--;
    if (isJudged) {
      this.waiting.push({ exchange, index });
      const bytes = bytesOf(exchange);
      this.bytes += bytes;
      this.unsentBytes += bytes;
    }
    if (this.waiting.length >= BATCH || this.unsentBytes >= BATCH_BYTES) this.send();
    else if (this.waiting.length > 0) this.moment ??= setTimeout(() => this.send(), MOMENT_MS);
    else this.settle();
  }

  /** Resolves when nobody waits to be judged, however long that takes. */
  async served(): Promise<void> {
    while (this.waiting.length + this.atJudge > 0) {
      this.send();
      await new Promise<void>((resolve) => this.whenServed.push(resolve));
    }
  }

  /** Resolves when nothing is under way and nobody waits, or after so many milliseconds. */
  quiet(mostMs: number): Promise<void> {
    if (this.isQuiet()) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, mostMs);
      this.whenQuiet.push(() => {
        clearTimeout(timer);
        resolve();
      });
    });
  }

  private send(): void {
    clearTimeout(this.moment);
    this.moment = undefined;
    const batch = this.waiting;
    if (batch.length === 0) return;
    const bytes = this.unsentBytes;
    this.waiting = [];
    this.unsentBytes = 0;
    this.atJudge += batch.length;
    void this.judge.judge(batch.map(({ exchange }) => exchange)).then((judgements) => {
      this.atJudge -= batch.length;
      this.bytes -= bytes;
      for (const [at, { exchange, index }] of batch.entries())
        this.judged(exchange, judgements[at] as Judgement, index);
      for (const resolve of this.whenServed.splice(0)) resolve();
      this.settle();
    });
  }

  private settle(): void {
    if (this.hasRoom()) for (const go of this.whenRoom.splice(0)) go();
    if (this.isQuiet()) for (const resolve of this.whenQuiet.splice(0)) resolve();
  }

  private hasRoom(): boolean {
    return this.waiting.length + this.atJudge < MOST_WAITING && this.bytes < MOST_BYTES;
  }

  private isQuiet(): boolean {
    return this.underWay === 0 && this.waiting.length === 0 && this.atJudge === 0;
  }
}

function bytesOf({ request, response }: ForwardedExchange): number {
  return request.body.length + (response?.body.length ?? 0);
}
