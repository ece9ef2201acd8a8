import { checkConformance } from 'plant-store-contract/conformance';
import { type FaultName, startPlantStore } from 'plant-store-contract/server';
import { describe, expect, test } from 'vitest';

const token = 'token-of-these-tests';

describe('a rule that is judged alone', () => {
  test.for<FaultName>([
    'accepts-missing-token',
    'authenticates-the-connection',
    'rounds-ids',
    'refuses-large-ids',
    'keeps-refused-plants',
    'races-equal-ids',
    'refuses-name-null',
  ])('has the same verdict as in a whole check, with the fault %s', async (fault) => {
    await using store = await startPlantStore({ token, faults: [fault] });
    const whole = await checkConformance({ baseUrl: store.url, token, prism: false });
    const depending =
      /ids-are-exact|token-in-|connection|refused-plant|equal-ids|plain-names|id-is-within|int64/;
    for (const { id, verdict } of whole.rules.filter((rule) => depending.test(rule.id))) {
      const alone = await checkConformance({ baseUrl: store.url, token, prism: false, only: [id] });
      expect([id, alone.rules[0]?.verdict]).toEqual([id, verdict]);
    }
  });

  test('does not pass if the check is stopped early', async () => {
    await using store = await startPlantStore({ token, delayMs: 20 });
    const stop = new AbortController();
    const report = await checkConformance({
      baseUrl: store.url,
      token,
      only: ['success/plant-fields-only'],
      signal: stop.signal,
      onExchange: ({ index }) => index === 5 && stop.abort(),
    });
    expect(report.conclusion).toBe('incomplete');
    expect(report.summary).toMatch(
      /^No rule failed, but \d+ requests could not be sent, or got no response in time\.$/,
    );
  });
});
