import { createServer, type IncomingHttpHeaders } from 'node:http';
import { type AddressInfo, connect, isIP, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** A request for a tunnel. */
interface Asked {
  readonly target: string | undefined;
  readonly authorization: string | undefined;
}

/** An HTTP proxy that opens tunnels to wherever it is asked to. */
export interface ConnectProxy extends AsyncDisposable {
  readonly url: string;
  readonly asked: readonly Asked[];
  /** Closes all connections, and accepts no more. */
  close(): Promise<void>;
}

/**
 * Starts a proxy. For it, every name is a name of this machine.
 *
 * @param instead takes a tunnel over, and returns true; it gets the number of the tunnel, from 1
 */
export async function startConnectProxy(
  instead: (client: Duplex, number: number, headers: IncomingHttpHeaders) => boolean = () => false,
): Promise<ConnectProxy> {
  const asked: Asked[] = [];
  const open = new Set<Duplex>();
  const server = createServer(() => {});
  server.on('connect', ({ url = '', headers }, client: Socket, head) => {
    open.add(client);
    client.on('error', () => {}).on('close', () => open.delete(client));
    asked.push({ target: url, authorization: headers['proxy-authorization'] });
    if (instead(client, asked.length, headers)) return;
    const [, host = '', port = ''] = /^(.*):(\d+)$/.exec(url) ?? [];
    const upstream = connect(
      { host: isIP(host) === 0 ? '127.0.0.1' : host, port: Number(port), allowHalfOpen: true, noDelay: true },
      () => {
        client.write('HTTP/1.1 200 Connection Established\r\nVia: 1.1 proxy\r\n\r\n');
        upstream.write(head);
        upstream.pipe(client).pipe(upstream);
      },
    );
    client.setNoDelay(true).on('close', () => upstream.destroy());
    upstream
      .on('error', () => {
        if (upstream.connecting || upstream.bytesRead + upstream.bytesWritten === 0)
          client.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
        else client.resetAndDestroy();
      })
      .on('close', () => client.end());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = async (): Promise<void> => {
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    server.closeAllConnections();
    for (const client of open) client.destroy();
    await closed;
  };
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    asked,
    close,
    async [Symbol.asyncDispose]() {
      if (server.listening) await close();
    },
  };
}
