import type { ServerResponse } from 'node:http';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { type JudgedExchange, startProxy } from 'plant-store-contract/proxy';
import { type FaultName, startPlantStore } from 'plant-store-contract/server';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { startReader } from '../pact/verification/provider.js';

const token = 'a-token-of-these-tests';

async function proxied(faults: FaultName[] = [], options: Partial<Parameters<typeof startProxy>[0]> = {}) {
  const store = await startPlantStore({ token, faults });
  const proxy = await startProxy({ upstream: store.url, ...options });
  onTestFinished(async () => {
    await proxy.close();
    await store.close();
  });
  const send = (body: string, headers: Record<string, string> = {}, path = '/plants'): Promise<Response> =>
    fetch(proxy.url + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
      body,
    });
  return { store, proxy, send };
}

describe('traffic is judged', () => {
  test('that conforms', async () => {
    const { proxy, send } = await proxied();
    for (const id of [1, 2, 3]) expect((await send(`{"name":"Aloe","id":${id}}`)).status).toBe(200);
    expect(await proxy.report()).toMatchObject({
      conclusion: 'conforms',
      traffic: { exchanges: 3, judged: 3, withoutResponse: 0 },
      violations: { request: 0, response: 0 },
      violationKinds: [],
    });
  });

  test('violations are counted by kind, the first of each in words', async () => {
    const { proxy, send } = await proxied(['leaks-id']);
    for (const id of [1, 2]) await send(`{"name":"Aloe","id":${id}}`);
    await send('{"name":"Aloe"}');
    const { violationKinds, violations, conclusion } = await proxy.report();
    expect(conclusion).toBe('does-not-conform');
    expect(violations).toEqual({ request: 1, response: 2 });
    const [leak, missing] = violationKinds;
    expect(leak).toMatchObject({ side: 'response', pointer: '/id', count: 2 });
    expect(leak?.message).toBe('a Plant has no field "id"; got 1');
    expect(missing).toMatchObject({
      side: 'request',
      pointer: '/id',
      keyword: 'required',
      count: 1,
    });
  });

  test.each([
    ['response', 'conforms'],
    ['request', 'does-not-conform'],
    ['both', 'does-not-conform'],
  ] as const)(
    'a wrong request that is rejected: with failOn %s the traffic %s',
    async (failOn, conclusion) => {
      const { proxy, send } = await proxied([], { failOn });
      expect((await send('{"name":"Aloe"}')).status).toBe(400);
      expect((await proxy.report()).conclusion).toBe(conclusion);
    },
  );

  test('only POST …/plants; without any, nothing was judged', async () => {
    const { proxy, send } = await proxied();
    await send('{}', {}, '/trees');
    await fetch(`${proxy.url}/plants`);
    expect(await proxy.report()).toMatchObject({
      traffic: { exchanges: 2, judged: 0 },
      conclusion: 'not-testable',
    });
  });

  test('compressed bodies are decoded, and long ones are reported, not judged', async () => {
    await using provider = await startReader((_request, response, body) => {
      const sent = body.length > 1000 ? Buffer.alloc(3_000_000, 'x') : gzipSync('{"name":"Aloe","id":7}');
      const coding = body.length > 1000 ? {} : { 'content-encoding': 'gzip' };
      response.writeHead(200, { 'content-type': 'application/json', ...coding }).end(sent);
    });
    const judged: JudgedExchange[] = [];
    await using proxy = await startProxy({
      upstream: provider.url,
      onJudged: (one) => void judged.push(one),
    });
    const headers = { authorization: 'Bearer secret', 'content-type': 'application/json' };
    for (const body of ['{"name":"Aloe","id":7}', 'x'.repeat(2_500_000)])
      await (await fetch(`${proxy.url}/plants`, { method: 'POST', headers, body })).arrayBuffer();
    const { violationKinds } = await proxy.report();
    expect(violationKinds).toMatchObject([{ side: 'response', pointer: '/id', count: 1 }]);
    expect(judged[1]?.notes).toEqual([
      'the request was forwarded, not judged: its body has 2500000 bytes, and the proxy kept 2097152',
      'the response was forwarded, not judged: its body has 3000000 bytes, and the proxy kept 2097152',
    ]);
  });

  test('its memory does not grow with the names of unknown fields', async () => {
    await using provider = await startReader((_request, response, body) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(body);
    });
    await using proxy = await startProxy({ upstream: provider.url });
    const headers = { authorization: 'Bearer secret', 'content-type': 'application/json' };
    // A body has 10 violations at most.
    for (let at = 0; at < 30; at++) {
      const fields = Array.from({ length: 9 }, (_, i) => `"f${at}-${i}":1`).join(',');
      await fetch(`${proxy.url}/plants`, { method: 'POST', headers, body: `{"name":"a","id":7,${fields}}` });
    }
    const { violationKinds, violations } = await proxy.report();
    expect(violationKinds).toHaveLength(200);
    expect(violations.response).toBe(300);
  });
});

