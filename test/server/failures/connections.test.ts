import { createPlantStore, type Failure, startPlantStore } from 'plant-store-contract/server';
import { describe, expect, test, vi } from 'vitest';
import { countingLogger, creation, plant, send, sharedStore, TOKEN } from '../plant-request.js';
import { RawSocket, wholeRequest } from '../raw-socket.js';

const store = await sharedStore({ duplicateId: 'replace' });

/** What a client receives until its connection is over, and how it ends. */
async function received(
  ...requests: readonly string[]
): Promise<{ text: string; error: string | undefined }> {
  using raw = await RawSocket.open(store.port);
  let text = '';
  let error: string | undefined;
  raw.socket.on('data', (bytes) => {
    text += bytes;
  });
  raw.socket.on('error', ({ code }: NodeJS.ErrnoException) => {
    error = code;
  });
  raw.write(requests.join(''));
  await raw.closed;
  return { text, error };
}

/** Half of the body, 15 bytes. */
const HALF = /^HTTP\/1\.1 200 OK\r\n(?:[^\r\n]+\r\n)+\r\n\{"name"$/;
const HEAD = /^HTTP\/1\.1 200 OK\r\n(?:[^\r\n]+\r\n)*content-length: 15\r\n(?:[^\r\n]+\r\n)*\r\n$/i;

describe('a connection', () => {
  test.each<[Failure, RegExp, string | undefined]>([
    [{ connection: 'reset' }, /^$/, 'ECONNRESET'],
    [{ connection: 'reset-in-head' }, /^HTTP\/1\.1 200 OK\r\n[A-Z][a-z]+-$/, 'ECONNRESET'],
    [{ connection: 'reset-in-head', status: 503 }, /^HTTP\/1\.1 503 Service Unavailable\r\nC/, 'ECONNRESET'],
    [{ connection: 'reset-after-head' }, HEAD, 'ECONNRESET'],
    [{ connection: 'truncate' }, HALF, undefined],
  ])('with %j ends as it says', async (failure, text, error) => {
    store.next(failure);
    const end = await received(wholeRequest(plant(7)));
    expect(end.text).toMatch(text);
    expect(end.error).toBe(error);
    const status = failure.connection?.match(/^reset(-in-head)?$/) ? 0 : 200;
    expect(store.received()).toMatchObject([{ status, failure }]);
    expect((await send(store.url)).status).toBe(200);
  });

  test.each(['reset', 'reset-in-head', 'reset-after-head', 'truncate'] as const)(
    'that ends with %s first gets the responses to its earlier requests',
    async (connection) => {
      store.next({ delayMs: 5 });
      store.next({ connection });
      const requests = [1, 2, 3].map((id) => wholeRequest(plant(id, `plant ${id}`)));
      const { text } = await received(...requests);
      expect(text).toContain('{"name":"plant 1"}');
      expect(text).not.toContain('{"name":"plant 2"}');
      expect(text).not.toContain('plant 3');
    },
  );

  test('that hangs gets nothing, and ends with the server', { timeout: 60_000 }, async () => {
    // The 5 s for requests in progress never pass. If they are needed, the test hangs.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const { logger, reached } = countingLogger(1);
    await using own = await startPlantStore({ token: TOKEN, logger });
    own.next({ connection: 'hang' });
    using raw = await RawSocket.open(own.port);
    let bytes = 0;
    raw.socket.on('data', ({ length }) => {
      bytes += length;
    });
    raw.write(wholeRequest(plant(7)));
    await reached;
    expect((await send(own.url, { body: plant(8) })).status).toBe(200);
    expect([bytes, raw.socket.readyState]).toEqual([0, 'open']);
    expect(own.received()[0]).toMatchObject({ status: 0, failure: { connection: 'hang' } });
    await own.close();
    await raw.closed;
    expect(bytes).toBe(0);
    vi.useRealTimers();
  });
});

describe('fetch without a port', () => {
  test.each(['reset', 'reset-in-head'] as const)('%s rejects with a TypeError', async (connection) => {
    const portless = createPlantStore({ token: TOKEN });
    portless.next({ connection });
    await expect(portless.fetch(creation())).rejects.toThrow(
      new TypeError('fetch failed: the connection was reset'),
    );
    await expect(portless.fetch(creation())).resolves.toMatchObject({ status: 200 });
  });

  test.each([
    ['reset-after-head', ''],
    ['truncate', '{"name"'],
  ] as const)('%s is a response whose body breaks off', async (connection, beginning) => {
    const portless = createPlantStore({ token: TOKEN });
    portless.next({ connection });
    const response = await portless.fetch(creation());
    expect(response.status).toBe(200);
    let text = '';
    const read = async () => {
      for await (const piece of response.body ?? []) text += Buffer.from(piece);
    };
    await expect(read()).rejects.toThrow(TypeError);
    expect(text).toBe(beginning);
  });
});

test('200 clients that leave during a delay or a slow body leave no timer behind', async () => {
  const { logger, reached } = countingLogger(200);
  await using own = await startPlantStore({ token: TOKEN, logger });
  const set = [vi.spyOn(globalThis, 'setTimeout'), vi.spyOn(globalThis, 'setInterval')] as const;
  const cleared = [vi.spyOn(globalThis, 'clearTimeout'), vi.spyOn(globalThis, 'clearInterval')] as const;
  try {
    // A length that no other timer has.
    own.always({ delayMs: 599_999 });
    own.next(100, { bytesPerSecond: 1 });
    const clients = await Promise.all(Array.from({ length: 200 }, () => RawSocket.open(own.port)));
    for (const [id, { socket }] of clients.entries()) socket.write(wholeRequest(plant(id)));
    await reached;
    for (const { socket } of clients) socket.destroy();
    await Promise.all(clients.map(({ closed }) => closed));
    await own.close();
    const timersOf = (index: 0 | 1, ms: number): unknown[] =>
      set[index].mock.results
        .filter((_, at) => set[index].mock.calls[at]?.[1] === ms)
        .map(({ value }) => value);
    const timers = [...timersOf(0, 599_999), ...timersOf(1, 1_000)];
    expect(timers).toHaveLength(200);
    await vi.waitFor(() => {
      const ended = new Set(cleared.flatMap(({ mock }) => mock.calls.map(([timer]) => timer as unknown)));
      expect(timers.filter((timer) => !ended.has(timer))).toHaveLength(0);
    });
  } finally {
    vi.restoreAllMocks();
  }
});
