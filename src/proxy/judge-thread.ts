import { once } from 'node:events';
import type { ForwardedBody, ForwardedExchange } from '../http/exchange.js';
import { canStartThread, startThread } from '../package-files.js';
import { type JudgedSides, type Judgement, judgeExchange } from '../validation/exchange.js';
import { loadPrism } from '../validation/prism.js';

/** Judges exchanges, several at a time. */
export interface Judge {
  judge(exchanges: readonly ForwardedExchange[]): Promise<readonly Judgement[]>;
  close(): Promise<void>;
}

const THREAD = new URL('./judge-worker.js', import.meta.url);

/**
 * Starts a judge in a thread of its own: Prism takes as long for an exchange as the proxy itself. If no thread can be
 * started, the judge runs in this one.
 */
export async function startJudge(withPrism: boolean): Promise<Judge> {
  return canStartThread(THREAD) ? await inThread(withPrism) : await inProcess(withPrism);
}

async function inProcess(withPrism: boolean): Promise<Judge> {
  const prism = withPrism ? await loadPrism() : undefined;
  return {
    judge: async (exchanges) => exchanges.map((exchange) => judgeExchange(exchange, { prism })),
    close: async () => {},
  };
}

async function inThread(withPrism: boolean): Promise<Judge> {
  const worker = startThread(THREAD, { workerData: { prism: withPrism } });
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
