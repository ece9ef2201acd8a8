import { planCheck } from 'plant-store-contract/conformance';
import { expect, test } from 'vitest';
import { brokenIn, checkStore } from './checks.js';
import { type AnyFaultName, faultsNamed } from './faults/index.js';

// These rules need more than the rows that they judge: a request before, or a comparison with another response.
test.for<AnyFaultName>([
  'accepts-token-in-query',
  'caches-by-body',
  'rounds-ids',
  'refuses-large-ids',
  'keeps-refused-plants',
  'races-equal-ids',
  'refuses-name-null',
])('the rules that the fault %s breaks fail if they are judged alone', async (fault) => {
  const [{ breaks = [] } = {}] = faultsNamed(fault);
  for (const id of breaks) {
    const only = [id];
    expect(planCheck({ only }).requests).toBeLessThan(planCheck().requests / 4);
    expect(brokenIn(await checkStore([fault], { only }))).toEqual([id]);
    expect(brokenIn(await checkStore([], { only }))).toEqual([]);
  }
});

test.for<AnyFaultName>([
  'answers-xml-if-asked',
  'answers-latin-1',
  'answers-latin-1-if-asked',
  'returns-messages',
])('the documented rules alone find a wrong 200, with the fault %s', async (fault) => {
  const broken = brokenIn(await checkStore([fault], { only: ['documented'] }));
  expect(broken).toContainEqual(expect.stringMatching(/^success\//));
});
