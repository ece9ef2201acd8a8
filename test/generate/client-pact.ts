import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createPlantClient, PlantStoreError } from 'plant-store-contract/client';
import { plantStorePact, type RejectionCall } from 'plant-store-contract/pact';
import { Collection, type RunOutcome } from '../../src/pact/consumer/collection.js';
import { replacedAt } from '../../src/validation/json.js';

const committed = new URL('../../pacts/plant-store-client-plant-store.json', import.meta.url);

/** The client rejects with what the plant store says. */
async function says(call: Omit<RejectionCall, 'token'> & { token: string | null }): Promise<void> {
  const { url, token, plant, status, error } = call;
  await assert.rejects(
    createPlantClient({ baseUrl: url, token }).createPlant(plant),
    new PlantStoreError(status, error.error, error.message),
  );
}

/**
 * The pact in `pacts/`: the consumer test of the client in `src/client`. It has no duplicate id, because the interface does
 * not show the response to one.
 *
 * @returns the text of the pact that is committed, if only its metadata differ: they name versions of Pact
 * @throws AssertionError if the client does not do what the pact says
 */
export async function clientPact(): Promise<string> {
  const dir = mkdtempSync(join(tmpdir(), 'client-pact-'));
  // A test that makes it may be one of several that run at once.
  const collection = new Collection();
  let result: RunOutcome['result'] = 'failed';
  try {
    const pact = plantStorePact({ consumer: 'plant-store-client', dir });
    await pact.createsPlantWithTag(async ({ url, token, plant, response }) => {
      assert.deepEqual(await createPlantClient({ baseUrl: url, token }).createPlant(plant), response);
    });
    await pact.createsPlantWithoutTag(async ({ url, token, plant, response }) => {
      assert.deepEqual(await createPlantClient({ baseUrl: url, token }).createPlant(plant), response);
    });
    await pact.rejectsInvalidPlant(says);
    await pact.rejectsMissingToken(says);
    await pact.rejectsWrongToken(says);
    result = 'complete';
  } finally {
    collection.finish({ result, why: '' });
  }
  try {
    const [now, before] = [
      readFileSync(join(dir, 'plant-store-client-plant-store.json'), 'utf8'),
      readFileSync(committed, 'utf8'),
    ];
    return withoutMetadata(now) === withoutMetadata(before) ? before : now;
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

function withoutMetadata(text: string): string {
  return replacedAt(text, ['metadata'], '') ?? text;
}
