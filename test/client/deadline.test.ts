import { getEventListeners, once } from 'node:events';
import { createPlantClient } from 'plant-store-contract/client';
import { createPlantStore } from 'plant-store-contract/server';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { type Answering, answering } from './answering.js';

const ALOE = { name: 'Aloe', id: 7 };

/** A server that answers nothing. */
const silent = (): Promise<Answering> => answering((request) => void request.resume());

/** A server that begins to answer, and goes no further. */
const stalling = (): Promise<Answering> =>
  answering((request, response) => {
    request.resume();
    response.writeHead(200, { 'content-type': 'application/json' }).write('{"name":');
  });

afterEach(() => {
  vi.useRealTimers();
});

describe('a call that takes too long rejects with a TimeoutError', () => {
  test.each([
    ['where nothing is answered', silent],
    ['where the body stalls', stalling],
  ])('%s', async (_where, start) => {
    await using server = await start();
    const client = createPlantClient({ baseUrl: server.url, token: 'secret', timeoutMs: 50 });
    const failure = await client.createPlant(ALOE).catch((problem: unknown) => problem);
    expect(failure).toBeInstanceOf(DOMException);
    expect(failure).toMatchObject({ name: 'TimeoutError', message: 'no whole answer came within 50 ms' });
  });

  test('and the connection is given up', async () => {
    await using server = await silent();
    const connected = once(server.server, 'connection');
    const client = createPlantClient({ baseUrl: server.url, token: 'secret', timeoutMs: 50 });
    await expect(client.createPlant(ALOE)).rejects.toThrow('50 ms');
    const [socket] = await connected;
    if (!socket.closed) await once(socket, 'close');
  });

  test('where a fetch of another kind heeds no signal', async () => {
    const client = createPlantClient({
      baseUrl: 'http://localhost',
      token: 'secret',
      timeoutMs: 20,
      fetch: () => new Promise(() => {}),
    });
    await expect(client.createPlant(ALOE)).rejects.toMatchObject({ name: 'TimeoutError' });
  });

  test('where the token does not come; nothing is sent when it comes after all', async () => {
    const store = createPlantStore({ token: 'secret' });
    let give = (_token: string): void => {};
    const token = new Promise<string>((resolve) => {
      give = resolve;
    });
    const client = createPlantClient({
      baseUrl: 'http://localhost',
      token: () => token,
      timeoutMs: 20,
      fetch: store.fetch,
    });
    await expect(client.createPlant(ALOE)).rejects.toMatchObject({ name: 'TimeoutError' });
    give('secret');
    await new Promise((resolve) => setImmediate(resolve));
    expect(store.received()).toEqual([]);
  });
});

describe('a signal that aborts', () => {
  const reason = new Error('the page was closed');

  test('before the call: nothing is sent, and the reason is what it rejects with', async () => {
    const store = createPlantStore();
    const client = createPlantClient({
      baseUrl: 'http://localhost',
      token: store.token,
      fetch: store.fetch,
    });
    const call = client.createPlant(ALOE, { signal: AbortSignal.abort(reason) });
    await expect(call).rejects.toBe(reason);
    await expect(client.createPlant(ALOE, { signal: AbortSignal.abort() })).rejects.toMatchObject({
      name: 'AbortError',
    });
    expect(store.received()).toEqual([]);
  });

  test.each([
    ['while nothing is answered', silent],
    ['while the body stalls', stalling],
  ])('%s', async (_where, start) => {
    await using server = await start();
    const controller = new AbortController();
    server.server.once('request', () => setImmediate(() => controller.abort(reason)));
    const client = createPlantClient({ baseUrl: server.url, token: 'secret' });
    await expect(client.createPlant(ALOE, { signal: controller.signal })).rejects.toBe(reason);
    expect(getEventListeners(controller.signal, 'abort')).toEqual([]);
  });

  test('after the call changes nothing', async () => {
    const store = createPlantStore();
    const controller = new AbortController();
    const { createPlant } = createPlantClient({
      baseUrl: 'http://localhost',
      token: store.token,
      fetch: store.fetch,
    });
    expect(await createPlant(ALOE, { signal: controller.signal })).toEqual({ name: 'Aloe' });
    controller.abort(reason);
  });
});

test('neither a timer nor a listener is left behind', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const store = createPlantStore();
  const { signal } = new AbortController();
  const { createPlant } = createPlantClient({
    baseUrl: 'http://localhost',
    token: store.token,
    fetch: (request) => {
      expect(vi.getTimerCount()).toBe(1);
      expect(getEventListeners(signal, 'abort')).toHaveLength(1);
      return store.fetch(request);
    },
  });
  await createPlant(ALOE, { signal });
  await expect(createPlant(ALOE, { signal })).rejects.toMatchObject({ status: 400 });
  expect(vi.getTimerCount()).toBe(0);
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});
