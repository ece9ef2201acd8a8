import { Agent } from 'node:http';
import { connect } from 'node:net';
import { startPlantStore } from 'plant-store-contract/server';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { plant, send, TOKEN } from './plant-request.js';
import { head, RawSocket, wholeRequest } from './raw-socket.js';
import { refusal } from './refusal.js';

afterEach(() => {
  vi.useRealTimers();
});

/**
 * The deadline of these tests: less than the 5 s that requests under way are given, which closing must not wait for
 * where there are none.
 */
const PROMPTLY = { timeout: 4_000 };

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

/** A request that has begun, and whose body is awaited: the server has said so. */
async function begun(port: number, body: string): Promise<RawSocket> {
  const raw = await RawSocket.open(port);
  raw.write(head(`Content-Length: ${Buffer.byteLength(body)}`, 'Expect: 100-continue'));
  expect((await raw.answer()).status).toBe(100);
  return raw;
}

/** A logger, and when it has been called so often and the answers have had their turn. */
function countingLogger(times: number): { readonly logger: () => void; readonly reached: Promise<void> } {
  let calls = 0;
  let done = (): void => {};
  const reached = new Promise<void>((resolve) => {
    done = resolve;
  });
  return { logger: () => ++calls === times && setImmediate(done), reached };
}

describe('closing is prompt', PROMPTLY, () => {
  test('where nobody is connected; then the port is free', async () => {
    const store = await startPlantStore({ token: TOKEN });
    expect(await connecting(store.port)).toBe('connected');
    await store.close();
    expect(await connecting(store.port)).toBe('ECONNREFUSED');
    await using next = await startPlantStore({ port: store.port });
    expect(next.port).toBe(store.port);
  });

  test('where connections are kept alive', async () => {
    const store = await startPlantStore({ token: TOKEN });
    const agent = new Agent({ keepAlive: true });
    await Promise.all([1, 2, 3].map((id) => send(store.url, { body: plant(id), agent })));
    await store.close();
    agent.destroy();
  });

  test('where a connection was opened, and nothing was sent on it', async () => {
    const store = await startPlantStore({ token: TOKEN });
    using raw = await RawSocket.open(store.port);
    // An answer on a connection that came later: the server knows the first one.
    await send(store.url);
    await store.close();
    await raw.closed;
  });

  test.each([
    ['an answer', wholeRequest('{'), 1],
    ['the first of two answers', wholeRequest('{') + wholeRequest(plant(7)), 2],
    ['the second of two answers', wholeRequest(plant(7)) + wholeRequest('{'), 2],
  ])('where %s hangs for ever', async (_which, bytes, requests) => {
    const { logger, reached } = countingLogger(requests);
    const store = await startPlantStore({ token: TOKEN, faults: ['hangs-on-malformed-json'], logger });
    using raw = await RawSocket.open(store.port);
    raw.write(bytes);
    await reached;
    await store.close();
    await raw.closed;
  });

  test.each(['hello\r\n\r\n', 'CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n'])(
    'where a client does not hang up after the refusal of %j',
    async (bytes) => {
      const store = await startPlantStore({ token: TOKEN });
      using raw = await RawSocket.open(store.port, false);
      raw.write(bytes);
      expect((await raw.answer()).headers.connection).toBe('close');
      await store.close();
    },
  );

  test('after the answer to a request that was under way', async () => {
    const store = await startPlantStore({ token: TOKEN });
    using raw = await begun(store.port, plant(7));
    const closed = store.close();
    raw.write(plant(7));
    expect(await raw.answer()).toMatchObject({ status: 200, text: '{"name":"Aloe"}' });
    await closed;
    await raw.closed;
    expect(store.plants()).toHaveLength(1);
  });

  test('after the answers that were waiting for their delay', async () => {
    const { logger, reached } = countingLogger(3);
    const store = await startPlantStore({ token: TOKEN, delayMs: 100, logger });
    const agent = new Agent({ keepAlive: true });
    const answers = Promise.all([1, 2, 3].map((id) => send(store.url, { body: plant(id), agent })));
    await reached;
    const closed = store.close();
    expect((await answers).map(({ status }) => status)).toEqual([200, 200, 200]);
    await closed;
    agent.destroy();
  });
});

describe('while it closes', () => {
  test('new connections are refused, and a connection under way takes no further request', async () => {
    const store = await startPlantStore({ token: TOKEN });
    using raw = await begun(store.port, plant(7));
    const closed = store.close();
    expect(await connecting(store.port)).toBe('ECONNREFUSED');
    raw.write(plant(7));
    const answer = await raw.answer();
    expect([answer.status, answer.headers.connection]).toEqual([200, 'close']);
    await closed;
  });

  test('what is malformed is still answered', async () => {
    const store = await startPlantStore({ token: TOKEN });
    using raw = await begun(store.port, plant(7));
    const closed = store.close();
    raw.write('{'.repeat(plant(7).length));
    expect(refusal(await raw.answer()).name).toBe('json-malformed');
    await closed;
  });

  test.each([
    ['a body that does not end', head('Content-Length: 22', 'Expect: 100-continue')],
    ['a delay that does not end', wholeRequest(plant(7), 'Expect: 100-continue')],
  ])('%s is cut off after 5 s', async (_what, bytes) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const store = await startPlantStore({ token: TOKEN, delayMs: 3_600_000 });
    using raw = await RawSocket.open(store.port);
    raw.write(bytes);
    expect((await raw.answer()).status).toBe(100);
    const settled = vi.fn();
    const closed = store.close().then(settled);
    await vi.advanceTimersByTimeAsync(4_999);
    expect(settled).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    await closed;
    await raw.closed;
  });
});

test('closing twice is closing once', async () => {
  const store = await startPlantStore({ token: TOKEN });
  expect(store.close()).toBe(store.close());
  await store.close();
  await store[Symbol.asyncDispose]();
});

test('leaving the scope of `await using` closes', async () => {
  let port = 0;
  {
    await using store = await startPlantStore();
    port = store.port;
    expect(await connecting(port)).toBe('connected');
  }
  expect(await connecting(port)).toBe('ECONNREFUSED');
});

test('what was stored and received can still be read afterwards', async () => {
  const store = await startPlantStore({ token: TOKEN });
  await send(store.url);
  await store.close();
  expect([store.plants(), store.received()]).toMatchObject([[{ name: 'Aloe', id: 7 }], [{ status: 200 }]]);
});
