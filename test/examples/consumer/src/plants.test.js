// plants.test.js
import { startPlantStore } from 'plant-store-contract/server';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createPlant } from './plants.js';

let store;

beforeAll(async () => {
  store = await startPlantStore({ token: 'secret' });
});

beforeEach(() => store.reset());

afterAll(() => store.close());

test('every digit of an id arrives', async () => {
  const plant = { name: 'Aloe', id: 9007199254740993n, tag: 'succulent' };
  expect(await createPlant(store.url, 'secret', plant)).toEqual({ name: 'Aloe', tag: 'succulent' });
  expect(store.plants()).toEqual([plant]);
});

test('a plant needs no tag', async () => {
  expect(await createPlant(store.url, 'secret', { name: 'Aloe', id: 7 })).toEqual({ name: 'Aloe' });
});

test('what the plant store says of a refusal is passed on', async () => {
  store.seed({ name: 'Fern', id: 7 });
  await expect(createPlant(store.url, 'secret', { name: 'Aloe', id: 7 })).rejects.toThrow(
    'a plant with the "id" 7 exists already',
  );
  expect(store.plants()).toEqual([{ name: 'Fern', id: 7 }]);
});
