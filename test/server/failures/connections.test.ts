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

describe('a connection', () => {
  test.each<[Failure, RegExp, string | undefined]>([
    [{ connection: 'reset' }, /^$/, 'ECONNRESET'],
    [{ connection: 'truncate' }, HALF, undefined],
  ])('with %j ends as it says', async (failure, text, error) => {
    store.next(failure);
    const end = await received(wholeRequest(plant(7)));
    expect(end.text).toMatch(text);
    expect(end.error).toBe(error);
    const status = failure.connection === 'reset' ? 0 : 200;
    expect(store.received()).toMatchObject([{ status, failure }]);
    expect((await send(store.url)).status).toBe(200);
  });

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
  test('reset rejects with a TypeError', async () => {
    const portless = createPlantStore({ token: TOKEN });
    portless.next({ connection: 'reset' });
    await expect(portless.fetch(creation())).rejects.toThrow(
      new TypeError('fetch failed: the connection was reset'),
    );
    await expect(portless.fetch(creation())).resolves.toMatchObject({ status: 200 });
  });

  test('truncate is a response whose body breaks off', async () => {
    const portless = createPlantStore({ token: TOKEN });
    portless.next({ connection: 'truncate' });
    const response = await portless.fetch(creation());
    expect(response.status).toBe(200);
    let text = '';
    const read = async () => {
      for await (const piece of response.body ?? []) text += Buffer.from(piece);
    };
    await expect(read()).rejects.toThrow(TypeError);
    expect(text).toBe('{"name"');
  });
});

describe('a client that gives up during a delay', () => {
  test('got no response, as received() and the logger say, and leaves no timer behind', async () => {
    const set = vi.spyOn(globalThis, 'setTimeout');
    const { logger, reached } = countingLogger(20);
    await using own = await startPlantStore({ token: TOKEN, logger });
    // A length that no other timer has.
    own.always({ delayMs: 599_999 });
    const clients = await Promise.all(Array.from({ length: 20 }, () => RawSocket.open(own.port)));
    for (const [id, { socket }] of clients.entries()) socket.write(wholeRequest(plant(id)));
    const delays = () => set.mock.calls.filter(([, ms]) => ms === 599_999).length;
    await vi.waitFor(() => expect(delays()).toBe(20));
    // Nobody has received anything, and all requests have arrived.
    expect(own.received().map(({ status }) => status)).toEqual(Array(20).fill(0));
    for (const { socket } of clients) socket.destroy();
    await reached;
    expect(own.received().map(({ status }) => status)).toEqual(Array(20).fill(0));
    // The creations happened: only their responses are missing.
    expect(own.plants()).toHaveLength(20);
    expect(
      set.mock.results.filter(({ value }) => value?._onTimeout && value._idleTimeout === 599_999),
    ).toEqual([]);
    set.mockRestore();
  });
});
