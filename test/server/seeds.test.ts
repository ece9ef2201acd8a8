import { createPlantStore, startPlantStore, ToolkitError } from 'plant-store-contract/server';
import type { NewPlant } from 'plant-store-contract/spec';
import { describe, expect, test } from 'vitest';
import { plant, rejection, send, TOKEN } from './plant-request.js';

describe('seed', () => {
  test('stores plants without a request, in order', async () => {
    await using store = await startPlantStore({ token: TOKEN });
    store.seed({ name: 'Aloe', id: 9n }, { name: 'Fern', id: -1, tag: 'shade' });
    store.seed({ name: 'Moss', id: 9223372036854775807n });
    expect(store.plants()).toEqual([
      { name: 'Aloe', id: 9n },
      { name: 'Fern', id: -1, tag: 'shade' },
      { name: 'Moss', id: 9223372036854775807n },
    ]);
    expect(store.received()).toEqual([]);
    for (const id of [9, -1, 9223372036854775807n])
      expect(rejection(await send(store.url, { body: plant(id) })).name).toBe('id-duplicate');
  });

  test('replaces a plant with the same id, which keeps its place', () => {
    const store = createPlantStore();
    store.seed({ name: 'Aloe', id: 1 }, { name: 'Fern', id: 2 });
    store.seed({ name: 'Moss', id: 1n });
    expect(store.plants().map(({ name }) => name)).toEqual(['Moss', 'Fern']);
  });

  test.each([
    [{ id: 7 }, '"name" is missing'],
    [{ name: 'Aloe', id: 7.5 }, '"id" must be an integer in the range of int64; got 7.5'],
    [{ name: 'Aloe', id: 2n ** 63n }, '"id" must be'],
    [{ name: 'Aloe', id: 7, tag: null }, '"tag" must be a string; got null'],
    [{ name: 'Aloe', id: 7, tagg: 'x' }, 'has the unknown field "tagg"; did you mean "tag"?'],
    [{ name: 'Aloe', id: 1n }, 'plant 2 to seed has the id 1 of a plant before it'],
    [null, 'must be an object; got null'],
  ])('rejects %o, and stores none of the plants', (wrong, says) => {
    const store = createPlantStore();
    const seed = () => store.seed({ name: 'Good', id: 1 }, wrong as NewPlant, { name: 'Good', id: 2 });
    expect(seed).toThrow(ToolkitError);
    expect(seed).toThrow(expect.objectContaining({ code: 'invalid-option' }));
    expect(seed).toThrow(says);
    expect(store.plants()).toEqual([]);
  });

  test('is an option too: its plants are there from the start, and again after a reset', async () => {
    const store = createPlantStore({ plants: [{ name: 'Aloe', id: 9n }] });
    store.seed({ name: 'Fern', id: 2 });
    store.reset();
    expect(store.plants()).toEqual([{ name: 'Aloe', id: 9n }]);
    expect(() => createPlantStore({ plants: [{ name: 'Aloe' } as NewPlant] })).toThrow('"id" is missing');
    await expect(startPlantStore({ plants: {} as [] })).rejects.toThrow('"plants" must be a list of plants');
  });
});
