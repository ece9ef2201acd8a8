import type { ServerResponse } from 'node:http';
import { eventReader, type ServerSentEvent } from '../page/browser/read-stream.js';

export type { ServerSentEvent } from '../page/browser/read-stream.js';

/** Intermediaries end connections on which nothing happens. */
export const ALIVE_MS = 15_000;
/** A comment. */
export const ALIVE = ':\n\n';

/** Begins a response of events. */
export function beginEvents(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
}

export function eventText({ type, json }: ServerSentEvent): string {
  return `event: ${type}\ndata: ${json}\n\n`;
}

/**
 * The events of a response of our own; they end when the connection does.
 *
 * @throws the reason of `signal` when it aborts
 */
export async function* readEvents(response: Response, signal?: AbortSignal): AsyncGenerator<ServerSentEvent> {
  if (response.body === null) return;
  const reader = response.body.getReader();
  // Node 20 to 22 forget the signal of a fetch when they collect the garbage of its request.
  const stop = (): void => void reader.cancel().catch(() => {});
  signal?.addEventListener('abort', stop, { once: true });
  const decoder = new TextDecoder();
  const eventsIn = eventReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      signal?.throwIfAborted();
      if (done) return;
      const events = eventsIn(decoder.decode(value, { stream: true }));
      if (events === undefined) return;
      yield* events;
    }
  } finally {
    signal?.removeEventListener('abort', stop);
    stop();
  }
}
