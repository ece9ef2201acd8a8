import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { startProxy } from 'plant-store-contract/proxy';
import { describe, expect, onTestFinished, test } from 'vitest';
import { sendRaw, startRaw } from './raw.js';

const CRLF = '\r\n';
const EMPTY = `HTTP/1.1 204 No Content${CRLF}${CRLF}`;

async function toEmpty(path = '') {
  const upstream = await startRaw((socket) => void socket.end(EMPTY));
  const proxy = await startProxy({ upstream: upstream.url + path });
  onTestFinished(async () => void (await proxy.close()));
  return { proxy, sent: upstream.sent, host: new URL(upstream.url).host };
}

function head(start: string, ...fields: string[]): string {
  return [start, 'Host: store', ...fields, 'Connection: close', '', ''].join(CRLF);
}

describe('a request', () => {
  test('is forwarded as it is, but for what is about one connection', async () => {
    const { proxy, sent, host } = await toEmpty('/base/');
    const given = [
      'POST /plants?a=%2f+b HTTP/1.1',
      ...['hOsT: here', 'X-B: 2', 'x-a: 1', 'X-B: \xe4', 'Connection: close, X-Hop', 'X-Hop: 1'],
      ...[
        'Keep-Alive: timeout=5',
        'Trailer: X',
        'TE: trailers',
        'content-length: 4',
        'X-Last: ',
        '',
        '1.0\n',
      ],
    ];
    await sendRaw(proxy.url, given.join(CRLF));
    const expected = [
      'POST /base/plants?a=%2f+b HTTP/1.1',
      ...[`hOsT: ${host}`, 'X-B: 2', 'x-a: 1', 'X-B: \xe4', 'content-length: 4', 'X-Last: '],
      // The proxy has a connection of its own to the upstream.
      ...['Connection: keep-alive', '', '1.0\n'],
    ];
    expect(sent()).toBe(expected.join(CRLF));
  });

  test.each(['POST', 'DELETE', 'GET'])('%s without a body stays without', async (method) => {
    const { proxy, sent } = await toEmpty();
    await sendRaw(proxy.url, head(`${method} /plants HTTP/1.1`));
    expect(sent()).not.toMatch(/content-length|transfer-encoding/i);
  });

  test.each([
    ['', 'OPTIONS *', 'OPTIONS *'],
    ['/api/', 'OPTIONS *', 'OPTIONS *'],
    ['/api', 'GET /plants?a=http://x/y', 'GET /api/plants?a=http://x/y'],
    ['/api', 'GET http://x:80/plants?a=1', 'GET /api/plants?a=1'],
    ['/api', 'GET http://x', 'GET /api/'],
    ['/api', 'GET http://x?a=1', 'GET /api/?a=1'],
  ])('with the base path %j: %s', async (base, target, expected) => {
    const { proxy, sent } = await toEmpty(base);
    await sendRaw(proxy.url, head(`${target} HTTP/1.1`));
    expect(sent().split(CRLF)[0]).toBe(`${expected} HTTP/1.1`);
  });

  test.each([
    ['with a folded header', `POST /plants HTTP/1.1${CRLF}X-A: 1${CRLF}  2`],
    ['with a head that is too long', `POST /plants HTTP/1.1${CRLF}X-A: ${'x'.repeat(300_000)}`],
    ['with too many header fields', `POST /plants HTTP/1.1${`${CRLF}a: b`.repeat(2_000)}`],
  ])('%s is rejected, reported and counted', async (_what, start) => {
    const upstream = await startRaw((socket) => void socket.end(EMPTY));
    const failed: string[] = [];
    await using proxy = await startProxy({
      upstream: upstream.url,
      onFailed: ({ request, reason }) => void failed.push(`${request?.target}: ${reason}`),
    });
    expect(await sendRaw(proxy.url, head(start))).toMatch(/^HTTP\/1\.1 400 .*\r\n\r\n$/s);
    expect(upstream.sent()).toBe('');
    const { traffic, sections } = await proxy.close();
    expect(traffic.exchanges).toBe(0);
    expect(sections).toMatchObject([{ items: [expect.stringMatching(/^1 × not forwarded: /)] }]);
    expect(failed).toEqual([sections[0]?.items[0]?.replace('1 × not forwarded', 'undefined')]);
  });
});

test('a body that cannot be read ends its exchange, and does not count as a request', async () => {
  const upstream = await startRaw(() => {});
  await using proxy = await startProxy({ upstream: upstream.url });
  const request = head('POST /plants HTTP/1.1', 'Transfer-Encoding: chunked').concat(
    `2${CRLF}{}${CRLF}nonsense`,
  );
  expect(await sendRaw(proxy.url, request)).toMatch(/^HTTP\/1\.1 400 /);
  expect(await proxy.close()).toMatchObject({
    traffic: { exchanges: 1, withoutResponse: 1 },
    sections: [{ items: [expect.stringMatching(/^1 × the request cannot be read: /)] }],
    violationKinds: [],
  });
});

test('a body that cannot be read after an early response does the same', async () => {
  const upstream = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => socket.write(`HTTP/1.1 413 No${CRLF}Content-Length: 0${CRLF}${CRLF}`));
  });
  await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void upstream.close());
  const { port } = upstream.address() as AddressInfo;
  await using proxy = await startProxy({ upstream: `http://127.0.0.1:${port}` });
  const socket = connect(proxy.port, '127.0.0.1');
  socket.on('error', () => {});
  socket.write(head('POST /plants HTTP/1.1', 'Transfer-Encoding: chunked').concat(`2${CRLF}{}${CRLF}`));
  await once(socket, 'data');
  socket.write('nonsense');
  await once(socket, 'close');
  expect(await proxy.close()).toMatchObject({
    traffic: { exchanges: 1, withoutResponse: 0 },
    sections: [],
  });
});

test('a response has all of its fields, however many', async () => {
  const fields = Array.from({ length: 3_000 }, (_, at) => `X-${at}: ${at}`);
  const response = ['HTTP/1.1 200 OK', ...fields, 'Content-Length: 2', '', '{}'].join(CRLF);
  const upstream = await startRaw((socket) => void socket.end(response));
  await using proxy = await startProxy({ upstream: upstream.url });
  const came = await sendRaw(proxy.url, head('GET /plants HTTP/1.1'));
  expect(came.replace(/Connection: [^\r]*\r\n/, '')).toBe(response);
});
