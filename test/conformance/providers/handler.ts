import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Provider } from './provider.js';

/** A provider that is nothing but a handler of node:http. */
export async function startHandler(handler: RequestListener): Promise<Provider> {
  const server = createServer(handler);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
