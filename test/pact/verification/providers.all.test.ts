import { startPlantStore } from 'plant-store-contract/server';
import { afterAll, describe, expect, test } from 'vitest';
import { casesOf } from '../../../src/report/frame.js';
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
  const report = await verifiers.verify({ baseUrl: provider.url, token });
  const { conclusion, summary } = report;
  const failed = casesOf(report).filter(({ verdict }) => verdict !== 'pass');
  return [
    ...(conclusion === 'conforms' ? [] : [summary]),
    ...failed.map(({ title, evidence }) => [title, JSON.stringify(evidence)].join(' ')),
  ];
}

test('the reference server satisfies the shipped pact', async () => {
  await using store = await startPlantStore({ token });
  const verification = await verifiers.verify({ baseUrl: store.url, token });
  expect(verification.summary).toBe('The provider satisfies 5 of 5 interactions.');
  expect(verification.groups[0]?.title).toBe('plant-store-client → plant-store');
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
