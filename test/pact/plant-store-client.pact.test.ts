import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createPlantClient, PlantStoreError } from 'plant-store-contract/client';
import { collectPacts, plantStorePact, type RefusalCall } from 'plant-store-contract/pact';
import { afterAll, describe, expect, test } from 'vitest';
import { sliceAt } from '../../src/validation/json-slices.js';

// The consumer tests of the client in src/client, and the pact that they make: pacts/plant-store-client-plant-store.json.
// A repeated id is no part of it: what a provider answers there, the interface does not show.

const dir = mkdtempSync(join(tmpdir(), 'client-pact-'));
const finish = collectPacts();
const pact = plantStorePact({ consumer: 'plant-store-client', dir });

afterAll(() => {
  finish('failed');
  rmSync(dir, { recursive: true, force: true });
});

describe('the client creates a plant', () => {
  test('with a tag', () =>
    pact.createsPlantWithTag(async ({ url, token, plant, answer }) => {
      const client = createPlantClient({ baseUrl: url, token });
      expect(await client.createPlant(plant)).toEqual(answer);
    }));

  test('without a tag', () =>
    pact.createsPlantWithoutTag(async ({ url, token, plant, answer }) => {
      const client = createPlantClient({ baseUrl: url, token });
      expect(await client.createPlant(plant)).toEqual(answer);
    }));
});

describe('the client tells why the plant store refuses', () => {
  async function tells({
    url,
    token,
    plant,
    status,
    error,
  }: Omit<RefusalCall, 'token'> & { token: string | null }) {
    const refusal = createPlantClient({ baseUrl: url, token }).createPlant(plant);
    await expect(refusal).rejects.toThrow(new PlantStoreError(status, error.error, error.message));
  }

  test('an invalid plant', () => pact.refusesInvalidPlant(tells));
  test('a request without a token', () => pact.refusesMissingToken(tells));
  test('a request with a wrong token', () => pact.refusesWrongToken(tells));
});

const committed = new URL('../../pacts/plant-store-client-plant-store.json', import.meta.url).pathname;

/** A pact without what differs between versions of Pact. */
function withoutMetadata(text: string): string {
  const slice = sliceAt(text, ['metadata']);
  return slice === undefined ? text : text.slice(0, slice.start) + text.slice(slice.end);
}

test('these interactions are the committed pact; npm run generate writes it', async () => {
  const [written] = finish();
  expect(written).toMatchObject({ written: true, interactions: 5 });
  const text = readFileSync(written?.file ?? '', 'utf8');
  const before = existsSync(committed) ? readFileSync(committed, 'utf8') : '';
  const same = withoutMetadata(text) === withoutMetadata(before);
  await expect(same ? before : text).toMatchFileSnapshot(committed);
});
