import type { Engine } from '../server/engine.js';
import { writeJson } from '../validation/json-writer.js';
import type { Call } from './call.js';
import { eventJson } from './json.js';

/** A client that reads more slowly than this is disconnected; it may connect again. */
const MOST_UNSENT_BYTES = 8 * 2 ** 20;
/** Intermediaries end connections on which nothing happens. */
const ALIVE_MS = 15_000;

/** Sends everything that happens, as server-sent events (HTML standard, section 9.2). */
export function streamEvents(engine: Engine, { response, signal }: Call): 'streaming' {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
  response.write(': connected\n\n');
  const send = (text: string): void => {
    if (response.writableLength > MOST_UNSENT_BYTES) response.destroy();
    else response.write(text);
  };
  const alive = setInterval(() => send(':\n\n'), ALIVE_MS);
  // JSON has no line breaks, so one line of data is enough.
  const stop = engine.watchers.watch((event) =>
    send(`event: ${event.type}\ndata: ${writeJson(eventJson(event))}\n\n`),
  );
  const end = (): void => {
    clearInterval(alive);
    stop();
    response.end();
  };
  if (signal.aborted) end();
  else signal.addEventListener('abort', end, { once: true });
  return 'streaming';
}
