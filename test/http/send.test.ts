import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import type { Duplex } from 'node:stream';
import { startPlantStore } from 'plant-store-contract/server';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { proxyFor } from '../../src/http/proxy-tunnel.js';
import { type SendOptions, sendRequest } from '../../src/http/send.js';
import { certificate, startTls } from '../conformance/providers/tls.js';

const options: SendOptions = { timeoutMs: 20_000, longestBody: 1_000 };

/** The status of a GET, which the reference server behind TLS answers with 404. */
async function statusAt(url: string, further: Partial<SendOptions> = {}): Promise<number> {
  const request = { method: 'GET', url: new URL(url), headers: {} };
  return (await sendRequest(request, { ...options, ...further })).status;
}

afterEach(() => void vi.unstubAllEnvs());

describe('TLS', () => {
  test('a certificate must be trusted, unless any is', async () => {
    await using server = await startTls('secret');
    await expect(statusAt(server.url)).rejects.toThrow('self-signed certificate');
    expect(await statusAt(server.url, { ca: certificate })).toBe(404);
    expect(await statusAt(server.url, { insecure: true })).toBe(404);
  });
});

describe('limits', () => {
  test('a stopped request ends at once', async () => {
    const server = await startProxy(() => {});
    const stop = new AbortController();
    const sent = statusAt(server.url, { signal: stop.signal });
    stop.abort();
    await expect(sent).rejects.toThrow(/abort/);
    await server.close();
  });

  test('a response that is too long is given up', async () => {
    await using store = await startPlantStore({ token: 'secret' });
    await expect(statusAt(store.url, { longestBody: 10 })).rejects.toThrow('is longer than 10 bytes');
  });
});

/** A proxy that opens tunnels to wherever it is asked to, or does something else. */
async function startProxy(instead?: () => void) {
  const asked: { target: string | undefined; authorization: string | undefined }[] = [];
  const server: Server = createServer(() => {});
  const clients: Duplex[] = [];
  server.on('connect', ({ url, headers }, client, head) => {
    clients.push(client);
    asked.push({ target: url, authorization: headers['proxy-authorization'] });
    if (instead !== undefined) return instead();
    const [host = '', port = ''] = url?.split(':') ?? [];
    const upstream = connect(Number(port), host, () => {
      client.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      upstream.write(head);
      upstream.pipe(client).pipe(upstream);
    });
    upstream.on('error', () => client.destroy());
    client.on('error', () => {}).on('close', () => upstream.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    asked,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
        for (const client of clients) client.destroy();
      }),
  };
}

describe('a proxy', () => {
  test('gets the requests by HTTPS, with its user and password, and cannot read them', async () => {
    await using server = await startTls('secret');
    const proxy = await startProxy();
    vi.stubEnv('HTTPS_PROXY', proxy.url.replace('//', '//me:p%40ss@'));
    expect(await statusAt(server.url, { ca: certificate })).toBe(404);
    expect(proxy.asked).toEqual([
      { target: new URL(server.url).host, authorization: `Basic ${btoa('me:p@ss')}` },
    ]);
    await expect(statusAt(server.url)).rejects.toThrow('self-signed certificate');
    await proxy.close();
  });

  test('that does not open a tunnel in time is given up', async () => {
    const proxy = await startProxy(() => {});
    vi.stubEnv('HTTPS_PROXY', proxy.url);
    await expect(statusAt('https://broker.example', { timeoutMs: 200 })).rejects.toThrow(
      'no whole response within 200 ms',
    );
    await proxy.close();
  });

  test('that cannot be reached is named', async () => {
    vi.stubEnv('HTTPS_PROXY', 'http://me:secret@127.0.0.1:2');
    await expect(statusAt('https://broker.example')).rejects.toThrow(
      /^the proxy at 127\.0\.0\.1:2: connect ECONNREFUSED/,
    );
  });

  test.each<[string, NodeJS.ProcessEnv, string | undefined]>([
    ['https://broker.example', {}, undefined],
    ['https://broker.example', { HTTPS_PROXY: 'http://proxy:3128' }, 'proxy:3128'],
    ['https://broker.example', { https_proxy: 'proxy:3128', HTTPS_PROXY: 'http://other' }, 'proxy:3128'],
    ['http://broker.example', { HTTPS_PROXY: 'http://proxy:3128' }, undefined],
    ['https://broker.example', { HTTPS_PROXY: 'proxy', NO_PROXY: 'localhost, .example' }, undefined],
    ['https://broker.example', { HTTPS_PROXY: 'proxy', NO_PROXY: 'broker.example:8443' }, 'proxy'],
    ['https://broker.example:8443', { HTTPS_PROXY: 'proxy', no_proxy: 'BROKER.example:8443' }, undefined],
    ['https://broker.example', { HTTPS_PROXY: 'proxy', NO_PROXY: 'roker.example' }, 'proxy'],
    ['https://broker.example', { HTTPS_PROXY: 'proxy', NO_PROXY: '*' }, undefined],
  ])('for %s in %j is %s', (url, env, host) => {
    expect(proxyFor(new URL(url), env)?.host).toBe(host);
  });
});
