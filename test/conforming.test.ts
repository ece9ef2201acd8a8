import { checkConformance } from 'plant-store-contract/conformance';
import { startPlantStore } from 'plant-store-contract/server';
import { expect, test } from 'vitest';

test('a test that expects a report to conform says which rules are broken', async () => {
  await using store = await startPlantStore({ token: 'secret', faults: ['leaks-id'] });
  const report = await checkConformance({ baseUrl: store.url, token: 'secret', only: ['success'] });
  expect(() => expect(report).toConform()).toThrow(
    /^the conclusion is does-not-conform: .*\n(?:.*\n)*? {2}fail: success\/plant-fields-only: /,
  );
});
