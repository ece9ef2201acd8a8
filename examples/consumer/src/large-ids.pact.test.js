import { plantStorePact } from 'plant-store-contract/pact';
import { expect, test } from 'vitest';
import { createPlant } from './plants.js';

const pact = plantStorePact({ consumer: 'garden-app' });

test('creates a plant with the largest id', () =>
  pact.createsPlantWithTag(
    async ({ url, token, plant, response }) => {
      expect(await createPlant(url, token, plant)).toEqual(response);
    },
    {
      plant: { name: 'Aloe', id: 9223372036854775807n, tag: 'succulent' },
      description: 'a request to create a plant with the largest id',
    },
  ));
