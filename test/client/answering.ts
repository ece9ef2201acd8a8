import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A server that a test writes in one line: what no plant store would answer. */
export interface Answering extends AsyncDisposable {
  readonly url: string;
  readonly server: Server;
}

/** Starts a server on a free port that answers every request as a test says. */
export async function answering(listener: RequestListener): Promise<Answering> {
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

/** Starts a server that gives one answer to every request. */
export function answeringWith(
  status: number,
  body: string | Uint8Array,
  headers: Readonly<Record<string, string>> = { 'content-type': 'application/json' },
): Promise<Answering> {
  return answering((request, response) => {
    request.resume();
    response.writeHead(status, headers).end(body);
  });
}
