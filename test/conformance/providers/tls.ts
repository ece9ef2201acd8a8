import { readFileSync } from 'node:fs';
import { request as requestHttp } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { startPlantStore } from 'plant-store-contract/server';
import type { Provider } from './provider.js';

const file = (name: string) => readFileSync(new URL(`tls/${name}`, import.meta.url), 'utf8');

/** A certificate for localhost and 127.0.0.1 that signs itself; its key is for these tests and secures nothing. */
export const certificate = file('certificate.pem');

/** The key of {@link certificate}. */
export const key = file('key.pem');

/** The reference server behind TLS, for clients that have {@link certificate} themselves. */
export async function startMutualTls(token: string): Promise<Provider> {
  const store = await startPlantStore({ token });
  return startGateway(store.url, () => store.close(), { requestCert: true, ca: certificate });
}

/** The reference server behind TLS. */
export async function startTls(token: string): Promise<Provider> {
  const store = await startPlantStore({ token });
  return startGateway(store.url, () => store.close());
}

/** A gateway that ends TLS before a server. */
async function startGateway(
  to: string,
  afterwards = async (): Promise<void> => {},
  trust: { readonly requestCert?: true; readonly ca?: string } = {},
): Promise<Provider> {
  const server = createTlsServer({ cert: certificate, key, ...trust }, (request, response) => {
    const outgoing = requestHttp(`${to}${request.url}`, {
      method: request.method,
      headers: request.headers,
    });
    outgoing.on('response', (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(response);
    });
    // The server may respond and close the connection before it has the whole body.
    outgoing.on('error', () => {
      if (!response.headersSent) response.destroy();
    });
    request.pipe(outgoing);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await afterwards();
    },
  };
}
