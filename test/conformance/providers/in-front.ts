import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { PlantStoreOptions } from 'plant-store-contract/server';
import { send } from '../../../src/server/listen.js';
import { Store } from '../../../src/server/plant-store.js';
import { settingsFrom } from '../../../src/server/settings.js';
import { startHandler } from './handler.js';
import type { Provider } from './provider.js';

/** A request on its way to the reference server. */
export interface Passing {
  readonly request: IncomingMessage;
  readonly body: Buffer;
  readonly response: ServerResponse;
  /** Lets the reference server answer. */
  pass(): Promise<void>;
}

/** All that matters of the server while it responds: connections are kept. */
const LISTENING = { listening: true } as Server;

/**
 * The reference server behind a handler that answers some requests by itself, and passes the others on. They share a port:
 * a second request over HTTP for each first one would take half of the time of a check.
 */
export async function startInFront(
  options: PlantStoreOptions,
  handle: (passing: Passing) => unknown,
): Promise<Provider> {
  const settings = settingsFrom(options);
  const store = new Store(settings);
  return startHandler(async (request, response) => {
    const chunks = await request.toArray().catch((cause) => {
      if (request.complete) throw cause;
      return undefined;
    });
    // The client is gone before its body was complete.
    if (chunks === undefined) return;
    const body = Buffer.concat(chunks);
    const pass = async (): Promise<void> => {
      const { method = '', url: target = '', rawHeaders: headers, socket: connection } = request;
      const read = body.length <= settings.bodyBytes ? body : undefined;
      const { delivery } = await store.answer({ method, target, headers, body: read, connection });
      // The client is gone.
      if (connection.destroyed) return;
      const ended = new Promise((resolve) => response.once('close', resolve));
      send(delivery, response, LISTENING);
      await ended;
    };
    await handle({ request, body, response, pass });
  });
}

/** An Error as the reference server would write it, with any status. */
export function refuse(response: ServerResponse, status: number, headers: Record<string, string> = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify({ error: status, message: 'not this one' }));
}
