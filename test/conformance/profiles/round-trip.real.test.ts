import { checkConformance, type Profile } from 'plant-store-contract/conformance';
import {
  imitationOf,
  type PlantStoreOptions,
  readProfile,
  startPlantStore,
} from 'plant-store-contract/server';
import { expect, test } from 'vitest';
import { token, withoutLines } from './round-trip.js';

const STRICT: PlantStoreOptions = {
  authenticationFailureStatus: 401,
  authorizationSyntax: 'exact-scheme',
  unknownFields: 'reject',
  fractionalIds: 'reject',
  namePattern: '^[^<>]+$',
  rejections: { 'id-duplicate': { status: 409, error: 8 }, 'media-type': { status: 415 } },
  limits: { smallestId: 1n },
};
const LENIENT: PlantStoreOptions = {
  duplicateAuthorization: 'first',
  duplicateId: 'replace',
  duplicateKeys: 'last',
  byteOrderMark: 'accept',
  mediaTypes: ['none', '*/*'],
  errorCodes: 'status',
  limits: { bodyBytes: 2 ** 24, depth: 20_001 },
};

async function check(baseUrl: string): Promise<Profile> {
  // A large body takes its time on a busy machine.
  const report = await checkConformance({ baseUrl, token, prism: false, timeoutMs: 30_000 });
  return report.profile;
}

test.for([
  ['strict', STRICT],
  ['lenient', LENIENT],
] as const)('the profile of a %s server makes a server with the same profile', async ([_what, options]) => {
  await using provider = await startPlantStore({ token, ...options });
  const profile = readProfile(JSON.stringify(await check(provider.url)));
  expect(imitationOf(profile)).toMatchObject({ notImitated: [], unknown: [] });
  await using mock = await startPlantStore({ token, profile });
  expect(withoutLines(await check(mock.url))).toEqual(withoutLines(profile));
});

test('a second check meets the plants of the first one, says so, and makes the same server', async () => {
  await using provider = await startPlantStore({ token, ...STRICT, limits: { smallestId: 0n } });
  const [first, second] = [await check(provider.url), await check(provider.url)];
  const unclear = second.behaviours.filter(({ caveat }) => caveat !== undefined);
  expect(unclear.map(({ rule, value, caveat }) => [rule, value, caveat])).toEqual(
    ['id-zero', 'id-at-upper-end'].map((name) => [
      `unspecified/${name}`,
      '409',
      'The id may exist from an earlier check: the response is like that to a duplicate id.',
    ]),
  );
  expect(imitationOf(second).options).toEqual(imitationOf(first).options);
});
