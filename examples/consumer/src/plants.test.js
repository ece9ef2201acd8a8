// plants.test.js
import { plantStoreTest as test } from 'plant-store-contract/vitest';
import { expect } from 'vitest';
import { createPlant } from './plants.js';

test('every digit of an id arrives', async ({ plantStore: store }) => {
  const plant = { name: 'Aloe', id: 9007199254740993n, tag: 'succulent' };
  expect(await createPlant(store.url, store.token, plant)).toEqual({ name: 'Aloe', tag: 'succulent' });
  expect(store.plants()).toEqual([plant]);
});

test('a rejection passes on the message of the plant store', async ({ plantStore: store }) => {
  store.seed({ name: 'Fern', id: 7 });
  await expect(createPlant(store.url, store.token, { name: 'Aloe', id: 7 })).rejects.toThrow(
    'a plant with the "id" 7 exists already',
  );
});
