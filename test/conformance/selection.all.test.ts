import { checkConformance } from 'plant-store-contract/conformance';
import { type FaultName, startPlantStore } from 'plant-store-contract/server';
import { expect, test } from 'vitest';
import { isBroken } from '../../src/report/conclusion.js';
import { checkStore, token } from './checks.js';
import type { AnyFaultName } from './faults/index.js';

test.for<FaultName>([
  'accepts-missing-token',
  'authenticates-the-connection',
  'rounds-ids',
  'refuses-large-ids',
  'keeps-refused-plants',
  'races-equal-ids',
  'refuses-name-null',
])(
  'a rule that is judged alone has the same verdict as in a whole check, with the fault %s',
  async (fault) => {
    await using store = await startPlantStore({ token, faults: [fault] });
    const options = { baseUrl: store.url, token, prism: false };
    const whole = await checkConformance(options);
    const depending =
      /ids-are-exact|token-in-|connection|refused-plant|equal-ids|plain-names|id-is-within|int64/;
    for (const { id, verdict } of whole.rules.filter((rule) => depending.test(rule.id))) {
      const alone = await checkConformance({ ...options, only: [id] });
      expect([id, alone.rules[0]?.verdict]).toEqual([id, verdict]);
    }
  },
);

test.for<AnyFaultName>([
  'answers-xml-if-asked',
  'answers-latin-1',
  'answers-latin-1-if-asked',
  'returns-messages',
])('the documented rules alone find a wrong 200, with the fault %s', async (fault) => {
  const { rules } = await checkStore([fault], { only: ['documented'] });
  expect(rules.filter(isBroken).map(({ id }) => id)).toContainEqual(expect.stringMatching(/^success\//));
});
