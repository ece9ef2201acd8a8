import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { checkConformance } from 'plant-store-contract/conformance';
import { startPlantStore } from 'plant-store-contract/server';
import { describe, expect, test } from 'vitest';
import { hasCurl } from '../tools.js';
import { evidenceOf } from './checks.js';
import { type AnyFaultName, faultsNamed } from './faults/index.js';

// With what a shell has to be careful about.
const token = 'a-Token.with~/all+that=';
const exec = promisify(execFile);

describe.skipIf(!hasCurl)('real curl, run by a shell', () => {
  test.each<[AnyFaultName, string, RegExp]>([
    ['leaks-id', 'success/plant-fields-only', /^HTTP\/1\.1 200 .*"id":\d+\}$/s],
    ['accepts-missing-name', 'request/name-is-required', /^HTTP\/1\.1 200 /],
    ['omits-message', 'failure/body-is-an-error', /\{"error":\d+\}$/s],
  ])('shows what %s breaks, each time with a new id', async (fault, id, again) => {
    await using store = await startPlantStore({ token, faults: faultsNamed(fault) });
    const report = await checkConformance({ baseUrl: store.url, token, prism: false, only: [id] });
    const [failure] = evidenceOf(report, id);
    expect(failure?.repeated).toBe('steady');
    const env = { ...process.env, PLANT_STORE_TOKEN: token };
    for (const _time of ['first', 'second'])
      expect((await exec('bash', ['-c', failure?.reproduce ?? ''], { env })).stdout).toMatch(again);
  });
});
