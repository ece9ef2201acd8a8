import * as matchers from 'plant-store-contract/matchers';
import { describe, expect, test } from 'vitest';

expect.extend(matchers);

const JSON_TYPE = { 'content-type': 'application/json' };
const PLANT = '{"name":"Aloë","tag":"a/b"}';

describe('a response', () => {
  test('of fetch can be read afterwards, by several matchers', async () => {
    const response = new Response(PLANT, { headers: JSON_TYPE });
    await Promise.all([expect(response).toConformToPlantStore(), expect(response).toBePlant()]);
    await expect(response).not.toBePlantStoreError();
    expect(await response.text()).toBe(PLANT);
  });
});

describe('an error', () => {
  test('in a body may have a status, as that of h3', () => {
    expect({ error: 1, message: 'no', statusCode: 400, data: {} }).toBePlantStoreError();
    expect({ error: true, message: 'no', statusCode: 400, data: {} }).not.toBePlantStoreError();
  });
});

describe('a value', () => {
  test('may be circular', async () => {
    const plant: Record<string, unknown> = { name: 'Aloe', id: 7, parents: [] };
    plant.self = plant;
    plant.parents = [plant, { deep: JSON.parse('['.repeat(1_000) + ']'.repeat(1_000)) }];
    expect(plant).toBeNewPlant();
    expect(plant).not.toBePlant();
    expect(() => expect(plant).toBePlant()).toThrow(/no field "self"/);
  });
});
