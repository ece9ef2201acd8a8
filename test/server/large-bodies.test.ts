import { startPlantStore } from 'plant-store-contract/server';
import { describe, expect, test } from 'vitest';
import { plant, rejection, send, TOKEN } from './plant-request.js';
import { head, RawSocket, sturdyStore, wholeRequest } from './raw-socket.js';

const MEBIBYTE = 1024 * 1024;
const store = await sturdyStore({ bodyBytes: 1_000 });

const TOO_LARGE = {
  status: 400,
  name: 'body-too-large',
  message: 'the body must not be larger than 1000 bytes',
};

describe('a body over the limit gets 400', () => {
  test.each([
    ['one byte too long', `${head('Content-Length: 1001')}${' '.repeat(1_001)}`],
    [
      'in chunks',
      `${head('Transfer-Encoding: chunked')}${'1f4\r\n'.concat(' '.repeat(500), '\r\n').repeat(3)}`,
    ],
    ['announced, and begun', `${head(`Content-Length: ${100 * MEBIBYTE}`)}${' '.repeat(2_000)}`],
  ])('%s', async (_how, bytes) => {
    using raw = await RawSocket.open(store.port);
    raw.write(bytes);
    expect(rejection(await raw.response())).toEqual(TOO_LARGE);
  });

  test('to a client that reads while it sends', async () => {
    const response = await send(store.url, { body: Buffer.alloc(16 * MEBIBYTE, ' ') });
    expect(rejection(response)).toEqual(TOO_LARGE);
  });

  test('to a client that sends everything before it reads', async () => {
    using raw = await RawSocket.open(store.port);
    raw.write(head(`Content-Length: ${8 * MEBIBYTE}`));
    await raw.sendUnread(Buffer.alloc(8 * MEBIBYTE, ' '));
    expect(rejection(await raw.response())).toEqual(TOO_LARGE);
  });

  test('once, even if the rest of the body comes too late', async () => {
    const limits = { bodyBytes: 1_000, requestTimeoutMs: 100 };
    await using impatient = await startPlantStore({ token: TOKEN, ...limits });
    using raw = await RawSocket.open(impatient.port);
    raw.write(`${head('Content-Length: 3000')}${' '.repeat(2_000)}`);
    expect(rejection(await raw.response())).toEqual(TOO_LARGE);
    await expect(raw.response()).rejects.toThrow('the connection ended after ""');
  });
});

test('the token, the path and the media type are checked before the size', async () => {
  const body = ' '.repeat(2_000);
  const responses = await Promise.all([
    send(store.url, { body, headers: { authorization: 'Bearer wrong' } }),
    send(store.url, { body, path: '/elsewhere' }),
    send(store.url, { body, method: 'PUT' }),
    send(store.url, { body, headers: { 'content-type': 'text/plain' } }),
  ]);
  expect(responses.map((response) => rejection(response).name)).toEqual([
    'token-wrong',
    'unknown-path',
    'method-not-allowed',
    'media-type',
  ]);
});

test('the rest of the body is dropped, and the next request of the connection gets a response', async () => {
  using raw = await RawSocket.open(store.port);
  raw.write(wholeRequest(' '.repeat(1_001)) + wholeRequest(' '.repeat(MEBIBYTE)) + wholeRequest(plant(7)));
  expect(rejection(await raw.response())).toEqual(TOO_LARGE);
  expect(rejection(await raw.response())).toEqual(TOO_LARGE);
  expect((await raw.response()).status).toBe(200);
});
