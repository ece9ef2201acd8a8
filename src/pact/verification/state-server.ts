import { createServer } from 'node:http';
import { listen } from '../../listening.js';
import type { Scenes } from './scenes.js';

/** What Pact calls before and after each interaction. */
export interface StateServer {
  readonly url: string;
  close(): Promise<void>;
}

/** Listens on the loopback interface for what Pact says of states. */
export async function startStateServer(scenes: () => Scenes): Promise<StateServer> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const values = await scenes().state(Buffer.concat(chunks));
    response.setHeader('content-type', 'application/json').end(values);
  });
  const { url } = await listen(server, '127.0.0.1', 0);
  return {
    url: `${url}/states`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
