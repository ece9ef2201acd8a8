import type { ServerResponse } from 'node:http';

/** Intermediaries end connections on which nothing happens. */
export const ALIVE_MS = 15_000;
/** A comment. */
export const ALIVE = ':\n\n';

/** A server-sent event (HTML standard, section 9.2). JSON has no line breaks, so one line of data is enough. */
export interface ServerSentEvent {
  readonly type: string;
  readonly json: string;
}

/** Begins a response of events. */
export function beginEvents(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
}

export function eventText({ type, json }: ServerSentEvent): string {
  return `event: ${type}\ndata: ${json}\n\n`;
}

/** A longer event is none of ours. */
const LONGEST_EVENT = 64 * 2 ** 20;

/**
 * The events of a response of our own; they end when the connection does. The page has a reader of its own, since a browser
 * loads only the files in `page/browser`.
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
  let text = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      signal?.throwIfAborted();
      if (done) return;
      text += decoder.decode(value, { stream: true });
      const blocks = text.split('\n\n');
      text = blocks.pop() ?? '';
      if (text.length > LONGEST_EVENT) return;
      for (const block of blocks) {
        const [, type, json] = /^event: (\w+)\ndata: (.*)$/.exec(block) ?? [];
        if (type !== undefined && json !== undefined) yield { type, json };
      }
    }
  } finally {
    signal?.removeEventListener('abort', stop);
    stop();
  }
}
