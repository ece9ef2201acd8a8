import { startPlantStore } from 'plant-store-contract/server';
import { describe, expect, test } from 'vitest';
import { plant, rejection, TOKEN } from './plant-request.js';
import { RawSocket, wholeRequest } from './raw-socket.js';

describe('responses keep the order of their requests', () => {
  test('a malformed request does not affect the request before it', async () => {
    await using slow = await startPlantStore({ token: TOKEN, delayMs: 20 });
    using raw = await RawSocket.open(slow.port);
    raw.write(`${wholeRequest(plant(7))}hello\r\n\r\n`);
    expect((await raw.response()).status).toBe(200);
    expect(rejection(await raw.response()).name).toBe('malformed-http');
  });

  test('requests that are sent together get their responses in order', async () => {
    await using store = await startPlantStore({ token: TOKEN });
    using raw = await RawSocket.open(store.port);
    raw.write(wholeRequest(plant(1, 'first')) + wholeRequest('{') + wholeRequest(plant(2, 'third')));
    expect((await raw.response()).text).toBe('{"name":"first"}');
    expect(rejection(await raw.response()).name).toBe('json-malformed');
    expect((await raw.response()).text).toBe('{"name":"third"}');
  });
});

describe('responses that are ready early', () => {
  test.each([
    ['good ones', [plant(1), plant(2), plant(3)], [200, 200, 200]],
    ['a malformed one among them', [plant(1), '{', plant(3)], [200, 400, 200]],
  ])('are sent in order: %s', async (_what, bodies, statuses) => {
    // The first decision takes longest, so the other responses wait.
    const decided: ((accepted: boolean) => void)[] = [];
    const token = () =>
      new Promise<boolean>((resolve) => {
        decided.push(resolve);
        if (decided.length === 3) for (const decide of decided.reverse()) setImmediate(decide, true);
      });
    await using own = await startPlantStore({ token });
    using raw = await RawSocket.open(own.port);
    raw.write(bodies.map((body) => wholeRequest(body)).join(''));
    for (const status of statuses) expect((await raw.response()).status).toBe(status);
  });

  test('are sent in order: with a delay', async () => {
    await using own = await startPlantStore({ token: TOKEN, delayMs: 20 });
    using raw = await RawSocket.open(own.port);
    raw.write([1, 2, 3].map((id) => wholeRequest(plant(id))).join(''));
    for (let i = 0; i < 3; i++) expect((await raw.response()).status).toBe(200);
  });
});
