import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { exchange, statusesIn } from './client.mjs';
import { proxied } from './proxied.js';

// Clients that leave where Node's parser is silent. The connection to the upstream must not outlive them.

const UPGRADE = 'POST /plants HTTP/1.1\r\nHost: store\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n';
const CHUNKED = `${UPGRADE}Transfer-Encoding: chunked\r\n\r\n`;

test.each([
  ['within its length', `${UPGRADE}Content-Length: 22\r\n\r\n{"name":`],
  ['within a chunk', `${CHUNKED}16\r\n{"name":`],
  ['after a chunk that is longer than its size', `${CHUNKED}2\r\n{}}\r\n0\r\n\r\n`],
  ['after a malformed chunk size', `${CHUNKED}2\r\n{}\r\nx\r\n`],
  ['between chunks', `${CHUNKED}2\r\n{}\r\n`],
])('a request for an upgrade that ends %s is rejected', async (_where, bytes) => {
  const { proxy, upstream, failed } = await proxied();
  const socket = connect({ port: proxy.port, host: '127.0.0.1', allowHalfOpen: true });
  let received = '';
  socket.on('data', (chunk) => {
    received += chunk.toString('latin1');
  });
  socket.write(bytes, 'latin1');
  await expect.poll(() => upstream.open()).toBe(1);
  socket.end();
  await upstream.idle();
  await expect.poll(() => statusesIn(received)).toEqual([400]);
  expect([upstream.requests, upstream.incomplete()]).toEqual([[], 1]);
  expect(failed).toEqual(['the request cannot be read: it ends within its body']);
  socket.destroy();
});

test('a client that leaves within a request for an upgrade leaves no connection behind', async () => {
  const { proxy, upstream } = await proxied();
  const { hung } = await exchange(proxy.port, `${CHUNKED}2\r\n{}}\r\n0\r\n\r\n`, 200);
  await upstream.idle();
  expect([hung, upstream.requests]).toEqual([true, []]);
});

test('a whole request for an upgrade is forwarded, and its client may close its side', async () => {
  const { proxy, upstream, failed } = await proxied();
  const socket = connect({ port: proxy.port, host: '127.0.0.1', allowHalfOpen: true });
  let received = '';
  socket.on('data', (chunk) => {
    received += chunk.toString('latin1');
  });
  socket.end(`${CHUNKED}2\r\n{}\r\n0\r\n\r\n`);
  await expect.poll(() => statusesIn(received)).toEqual([200]);
  await upstream.idle();
  expect([upstream.requests.length, failed]).toEqual([1, []]);
});

test('a client that leaves after a CONNECT that waits leaves no connection behind', async () => {
  const { proxy, upstream } = await proxied(() => new Promise(() => {}));
  const socket = connect(proxy.port, '127.0.0.1');
  socket.write('GET /1 HTTP/1.1\r\nHost: store\r\n\r\nCONNECT other:1 HTTP/1.1\r\nHost: other:1\r\n\r\n');
  await expect.poll(() => upstream.requests).toHaveLength(1);
  // What it sends into its tunnel must not hide that it leaves.
  await new Promise((resolve) => socket.write('through the tunnel', resolve));
  socket.destroy();
  await upstream.idle();
});
