import { Agent } from 'node:http';
import { connect } from 'node:net';
import { startPlantStore } from 'plant-store-contract/server';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { countingLogger, creation, plant, send, TOKEN } from './plant-request.js';
import { head, RawSocket, wholeRequest } from './raw-socket.js';

afterEach(() => {
  vi.useRealTimers();
});

/** Why a connection to a port fails, or that it does not. */
function connecting(port: number): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? ''));
    socket.on('connect', () => {
      socket.destroy();
      resolve('connected');
    });
  });
}

/** A request whose body is missing; the server has sent 100. */
async function begun(port: number, body: string): Promise<RawSocket> {
  const raw = await RawSocket.open(port);
  raw.write(head(`Content-Length: ${Buffer.byteLength(body)}`, 'Expect: 100-continue'));
  expect((await raw.response()).status).toBe(100);
  return raw;
}

describe('closing is prompt', { timeout: 60_000 }, () => {
  // The 5 s for requests in progress never pass. A test that needs them hangs.
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  });

  test('without connections; then the port is free', async () => {
    const store = await startPlantStore({ token: TOKEN });
    expect(await connecting(store.port)).toBe('connected');
    await store.close();
    expect(await connecting(store.port)).toBe('ECONNREFUSED');
    await using next = await startPlantStore({ port: store.port });
    expect(next.port).toBe(store.port);
  });

  test('if a connection was opened and nothing was sent', async () => {
    const store = await startPlantStore({ token: TOKEN });
    using raw = await RawSocket.open(store.port);
    // After a response on a later connection, the server knows the first one.
    await send(store.url);
    await store.close();
    await raw.closed;
  });

  test.each([
    ['a response', wholeRequest('{'), 1],
    ['the first of two responses', wholeRequest('{') + wholeRequest(plant(7)), 2],
    ['the second of two responses', wholeRequest(plant(7)) + wholeRequest('{'), 2],
  ])('if %s hangs for ever', async (_which, bytes, requests) => {
    const { logger, reached } = countingLogger(requests);
    const store = await startPlantStore({ token: TOKEN, faults: ['hangs-on-malformed-json'], logger });
    using raw = await RawSocket.open(store.port);
    raw.write(bytes);
    await reached;
    await store.close();
    await raw.closed;
  });

  test('if a client keeps the connection open after the rejection of malformed HTTP', async () => {
    const store = await startPlantStore({ token: TOKEN });
    using raw = await RawSocket.open(store.port, false);
    raw.write('hello\r\n\r\n');
    expect((await raw.response()).headers.connection).toBe('close');
    await store.close();
  });

  test('after the response to a request in progress', async () => {
    const store = await startPlantStore({ token: TOKEN });
    using raw = await begun(store.port, plant(7));
    const closed = store.close();
    raw.write(plant(7));
    expect(await raw.response()).toMatchObject({ status: 200, text: '{"name":"Aloe"}' });
    await closed;
    await raw.closed;
    expect(store.plants()).toHaveLength(1);
  });

  test.each([
    ['delayed', { delayMs: 60_000 }],
    ['that never come', { connection: 'hang' }],
  ] as const)('before responses that are %s', async (_which, failure) => {
    const store = await startPlantStore({ token: TOKEN });
    store.always(failure);
    const agent = new Agent({ keepAlive: true });
    const responses = [1, 2, 3].map((id) =>
      send(store.url, { body: plant(id), agent }).catch(({ code }) => code),
    );
    const portless = store.fetch(creation(undefined, { body: plant(4) })).catch((cause) => cause.message);
    while (store.received().length < 4) await new Promise((resolve) => setImmediate(resolve));
    await store.close();
    expect(await Promise.all(responses)).toEqual(Array(3).fill('ECONNRESET'));
    expect(await portless).toBe('fetch failed: the plant store was closed');
    agent.destroy();
  });

  test('if a client gave up in the middle of its body', async () => {
    const store = await startPlantStore({ token: TOKEN });
    using raw = await begun(store.port, plant(7));
    await store.close();
    await raw.closed;
  });
});

describe('while it closes', () => {
  test('new connections are refused, and an open connection accepts no further request', async () => {
    const store = await startPlantStore({ token: TOKEN });
    using raw = await begun(store.port, plant(7));
    const closed = store.close();
    expect(await connecting(store.port)).toBe('ECONNREFUSED');
    raw.write(plant(7));
    const response = await raw.response();
    expect([response.status, response.headers.connection]).toEqual([200, 'close']);
    await closed;
  });
});

test('`await using` closes at the end of the scope', async () => {
  let port = 0;
  {
    await using store = await startPlantStore();
    port = store.port;
    expect(await connecting(port)).toBe('connected');
  }
  expect(await connecting(port)).toBe('ECONNREFUSED');
});