test('close waits for exchanges under way, and judges those that wait', async () => {
  const responses: ServerResponse[] = [];
  await using provider = await startReader((_request, response) => void responses.push(response));
  const proxy = await startProxy({ upstream: provider.url });
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const body = '{"name":"Aloe","id":7}';
  const response = fetch(`${proxy.url}/plants`, { method: 'POST', headers, body });
  await expect.poll(() => responses.length).toBe(1);
  const closed = proxy.close();
  responses[0]?.writeHead(201, { 'content-type': 'application/json' }).end('{"name":"a"}');
  const report = await closed;
  expect((await response).status).toBe(201);
  expect(report).toMatchObject({ conclusion: 'does-not-conform', violations: { response: 1 } });
});

describe('a proxy', () => {
  test.each([
    [{ upstream: 'nonsense' }, /must be an absolute URL/],
    [{ upstream: 'http://127.0.0.1:9', failOn: 'none' as 'both' }, /got "none"/],
    [{ upstream: 'http://127.0.0.1:9', port: 99_999 }, /a port must be 0 to 65535; got 99999/],
    [{ upstream: 'http://127.0.0.1:9', port: 1.5 }, /a port must be/],
    [{ upstream: 'http://127.0.0.1:9', timeoutMs: 0 }, /1 to 2147483647 ms; got 0/],
    [{ upstream: 'http://127.0.0.1:9', timeoutMs: 9_999_999_999 }, /1 to 2147483647 ms/],
    [{ upstream: 'https://127.0.0.1:9', ca: 'nonsense' }, /contains no certificate/],
    [
      {
        upstream: 'https://127.0.0.1:9',
        ca: '-----BEGIN CERTIFICATE-----\nYWJj\n-----END CERTIFICATE-----\n',
      },
      /cannot be read/,
    ],
  ])('%o is rejected', async (options, message) => {
    await expect(startProxy(options)).rejects.toMatchObject({ code: 'invalid-option', message });
  });

  test('says that a port is in use', async () => {
    const { proxy } = await proxied();
    await expect(startProxy({ upstream: proxy.url, port: proxy.port })).rejects.toMatchObject({
      code: 'port-in-use',
    });
  });

  test('closes connections if there is no upstream, and says so', async () => {
    const failed: string[] = [];
    await using proxy = await startProxy({
      ...{ upstream: 'http://127.0.0.1:9' },
      onFailed: ({ request, reason }) => void failed.push(`${request?.target}: ${reason}`),
    });
    await expect(fetch(proxy.url)).rejects.toThrow();
    await expect(fetch(`${proxy.url}/plants`, { method: 'POST', body: '{}' })).rejects.toThrow();
    // Only the request could be judged, which says nothing about the provider.
    expect(await proxy.report()).toMatchObject({
      conclusion: 'not-testable',
      traffic: { exchanges: 2, withoutResponse: 2, judged: 1, judgedRequests: 1, judgedResponses: 0 },
      failures: [{ reason: 'no response: connect ECONNREFUSED 127.0.0.1:9', count: 2 }],
    });
    expect(failed).toEqual(
      ['/', '/plants'].map((path) => `${path}: no response: connect ECONNREFUSED 127.0.0.1:9`),
    );
  });
});

