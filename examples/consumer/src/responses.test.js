// responses.test.js
import { plantStoreTest as test } from 'plant-store-contract/vitest';
import { expect } from 'vitest';

test('the response to a creation conforms to the interface', async ({ plantStore: store }) => {
  const response = await fetch(`${store.url}/plants`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${store.token}`, 'Content-Type': 'application/json' },
    body: '{"name":"Aloe","id":7}',
  });
  await expect(response).toConformToPlantStore();
  await expect(response).toBePlant();
});

test('values alone can be checked too', () => {
  expect({ name: 'Aloe', id: 9223372036854775807n }).toBeNewPlant();
  expect({ error: 1, message: 'no' }).toBePlantStoreError();
  expect({ name: 'Aloe', tag: null }).not.toBePlant();
});
