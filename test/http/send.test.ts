import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { startPlantStore } from 'plant-store-contract/server';
import { describe, expect, test } from 'vitest';
import { type RouteOptions, routeTo, type SendOptions, sendRequest } from '../../src/http/route.js';
import { certificate, startTls } from '../conformance/providers/tls.js';

const options: SendOptions = { timeoutMs: 20_000, longestBody: 1_000 };

/** The status of a GET, which the reference server behind TLS answers with 404. */
async function statusAt(text: string, further: Partial<SendOptions & RouteOptions> = {}): Promise<number> {
  const url = new URL(text);
  const limits = { ...options, ...further };
  const route = routeTo(url, further);
  return (await sendRequest(route, { method: 'GET', headers: [] }, limits)).status;
}

describe('TLS', () => {
  test('a certificate must be trusted, unless any is', async () => {
    await using server = await startTls('secret');
    await expect(statusAt(server.url)).rejects.toThrow('self-signed certificate');
    expect(await statusAt(server.url, { ca: certificate })).toBe(404);
    expect(await statusAt(server.url, { insecure: true })).toBe(404);
  });

  test('a Host that is given also says which certificate is expected', async () => {
    await using server = await startTls('secret');
    const ca = certificate;
    expect(await statusAt(server.url, { ca, headers: [['Host', 'localhost']] })).toBe(404);
    await expect(statusAt(server.url, { ca, headers: [['Host', 'a.example']] })).rejects.toThrow('a.example');
  });
});

describe('limits', () => {
  test('a stopped request ends at once', async () => {
    const silent = createServer().listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as AddressInfo;
    const stop = new AbortController();
    const sent = statusAt(`http://127.0.0.1:${port}`, { signal: stop.signal });
    stop.abort();
    await expect(sent).rejects.toThrow(/abort/);
    silent.close();
  });

  test('a response that is too long is given up', async () => {
    await using store = await startPlantStore({ token: 'secret' });
    await expect(statusAt(store.url, { longestBody: 10 })).rejects.toThrow('is longer than 10 bytes');
  });
});
