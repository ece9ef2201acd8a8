import { verifyProvider } from 'plant-store-contract/pact';
import { startProxy } from 'plant-store-contract/proxy';
import { startPlantStore } from 'plant-store-contract/server';
import { describe, expect, test } from 'vitest';
import { certificate, key, startMutualTls } from '../conformance/providers/tls.js';
import { startConnectProxy } from '../http/connect-proxy.js';
import { plantStore } from './console.js';

const token = 'a-token-of-these-tests';
const file = (name: string): string =>
  new URL(`../conformance/providers/tls/${name}`, import.meta.url).pathname;
const CA = ['--ca', file('certificate.pem')];
const CLIENT = ['--cert', file('certificate.pem'), '--key', file('key.pem')];

/** Runs `plant-store proxy`, and creates a plant through it. */
async function proxied(upstream: string, flags: readonly string[]) {
  let stop = (): void => {};
  const untilStopped = new Promise<void>((resolve) => {
    stop = resolve;
  });
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const write = (text: string): void => {
    const [, url] = /^forwarding (\S+) to /.exec(text) ?? [];
    if (url === undefined) return;
    void fetch(`${url}/plants`, { method: 'POST', headers, body: '{"name":"Aloe","id":1}' })
      .then((response) => response.text())
      .catch(() => {})
      .finally(stop);
  };
  const argv = ['proxy', '--upstream', upstream, '--reporter', 'json', ...flags];
  const outcome = await plantStore(argv, { untilStopped: () => untilStopped, stderr: { write } });
  return { status: outcome.status, report: JSON.parse(outcome.stdout || '{}') };
}

describe('a client certificate', () => {
  test('lets check and verify in', async () => {
    await using provider = await startMutualTls(token);
    const { url } = provider;
    const check = ['check', url, '--token', token, '--only', 'auth', '--quick', ...CA];
    expect((await plantStore([...check, ...CLIENT])).status).toBe(0);
    expect((await plantStore(check)).status).toBe(2);
    const verify = ['verify', url, '--token', token, ...CA];
    const verified = await plantStore([...verify, ...CLIENT]);
    expect([verified.status, verified.stdout]).toEqual([0, expect.stringContaining('conforms')]);
    expect((await plantStore(verify)).status).toBe(2);
  });

  test('lets the proxy reach its upstream', async () => {
    await using provider = await startMutualTls(token);
    expect(await proxied(provider.url, [...CA, ...CLIENT])).toMatchObject({
      status: 0,
      report: { traffic: { judgedResponses: 1 } },
    });
    expect(await proxied(provider.url, CA)).toMatchObject({
      status: 2,
      report: { traffic: { withoutResponse: 1 } },
    });
  });
});

describe('an outbound proxy', () => {
  test('is on the way of verify, and of the proxy to its upstream', async () => {
    await using store = await startPlantStore({ token });
    await using outbound = await startConnectProxy();
    const env = { HTTP_PROXY: outbound.url };
    const verified = await plantStore(['verify', `http://provider.test:${store.port}`, '--token', token], {
      env,
    });
    expect([verified.status, verified.stdout]).toEqual([0, expect.stringContaining('conforms')]);
    const before = outbound.asked.length;
    expect(before).toBeGreaterThan(0);
    const { status, report } = await proxied(store.url, ['--proxy', outbound.url]);
    expect([status, report.notes]).toEqual([
      0,
      [`The upstream was reached through the proxy at ${new URL(outbound.url).host}.`],
    ]);
    expect(outbound.asked.length).toBe(before + 1);
  });

  test('lets TLS with a client certificate through', async () => {
    await using provider = await startMutualTls(token);
    await using outbound = await startConnectProxy();
    const options = { ca: certificate, cert: certificate, key, proxy: outbound.url };
    await using proxy = await startProxy({ upstream: provider.url, ...options, prism: false });
    const response = await fetch(`${proxy.url}/plants`, { method: 'DELETE' });
    expect(response.status).toBe(405);
    expect((await verifyProvider({ baseUrl: provider.url, token, ...options })).conclusion).toBe('conforms');
  });

  test('that fails is no finding about the provider', async () => {
    await using store = await startPlantStore({ token });
    await using outbound = await startConnectProxy((client) => {
      client.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n');
      return true;
    });
    const why = `the proxy at ${new URL(outbound.url).host} returned 407`;
    const verified = await verifyProvider({ baseUrl: store.url, token, proxy: outbound.url });
    expect(verified.conclusion).not.toBe('does-not-conform');
    expect(JSON.stringify(verified)).toContain(why);
    const { status, report } = await proxied(store.url, ['--proxy', outbound.url]);
    expect([status, report.failures]).toEqual([
      2,
      [expect.objectContaining({ reason: expect.stringContaining(why) })],
    ]);
  });
});
