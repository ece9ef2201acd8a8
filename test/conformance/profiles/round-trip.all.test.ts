import { checkConformance, type Profile } from 'plant-store-contract/conformance';
import {
  imitationOf,
  type PlantStoreOptions,
  readProfile,
  startPlantStore,
} from 'plant-store-contract/server';
import { expect, test } from 'vitest';

const token = 'token-of-these-tests';

const STRICT: PlantStoreOptions = {
  authenticationFailureStatus: 401,
  schemeCase: 'exact',
  unknownFields: 'reject',
  rejections: { 'id-duplicate': { status: 409 }, 'media-type': { status: 415 } },
};
const LENIENT: PlantStoreOptions = {
  duplicateId: 'replace',
  mediaTypes: ['text/plain', 'none'],
  errorCodes: 'status',
};

async function check(baseUrl: string): Promise<Profile> {
  return (await checkConformance({ baseUrl, token, prism: false, timeoutMs: 30_000 })).profile;
}

test.for([
  ['usual', {}],
  ['strict', STRICT],
  ['lenient', LENIENT],
] as const)('the profile of a %s server makes a server with the same profile', async ([_what, options]) => {
  await using provider = await startPlantStore({ token, ...options });
  const profile = readProfile(JSON.stringify(await check(provider.url)));
  const imitation = imitationOf(profile);
  expect(imitation).toEqual({
    options,
    imitated: options === (STRICT as object) || options === (LENIENT as object) ? expect.any(Array) : [],
    notImitated: [],
  });
  await using mock = await startPlantStore({ token, ...imitation.options });
  expect(await check(mock.url)).toEqual(profile);
  // The second check meets the plants of the first one, and makes the same server.
  expect(imitationOf(await check(provider.url)).options).toEqual(options);
});
