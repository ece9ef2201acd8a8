import { once } from 'node:events';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { OutboundProxy } from '../../src/http/outbound-proxy.js';
import { openTunnel, TunnelSocket } from '../../src/http/tunnel-socket.js';
import { certificate, key } from '../conformance/providers/tls.js';
import { startConnectProxy } from './connect-proxy.js';

async function listening(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

/** A server that answers what it was sent, at its end. */
const startEcho = async () => {
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    const received: Buffer[] = [];
    socket.on('data', (bytes) => received.push(bytes));
    socket.on('end', () => socket.end(Buffer.concat(received)));
  });
  const port = await listening(server);
  return { url: new URL(`http://127.0.0.1:${port}`), close: () => void server.close() };
};

describe('a tunnel', () => {
  test('passes on every byte, and what was written before it was open', async () => {
    const echo = await startEcho();
    await using proxy = await startConnectProxy();
    const socket = new TunnelSocket(echo.url, new OutboundProxy(new URL(proxy.url), 5_000));
    socket.allowHalfOpen = true;
    const sent = Buffer.from(Array.from({ length: 300_000 }, (_, at) => at % 256));
    socket.cork();
    socket.write('begins');
    socket.write(sent);
    socket.uncork();
    expect(socket.connecting).toBe(true);
    await once(socket, 'connect');
    expect(socket.connecting).toBe(false);
    socket.end('ends');
    // Nobody reads for a while, and the other side ends meanwhile.
    await sleep(100);
    const received = Buffer.concat(await socket.toArray());
    expect(received.equals(Buffer.concat([Buffer.from('begins'), sent, Buffer.from('ends')]))).toBe(true);
    echo.close();
  });

  test('keeps what comes together with the response of the proxy', async () => {
    await using proxy = await startConnectProxy((client) => {
      client.end('HTTP/1.1 200 OK\r\n\r\nat once');
      return true;
    });
    const socket = await openTunnel(
      new URL('http://a.example'),
      new OutboundProxy(new URL(proxy.url), 5_000),
    );
    expect(Buffer.concat(await socket.toArray()).toString()).toBe('at once');
  });

  test('goes through a proxy with TLS', async () => {
    const echo = await startEcho();
    const server = createTlsServer({ cert: certificate, key });
    const port = await listening(server);
    const url = new URL(`https://127.0.0.1:${port}`);
    // Nobody trusts its certificate.
    await expect(openTunnel(echo.url, new OutboundProxy(url, 5_000))).rejects.toThrow(
      `the proxy at ${url.host}: self-signed certificate`,
    );
    server.close();
    echo.close();
  });
});

const answers = (text: string) => (client: { end(text: string): unknown }) => {
  client.end(text);
  return true;
};

describe('a proxy that opens no tunnel', () => {
  test.each([
    [
      'http://me@HOST',
      'HTTP/1.1 407 No\r\n\r\n',
      ' returned 407: it does not accept the user and the password',
    ],
    ['http://HOST', 'HTTP/1.1 407 No\r\n\r\n', ' returned 407: it asks for a user and a password'],
    [
      'http://HOST',
      'HTTP/1.0 403 No\r\n\r\n',
      ' returned 403 to CONNECT a.example:80; many proxies allow tunnels only',
    ],
    ['http://HOST', 'HTTP/1.1 502 No\r\n\r\n', ' returned 502: it cannot reach a.example:80'],
    ['http://HOST', 'SSH-2.0-OpenSSH_9\r\n', ' does not answer as an HTTP proxy'],
    ['http://HOST', `HTTP/1.1 200 OK\r\nx: ${'y'.repeat(70_000)}`, ' does not answer as an HTTP proxy'],
    ['http://HOST', 'HTTP/1.1', ' closed the connection'],
    ['http://HOST', '', ' opened no tunnel within 100 ms'],
  ])('%s %j: %s', async (address, text, why) => {
    await using proxy = await startConnectProxy(text === '' ? () => true : answers(text));
    const { host } = new URL(proxy.url);
    const outbound = new OutboundProxy(new URL(address.replace('HOST', host)), text === '' ? 100 : 5_000);
    const opened = openTunnel(new URL('http://a.example'), outbound);
    await expect(opened).rejects.toMatchObject({
      code: 'ERR_OUTBOUND_PROXY',
      message: expect.stringContaining(`the proxy at ${host}${why}`),
    });
    expect(outbound).toMatchObject({ failures: 1, lastFailure: expect.stringContaining(why) });
  });

  test('says nothing about port 443 if that was asked for', async () => {
    await using proxy = await startConnectProxy(answers('HTTP/1.1 405 No\r\n\r\n'));
    const opened = openTunnel(new URL('https://a.example'), new OutboundProxy(new URL(proxy.url), 5_000));
    await expect(opened).rejects.toThrow(/returned 405 to CONNECT a\.example:443$/);
  });

  test('can be left out for a server on this machine', async () => {
    await using proxy = await startConnectProxy(answers('HTTP/1.1 403 No\r\n\r\n'));
    const opened = openTunnel(new URL('http://localhost:1'), new OutboundProxy(new URL(proxy.url), 5_000));
    await expect(opened).rejects.toThrow('to reach localhost without the proxy, leave out --proxy');
  });

  test('is given up when that is asked for', async () => {
    await using proxy = await startConnectProxy(() => true);
    const outbound = new OutboundProxy(new URL(proxy.url), 20_000);
    await expect(openTunnel(new URL('http://a.example'), outbound, AbortSignal.abort())).rejects.toThrow(
      'abort',
    );
    const stop = new AbortController();
    const opened = openTunnel(new URL('http://a.example'), outbound, stop.signal);
    stop.abort();
    await expect(opened).rejects.toThrow('abort');
    expect(outbound.failures).toBe(0);
  });
});
