import { startPlantStore } from 'plant-store-contract/server';
import { describe, expect, test } from 'vitest';
import { plant, TOKEN } from './plant-request.js';
import { RawSocket, wholeRequest } from './raw-socket.js';
import { refusal } from './refusal.js';

describe('answers keep the order of their requests', () => {
  test('what comes after a good request spoils only itself', async () => {
    await using slow = await startPlantStore({ token: TOKEN, delayMs: 20 });
    using raw = await RawSocket.open(slow.port);
    raw.write(`${wholeRequest(plant(7))}hello\r\n\r\n`);
    expect((await raw.answer()).status).toBe(200);
    expect(refusal(await raw.answer()).name).toBe('malformed-http');
  });

  test('requests that are written at once are answered one after the other', async () => {
    await using store = await startPlantStore({ token: TOKEN });
    using raw = await RawSocket.open(store.port);
    raw.write(wholeRequest(plant(1, 'first')) + wholeRequest('{') + wholeRequest(plant(2, 'third')));
    expect((await raw.answer()).text).toBe('{"name":"first"}');
    expect(refusal(await raw.answer()).name).toBe('json-malformed');
    expect((await raw.answer()).text).toBe('{"name":"third"}');
  });
});

describe('answers that are ready before it is their turn', () => {
  test.each([
    ['good ones', [plant(1), plant(2), plant(3)], [200, 200, 200]],
    ['a malformed one among them', [plant(1), '{', plant(3)], [200, 400, 200]],
  ])('are sent when it is: %s', async (_what, bodies, statuses) => {
    // The first decision takes longest, so that the other answers wait for it.
    const decided: ((accepted: boolean) => void)[] = [];
    const token = () =>
      new Promise<boolean>((resolve) => {
        decided.push(resolve);
        if (decided.length === 3) for (const decide of decided.reverse()) setImmediate(decide, true);
      });
    await using own = await startPlantStore({ token });
    using raw = await RawSocket.open(own.port);
    raw.write(bodies.map((body) => wholeRequest(body)).join(''));
    for (const status of statuses) expect((await raw.answer()).status).toBe(status);
  });

  test('are sent when it is: with a delay', async () => {
    await using own = await startPlantStore({ token: TOKEN, delayMs: 20 });
    using raw = await RawSocket.open(own.port);
    raw.write([1, 2, 3].map((id) => wholeRequest(plant(id))).join(''));
    for (let i = 0; i < 3; i++) expect((await raw.answer()).status).toBe(200);
  });
});
