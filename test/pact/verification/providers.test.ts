import { verifyProvider } from 'plant-store-contract/pact';
import { startPlantStore } from 'plant-store-contract/server';
import { describe, expect, test } from 'vitest';
import { startCorrect } from '../../conformance/providers/correct/provider.js';
import * as variations from '../../conformance/providers/correct/variations.js';
import { startExpress } from '../../conformance/providers/express.js';
import type { Provider } from '../../conformance/providers/provider.js';
import { hasPython, startPython } from '../../conformance/providers/python.js';

// The shipped pact, no state handlers, and no help of any kind from the provider.
const token = 'a-token-of-these-tests';

async function complaints(provider: Provider): Promise<string[]> {
  const { conclusion, summary, pacts } = await verifyProvider({ baseUrl: provider.url, token });
  const failed = pacts.flatMap(({ interactions }) =>
    interactions.filter(({ verdict }) => verdict !== 'pass'),
  );
  return [
    ...(conclusion === 'verified' ? [] : [summary]),
    ...failed.map(({ description, mismatches, violations }) =>
      [description, ...mismatches, ...violations].map((part) => JSON.stringify(part)).join(' '),
    ),
  ];
}

test('the reference server keeps the shipped pact', async () => {
  await using store = await startPlantStore({ token });
  const verification = await verifyProvider({ baseUrl: store.url, token });
  expect(verification.summary).toBe('The provider keeps all 5 interactions.');
  expect(verification.pacts[0]?.consumer).toBe('plant-store-client');
  expect(store.received().map(({ status }) => status)).toEqual([200, 400, 200, 400, 400]);
});

describe('providers in another shape keep it', () => {
  test('Express, with 401, 409 and 422', async () => {
    await using provider = await startExpress(token);
    expect(await complaints(provider)).toEqual([]);
  });

  const { statuses, stores, plants, writings } = variations;
  const { authentication } = variations;
  const chosen = Object.entries({ ...statuses, ...stores, ...plants, ...writings, ...authentication }).filter(
    // Pact asks for gzip or deflate, and reads nothing else.
    ([name]) => !/Brotli/.test(name),
  );

  // The shipped pact sends the same names each time.
  const twice = new Set(Object.keys(stores).filter((name) => !name.includes('names are unique')));

  test.concurrent.for(chosen)('%s', async ([name, variation]) => {
    await using provider = await startCorrect(token, variation);
    expect(await complaints(provider)).toEqual([]);
    // It creates plants, and cannot delete them: a second time has to go as well.
    if (twice.has(name)) expect(await complaints(provider)).toEqual([]);
  });

  test.runIf(hasPython)('one in Python', async () => {
    await using provider = await startPython(token, 'http11');
    expect(await complaints(provider)).toEqual([]);
  });
});
