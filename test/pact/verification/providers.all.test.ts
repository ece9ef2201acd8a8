import { startPlantStore } from 'plant-store-contract/server';
import { afterAll, describe, expect, test } from 'vitest';
import { startCorrect } from '../../conformance/providers/correct/provider.js';
import * as variations from '../../conformance/providers/correct/variations.js';
import { startPython } from '../../conformance/providers/programs.js';
import type { Provider } from '../../conformance/providers/provider.js';
import { hasPython } from '../../tools.js';
import { Verifiers } from './verifiers.js';

// The shipped pact, no state handlers, and no help of any kind from the provider.
const token = 'a-token-of-these-tests';
const verifiers = new Verifiers();
afterAll(() => verifiers.stop());

async function problems(provider: Provider): Promise<string[]> {
  const { conclusion, summary, pacts } = await verifiers.verify({ baseUrl: provider.url, token });
  const failed = pacts.flatMap(({ interactions }) =>
    interactions.filter(({ verdict }) => verdict !== 'pass'),
  );
  return [
    ...(conclusion === 'conforms' ? [] : [summary]),
    ...failed.map(({ description, mismatches, violations }) =>
      [description, ...mismatches, ...violations].map((part) => JSON.stringify(part)).join(' '),
    ),
  ];
}

test('the reference server satisfies the shipped pact', async () => {
  await using store = await startPlantStore({ token });
  const verification = await verifiers.verify({ baseUrl: store.url, token });
  expect(verification.summary).toBe('The provider satisfies 5 of 5 interactions.');
  expect(verification.pacts[0]?.consumer).toBe('plant-store-client');
  expect(store.received().map(({ status }) => status)).toEqual([200, 400, 200, 400, 400]);
});

describe('other correct providers satisfy it', () => {
  const { statuses, stores, plants, writings } = variations;
  const { authentication } = variations;
  const chosen = Object.entries({ ...statuses, ...stores, ...plants, ...writings, ...authentication }).filter(
    // Pact accepts only gzip and deflate.
    ([name]) => !/Brotli/.test(name),
  );

  // The shipped pact always sends the same names.
  const twice = new Set(Object.keys(stores).filter((name) => !name.includes('names are unique')));

  test.concurrent.for(chosen)('%s', async ([name, variation]) => {
    await using provider = await startCorrect(token, variation);
    expect(await problems(provider)).toEqual([]);
    // It creates plants and cannot delete them. A second verification must pass too.
    if (twice.has(name)) expect(await problems(provider)).toEqual([]);
  });

  test.runIf(hasPython)('one in Python', async () => {
    await using provider = await startPython(token, 'http11');
    expect(await problems(provider)).toEqual([]);
  });
});
