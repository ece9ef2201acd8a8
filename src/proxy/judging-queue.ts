import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { type ForwardedBody, type ForwardedExchange, memoryOf } from '../http/exchange.js';
import { type JudgedSides, type Judgement, judgeExchange } from '../validation/exchange.js';
import { loadPrism } from '../validation/prism.js';

/** If so many exchanges wait, new requests wait too, so that memory does not grow with the traffic. */
const MOST_WAITING = 2_000;
/** The same if they take so many bytes. */
const MOST_BYTES = 64 * 2 ** 20;
/** How many are judged at once; fewer after a moment. */
const BATCH = 100;
const BATCH_BYTES = 2 ** 19;
const MOMENT_MS = 50;

interface Waiting {
  readonly exchange: ForwardedExchange;
  readonly index: number;
}

/** Exchanges that wait to be judged. Traffic comes first. */
export class JudgingQueue {
  private waiting: Waiting[] = [];
  private atJudge = 0;
  /** Of all that wait, and of those that are not yet sent to the judge. */
  private bytes = 0;
  private unsentBytes = 0;
  private underWay = 0;
  private moment: NodeJS.Timeout | undefined;
  private whenChanged: (() => void)[] = [];

  constructor(
    private readonly judge: Judge,
    private readonly onJudged: (exchange: ForwardedExchange, judgement: Judgement, index: number) => void,
  ) {}

  /** If too many exchanges wait, resolves when there is room again. */
  room(): Promise<void> | undefined {
    return this.hasRoom() ? undefined : this.until(() => this.hasRoom());
  }

  /** An exchange has begun. */
  begin(): void {
    this.underWay++;
  }

  /** An exchange has ended. */
  end(exchange: ForwardedExchange, index: number, isJudged: boolean): void {
    this.underWay--;
    if (isJudged) {
      this.waiting.push({ exchange, index });
      const bytes = memoryOf(exchange);
      this.bytes += bytes;
      this.unsentBytes += bytes;
    }
    if (this.waiting.length >= BATCH || this.unsentBytes >= BATCH_BYTES) this.send();
    else if (this.waiting.length > 0) this.moment ??= setTimeout(() => this.send(), MOMENT_MS);
    else this.changed();
  }

  /** How many exchanges ended and are not judged. */
  get unjudged(): number {
    return this.waiting.length + this.atJudge;
  }

  /** Resolves when every exchange that ended is judged. */
  allJudged(): Promise<void> {
    return this.until(() => {
      this.send();
      return this.atJudge === 0;
    });
  }

  /** Resolves when no exchange is under way or waits, or after so many milliseconds. */
  async idle(mostMs: number): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, mostMs);
    });
    const isIdle = (): boolean => this.underWay + this.waiting.length + this.atJudge === 0;
    await Promise.race([this.until(isIdle), late]);
    clearTimeout(timer);
  }

  private async until(holds: () => boolean): Promise<void> {
    while (!holds()) await new Promise<void>((resolve) => this.whenChanged.push(resolve));
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
        this.onJudged(exchange, judgements[at] as Judgement, index);
      this.changed();
    });
  }

  private changed(): void {
    for (const resolve of this.whenChanged.splice(0)) resolve();
  }

  private hasRoom(): boolean {
    return this.waiting.length + this.atJudge < MOST_WAITING && this.bytes < MOST_BYTES;
  }
}

/** Judges exchanges, several at a time. */
interface Judge {
  judge(exchanges: readonly ForwardedExchange[]): Promise<readonly Judgement[]>;
  close(): Promise<void>;
}

const THREAD = new URL('./judge-worker.js', import.meta.url);

/**
 * Starts a judge in a thread of its own: Prism takes as long for an exchange as the proxy itself. If no thread can be
 * started, the judge runs in this one.
 */
export async function startJudge(withPrism: boolean): Promise<Judge> {
  // There is none in the sources, nor if another program has bundled this package.
  return existsSync(THREAD) ? await inThread(withPrism) : await inProcess(withPrism);
}

async function inProcess(withPrism: boolean): Promise<Judge> {
  const prism = withPrism ? await loadPrism() : undefined;
  return {
    judge: async (exchanges) => exchanges.map((exchange) => judgeExchange(exchange, { prism })),
    close: async () => {},
  };
}

async function inThread(withPrism: boolean): Promise<Judge> {
  const worker = new Worker(THREAD, { workerData: { prism: withPrism } });
  await once(worker, 'message');
  const waiting: ((judgements: readonly Judgement[]) => void)[] = [];
  // Judgements come in the order of the exchanges. An error of the thread is a bug here, and ends the process.
  worker.on('message', (judgements: readonly Judgement[]) => waiting.shift()?.(judgements));
  return {
    judge: (exchanges) =>
      new Promise((resolve) => {
        waiting.push(resolve);
        worker.postMessage(exchanges.map(withOwnBytes));
      }),
    close: async () => void (await worker.terminate()),
  };
}

/**
 * Bytes are copied first: those of a socket are part of a larger buffer, which would be copied whole. The body of an
 * incomplete message is not judged.
 */
function withOwnBytes({ request, response }: ForwardedExchange): JudgedSides {
  const own = <Message extends ForwardedBody>(message: Message): Message => ({
    ...message,
    body: message.complete ? new Uint8Array(message.body) : NOTHING,
  });
  return { request: own(request), ...(response !== undefined && { response: own(response) }) };
}

const NOTHING = new Uint8Array();
