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
  test.each(['POST', 'PUT', 'PATCH', 'DELETE', 'GET'])('%s without a body stays without', async (method) => {
    const { proxy, sent, host } = await toEmpty();
    await sendRaw(proxy.url, head(`${method} /plants HTTP/1.1`, 'X-B: 1', 'x-a: 2', 'X-B: 3'));
    const expected = head(`${method} /plants HTTP/1.1`, 'X-B: 1', 'x-a: 2', 'X-B: 3');
    // The proxy has a connection of its own to the upstream.
    expect(sent()).toBe(expected.replace('store', host).replace('close', 'keep-alive'));
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
    ['with a target beyond ASCII', 'POST /plants/\xc3\xa4 HTTP/1.1', 400],
    ['with an unknown method', 'PLANT /plants HTTP/1.1', 400],
    ['with a folded header', `POST /plants HTTP/1.1${CRLF}X-A: 1${CRLF}  2`, 400],
    ['with a head that is too long', `POST /plants HTTP/1.1${CRLF}X-A: ${'x'.repeat(300_000)}`, 400],
    ['with too many header fields', `POST /plants HTTP/1.1${`${CRLF}a: b`.repeat(2_000)}`, 400],
  ])('%s is rejected, reported and counted', async (_what, start, status) => {
    const upstream = await startRaw((socket) => void socket.end(EMPTY));
    const failed: string[] = [];
    await using proxy = await startProxy({
      ...{ upstream: upstream.url },
      onFailed: ({ request, reason }) => void failed.push(`${request?.target}: ${reason}`),
    });
    expect(await sendRaw(proxy.url, head(start))).toMatch(new RegExp(`^HTTP/1\\.1 ${status} [^]*\r\n\r\n$`));
    expect(upstream.sent()).toBe('');
    const { traffic, unreadable } = await proxy.close();
    expect(traffic.exchanges).toBe(0);
    expect(unreadable.map(({ count }) => count)).toEqual([1]);
    expect(failed).toEqual([`undefined: ${unreadable[0]?.reason}`]);
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
    unreadable: [],
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
    unreadable: [],
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
