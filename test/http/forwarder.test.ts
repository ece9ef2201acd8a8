import { type AddressInfo, connect, createServer } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { ForwardedExchange } from '../../src/http/exchange.js';
import { startForwarder } from '../../src/http/forwarder.js';
import { endToEnd } from '../../src/http/framing.js';
import { certificate, startTls } from '../conformance/providers/tls.js';

/** A server that responds to every connection with these bytes, and keeps what it receives. */
async function startRaw(response: string, ends = true): Promise<{ url: string; sent: () => string }> {
  let sent = '';
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.on('data', (chunk) => {
      sent += chunk.toString('latin1');
      if (!sent.includes('\r\n\r\n') || (/chunked/i.test(sent) && !sent.includes('\r\n0\r\n'))) return;
      if (ends) socket.end(response, 'latin1');
      else socket.write(response, 'latin1');
    });
  });
  return { url: await listening(server), sent: () => sent };
}

async function listening(server: ReturnType<typeof createServer>): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Sends bytes to a forwarder in front of an upstream, and returns everything that comes back. */
async function through(
  baseUrl: string,
  request: string,
  options: Partial<Parameters<typeof startForwarder>[0]> = {},
): Promise<{ response: string; exchanges: ForwardedExchange[] }> {
  const exchanges: ForwardedExchange[] = [];
  await using forwarder = await startForwarder({
    ...{
      upstream: { url: new URL(baseUrl), headers: [] },
      timeoutMs: 60_000,
      onExchange: (seen) => void exchanges.push(seen),
    },
    ...options,
  });
  const socket = connect(Number(new URL(forwarder.url).port), '127.0.0.1');
  socket.on('error', () => {});
  socket.write(request, 'latin1');
  socket.setEncoding('latin1');
  const response = await text(socket).catch(() => '');
  return { response, exchanges };
}

const POST =
  'POST /plants?a=%2f+b HTTP/1.1\r\nhOsT: here\r\nX-B: 2\r\nx-a: 1\r\nX-B: \xe4\r\nConnection: close, X-Hop\r\nX-Hop: 1\r\n';
const BODY = '{"id": 9007199254740993, "a":1.0}\n';

describe('a request', () => {
  test('is forwarded unchanged: method, target, header names and values in order, and body', async () => {
    const upstream = await startRaw('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n');
    const request = `${POST}content-length: ${BODY.length}\r\nX-Last: \r\n\r\n${BODY}`;
    const { exchanges } = await through(`${upstream.url}/base/`, request);
    const host = new URL(upstream.url).host;
    expect(upstream.sent()).toBe(
      `POST /base/plants?a=%2f+b HTTP/1.1\r\nhOsT: ${host}\r\nX-B: 2\r\nx-a: 1\r\nX-B: \xe4\r\n` +
        `content-length: ${BODY.length}\r\nX-Last: \r\nConnection: keep-alive\r\n\r\n${BODY}`,
    );
    expect(Buffer.from(exchanges[0]?.request.body ?? []).toString()).toBe(BODY);
  });
});

describe('a response', () => {
  const send = `${POST}Content-Length: 0\r\n\r\n`;

  test('that never comes leaves the request without a response', async () => {
    const upstream = await startRaw('', false);
    const outcome = await through(upstream.url, send, { timeoutMs: 300 });
    expect(outcome.response).toBe('');
    expect(outcome.exchanges[0]?.failure).toBe('no response within 300 ms');
  });

  test('that never ends is cut at the time limit', async () => {
    const upstream = await startRaw('HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n{"na', false);
    const outcome = await through(upstream.url, send, { timeoutMs: 300 });
    expect(outcome.exchanges[0]?.failure).toBe('no response within 300 ms');
  });
});

test('TLS: with its certificate, with any, or not at all', async () => {
  await using provider = await startTls('a-token');
  const send = `${POST}Content-Length: 0\r\n\r\n`;
  const how = [{}, { ca: certificate }, { insecure: true }];
  const failures = await Promise.all(
    how.map(async (options) => {
      const { exchanges } = await through(provider.url, send, {
        upstream: { url: new URL(provider.url), headers: [], ...options },
      });
      return exchanges[0]?.failure;
    }),
  );
  expect(failures).toEqual([expect.stringMatching(/certificate/), undefined, undefined]);
});

test('fields about one connection are not forwarded', () => {
  const fields = [
    ['Connection', 'a , B'],
    ['A', '1'],
    ['b', '2'],
    ['Keep-Alive', 'timeout=5'],
    ['C', '3'],
  ] as const;
  expect(endToEnd(fields)).toEqual([['C', '3']]);
});

test('what Connection names never changes where a message ends', () => {
  const length = ['Content-Length', '3'] as const;
  expect(endToEnd([['Connection', 'Content-Length, X'], length, ['X', '1']])).toEqual([length]);
});
