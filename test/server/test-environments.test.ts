import { createPlantStore, startPlantStore } from 'plant-store-contract/server';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { creation, plant, send, TOKEN } from './plant-request.js';
import { RawSocket, wholeRequest } from './raw-socket.js';

// Test environments replace globals: fake timers never fire by themselves, and jsdom lacks some functions of Node.

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function stubbed(): void {
  for (const name of ['structuredClone', 'setImmediate', 'clearImmediate']) vi.stubGlobal(name, undefined);
}

describe.each([
  ['fake timers', (): void => void vi.useFakeTimers()],
  ['the globals of jsdom in Jest', stubbed],
] as const)('with %s', (_what, begin) => {
  test('a server runs, fails on demand, shows what it received, and closes', async () => {
    begin();
    const store = await startPlantStore({ token: TOKEN });
    store.next({ status: 503, when: { name: 'Aloe' } });
    expect((await send(store.url)).status).toBe(503);
    store.next({ connection: 'reset' });
    await expect(send(store.url)).rejects.toThrow();
    expect((await send(store.url)).status).toBe(200);
    using malformed = await RawSocket.open(store.port);
    malformed.write('hello\r\n\r\n');
    expect((await malformed.response()).status).toBe(400);
    await malformed.closed;
    store.next({ connection: 'hang' });
    using hanging = await RawSocket.open(store.port);
    hanging.write(wholeRequest(plant(8)));
    while (store.unused().length > 0) await send(store.url, { body: '{' });
    await store.close();
    await hanging.closed;
  });

  test('a store without a port responds, and fails on demand', async () => {
    begin();
    const { fetch, next, received } = createPlantStore({ token: TOKEN });
    next({ connection: 'truncate' });
    await expect((await fetch(creation())).text()).rejects.toThrow();
    expect(await (await fetch(creation(undefined, { body: plant(8) }))).text()).toBe('{"name":"Aloe"}');
    expect(received()).toMatchObject([{ failure: { connection: 'truncate' } }, { status: 200 }]);
  });
});

test('only the delays that the user asked for pass with a fake clock', async () => {
  vi.useFakeTimers();
  const { fetch } = createPlantStore({ token: TOKEN, delayMs: 1_000 });
  const responding = fetch(creation());
  await vi.advanceTimersByTimeAsync(1_000);
  expect((await responding).status).toBe(200);
});
