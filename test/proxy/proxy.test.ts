import type { ServerResponse } from 'node:http';
import { type FailedRequest, startProxy } from 'plant-store-contract/proxy';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { certificate, startTls } from '../conformance/providers/tls.js';
import { startReader } from '../pact/verification/provider.js';

const headers = { authorization: 'Bearer secret', 'content-type': 'application/json' };
const PLANT = { method: 'POST', headers, body: '{"name":"Aloe","id":7}' };

test('close waits for exchanges under way, and judges those that wait', async () => {
  const responses: ServerResponse[] = [];
  await using provider = await startReader((_request, response) => void responses.push(response));
  const proxy = await startProxy({ upstream: provider.url });
  const response = fetch(`${proxy.url}/plants`, PLANT);
  await expect.poll(() => responses.length).toBe(1);
  const closed = proxy.close();
  responses[0]?.writeHead(201, { 'content-type': 'application/json' }).end('{"name":"a"}');
  const report = await closed;
  expect((await response).status).toBe(201);
  expect(report).toMatchObject({ conclusion: 'does-not-conform', violationKinds: [{ keyword: 'status' }] });
});

const NOWHERE = 'http://127.0.0.1:9';

test.each([
  [{ upstream: 'nonsense' }, 'must be an absolute URL'],
  [{ upstream: NOWHERE, failOn: 'none' as 'both' }, 'got "none"'],
  [{ upstream: NOWHERE, port: 99_999 }, 'a port must be 0 to 65535; got 99999'],
  [{ upstream: NOWHERE, port: 1.5 }, 'a port must be'],
  [{ upstream: NOWHERE, host: '' }, 'the host to listen on must not be empty'],
  [{ upstream: NOWHERE, timeoutMs: 0 }, 'the timeout must be a whole number'],
  [{ upstream: NOWHERE, timeoutMs: 9_999_999_999 }, 'the timeout must be a whole number'],
  [{ upstream: 'https://127.0.0.1:9', ca: 'nonsense' }, 'the CA must be certificates in PEM'],
])('%o is rejected', async (options, says) => {
  const message = expect.stringContaining(says);
  await expect(startProxy(options)).rejects.toMatchObject({ code: 'invalid-option', message });
});

test('a port that is in use is an error', async () => {
  await using proxy = await startProxy({ upstream: NOWHERE });
  const again = startProxy({ upstream: NOWHERE, port: proxy.port });
  await expect(again).rejects.toMatchObject({ code: 'port-in-use' });
});

/** Sends a plant through a proxy, and says why it got no whole response. */
async function failuresOf(options: Parameters<typeof startProxy>[0]) {
  const failed: string[] = [];
  const onFailed = ({ request, reason }: FailedRequest) => void failed.push(`${request?.target}: ${reason}`);
  await using proxy = await startProxy({ ...options, onFailed });
  await fetch(`${proxy.url}/plants`, PLANT)
    .then((response) => response.text())
    .catch(() => {});
  return { failed, report: await proxy.report() };
}

describe('without a response of the upstream, the connection is closed, and the reason is reported', () => {
  test('if there is no upstream', async () => {
    const { failed, report } = await failuresOf({ upstream: NOWHERE });
    const reason = 'no response: connect ECONNREFUSED 127.0.0.1:9';
    expect(failed).toEqual([`/plants: ${reason}`]);
    // Only the request could be judged, which says nothing about the provider.
    expect(report).toMatchObject({
      conclusion: 'not-testable',
      traffic: { exchanges: 1, withoutResponse: 1, judgedRequests: 1, judgedResponses: 0 },
      sections: [{ title: 'Requests without a response of the upstream', items: [`1 × ${reason}`] }],
    });
  });

  test('if it takes too long', async () => {
    await using silent = await startReader(() => {});
    const { failed } = await failuresOf({ upstream: silent.url, timeoutMs: 200 });
    expect(failed).toEqual(['/plants: no response within 200 ms']);
    await using endless = await startReader((_request, response) => {
      response.writeHead(200, { 'content-length': '99' }).write('{"na');
    });
    const { report } = await failuresOf({ upstream: endless.url, timeoutMs: 200 });
    expect(report.sections).toMatchObject([{ items: ['1 × no response within 200 ms'] }]);
  });

  test('if its certificate is not known', async () => {
    await using provider = await startTls('secret');
    const how = [{}, { ca: certificate }, { insecure: true }];
    const failures = await Promise.all(
      how.map(async (options) => (await failuresOf({ upstream: provider.url, ...options })).failed),
    );
    expect(failures).toEqual([[expect.stringMatching(/certificate/)], [], []]);
  });
});

describe('a valid request that gets a reset', () => {
  test('counts as a violation of the provider', async () => {
    await using provider = await startReader((request) => void request.socket.resetAndDestroy());
    const { report } = await failuresOf({ upstream: provider.url });
    expect(report).toMatchObject({ conclusion: 'does-not-conform', traffic: { withoutResponse: 1 } });
    expect(report.findings[0]?.title).toMatch(/^response: a valid plant never gets a reset or no response/);
  });

  test('does not count if the client left', async () => {
    const client = new AbortController();
    await using provider = await startReader(() => client.abort());
    await using proxy = await startProxy({ upstream: provider.url });
    const sent = fetch(`${proxy.url}/plants`, { ...PLANT, signal: client.signal });
    await expect(sent).rejects.toThrow('aborted');
    await expect.poll(async () => (await proxy.report()).traffic.withoutResponse).toBe(1);
    expect((await proxy.report()).violationKinds).toEqual([]);
  });
});

test('under fake timers, a report comes, and the proxy closes while an upstream hangs', async () => {
  let responds = true;
  await using provider = await startReader((_request, response) => void (responds && response.end()));
  const proxy = await startProxy({ upstream: provider.url });
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  expect((await fetch(`${proxy.url}/plants`, PLANT)).status).toBe(200);
  expect((await proxy.report()).traffic.judgedResponses).toBe(1);
  responds = false;
  const waiting = fetch(`${proxy.url}/plants`, PLANT).catch(() => 'closed');
  await new Promise((resolve) => queueMicrotask(() => resolve(undefined)));
  expect((await proxy.close()).kind).toBe('proxy');
  await waiting;
});
