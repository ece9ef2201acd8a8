import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { beforeAll, describe, expect, test } from 'vitest';
import { send, sharedStore } from './plant-request.js';

// A response to HEAD never has a body (RFC 9110, section 9.3.2). Its Content-Length is that of the body that another
// method would get.

const store = await sharedStore({ requestTimeoutMs: 200 });

/** The bodies of all responses on a connection, and the number of responses. */
async function bodiesAfter(
  parts: readonly string[],
  closesSide: boolean,
): Promise<[count: number, bodies: string]> {
  const socket = connect(store.port, '127.0.0.1').on('error', () => {});
  const received = text(socket.setEncoding('latin1')).catch(() => '');
  for (const [at, part] of parts.entries()) {
    // When a later request has its response, the server has read the part before.
    if (at > 0) await send(store.url);
    socket.write(part, 'latin1');
  }
  if (closesSide) socket.end();
  const heads = (await received).split(/(?=HTTP\/1\.1 )/);
  return [heads.length, heads.map((head) => head.slice(head.indexOf('\r\n\r\n') + 4)).join('')];
}

const HEAD = 'HEAD /plants HTTP/1.1\r\nHost: a\r\n';
const CLOSE = 'Connection: close\r\n\r\n';
const OTHER = `GET /plants HTTP/1.1\r\nHost: a\r\n\r\n`;

const REQUESTS: readonly [what: string, parts: string[], closesSide?: boolean][] = [
  ['well-formed', [HEAD + CLOSE]],
  ['to another path', [`${HEAD.replace('/plants', '/trees')}${CLOSE}`]],
  ['without Host', [`HEAD /plants HTTP/1.1\r\n${CLOSE}`]],
  ['with two Hosts', [`${HEAD}Host: b\r\n${CLOSE}`]],
  ['without a version', ['HEAD /plants\r\n\r\n']],
  ['in another version', ['HEAD /plants HTTP/9.9\r\nHost: a\r\n\r\n']],
  ['with a malformed field', [`${HEAD}A : b\r\n\r\n`]],
  ['with a bare LF', [`${HEAD}A: b\n\r\n`]],
  ['with two lengths', [`${HEAD}Content-Length: 1\r\nContent-Length: 2\r\n\r\n`]],
  ['with a length and chunks', [`${HEAD}Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n`]],
  ['with malformed chunks', [`${HEAD}Transfer-Encoding: chunked\r\n\r\nx\r\n`]],
  [
    'with a body that is too large',
    [`${HEAD}Content-Length: 2000000\r\nConnection: close\r\n\r\n${'a'.repeat(2_000_000)}`],
  ],
  ['with a head of 20 KiB', [`${HEAD}A: ${'a'.repeat(20_000)}\r\n\r\n`]],
  ['after empty lines', [`\r\n\r\n${HEAD}A : b\r\n\r\n`]],
  ['in small letters', [HEAD.replace('HEAD', 'head')]],
  ['followed by a tab', ['HEAD\t/plants HTTP/1.1\r\n\r\n']],
  ['in two packets, the second malformed', [HEAD, 'A : b\r\n\r\n']],
  ['cut within its method', ['HE', 'AD /plants HTTP/9.9\r\n\r\n']],
  ['that never ends', [HEAD]],
  ['whose client closes its side', [HEAD], true],
  ['whose body never ends', [`${HEAD}Content-Length: 9\r\n\r\n`]],
];

test.concurrent.for(REQUESTS)(
  'HEAD %s gets a response without a body',
  async ([_what, parts, closesSide = false], { expect }) => {
    expect(await bodiesAfter(parts, closesSide)).toEqual([1, '']);
  },
);

describe('after another request on the same connection', () => {
  let alone = '';
  beforeAll(async () => {
    [, alone] = await bodiesAfter([OTHER.replace('\r\n\r\n', `\r\n${CLOSE}`)], false);
  });

  test.concurrent.for(REQUESTS.filter(([what]) => what !== 'after empty lines'))(
    'HEAD %s gets a response without a body',
    async ([_what, [first = '', ...parts], closesSide = false], { expect }) => {
      for (const before of [[OTHER + first], [OTHER, first]]) {
        const [count, bodies] = await bodiesAfter([...before, ...parts], closesSide);
        expect(count).toBe(2);
        expect(bodies).toBe(alone);
      }
    },
  );
});

test('fetch returns no body either', async () => {
  const response = await store.fetch(new Request('http://localhost/plants', { method: 'HEAD' }));
  expect([response.status, response.body]).toEqual([405, null]);
});
