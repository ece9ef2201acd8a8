import { getEventListeners } from 'node:events';
import { createPlantClient } from 'plant-store-contract/client';
import { createPlantStore } from 'plant-store-contract/server';
import { describe, expect, test } from 'vitest';
import { startHandler } from '../../conformance/providers/handler.js';
import type { Provider } from '../../conformance/providers/provider.js';

const ALOE = { name: 'Aloe', id: 7 };
const JSON_TYPE = { 'content-type': 'application/json' };

/** A server that never responds, and one that begins a response and then stalls. */
const LATE: readonly [string, (onRequest?: () => void) => Promise<Provider>][] = [
  [
    'there is no response',
    (onRequest) =>
      startHandler((request) => {
        request.resume();
        onRequest?.();
      }),
  ],
  [
    'the body stalls',
    (onRequest) =>
      startHandler((request, response) => {
        request.resume();
        response.writeHead(200, JSON_TYPE).write('{"name":');
        onRequest?.();
      }),
  ],
];

describe('a call that takes too long rejects with a TimeoutError', () => {
  test.each(LATE)('if %s', async (_where, start) => {
    await using server = await start();
    const client = createPlantClient({ baseUrl: server.url, token: 'secret', timeoutMs: 50 });
    const failure = await client.createPlant(ALOE).catch((problem: unknown) => problem);
    expect(failure).toBeInstanceOf(DOMException);
    expect(failure).toMatchObject({ name: 'TimeoutError' });
  });

  test('if a custom fetch ignores its signal', async () => {
    const fetch = (): Promise<Response> => new Promise(() => {});
    const client = createPlantClient({ baseUrl: 'http://localhost', token: 'secret', timeoutMs: 20, fetch });
    await expect(client.createPlant(ALOE)).rejects.toMatchObject({ name: 'TimeoutError' });
  });

  test('if the token is late; then nothing is sent', async () => {
    const store = createPlantStore({ token: 'secret' });
    let give = (_token: string): void => {};
    const token = new Promise<string>((resolve) => {
      give = resolve;
    });
    const { fetch } = store;
    const options = { baseUrl: 'http://localhost', token: () => token, timeoutMs: 20, fetch };
    const call = createPlantClient(options).createPlant(ALOE);
    await expect(call).rejects.toMatchObject({ name: 'TimeoutError' });
    give('secret');
    await new Promise((resolve) => setImmediate(resolve));
    expect(store.received()).toEqual([]);
  });
});

describe('a signal that aborts', () => {
  const reason = new Error('the page was closed');

  test('before the call: nothing is sent, and the call rejects with the reason', async () => {
    const store = createPlantStore({ token: 'secret' });
    const client = createPlantClient({ baseUrl: 'http://localhost', token: 'secret', fetch: store.fetch });
    const call = client.createPlant(ALOE, { signal: AbortSignal.abort(reason) });
    await expect(call).rejects.toBe(reason);
    expect(store.received()).toEqual([]);
  });

  test.each(LATE)('while %s', async (_where, start) => {
    const controller = new AbortController();
    await using server = await start(() => setImmediate(() => controller.abort(reason)));
    const client = createPlantClient({ baseUrl: server.url, token: 'secret' });
    await expect(client.createPlant(ALOE, { signal: controller.signal })).rejects.toBe(reason);
    expect(getEventListeners(controller.signal, 'abort')).toEqual([]);
  });
});

test('many calls with one signal leave no listener behind, and no warning', async () => {
  const warnings: Error[] = [];
  const onWarning = (warning: Error): void => void warnings.push(warning);
  process.on('warning', onWarning);
  await using server = await startHandler((request, response) => {
    request.resume();
    setTimeout(() => response.writeHead(200, JSON_TYPE).end('{"name":"Aloe"}'), 50);
  });
  const { signal } = new AbortController();
  const { createPlant } = createPlantClient({ baseUrl: server.url, token: 'secret' });
  await Promise.all(Array.from({ length: 50 }, (_, id) => createPlant({ name: 'Aloe', id }, { signal })));
  expect(getEventListeners(signal, 'abort')).toEqual([]);
  await new Promise((resolve) => setImmediate(resolve));
  process.off('warning', onWarning);
  expect(warnings).toEqual([]);
});
