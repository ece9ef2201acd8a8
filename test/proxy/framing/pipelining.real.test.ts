import { connect } from 'node:net';
import { type FailedRequest, startProxy } from 'plant-store-contract/proxy';
import { expect, onTestFinished, test } from 'vitest';
import { startRaw } from '../raw.js';
import { exchange, statusesIn } from './client.mjs';
import { proxied } from './proxied.js';
import { startRecorder } from './recorder.mjs';

// Several requests on one connection, sent before a response is read.

const get = (target: string, ...fields: string[]): string =>
  [`GET ${target} HTTP/1.1`, 'Host: store', ...fields, '', ''].join('\r\n');
const AMBIGUOUS = get('/ambiguous', 'Connection: Content-Length', 'Content-Length: 2').concat('{}');
const MALFORMED = 'GET /malformed HTTP/1.1\r\nHost : store\r\n\r\n';
const BROKEN = get('/broken', 'Transfer-Encoding: chunked').concat('2\r\n{}\r\nx\r\n');

/** With an upstream that takes a moment for each response: so later requests wait. */
async function proxiedSlowly() {
  const { proxy, upstream, failed } = await proxied(
    () => new Promise((resolve) => setTimeout(() => resolve('HTTP/1.1 204 Done\r\n\r\n'), 20)),
  );
  const targets = (): string[] => upstream.requests.map(({ target }) => target);
  return { proxy, upstream, failed, targets };
}

test.each([
  ['ambiguous', AMBIGUOUS, 'Connection names content-length'],
  ['malformed', MALFORMED, 'Invalid header token'],
  ['broken', BROKEN, 'Invalid character in chunk size'],
  ['a CONNECT', 'CONNECT other:1 HTTP/1.1\r\nHost: other:1\r\n\r\n', 'CONNECT asks for a tunnel'],
])(
  'a request that is %s gets its 400 after the responses before it, and nothing follows',
  async (_what, bytes, reason) => {
    const { proxy, upstream, failed, targets } = await proxiedSlowly();
    const { received, hung } = await exchange(proxy.port, get('/1') + get('/2') + bytes + get('/3'));
    await upstream.idle();
    expect([statusesIn(received), hung]).toEqual([[204, 204, 400], false]);
    expect(targets()).toEqual(['/1', '/2']);
    expect(failed).toEqual([reason]);
  },
);

test('nothing is forwarded after a request that closes the connection', async () => {
  const { proxy, upstream, failed, targets } = await proxiedSlowly();
  const bytes = get('/1') + get('/2', 'Connection: close') + get('/3') + MALFORMED;
  const { received } = await exchange(proxy.port, bytes);
  await upstream.idle();
  expect([statusesIn(received), targets(), failed]).toEqual([[204, 204], ['/1', '/2'], []]);
});

const hanging = () => proxied(() => new Promise(() => {}));

test('nothing that waits is forwarded after the client is gone', async () => {
  const { proxy, upstream } = await hanging();
  const socket = connect(proxy.port, '127.0.0.1');
  socket.write(get('/1') + get('/2') + get('/3'));
  await expect.poll(() => upstream.requests).toHaveLength(1);
  socket.destroy();
  await upstream.idle();
  await proxy.close();
  expect(upstream.requests).toHaveLength(1);
});

test('what waits on a connection that the proxy closes is in its report', async () => {
  const upstream = await startRaw((socket) => void socket.destroy());
  const failed: string[] = [];
  const onFailed = ({ reason, count }: FailedRequest) => void failed.push(`${count} × ${reason}`);
  await using proxy = await startProxy({ upstream: upstream.url, onFailed });
  await exchange(proxy.port, get('/1') + get('/2') + get('/3') + MALFORMED);
  expect(failed).toContain('2 × its connection was closed before its turn');
  expect((await proxy.report()).sections[0]?.items).toEqual([
    '2 × not forwarded: its connection was closed before its turn',
    expect.stringMatching(/^1 × no response: |Invalid header token$/),
    expect.stringMatching(/^1 × no response: |Invalid header token$/),
  ]);
});

