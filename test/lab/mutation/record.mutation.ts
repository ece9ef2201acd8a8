import { startPlantStore } from 'plant-store-contract/server';
import { describe, expect, test } from 'vitest';
import { allFaults } from '../../conformance/faults/index.js';
import { startCorrect } from '../../conformance/providers/correct/provider.js';
import { strings } from '../../conformance/providers/correct/strings.js';
import * as variations from '../../conformance/providers/correct/variations.js';
import { keep } from './records.js';

const token = 'a-token-of-these-tests';
/** Of the correct providers, one in so many is kept: each is judged by every rule. */
const ONE_IN = 10;

const ofCore = allFaults.filter(({ needsExploring }) => needsExploring !== true);
const { statuses, stores, plants, authentication, fields, limits, writings, transfers } = variations;

// What depends on time is not kept: it is judged with the real waiting, in test/conformance/rules.
describe('keeps a check of', () => {
  test('the reference server', async () => {
    await using store = await startPlantStore({ token });
    expect(await keep('reference', store.url, token, { broken: [], mayBlock: false })).toEqual([]);
  });

  test.for(ofCore)('the fault $name', async (fault) => {
    await using store = await startPlantStore({ token, faults: [fault] });
    expect(await keep(fault.name, store.url, token, { broken: fault.breaks, mayBlock: true })).toEqual([]);
  });

  test.for(
    Object.entries({
      ...{ ...authentication, ...fields, ...statuses, ...stores },
      ...{ ...plants, ...strings, ...limits, ...writings, ...transfers },
    }).filter((_, at) => at % ONE_IN === 0),
  )('a correct provider if %s', async ([name, variation]) => {
    await using provider = await startCorrect(token, variation);
    expect(await keep(`correct ${name}`, provider.url, token, { broken: [], mayBlock: false })).toEqual([]);
  });
});
