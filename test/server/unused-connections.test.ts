import { startPlantStore } from 'plant-store-contract/server';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { plant, send, TOKEN } from './plant-request.js';
import { head, RawSocket, wholeRequest } from './raw-socket.js';

const MINUTE_MS = 60_000;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** Opens a connection after so many minutes: only then does the server look for unused ones. */
async function connectAfter(minutes: number, port: number): Promise<void> {
  vi.advanceTimersByTime(minutes * MINUTE_MS);
  expect((await send(`http://127.0.0.1:${port}`)).status).toBe(200);
}

test('a connection ends that was unused for two minutes, and no other', async () => {
  await using store = await startPlantStore({ token: TOKEN, duplicateId: 'replace' });
  using unused = await RawSocket.open(store.port);
  using used = await RawSocket.open(store.port);
  for (const raw of [unused, used]) {
    raw.write(wholeRequest(plant(7)));
    expect((await raw.response()).status).toBe(200);
  }
  // The first look, and one that comes too early.
  await connectAfter(2, store.port);
  await connectAfter(1.9, store.port);
  for (const raw of [unused, used]) expect(raw.socket.readyState).toBe('open');
  used.write(wholeRequest(plant(8)));
  expect((await used.response()).status).toBe(200);
  await connectAfter(0.1, store.port);
  await unused.closed;
  used.write(wholeRequest(plant(9)));
  expect((await used.response()).status).toBe(200);
});

test.each([
  ['a response is under way', wholeRequest(plant(7), 'Prefer: wait=600', 'Expect: 100-continue')],
  ['a body is under way', head('Content-Length: 22', 'Expect: 100-continue')],
])('a connection does not end while %s', async (_what, bytes) => {
  const store = await startPlantStore({ token: TOKEN, duplicateId: 'replace' });
  using raw = await RawSocket.open(store.port);
  raw.write(bytes);
  expect((await raw.response()).status).toBe(100);
  for (let look = 0; look < 3; look++) await connectAfter(2, store.port);
  expect(raw.socket.readyState).toBe('open');
  raw.socket.destroy();
  await raw.closed;
  await store.close();
});

test('no response names a time after which the connection ends', async () => {
  await using store = await startPlantStore({ token: TOKEN });
  using raw = await RawSocket.open(store.port);
  raw.write(wholeRequest(plant(7)));
  const { headers } = await raw.response();
  expect(headers).not.toHaveProperty('keep-alive');
  expect(headers.connection).toBe('keep-alive');
});
