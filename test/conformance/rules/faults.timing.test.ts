import { loadFaults } from 'plant-store-contract/server';
import { expect, test } from 'vitest';
import { rulesBrokenBy } from './fault-checks.js';
import { isOfTiming } from './timed-faults.js';

const timed = (await loadFaults()).filter(isOfTiming);

test('there are some', () => expect(timed.length).toBeGreaterThan(2));

test.for(timed)('$name breaks exactly the rules that it names', async (fault) => {
  expect(await rulesBrokenBy(fault)).toEqual([...fault.breaks].sort());
});
