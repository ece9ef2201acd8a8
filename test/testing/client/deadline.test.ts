import { getEventListeners } from 'node:events';
import { createPlantClient } from 'plant-store-contract/client';
import { createPlantStore } from 'plant-store-contract/server';
import { describe, expect, test } from 'vitest';
import { clientOf, startServer, type TestServer } from './test-server.js';

const ALOE = { name: 'Aloe', id: 7 };

/** A server that never responds. */
const silent = (): Promise<TestServer> => startServer((request) => void request.resume());

/** A server that begins a response and then stalls. */
const stalling = (): Promise<TestServer> =>
  startServer((request, response) => {
    request.resume();
    response.writeHead(200, { 'content-type': 'application/json' }).write('{"name":');
  });

describe('a call that takes too long rejects with a TimeoutError', () => {
  test.each([
    ['if there is no response', silent],
    ['if the body stalls', stalling],
  ])('%s', async (_where, start) => {
    await using server = await start();
    const client = createPlantClient({ baseUrl: server.url, token: 'secret', timeoutMs: 50 });
    const failure = await client.createPlant(ALOE).catch((problem: unknown) => problem);
    expect(failure).toBeInstanceOf(DOMException);
    expect(failure).toMatchObject({ name: 'TimeoutError' });
  });

  test('if a custom fetch ignores its signal', async () => {
    const client = createPlantClient({
      baseUrl: 'http://localhost',
      token: 'secret',
      timeoutMs: 20,
      fetch: () => new Promise(() => {}),
    });
    await expect(client.createPlant(ALOE)).rejects.toMatchObject({ name: 'TimeoutError' });
  });

  test('if the token is late; then nothing is sent', async () => {
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

  test('before the call: nothing is sent, and the call rejects with the reason', async () => {
    const store = createPlantStore();
    const client = clientOf(store);
    const call = client.createPlant(ALOE, { signal: AbortSignal.abort(reason) });
    await expect(call).rejects.toBe(reason);
    await expect(client.createPlant(ALOE, { signal: AbortSignal.abort() })).rejects.toMatchObject({
      name: 'AbortError',
    });
    const waiting = clientOf(store, { token: () => new Promise<string>(() => {}) });
    await expect(waiting.createPlant(ALOE, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    expect(store.received()).toEqual([]);
  });

  test.each([
    ['while there is no response', silent],
    ['while the body stalls', stalling],
  ])('%s', async (_where, start) => {
    await using server = await start();
    const controller = new AbortController();
    server.server.once('request', () => setImmediate(() => controller.abort(reason)));
    const client = createPlantClient({ baseUrl: server.url, token: 'secret' });
    await expect(client.createPlant(ALOE, { signal: controller.signal })).rejects.toBe(reason);
    expect(getEventListeners(controller.signal, 'abort')).toEqual([]);
  });
});

test('many calls with one signal leave no listener behind, and no warning', async () => {
  const warnings: Error[] = [];
  const onWarning = (warning: Error): void => void warnings.push(warning);
  process.on('warning', onWarning);
  await using server = await startServer((request, response) => {
    request.resume();
    setTimeout(
      () => response.writeHead(200, { 'content-type': 'application/json' }).end('{"name":"Aloe"}'),
      50,
    );
  });
  const { signal } = new AbortController();
  const { createPlant } = createPlantClient({ baseUrl: server.url, token: 'secret' });
  await Promise.all(Array.from({ length: 50 }, (_, id) => createPlant({ name: 'Aloe', id }, { signal })));
  expect(getEventListeners(signal, 'abort')).toEqual([]);
  await new Promise((resolve) => setImmediate(resolve));
  process.off('warning', onWarning);
  expect(warnings).toEqual([]);
});
