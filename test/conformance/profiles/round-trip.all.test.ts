import { checkConformance } from 'plant-store-contract/conformance';
import { createPlantStore, imitationOf, type PlantStoreOptions } from 'plant-store-contract/server';
import { describe, expect, test } from 'vitest';
import { startCorrect } from '../providers/correct/provider.js';
import { plants, statuses, stores } from '../providers/correct/variations.js';
import { profileOfFetch, profileOfStore, token } from './round-trip.js';

/** Every value of every setting that a profile can express. */
const SETTINGS: readonly PlantStoreOptions[] = [
  { authenticationFailureStatus: 401 },
  { authenticationFailureStatus: 403 },
  { challenge: false },
  { challenge: 'Bearer realm="plants"' },
  { authorizationSyntax: 'exact-scheme' },
  { authorizationSyntax: 'one-space' },
  { authorizationSyntax: 'exact' },
  { duplicateId: 'replace' },
  { duplicateId: 'reject-different' },
  { duplicateName: 'reject' },
  { unknownFields: 'reject' },
  { duplicateKeys: 'last' },
  { fractionalIds: 'reject' },
  { byteOrderMark: 'accept' },
  { mediaTypes: ['none'] },
  { mediaTypes: ['text/plain'] },
  { mediaTypes: ['application/vnd.api+json'] },
  { mediaTypes: ['none', '*/*'] },
  { namePattern: '^[A-Za-z ]+$' },
  { namePattern: /^[^\0<>]{1,500}$/u },
  { tagPattern: '^[a-z]+$' },
  { tagPattern: '^[^<>]*$' },
  { errorCodes: 'status' },
  { errorCodes: 7 },
  { rejections: { 'id-duplicate': { status: 409 }, 'body-missing': { status: 411 } } },
  { rejections: { 'json-malformed': { status: 422, error: 9 }, 'name-invalid': { error: 10 } } },
  { rejections: { 'media-type': { status: 415 }, 'content-encoding': { status: 415 } } },
  { rejections: { 'unknown-path': { status: 410 }, 'method-not-allowed': { status: 404 } } },
  { rejections: { 'token-wrong': { status: 403, error: 1 }, 'authorization-missing': { status: 401 } } },
  { limits: { smallestId: 0n } },
  { limits: { smallestId: 1n } },
];

/** Each tenth of the settings together. */
const COMBINATIONS = Array.from({ length: 10 }, (_, at) =>
  Object.assign({}, ...SETTINGS.filter((_one, index) => index % 10 === at)),
) as readonly PlantStoreOptions[];

describe('the profile of a server with a profile is the same', () => {
  test.for([...SETTINGS, ...COMBINATIONS])('with %o', async (options) => {
    const profile = await profileOfStore(options);
    expect(imitationOf(profile).notImitated).toEqual([]);
    expect(await profileOfStore({ profile })).toEqual(profile);
  });
});

describe('a server with the profile of another provider differs in what it says, and is the same after a second check', () => {
  const correct = { ...statuses, ...plants, ...stores };

  test.for(Object.entries(correct))('if %s', async ([_what, variation]) => {
    await using provider = await startCorrect(token, variation);
    const check = () =>
      checkConformance({
        ...{ baseUrl: provider.url, token, prism: false, levels: ['unspecified'], quick: true },
      });
    const { profile } = await check();
    const mock = await profileOfStore({ profile });
    const { notImitated } = imitationOf(profile);
    const differing = profile.behaviours.filter(({ rule, value, error, caveat }) => {
      const other = mock.behaviours.find((one) => one.rule === rule);
      const isDifferent = other?.value !== value || (error !== undefined && other?.error !== error);
      return other !== undefined && caveat === undefined && isDifferent;
    });
    const said = mock.behaviours.flatMap(({ rule }) =>
      profile.behaviours.filter(
        (one) => one.rule === rule && notImitated.some((sentence) => sentence.startsWith(one.sentence)),
      ),
    );
    expect(differing.map(({ rule }) => rule).sort()).toEqual(said.map(({ rule }) => rule).sort());
    const { profile: again } = await check();
    expect(imitationOf(again).options).toEqual(imitationOf(profile).options);
  });
});

test.for([{}, ...COMBINATIONS, { errorCodes: 400 }] as readonly PlantStoreOptions[])(
  'a second check makes of %o the same server, although it meets the plants of the first',
  async (options) => {
    const { fetch } = createPlantStore({ token, ...options });
    const [first, second] = [await profileOfFetch(fetch), await profileOfFetch(fetch)];
    expect(imitationOf(second).options).toEqual(imitationOf(first).options);
  },
);