test('what is under way when the proxy stops is in its report, with this reason', async () => {
  const { proxy, upstream } = await hanging();
  const socket = connect(proxy.port, '127.0.0.1').on('error', () => {});
  socket.write(get('/1') + get('/2'));
  await expect.poll(() => upstream.requests).toHaveLength(1);
  expect((await proxy.close()).sections[0]?.items).toEqual([
    '1 × the proxy was stopped before a response',
    '1 × not forwarded: its connection was closed before its turn',
  ]);
});

test('a body that cannot be read does not reach its end at the upstream', async () => {
  const { proxy, upstream, failed } = await proxiedSlowly();
  const socket = connect(proxy.port, '127.0.0.1');
  socket.on('error', () => {});
  socket.write(get('/1', 'Transfer-Encoding: chunked').concat('2\r\n{}\r\n'));
  await expect.poll(() => upstream.open()).toBe(1);
  socket.write('x\r\n');
  await upstream.idle();
  expect([upstream.requests, upstream.incomplete()]).toEqual([[], 1]);
  expect(failed).toEqual(['the request cannot be read: Invalid character in chunk size']);
});

/** Whether a client that reads nothing can send 12 MiB of requests, more than fits into the buffers of its connection. */
async function sendsAll(port: number, first: string): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  socket.on('error', () => {}).pause();
  socket.write(first);
  const part = get('/1', `X-Long: ${'x'.repeat(1_000)}`).repeat(100);
  for (let sent = 0; sent < 12 * 2 ** 20; sent += part.length) {
    if (socket.write(part)) continue;
    const goesOn = await Promise.race([
      new Promise<true>((resolve) => socket.once('drain', () => resolve(true))),
      new Promise<false>((resolve) => setTimeout(() => resolve(false), 1_000)),
    ]);
    if (!goesOn) return false;
  }
  return true;
}

test('a client that sends many requests and reads nothing is read slowly', async () => {
  const upstream = await startRecorder(
    () => `HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n${'x'.repeat(100_000)}`,
  );
  onTestFinished(() => upstream.close());
  await using proxy = await startProxy({ upstream: upstream.url });
  expect(await sendsAll(proxy.port, get('/1'))).toBe(false);
});

// Nothing after it is a request, but Node keeps what it parses until its turn.
test.each([
  ['an ambiguous one', AMBIGUOUS],
  ['many ambiguous ones', AMBIGUOUS.repeat(100)],
])('nor is one that sends many after %s, while the upstream hangs', async (_what, bytes) => {
  const { proxy } = await hanging();
  expect(await sendsAll(proxy.port, get('/1') + bytes)).toBe(false);
});

test('a connection that was taken over by CONNECT does not keep the proxy from closing', async () => {
  const { proxy, upstream } = await hanging();
  const socket = connect(proxy.port, '127.0.0.1');
  socket.on('error', () => {});
  socket.write(`${get('/1')}CONNECT other:1 HTTP/1.1\r\nHost: other:1\r\n\r\n`);
  await expect.poll(() => upstream.requests).toHaveLength(1);
  await proxy.close();
});

// Node's parser is silent here. The connection to the upstream must not outlive the client.
test('a client that leaves within a request for an upgrade leaves no connection behind', async () => {
  const { proxy, upstream } = await proxied();
  const fields = ['Connection: Upgrade', 'Upgrade: h2c', 'Transfer-Encoding: chunked'];
  const { hung } = await exchange(proxy.port, `${get('/1', ...fields)}2\r\n{}}\r\n0\r\n\r\n`, 200);
  await upstream.idle();
  expect([hung, upstream.requests]).toEqual([true, []]);
});

test('a client that leaves after a CONNECT that waits leaves no connection behind', async () => {
  const { proxy, upstream } = await hanging();
  const socket = connect(proxy.port, '127.0.0.1');
  socket.write(`${get('/1')}CONNECT other:1 HTTP/1.1\r\nHost: other:1\r\n\r\n`);
  await expect.poll(() => upstream.requests).toHaveLength(1);
  // What it sends into its tunnel must not hide that it leaves.
  await new Promise((resolve) => socket.write('through the tunnel', resolve));
  socket.destroy();
  await upstream.idle();
});
