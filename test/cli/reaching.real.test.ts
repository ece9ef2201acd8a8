import { createServer, request } from 'node:http';
import { startPlantStore } from 'plant-store-contract/server';
import { describe, expect, onTestFinished, test } from 'vitest';
import { listen } from '../../src/http/address.js';
import { startMutualTls } from '../conformance/providers/tls.js';
import { plantStore, whileServing } from './console.js';

const token = 'a-token-of-these-tests';
const file = (name: string): string =>
  new URL(`../conformance/providers/tls/${name}`, import.meta.url).pathname;
const CA = ['--ca', file('certificate.pem')];
const CLIENT = ['--cert', file('certificate.pem'), '--key', file('key.pem')];

/** Runs `plant-store-contract proxy`, and creates a plant through it. */
async function proxied(upstream: string, flags: readonly string[]) {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const argv = ['proxy', '--upstream', upstream, '--reporter', 'json', ...flags];
  const { status, stdout } = await whileServing(argv, async (url) => {
    const request = { method: 'POST', headers, body: '{"name":"Aloe","id":1}' };
    await fetch(`${url}/plants`, request).then(
      (response) => response.text(),
      () => {},
    );
  });
  return { status, report: JSON.parse(stdout) };
}

describe('--header "Host: …"', () => {
  test('reaches a provider behind a server that chooses by Host', async () => {
    await using store = await startPlantStore({ token });
    const ingress = createServer((incoming, outgoing) => {
      const { method, url = '', headers } = incoming;
      if (headers.host !== 'plants.internal') {
        outgoing.writeHead(421).end();
        return;
      }
      const forwarded = request(store.url + url, { method, headers }, (response) => {
        outgoing.writeHead(response.statusCode ?? 500, response.headers);
        response.pipe(outgoing);
      });
      incoming.pipe(forwarded);
    });
    onTestFinished(() => void ingress.close());
    const { url } = await listen(ingress, '127.0.0.1', 0);
    const check = ['check', url, '--token', token, '--only', 'success', '--wait', '10s'];
    const { status, stdout } = await plantStore([...check, '--header', 'Host: plants.internal']);
    expect([status, stdout]).toEqual([0, expect.stringContaining('conforms')]);
    expect((await plantStore(check)).status).toBe(2);
  });
});

describe('a client certificate', () => {
  test('lets check and verify in', async () => {
    await using provider = await startMutualTls(token);
    const { url } = provider;
    const check = ['check', url, '--token', token, '--only', 'auth', ...CA];
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
    const { status, report } = await proxied(provider.url, CA);
    expect(JSON.stringify(report)).toContain('no response: tlsv13 alert certificate required"');
    // The upstream has read nothing, so nothing could be judged.
    expect([status, report.traffic.withoutResponse]).toEqual([2, 1]);
  });
});
