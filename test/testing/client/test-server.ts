import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createPlantClient, type PlantClient, type PlantClientOptions } from 'plant-store-contract/client';
import type { PlantStore } from 'plant-store-contract/server';

/** A client that calls a store without a port. */
export function clientOf(store: PlantStore, options: Partial<PlantClientOptions> = {}): PlantClient {
  return createPlantClient({
    baseUrl: 'http://localhost',
    token: store.token,
    fetch: store.fetch,
    ...options,
  });
}

/** A server that responds as no plant store would. */
export interface TestServer extends AsyncDisposable {
  readonly url: string;
  readonly server: Server;
}

/** Starts a server on a free port with a handler. */
export async function startServer(listener: RequestListener): Promise<TestServer> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { url: `http://127.0.0.1:${port}`, server, [Symbol.asyncDispose]: close };
}

/** Starts a server that sends one response to every request. */
export function startServerWith(
  status: number,
  body: string | Uint8Array,
  headers: Readonly<Record<string, string>> = { 'content-type': 'application/json' },
): Promise<TestServer> {
  return startServer((request, response) => {
    request.resume();
    response.writeHead(status, headers).end(body);
  });
}
