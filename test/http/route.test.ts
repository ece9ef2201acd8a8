import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import {
  beginRequest,
  type Connecting,
  type OutgoingHead,
  routeTo,
  sendRequest,
  statusOf,
} from '../../src/http/route.js';

const CERTIFICATE = new URL('../conformance/providers/tls/certificate.pem', import.meta.url);

/** A server that keeps what it receives, and responds when it has received this. */
async function startRaw(last: string): Promise<{ readonly url: URL; readonly received: () => string }> {
  let received = '';
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1');
      if (received.endsWith(Buffer.from(last).toString('latin1')))
        socket.end('HTTP/1.1 200 OK\r\nX-A: 1\r\n\r\n{}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return { url: new URL(`http://127.0.0.1:${port}/base?q`), received: () => received };
}

/** The bytes of a request without a body. */
async function bytesOf(head: OutgoingHead, connecting?: Connecting): Promise<string> {
  const { url, received } = await startRaw('\r\n\r\n');
  const sent = beginRequest(routeTo(url, {}), head, connecting);
  await new Promise((resolve, reject) => {
    sent.once('response', (response) => response.resume().once('end', resolve)).once('error', reject);
    sent.end();
  });
  return received();
}

describe('a request', () => {
  test('has exactly the head that it was given', async () => {
    const headers = [
      ['hOsT', 'here'],
      ['X-B', '\xe4'],
      ['x-a', '1'],
      ['X-B', '2'],
      ['Connection', 'close'],
    ] as const;
    expect(await bytesOf({ method: 'GET', path: '/a%2f?b=+', headers })).toBe(
      'GET /a%2f?b=+ HTTP/1.1\r\nhOsT: here\r\nX-B: \xe4\r\nx-a: 1\r\nX-B: 2\r\nConnection: close\r\n\r\n',
    );
    expect(await bytesOf({ method: 'GET', headers })).toMatch(/^GET \/base\?q HTTP/);
  });

  test('without a length or chunks has neither, although Node adds an empty chunk for some methods', async () => {
    const headers = [
      ['Host', 'here'],
      ['Connection', 'close'],
    ] as const;
    const { url, received } = await startRaw('0\r\n\r\n');
    await new Promise((resolve) =>
      request(url, { method: 'POST', headers: headers.flat() }).once('response', resolve).end(),
    );
    expect(received()).toMatch(/Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n$/);
    expect(await bytesOf({ method: 'POST', path: '/', headers })).toBe(
      'POST / HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n',
    );
  });

  test('that is sent whole has the fields of the route after its own, and its length', async () => {
    const { url, received } = await startRaw('é');
    const route = routeTo(url, { headers: [['X-Key', 'k']] });
    const sent = { method: 'POST', headers: [['A', 'b']] as const, body: 'é' };
    const response = await sendRequest(route, sent, { timeoutMs: 60_000, longestBody: 2 });
    expect({ ...response, body: String(response.body) }).toEqual({
      status: 200,
      reason: 'OK',
      headers: [['X-A', '1']],
      body: '{}',
    });
    expect(received()).toBe(
      `POST /base?q HTTP/1.1\r\nHost: ${url.host}\r\nA: b\r\nX-Key: k\r\nContent-Length: 2\r\n` +
        `Connection: close\r\n\r\n${Buffer.from('é').toString('latin1')}`,
    );
  });
});

test('a Host that is given takes the place of that of the URL', async () => {
  const { url, received } = await startRaw('\r\n\r\n');
  const route = routeTo(url, { headers: [['host', 'plants.internal:81']] });
  await sendRequest(route, { method: 'GET', headers: [] }, { timeoutMs: 60_000, longestBody: 2 });
  expect(received()).toBe('GET /base?q HTTP/1.1\r\nHost: plants.internal:81\r\nConnection: close\r\n\r\n');
});

test('where only the status is asked for, a Host that is given takes the place of that of the URL', async () => {
  const { url, received } = await startRaw('\r\n\r\n');
  const route = routeTo(url, { headers: [['host', 'plants.internal:81']] });
  expect(await statusOf(route, { method: 'GET', headers: [] }, { timeoutMs: 60_000 })).toBe(200);
  expect(received()).toBe('GET /base?q HTTP/1.1\r\nHost: plants.internal:81\r\nConnection: close\r\n\r\n');
});

describe('a route', () => {
  const https = new URL('https://a.example');

  test('leaves out what is not given', () => {
    expect(routeTo(https, {})).toEqual({ url: https, headers: [] });
    expect(routeTo(https, { insecure: true, ca: undefined })).toEqual({
      url: https,
      headers: [],
      insecure: true,
    });
  });

  test.each([
    [{ ca: 'nonsense' }, 'the CA must be certificates in PEM'],
    [
      { ca: '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----' },
      'the CA must be certificates in PEM',
    ],
    [
      {
        ca: `${readFileSync(CERTIFICATE, 'utf8')}-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----`,
      },
      'the CA must be certificates in PEM',
    ],
    [{ cert: 'a' }, 'a client certificate needs both'],
    [{ headers: [['A', 'b\n']] as const }, 'the header "A" or its value cannot be sent as it is'],
    [{ headers: [['host', 'http://a']] as const }, 'the header "Host" must be a name or an address'],
    [{ headers: [['Host', '']] as const }, 'the header "Host" must be a name or an address'],
    [{ headers: [['Host', 'a'] as const, ['host', 'b'] as const] }, 'the header "Host" can be set only once'],
  ])('cannot be made of %j', (options, message) => {
    expect(() => routeTo(https, options)).toThrow(message);
  });
});