describe('a body that nobody can decode is a violation', () => {
  const gzipped = gzipSync('{"name":"Aloe"}');
  const broken = Buffer.from(gzipped);
  broken[broken.length - 6] = (broken[broken.length - 6] ?? 0) ^ 0xff;

  test.for<readonly [what: string, coding: string, body: Buffer]>([
    ['plain text as gzip', 'gzip', Buffer.from('{"name":"Aloe"}')],
    ['gzip that is cut off', 'gzip', gzipped.subarray(0, 20)],
    ['gzip with a wrong checksum', 'gzip', broken],
    ['plain text as br', 'br', Buffer.from('{"name":"Aloe"}')],
    ['br that is cut off', 'br', brotliCompressSync('{"name":"Aloe"}').subarray(0, 8)],
  ])('%s', async ([, coding, body]) => {
    await using provider = await startReader((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': coding }).end(body);
    });
    await using proxy = await startProxy({ upstream: provider.url });
    const headers = { authorization: 'Bearer secret', 'content-type': 'application/json' };
    const sent = fetch(`${proxy.url}/plants`, { method: 'POST', headers, body: '{"name":"Aloe","id":7}' });
    await sent.then((response) => response.arrayBuffer()).catch(() => {});
    expect(await proxy.report()).toMatchObject({
      conclusion: 'does-not-conform',
      violationKinds: [{ side: 'response', part: 'body', keyword: 'content-encoding' }],
    });
  });
});

describe('a valid request that gets no response', () => {
  const headers = { authorization: 'Bearer secret', 'content-type': 'application/json' };
  const reset = () => startReader((request) => void request.socket.resetAndDestroy());

  test.each([
    ['response', '{"name":"Aloe","id":7}', 'does-not-conform'],
    ['both', '{"name":"Aloe","id":7}', 'does-not-conform'],
    ['request', '{"name":"Aloe","id":7}', 'conforms'],
    // Nobody knows how it is rejected.
    ['response', '{"name":7}', 'not-testable'],
  ] as const)(
    'counts as a violation of the provider: with failOn %s, %s %s',
    async (failOn, body, conclusion) => {
      await using provider = await reset();
      await using proxy = await startProxy({ upstream: provider.url, failOn });
      await expect(fetch(`${proxy.url}/plants`, { method: 'POST', headers, body })).rejects.toThrow();
      const report = await proxy.report();
      expect(report).toMatchObject({ conclusion, traffic: { withoutResponse: 1 } });
      if (conclusion === 'does-not-conform')
        expect(report.findings[0]?.title).toMatch(
          /^response: a valid plant never gets a reset or no response/,
        );
    },
  );

  test('does not count if the client left', async () => {
    await using provider = await startReader(() => {});
    await using proxy = await startProxy({ upstream: provider.url });
    const signal = AbortSignal.timeout(100);
    const body = '{"name":"Aloe","id":7}';
    await expect(fetch(`${proxy.url}/plants`, { method: 'POST', headers, body, signal })).rejects.toThrow();
    expect((await proxy.report()).violations).toEqual({ request: 0, response: 0 });
  });
});

test('under fake timers, a report comes and the proxy closes', async () => {
  const { proxy, send } = await proxied();
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  expect((await send('{"name":"Aloe","id":1}')).status).toBe(200);
  expect((await proxy.report()).traffic.judged).toBe(1);
  expect((await proxy.close()).conclusion).toBe('conforms');
});

test('under fake timers, the proxy closes while an upstream hangs', async () => {
  await using provider = await startReader(() => {});
  const proxy = await startProxy({ upstream: provider.url });
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const waiting = fetch(`${proxy.url}/plants`, { method: 'POST', body: '{}' }).catch(() => 'closed');
  await new Promise((resolve) => queueMicrotask(() => resolve(undefined)));
  expect((await proxy.close()).kind).toBe('proxy');
  await waiting;
});
