import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { fieldsFrom } from '../header-fields.js';
import { loadPrism } from '../validation/prism.js';
import { judgeExchange } from './judge.js';
import type { JudgedPart, JudgedParts, Judgement } from './judged.js';
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
  request: readonly [method: string, target: string, ...PackedPart],
  response?: readonly [status: number, surplus: true | undefined, ...PackedPart],
];

type PackedPart = readonly [headers: string[], body: Uint8Array, bodyLength: number, complete: boolean];

function packed({ request, response }: ForwardedExchange): Packed {
  const sent = [request.method, request.target, ...packedPart(request)] as const;
  return response === undefined
    ? [sent]
    : [sent, [response.status, response.surplus, ...packedPart(response)]];
}

/** Bytes are copied first: those of a socket are a part of a larger buffer, all of which would go along. */
function packedPart({ headers, body, bodyLength, complete }: JudgedPart<unknown>): PackedPart {
  return [headers.flat(), new Uint8Array(body), bodyLength, complete];
}

/** What {@link packed} has put together. */
export function unpacked([[method, target, ...sent], response]: Packed): JudgedParts {
  const request = { method, target, ...unpackedPart(sent) };
  if (response === undefined) return { request };
  const [status, surplus, ...received] = response;
  return { request, response: { status, ...(surplus && { surplus }), ...unpackedPart(received) } };
}

function unpackedPart([headers, body, bodyLength, complete]: PackedPart): JudgedPart<unknown> {
  return { headers: fieldsFrom(headers), body, bodyLength, complete };
}
