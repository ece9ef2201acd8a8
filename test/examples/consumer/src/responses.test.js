// responses.test.js
import { plantStoreTest as test } from 'plant-store-contract/vitest';
import { expect } from 'vitest';

test('a creation is answered as the interface says', async ({ plantStore: store }) => {
  const response = await fetch(`${store.url}/plants`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${store.token}`, 'Content-Type': 'application/json' },
    body: '{"name":"Aloe","id":7}',
  });
  await expect(response).toConformToPlantStore();
  await expect(response).toBePlant();
});

test('values alone can be judged as well', () => {
  expect({ name: 'Aloe', id: 9223372036854775807n }).toBeNewPlant();
  expect({ error: 1, message: 'no' }).toBePlantStoreError();
  expect({ name: 'Aloe', tag: null }).not.toBePlant();
});
