import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { exchange } from './client.mjs';
import { proxied } from './proxied.js';

// Clients that leave where Node's parser is silent. The connection to the upstream must not outlive them.

const UPGRADE = 'POST /plants HTTP/1.1\r\nHost: store\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n';
const CHUNKED = `${UPGRADE}Transfer-Encoding: chunked\r\n\r\n`;

test('a client that leaves within a request for an upgrade leaves no connection behind', async () => {
  const { proxy, upstream } = await proxied();
  const { hung } = await exchange(proxy.port, `${CHUNKED}2\r\n{}}\r\n0\r\n\r\n`, 200);
  await upstream.idle();
  expect([hung, upstream.requests]).toEqual([true, []]);
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
