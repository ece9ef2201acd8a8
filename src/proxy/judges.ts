import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { fieldsFrom } from '../header-fields.js';
import { loadPrism } from '../validation/prism.js';
import { type JudgedParts, type Judgement, judgeExchange } from './judge.js';
import type { ForwardedExchange } from './message.js';

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
        worker.postMessage(exchanges.map(packed));
      }),
    close: async () => void (await worker.terminate()),
  };
}

/** Parts of an exchange on their way to a thread, few and flat: copying them takes the time of the one that sends. */
export type Packed = readonly [
  request: readonly [method: string, target: string, headers: string[], body: Uint8Array, bodyLength: number],
  response?: readonly [status: number, headers: string[], body: Uint8Array, bodyLength: number],
];

/** Bytes are copied first: those of a socket are a part of a larger buffer, all of which would go along. */
function packed({ request, response }: ForwardedExchange): Packed {
  const { method, target, headers, body, bodyLength } = request;
  const sent = [method, target, headers.flat(), new Uint8Array(body), bodyLength] as const;
  if (response === undefined) return [sent];
  const { status } = response;
  return [sent, [status, response.headers.flat(), new Uint8Array(response.body), response.bodyLength]];
}

/** What {@link packed} has put together. */
export function unpacked([[method, target, headers, body, bodyLength], response]: Packed): JudgedParts {
  const request = { method, target, headers: fieldsFrom(headers), body, bodyLength };
  if (response === undefined) return { request };
  const [status, fields, received, receivedLength] = response;
  return {
    request,
    response: { status, headers: fieldsFrom(fields), body: received, bodyLength: receivedLength },
  };
}
