import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createPlantClient, PlantStoreError } from 'plant-store-contract/client';
import { collectPacts, plantStorePact, type RejectionCall } from 'plant-store-contract/pact';
import { afterAll, describe, expect, test } from 'vitest';
import { sliceAt } from '../../src/validation/json-slices.js';

// The consumer tests of the client in src/client, and the pact that they make: pacts/plant-store-client-plant-store.json.
// It has no duplicate id: the interface does not show the response to one.

const dir = mkdtempSync(join(tmpdir(), 'client-pact-'));
const finish = collectPacts();
const pact = plantStorePact({ consumer: 'plant-store-client', dir });

afterAll(() => {
  finish('failed');
  rmSync(dir, { recursive: true, force: true });
});

describe('the client creates a plant', () => {
  test('with a tag', () =>
    pact.createsPlantWithTag(async ({ url, token, plant, response }) => {
      const client = createPlantClient({ baseUrl: url, token });
      expect(await client.createPlant(plant)).toEqual(response);
    }));

  test('without a tag', () =>
    pact.createsPlantWithoutTag(async ({ url, token, plant, response }) => {
      const client = createPlantClient({ baseUrl: url, token });
      expect(await client.createPlant(plant)).toEqual(response);
    }));
});

describe('the client tells why the plant store refuses', () => {
  async function tells({
    url,
    token,
    plant,
    status,
    error,
  }: Omit<RejectionCall, 'token'> & { token: string | null }) {
    const refusal = createPlantClient({ baseUrl: url, token }).createPlant(plant);
    await expect(refusal).rejects.toThrow(new PlantStoreError(status, error.error, error.message));
  }

  test('an invalid plant', () => pact.rejectsInvalidPlant(tells));
  test('a request without a token', () => pact.rejectsMissingToken(tells));
  test('a request with a wrong token', () => pact.rejectsWrongToken(tells));
});

const committed = new URL('../../pacts/plant-store-client-plant-store.json', import.meta.url).pathname;

/** A pact without what differs between versions of Pact. */
function withoutMetadata(text: string): string {
  const slice = sliceAt(text, ['metadata']);
  return slice === undefined ? text : text.slice(0, slice.start) + text.slice(slice.end);
}

test('these interactions are the committed pact; npm run generate writes it', async () => {
  const [written] = finish('complete');
  expect(written).toMatchObject({ written: true, interactions: 5 });
  const text = readFileSync(written?.file ?? '', 'utf8');
  const before = existsSync(committed) ? readFileSync(committed, 'utf8') : '';
  const same = withoutMetadata(text) === withoutMetadata(before);
  await expect(same ? before : text).toMatchFileSnapshot(committed);
});
