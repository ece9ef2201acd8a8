import { createPlantStore } from 'plant-store-contract/server';
import { expect, test } from 'vitest';
import { preferredFailure } from '../../src/server/failures/failure-response.js';

test('at its limit, a store removes each plant in the same time, however many there are', () => {
  const store = createPlantStore({ limits: { plants: 50_000 } });
  const start = performance.now();
  for (let id = 0; id < 50_000; id++) store.seed({ name: 'Aloe', id });
  const filling = performance.now() - start;
  for (let id = 50_000; id < 150_000; id++) store.seed({ name: 'Aloe', id });
  expect(performance.now() - start - filling).toBeLessThan(10 * filling + 1_000);
  expect(store.plants()[0]?.id).toBe(100_000);
});

test('a hostile Prefer is read in linear time', () => {
  const length = 200_000;
  const start = performance.now();
  for (const part of [' ', ',', ';', '; ', 'a ', 'a=', '"', '\\"', 'a="', 'a;', 'a,', 'a; b=";,']) {
    const headers = ['prefer', part.repeat(length / part.length)];
    expect(preferredFailure(headers)).toBeUndefined();
  }
  expect(performance.now() - start).toBeLessThan(2_000);
});
