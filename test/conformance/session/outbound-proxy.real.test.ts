import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type CheckReport, checkConformance } from 'plant-store-contract/conformance';
import { startPlantStore } from 'plant-store-contract/server';
import { describe, expect, test } from 'vitest';
import { type Exchange, isUnprocessed } from '../../../src/conformance/exchange.js';
import { isSilence } from '../../../src/conformance/facts/stop.js';
import { creation, freshValues } from '../../../src/conformance/probe.js';
import { Connections } from '../../../src/conformance/session/connections.js';
import { send } from '../../../src/conformance/session/http.js';
import { OutboundProxy } from '../../../src/http/outbound-proxy.js';
import type { Route } from '../../../src/http/route.js';
import { startConnectProxy } from '../../http/connect-proxy.js';
import { certificate, startTls } from '../providers/tls.js';

const token = 'token-of-these-tests';
const options = { token, prism: false } as const;

const verdicts = ({ rules }: CheckReport): Record<string, string> =>
  Object.fromEntries(rules.map(({ id, verdict }) => [id, verdict]));

describe('through a proxy', () => {
  test('every request goes, and the verdicts are the same', async () => {
    await using store = await startPlantStore({ token, faults: ['leaks-id', 'turns-name-into-text'] });
    await using proxy = await startConnectProxy();
    const url = proxy.url.replace('//', '//me:p%40ss-word@');
    const quick = { ...options, baseUrl: store.url, quick: true };
    const report = await checkConformance({ ...quick, proxy: url });
    expect(verdicts(report)).toEqual(verdicts(await checkConformance(quick)));
    expect(new Set(proxy.asked.map(({ target }) => target))).toEqual(new Set([new URL(store.url).host]));
    expect(proxy.asked[0]?.authorization).toBe(`Basic ${btoa('me:p@ss-word')}`);
    expect(report.notes).toContain(
      `The requests went through the proxy at ${new URL(url).host}, and the times include it.`,
    );
    const commands = JSON.stringify(report.groups);
    expect(commands).toContain('--proxytunnel --proxy \\"$PLANT_STORE_PROXY\\"');
    for (const secret of ['p%40ss-word', 'p@ss-word', btoa('me:p@ss-word')])
      expect(JSON.stringify(report)).not.toContain(secret);
  });

  test('TLS is between the check and the provider, also while exploring', async () => {
    await using store = await startTls(token);
    await using proxy = await startConnectProxy();
    const shared = { ...options, baseUrl: store.url, proxy: proxy.url, only: ['success'] };
    const report = await checkConformance({ ...shared, ca: certificate, explore: { runs: 100, seed: 1 } });
    expect(report.conclusion).toBe('conforms');
    expect(report.exploration).toMatchObject({ failures: [], intermittent: {} });
    const untrusted = await checkConformance(shared);
    expect(untrusted.summary).toContain('TLS fails: self-signed certificate');
  });

  test.each(['a connection of its own', 'a kept connection', 'segments'])(
    'the bytes are the same: %s',
    async (how) => {
      const received: string[] = [];
      const server = createServer((socket: Socket) => {
        let text = '';
        socket.on('data', (bytes) => {
          text += bytes.toString('latin1');
          if (!text.endsWith('}')) return;
          received.push(text);
          text = '';
          socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}');
        });
        socket.on('error', () => {});
      }).listen(0, '127.0.0.1');
      await once(server, 'listening');
      await using proxy = await startConnectProxy();
      const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/plants`);
      const direct: Route = { url, headers: [['X-Trace', '1']], insecure: false };
      const through: Route = { ...direct, outbound: new OutboundProxy(new URL(proxy.url), 5_000) };
      const plain = creation(freshValues(token));
      const request =
        how === 'segments' ? { ...plain, transfer: { headCuts: [20], cutAfterHead: true } } : plain;
      for (const target of [direct, through]) {
        const kept = how === 'a kept connection' ? new Connections(target, 1) : undefined;
        const sending = { timeoutMs: 5_000, signal: new AbortController().signal, kept };
        const first = await send(target, request, sending);
        const second = await send(target, request, sending);
        expect([first.response?.status, second.response?.status]).toEqual([200, 200]);
        expect(second.reusedConnection).toBe(kept !== undefined);
        kept?.close();
      }
      expect(received.slice(0, 2)).toEqual(received.slice(2));
      expect(proxy.asked).toHaveLength(how === 'a kept connection' ? 1 : 2);
      server.close();
    },
  );
});

describe('a proxy that fails is no finding about the provider', () => {
  test.each([
    ['rejects', 'HTTP/1.1 407 Proxy Authentication Required\r\n\r\n', 'returned 407: it asks for a user'],
    ['reaches nobody', 'HTTP/1.1 502 Bad Gateway\r\n\r\n', 'returned 502: it cannot reach'],
    ['is silent', '', 'opened no tunnel within 270 ms'],
  ])('%s', async (_title, answer, why) => {
    await using store = await startPlantStore({ token });
    await using proxy = await startConnectProxy((client) => {
      if (answer !== '') client.end(answer);
      return true;
    });
    const report = await checkConformance({
      ...options,
      baseUrl: store.url,
      proxy: proxy.url,
      timeoutMs: 300,
    });
    expect(report.conclusion).toBe('not-testable');
    expect(report.summary).toContain(`The provider could not be tested: `);
    expect(report.summary).toContain(`the proxy at ${new URL(proxy.url).host} ${why}`);
    expect(report.uncertainIds).toEqual([]);
  });

  test('is not there', async () => {
    const { url, close } = await startConnectProxy();
    await close();
    const report = await checkConformance({ ...options, baseUrl: 'http://a.example', proxy: url });
    expect(report.conclusion).toBe('not-testable');
    expect(report.summary).toContain(`the proxy at ${new URL(url).host}: connect ECONNREFUSED`);
  });

  test('ends during the check', async () => {
    await using store = await startPlantStore({ token });
    await using proxy = await startConnectProxy((_client, number) => {
      if (number === 20) void proxy.close();
      return number >= 20;
    });
    const report = await checkConformance({ ...options, baseUrl: store.url, proxy: proxy.url });
    expect(report.conclusion).toBe('incomplete');
    expect(report.notes.join()).toContain(`the last time: the proxy at ${new URL(proxy.url).host}`);
  });

  test('fails now and then', async () => {
    await using store = await startPlantStore({ token });
    await using proxy = await startConnectProxy((client, number) => {
      if (number % 20 === 0) client.end('HTTP/1.1 503 Service Unavailable\r\n\r\n');
      return number % 20 === 0;
    });
    const report = await checkConformance({ ...options, baseUrl: store.url, proxy: proxy.url });
    expect(report.conclusion).toBe('conforms');
    expect(report.notes.join()).toMatch(/It gave no connection \d+ times/);
  });

  test.each([
    ['the proxy ends with it', true],
    ['the proxy still works', false],
  ])('a response that breaks off is judged unless %s', async (_title, ends) => {
    await using proxy = await startConnectProxy();
    const server = createServer((socket: Socket) => {
      socket.on('error', () => {});
      socket.once('data', async () => {
        socket.write('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n{}');
        await sleep(50);
        if (ends) await proxy.close();
        else socket.end();
      });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/plants`);
    const outbound = new OutboundProxy(new URL(proxy.url), 5_000);
    const target: Route = { url, headers: [], insecure: false, outbound };
    const sending = { timeoutMs: 5_000, signal: new AbortController().signal };
    const { response, failure } = await send(target, creation(freshValues(token)), sending);
    if (ends)
      expect(failure).toMatchObject({
        kind: 'outbound-broke-off',
        message: expect.stringContaining(`the connection ended, and ${outbound.name}: connect ECONNREFUSED`),
      });
    else expect(response).toMatchObject({ status: 200, complete: false });
    server.close();
  });

  test.each(['outbound', 'outbound-broke-off'] as const)('%s is no silence of the provider', (kind) => {
    const exchange = { failure: { kind, message: '' } } as Exchange;
    expect(isSilence(exchange)).toBe(false);
    expect(isUnprocessed(exchange)).toBe(true);
  });
});
