import { checkConformance } from 'plant-store-contract/conformance';
import { startPlantStore } from 'plant-store-contract/server';
import { expect, test } from 'vitest';
import { token } from './checks.js';

test('checks of a long-lived server have the same verdicts, findings and profile', async () => {
  await using store = await startPlantStore({ token });
  const check = async () => {
    const report = await checkConformance({ baseUrl: store.url, token, prism: false });
    const { conclusion, rules: judged, findings, profile } = report;
    return { conclusion, judged, findings, profile };
  };
  // The exact ends of int64 are free for the first run only.
  expect((await check()).conclusion).toBe('conforms');
  const second = await check();
  expect(await check()).toEqual(second);
});
