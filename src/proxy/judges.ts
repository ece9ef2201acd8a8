import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { loadPrism } from '../validation/prism.js';
import { type JudgedExchange, judgeExchange } from './judge.js';
import type { ForwardedBody, ForwardedExchange } from './message.js';

/** What is said of an exchange. */
export type Judgement = Omit<JudgedExchange, 'exchange'>;

/** Judges exchanges, several at a time. */
export interface Judge {
  judge(exchanges: readonly ForwardedExchange[]): Promise<readonly Judgement[]>;
  close(): Promise<void>;
}

const THREAD = new URL('./judge-worker.js', import.meta.url);

/**
 * A judge in a thread of its own: Prism takes as long for an exchange as the proxy itself. Where the thread cannot be
 * started from a file, since the package was bundled into one, the judge works in this one.
 */
export async function startJudge(withPrism: boolean): Promise<Judge> {
  const hasThread = existsSync(THREAD) && existsSync(new URL('./judge.js', import.meta.url));
  return hasThread ? await inThread(withPrism) : await inProcess(withPrism);
}

async function inProcess(withPrism: boolean): Promise<Judge> {
  const prism = withPrism ? await loadPrism() : undefined;
  return {
    judge: async (exchanges) => exchanges.map((exchange) => judgeExchange(exchange, prism)),
    close: async () => {},
  };
}

async function inThread(withPrism: boolean): Promise<Judge> {
  const worker = new Worker(THREAD, { workerData: { prism: withPrism } });
  await once(worker, 'message');
  const waiting: ((judgements: readonly Judgement[]) => void)[] = [];
  // It answers in the order in which it is asked. An error of the thread is one of this program, and ends it.
  worker.on('message', (judgements: readonly Judgement[]) => waiting.shift()?.(judgements));
  return {
    judge: (exchanges) =>
      new Promise((resolve) => {
        waiting.push(resolve);
        worker.postMessage(exchanges.map(detached));
      }),
    close: async () => void (await worker.terminate()),
  };
}

/** With bytes of its own: those of a socket are a part of a larger buffer, all of which would go along. */
function detached({ request, response, ...rest }: ForwardedExchange): ForwardedExchange {
  const own = <T extends ForwardedBody>(message: T): T => ({
    ...message,
    body: new Uint8Array(message.body),
  });
  return { ...rest, request: own(request), ...(response !== undefined && { response: own(response) }) };
}
