// @ts-check
import { createServer } from 'node:net';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

const JSON_TYPE = 'Content-Type: application/json\r\n';
const MEBIBYTE = 2 ** 20;

/** @typedef {(socket: import('node:net').Socket, isValid: boolean) => void} Attack what a provider sends in response */

/**
 * A response with a length, which is a Plant or an Error with something more in it.
 *
 * @param {string | (() => string)} more
 * @param {string} headers
 * @param {(text: string) => Buffer} encode
 * @returns {Attack}
 */
function padded(more, headers = '', encode = Buffer.from) {
  /** @type {Buffer | undefined} */
  let plant;
  /** @type {Buffer | undefined} */
  let error;
  const made = (/** @type {string} */ start) =>
    encode(`${start}${typeof more === 'string' ? more : more()}}`);
  return (socket, isValid) => {
    plant ??= made('{"name":"Aloe"');
    error ??= made('{"error":1,"message":"no"');
    const body = isValid ? plant : error;
    const status = isValid ? '200 OK' : '400 Bad Request';
    socket.write(`HTTP/1.1 ${status}\r\n${JSON_TYPE}${headers}Content-Length: ${body.length}\r\n\r\n`);
    socket.end(body);
  };
}

/**
 * A beginning, and then the same for ever.
 *
 * @param {string} head
 * @param {string} chunk
 * @returns {Attack}
 */
function endless(head, chunk) {
  const bytes = Buffer.from(chunk.repeat(Math.ceil(65_536 / chunk.length)));
  return (socket) => {
    const go = () => {
      while (!socket.destroyed && socket.write(bytes));
    };
    socket.write(head);
    socket.on('drain', go);
    go();
  };
}

const OK = `HTTP/1.1 200 OK\r\n${JSON_TYPE}`;
const fields = (/** @type {number} */ bytes) => {
  let text = '';
  for (let at = 0; text.length < bytes; at++) text += `,"f${at}":${at}`;
  return text;
};

/**
 * Everything that a provider can send to fill the memory or the time of those who read it.
 *
 * @satisfies {Record<string, Attack>}
 */
const ATTACKS = {
  '849 KiB of unknown fields': padded(() => fields(849 * 1024)),
  'one key of 1 MB, and one key 150,000 times': padded(
    () => `,"${'k'.repeat(1e6)}":{"a":1${',"a":1'.repeat(150_000)}}`,
  ),
  '600,000 arrays': padded(() => `,"x":[${'[],'.repeat(600_000)}[]]`),
  'JSON that is 400,000 levels deep': padded(() => `,"x":${'['.repeat(400_000)}${']'.repeat(400_000)}`),
  'objects that are 300,000 levels deep': padded(
    () => `,"x":${'{"a":'.repeat(300_000)}1${'}'.repeat(300_000)}`,
  ),
  'a number of 900,000 digits': padded(() => `,"x":${'9'.repeat(900_000)}`),
  'a message of 1.8 MB': padded(() => `,"message":"${'x'.repeat(1_800_000)}"`),
  'a string of 1.8 MB': padded(() => `,"x":"${'é'.repeat(900_000)}"`),
  'gzip that decodes to 1 GiB': padded(
    () => '',
    'Content-Encoding: gzip\r\n',
    () => bomb(1),
  ),
  'br that decodes to 256 MiB': padded(
    () => '',
    'Content-Encoding: br\r\n',
    () => brotliBomb(),
  ),
  'gzip in gzip that decodes to 1 GiB': padded(
    () => '',
    'Content-Encoding: gzip, gzip\r\n',
    () => bomb(2),
  ),
  'gzip of 1.9 MB of fields': padded(
    () => fields(1_900_000),
    'Content-Encoding: gzip\r\n',
    (text) => gzipSync(text),
  ),
  '100,000 content codings': padded('', `Content-Encoding: ${'gzip,'.repeat(20_000)}gzip\r\n`),
  'an endless body': endless(`${OK}\r\n`, 'x'),
  'a body of 1 GiB': endless(`${OK}Content-Length: ${1024 * MEBIBYTE}\r\n\r\n`, 'x'),
  'endless chunks of one byte': endless(`${OK}Transfer-Encoding: chunked\r\n\r\n`, '1\r\nx\r\n'),
  'an endless chunk extension': endless(`${OK}Transfer-Encoding: chunked\r\n\r\n1;`, 'x'),
  'endless trailers': endless(`${OK}Transfer-Encoding: chunked\r\n\r\n0\r\n`, 'X-A: b\r\n'),
  'endless headers': endless('HTTP/1.1 200 OK\r\n', `X-A: ${'x'.repeat(1000)}\r\n`),
  'endless 100 Continue': endless('', 'HTTP/1.1 100 Continue\r\n\r\n'),
  'endless 103 Early Hints': endless('', 'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n'),
  '1,900 header fields': padded('', 'A: b\r\n'.repeat(1_900)),
  '14,000 cookies': padded('', 'Set-Cookie: a=b\r\n'.repeat(14_000)),
  'endless bytes after the response': endless(`${OK}Content-Length: 15\r\n\r\n{"name":"Aloe"}`, 'x'),
  'one byte at a time': (socket) => {
    socket.write(`${OK}Content-Length: 100000\r\n\r\n`);
    const timer = setInterval(() => (socket.destroyed ? clearInterval(timer) : socket.write('x')), 50);
  },
};

/** @typedef {keyof typeof ATTACKS} AttackName */

/** The names of all of them. */
export const ATTACK_NAMES = /** @type {AttackName[]} */ (Object.keys(ATTACKS));

function brotliBomb() {
  const params = { [constants.BROTLI_PARAM_QUALITY]: 4 };
  return brotliCompressSync(Buffer.alloc(256 * MEBIBYTE, ' '), { params });
}

/** Members of a gzip file are decoded one after the other. @param {number} times */
function bomb(times) {
  /** @type {Buffer} */
  let bytes = Buffer.concat(Array(64).fill(gzipSync(Buffer.alloc(16 * MEBIBYTE, ' '))));
  for (let at = 1; at < times; at++) bytes = gzipSync(bytes);
  return bytes;
}

/**
 * Starts a provider that responds to every request with one attack. A request without an id, or with another token than
 * "secret", is not valid.
 *
 * @param {AttackName} name
 */
export async function startHostileProvider(name) {
  /** @type {Set<import('node:net').Socket>} */
  const sockets = new Set();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
    let received = '';
    socket.on('data', function read(chunk) {
      received += chunk.toString('latin1');
      const headEnd = received.indexOf('\r\n\r\n');
      const [, length = '0'] = /content-length: *(\d+)/i.exec(received) ?? [];
      if (headEnd < 0 || received.length < headEnd + 4 + Number(length)) return;
      socket.off('data', read).resume();
      ATTACKS[name](socket, /^POST .*"id":\s*\d+/s.test(received) && received.includes('Bearer secret\r\n'));
    });
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  return {
    url: `http://127.0.0.1:${port}`,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
