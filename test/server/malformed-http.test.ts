import { describe, expect, test } from 'vitest';
import { plant, rejection } from './plant-request.js';
import { head, RawSocket, responseTo, sturdyStore, wholeRequest } from './raw-socket.js';

const store = await sturdyStore();

const MALFORMED: readonly [what: string, bytes: string | Uint8Array, says: string][] = [
  ['no HTTP at all', 'hello\r\n\r\n', 'not well-formed HTTP'],
  ['the beginning of TLS', Buffer.from('16030100a5010000a10303', 'hex'), 'not well-formed HTTP: it is TLS'],
  ['the beginning of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 'it is HTTP/2'],
  ['lines that end with LF', 'POST /plants HTTP/1.1\nHost: a\n\n', 'not well-formed HTTP'],
  ['a NUL in a header', head('A: \0'), 'Invalid header value char'],
  ['a folded header line', head('A: b', ' c', 'Content-Length: 0'), 'not well-formed HTTP'],
  ['two lengths', `${head('Content-Length: 5', 'Content-Length: 6')}abcdef`, 'Content-Length'],
  [
    'a length and chunks',
    `${head('Content-Length: 5', 'Transfer-Encoding: chunked')}0\r\n\r\n`,
    "Transfer-Encoding can't be present with Content-Length",
  ],
  ['a chunk size of letters', `${head('Transfer-Encoding: chunked')}zz\r\n`, 'chunk size'],
  [
    'an endless chunk extension',
    `${head('Transfer-Encoding: chunked')}1;${'a'.repeat(20_000)}`,
    'the chunk extensions are too large',
  ],
  ['a request line of 1 MiB', `POST /${'a'.repeat(2 ** 20)} HTTP/1.1\r\n`, 'larger than 16 KiB'],
  ['one header of 17 KiB', head(`A: ${'a'.repeat(17 * 1024)}`), 'larger than 16 KiB'],
  ['no Host', wholeRequest(plant(7)).replace('Host: localhost\r\n', ''), 'the Host header is missing'],
  ['two Hosts', wholeRequest(plant(7), 'Host: localhost'), 'more than one Host header'],
];

describe('malformed HTTP gets an Error', () => {
  test.each(MALFORMED)('%s', async (_what, bytes, says) => {
    const response = await responseTo(store.port, bytes);
    const rejected = rejection(response);
    expect(rejected).toMatchObject({ status: 400, name: 'malformed-http' });
    expect(rejected.message).toContain(says);
    expect(Number(response.headers['content-length'])).toBe(Buffer.byteLength(response.text));
  });

  test.each([
    ['in the body', `${head('Content-Length: 100')}{"name":`],
    ['in the headers', head().slice(0, -20)],
    ['in a chunk', `${head('Transfer-Encoding: chunked')}20\r\n{"name"`],
  ])('a client that shuts its side down %s', async (_where, bytes) => {
    using raw = await RawSocket.open(store.port);
    raw.socket.end(bytes);
    expect(rejection(await raw.response())).toMatchObject({ status: 400, name: 'malformed-http' });
    await raw.closed;
  });

  test.each([
    ['no HTTP at all', 'hello\r\n\r\n'],
    ['an endless header', `${head().slice(0, -2)}A: `],
  ])('%s, and 8 MiB more before the client reads', async (_what, bytes) => {
    using raw = await RawSocket.open(store.port);
    raw.write(bytes);
    await raw.sendUnread(Buffer.alloc(2 ** 23, 'a'));
    expect(rejection(await raw.response()).status).toBeGreaterThanOrEqual(400);
    await expect(raw.response()).rejects.toThrow('the connection ended after ""');
  });
});

describe('unusual, but well-formed', () => {
  test.each([
    ['HTTP/1.0 without Host', wholeRequest(plant(7)).replace('1.1\r\nHost: localhost', '1.0'), 200],
    ['an empty Host', wholeRequest(plant(7)).replace('Host: localhost', 'Host:'), 200],
    ['a wish for another protocol', wholeRequest(plant(7), 'Connection: Upgrade', 'Upgrade: websocket'), 200],
    ['a body in chunks', `${head('Transfer-Encoding: chunked')}16\r\n${plant(7)}\r\n0\r\nA: b\r\n\r\n`, 200],
  ])('%s', async (_what, bytes, status) => {
    expect((await responseTo(store.port, bytes)).status).toBe(status);
  });

  test('Expect: 100-continue gets a 100 first', async () => {
    using raw = await RawSocket.open(store.port);
    raw.write(head(`Content-Length: ${plant(7).length}`, 'Expect: 100-continue'));
    expect((await raw.response()).status).toBe(100);
    raw.write(plant(7));
    expect((await raw.response()).status).toBe(200);
  });
});
