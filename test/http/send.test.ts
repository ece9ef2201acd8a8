import { startPlantStore } from 'plant-store-contract/server';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { outboundProxyFor } from '../../src/http/outbound-proxy.js';
import { type RouteOptions, routeTo, type SendOptions, sendRequest } from '../../src/http/route.js';
import { certificate, startTls } from '../conformance/providers/tls.js';
import { startConnectProxy } from './connect-proxy.js';

const options: SendOptions = { timeoutMs: 20_000, longestBody: 1_000 };

/** The status of a GET, which the reference server behind TLS answers with 404. */
async function statusAt(text: string, further: Partial<SendOptions & RouteOptions> = {}): Promise<number> {
  const url = new URL(text);
  const limits = { ...options, ...further };
  const route = routeTo(url, { proxy: outboundProxyFor(url, process.env), ...further }, limits.timeoutMs);
  return (await sendRequest(route, { method: 'GET', headers: [] }, limits)).status;
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
    const server = await startConnectProxy(() => true);
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

describe('a proxy', () => {
  test('gets the requests by HTTPS, with its user and password, and cannot read them', async () => {
    await using server = await startTls('secret');
    const proxy = await startConnectProxy();
    vi.stubEnv('HTTPS_PROXY', proxy.url.replace('//', '//me:p%40ss@'));
    // Only the proxy knows this name.
    const url = `https://broker.test:${new URL(server.url).port}`;
    expect(await statusAt(url, { insecure: true })).toBe(404);
    expect(proxy.asked).toEqual([{ target: new URL(url).host, authorization: `Basic ${btoa('me:p@ss')}` }]);
    await expect(statusAt(url)).rejects.toThrow('self-signed certificate');
    await expect(statusAt(url, { ca: certificate })).rejects.toThrow('does not match');
    await proxy.close();
  });

  test('that does not open a tunnel in time is given up', async () => {
    const proxy = await startConnectProxy(() => true);
    vi.stubEnv('HTTPS_PROXY', proxy.url);
    await expect(statusAt('https://broker.example', { timeoutMs: 1_000 })).rejects.toThrow(
      / opened no tunnel within 900 ms$/,
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
    ['http://a.example', { HTTP_PROXY: 'http://proxy:3128' }, 'proxy:3128'],
    ['http://a.example', { HTTP_PROXY: 'http://proxy:3128', REQUEST_METHOD: 'GET' }, undefined],
    ['http://a.example', { http_proxy: 'proxy', REQUEST_METHOD: 'GET' }, 'proxy'],
    ['http://a.example', { ALL_PROXY: 'https://proxy' }, 'proxy'],
    ['https://a.example', { https_proxy: '', ALL_PROXY: 'proxy' }, undefined],
    ['http://localhost:3000', { HTTP_PROXY: 'proxy' }, undefined],
    ['http://127.0.0.1:3000', { ALL_PROXY: 'proxy' }, undefined],
    ['https://[::1]:3000', { HTTPS_PROXY: 'proxy' }, undefined],
    ['http://build:3000', { HTTP_PROXY: 'proxy', NO_PROXY: 'a.example build' }, undefined],
    ['http://10.0.0.1:3000', { HTTP_PROXY: 'proxy', NO_PROXY: '10.0.0.0/8' }, undefined],
    ['http://11.0.0.1:3000', { HTTP_PROXY: 'proxy', NO_PROXY: '10.0.0.0/8,11.0.0.0/99,a/8' }, 'proxy'],
    ['http://[fd00::1]:3000', { HTTP_PROXY: 'proxy', NO_PROXY: 'fd00::1' }, undefined],
    ['http://[fd00::1]:3000', { HTTP_PROXY: 'proxy', NO_PROXY: '[fd00::1]:3000' }, undefined],
    ['http://[fd00::1]', { HTTP_PROXY: 'proxy', NO_PROXY: 'fd00::/8' }, undefined],
    ['http://[fd00::1]', { HTTP_PROXY: 'proxy', NO_PROXY: 'fd00::2/128, [fd00::2]:80' }, 'proxy'],
    ['http://a.example', { HTTP_PROXY: 'proxy', NO_PROXY: '.a.example.' }, undefined],
  ])('for %s in %j is %s', (url, env, host) => {
    expect(outboundProxyFor(new URL(url), env)?.host).toBe(host);
  });

  test('that a flag names comes before those of the environment, but not before NO_PROXY', () => {
    const url = new URL('http://a.example');
    expect(outboundProxyFor(url, { HTTP_PROXY: 'other' }, 'proxy:1')?.host).toBe('proxy:1');
    expect(outboundProxyFor(url, { HTTP_PROXY: 'other' }, '')).toBeUndefined();
    expect(outboundProxyFor(url, { NO_PROXY: 'a.example' }, 'proxy:1')).toBeUndefined();
    expect(outboundProxyFor(new URL('http://localhost'), {}, 'proxy:1')?.host).toBe('proxy:1');
    expect(
      outboundProxyFor(new URL('http://localhost'), { NO_PROXY: 'localhost' }, 'proxy:1'),
    ).toBeUndefined();
  });

  test.each(['socks5://me:secret@proxy', 'http://', 'http://me:%zz@proxy', 'ftp://proxy'])(
    '%s is a usage error that shows no password',
    (text) => {
      const read = (): unknown => outboundProxyFor(new URL('http://a.example'), { HTTP_PROXY: text });
      expect(read).toThrow(
        /^HTTP_PROXY must be the URL of an HTTP proxy, such as http:\/\/proxy.example:3128$/,
      );
    },
  );
});
