import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { sharedStore } from './plant-request.js';

// A response to HEAD never has a body (RFC 9110, section 9.3.2). Its Content-Length is that of the body that another
// method would get.

const store = await sharedStore();

const HEAD = 'HEAD /plants HTTP/1.1\r\nHost: a\r\n';
const CLOSE = 'Connection: close\r\n\r\n';

const REQUESTS: readonly [what: string, bytes: string][] = [
  ['well-formed', HEAD + CLOSE],
  ['to another path', `${HEAD.replace('/plants', '/trees')}${CLOSE}`],
  ['without Host', `HEAD /plants HTTP/1.1\r\n${CLOSE}`],
  ['with two Hosts', `${HEAD}Host: b\r\n${CLOSE}`],
  [
    'with a body that is too large',
    `${HEAD}Content-Length: 2000000\r\nConnection: close\r\n\r\n${'a'.repeat(2_000_000)}`,
  ],
];

test.concurrent.for(REQUESTS)(
  'HEAD %s gets a response without a body',
  async ([_what, bytes], { expect }) => {
    const socket = connect(store.port, '127.0.0.1').on('error', () => {});
    socket.write(bytes, 'latin1');
    const received = await text(socket.setEncoding('latin1'));
    expect(received.slice(received.indexOf('\r\n\r\n') + 4)).toBe('');
  },
);

test('fetch returns no body either', async () => {
  const response = await store.fetch(new Request('http://localhost/plants', { method: 'HEAD' }));
  expect([response.status, response.body]).toEqual([405, null]);
});
