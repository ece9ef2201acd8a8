import { startPlantStore } from 'plant-store-contract/server';
import { afterAll, describe, expect, test } from 'vitest';
import { plant, rejection, send, TOKEN } from './plant-request.js';
import { head, RawSocket, sturdyStore, wholeRequest } from './raw-socket.js';

const store = await sturdyStore({ delayMs: 10 });

const STOPS: readonly [where: string, bytes: string][] = [
  ['in the headers', head().slice(0, -20)],
  ['in a chunk', `${head('Transfer-Encoding: chunked')}16\r\n{"name":`],
  ['before its response', wholeRequest(plant(7))],
];

test.each(STOPS)(
  'clients that stop %s, and close or reset the connection, do no harm',
  async (_where, bytes) => {
    const clients = await Promise.all(Array.from({ length: 20 }, () => RawSocket.open(store.port)));
    for (const [at, { socket }] of clients.entries())
      socket.write(bytes, () => (at % 2 === 0 ? socket.destroy() : socket.resetAndDestroy()));
    await Promise.all(clients.map(({ closed }) => closed));
  },
);

test('a client that is disconnected creates no plant', async () => {
  await using own = await startPlantStore({ token: TOKEN });
  using raw = await RawSocket.open(own.port);
  raw.write(`${head('Content-Length: 23', 'Expect: 100-continue')}`);
  expect((await raw.response()).status).toBe(100);
  // A whole plant, and one byte that never comes.
  await new Promise((resolve) => raw.socket.write(plant(7), resolve));
  raw.socket.destroy();
  await raw.closed;
  expect((await send(own.url, { body: plant(8) })).status).toBe(200);
  expect(own.plants()).toEqual([{ name: 'Aloe', id: 8 }]);
});

describe('a client that is too slow', async () => {
  const impatient = await startPlantStore({ token: TOKEN, requestTimeoutMs: 200 });
  afterAll(() => impatient.close());

  test.concurrent('sends nothing: it gets nothing, and its connection stays usable', async () => {
    using raw = await RawSocket.open(impatient.port);
    using other = await RawSocket.open(impatient.port);
    other.write('POST /pl');
    // By now the time of both is over.
    await other.closed;
    raw.write(wholeRequest(plant(9)));
    expect(await raw.response()).toMatchObject({ status: 200 });
  });

  test.concurrent('stops in the body: it is answered by an Error, and its connection ends', async () => {
    using raw = await RawSocket.open(impatient.port);
    raw.write(`${head('Content-Length: 22')}{"name":`);
    expect(rejection(await raw.response())).toEqual({
      status: 400,
      name: 'malformed-http',
      message: 'the request did not arrive in time',
    });
    await raw.closed;
    expect(impatient.received()).toContainEqual(
      expect.objectContaining({
        ...{ method: 'POST', target: '/plants', status: 400 },
        rejection: 'the request did not arrive in time',
      }),
    );
  });

  test.concurrent.each([
    ['in the request line', 'POST /pl'],
    ['in the headers', head().slice(0, -20)],
  ])('that stops %s gets an Error', async (_where, bytes) => {
    using raw = await RawSocket.open(impatient.port);
    raw.write(bytes);
    expect(rejection(await raw.response())).toMatchObject({ status: 400, name: 'malformed-http' });
    await raw.closed;
  });
});
