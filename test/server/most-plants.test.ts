import { createPlantStore, startPlantStore } from 'plant-store-contract/server';
import { describe, expect, test } from 'vitest';
import { plant, send, TOKEN } from './plant-request.js';

describe('at its limit, a store', () => {
  test('removes the oldest plant for each new one, whose id is then free', async () => {
    await using store = await startPlantStore({ token: TOKEN, limits: { plants: 2 } });
    for (const id of [1, 2, 3]) expect((await send(store.url, { body: plant(id) })).status).toBe(200);
    expect(store.plants().map(({ id }) => id)).toEqual([2, 3]);
    expect((await send(store.url, { body: plant(2) })).status).toBe(400);
    expect((await send(store.url, { body: plant(1) })).status).toBe(200);
    expect(store.plants().map(({ id }) => id)).toEqual([3, 1]);
  });

  test('removes nothing if a plant is replaced', () => {
    const store = createPlantStore({ limits: { plants: 2 } });
    store.seed({ name: 'Aloe', id: 1 }, { name: 'Fern', id: 2 });
    store.seed({ name: 'Moss', id: 1 });
    expect(store.plants().map(({ name }) => name)).toEqual(['Moss', 'Fern']);
  });

  test('begins again after a reset', () => {
    const store = createPlantStore({ limits: { plants: 2 } });
    const ids = (): unknown[] => store.plants().map(({ id }) => id);
    store.seed({ name: 'a', id: 1 }, { name: 'b', id: 2 }, { name: 'c', id: 3 });
    store.reset();
    store.seed({ name: 'd', id: 4 }, { name: 'e', id: 5 });
    expect(ids()).toEqual([4, 5]);
    store.seed({ name: 'f', id: 6 });
    expect(ids()).toEqual([5, 6]);
  });

  test('with long names keeps fewer plants, and always the newest', () => {
    const store = createPlantStore();
    const name = 'x'.repeat(50_000_000);
    for (const id of [1, 2, 3, 4, 5, 6]) store.seed({ name, id });
    expect(store.plants().map(({ id }) => id)).toEqual([3, 4, 5, 6]);
    // A plant that is replaced no longer counts.
    for (let again = 0; again < 5; again++) store.seed({ name, id: 6 });
    expect(store.plants().map(({ id }) => id)).toEqual([3, 4, 5, 6]);
    store.seed({ name: name.repeat(5), id: 7 });
    expect(store.plants().map(({ id }) => id)).toEqual([7]);
  });
});
