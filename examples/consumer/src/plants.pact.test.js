// plants.pact.test.js
import { plantStorePact } from 'plant-store-contract/pact';
import { expect, test } from 'vitest';
import { createPlant } from './plants.js';

const pact = plantStorePact({ consumer: 'garden-app' });

test('creates a plant', () =>
  pact.createsPlantWithTag(async ({ url, token, plant, response }) => {
    expect(await createPlant(url, token, plant)).toEqual(response);
  }));

test('reports a wrong token', () =>
  pact.rejectsWrongToken(async ({ url, token, plant, error }) => {
    await expect(createPlant(url, token, plant)).rejects.toThrow(error.message);
  }));
