import fc from 'fast-check';
import { type Profile, type RuleId, rules } from 'plant-store-contract/conformance';
import {
  createPlantStore,
  errorCodes,
  imitationOf,
  type PlantStoreOptions,
  ToolkitError,
} from 'plant-store-contract/server';
import { describe, expect, test } from 'vitest';
import { triedNames, triedTags } from '../../src/report/profile.js';
import { otherObservations, patternAgainst, requests } from '../../src/server/imitation-table.js';
import { settingsFrom } from '../../src/server/options.js';

type ObservedRule = Profile['behaviours'][number];

/** What was observed, by the name of the rule: a value, or a value and an "error". */
type Observed = Readonly<Record<string, string | Partial<ObservedRule>>>;

function profileOf(observed: Observed, given: Partial<Profile> = {}): Profile {
  const behaviours = Object.entries(observed).map(([name, one]): ObservedRule => {
    const { value = '', ...more } = typeof one === 'string' ? { value: one } : one;
    return { rule: `unspecified/${name}`, sentence: `${name} returns ${value}.`, value, ...more };
  });
  return { profileVersion: 1, interfaceVersion: '1.0.0', demands: [], behaviours, ...given };
}

const optionsOf = (observed: Observed, given?: Partial<Profile>) =>
  imitationOf(profileOf(observed, given)).options;

describe('the table', () => {
  test('knows every observation', () => {
    const observed = rules
      .filter(({ level }) => level === 'unspecified')
      .map(({ id }: { id: RuleId }) => id.replace('unspecified/', ''));
    expect([...requests.keys(), ...otherObservations.keys()].sort()).toEqual(observed.sort());
  });

  test.for<[Observed, PlantStoreOptions]>([
    [{}, {}],
    [{ 'missing-token': '401', 'wrong-token': '401' }, { authenticationFailureStatus: 401 }],
    [
      { 'missing-token': '401', 'wrong-token': '403' },
      { authenticationFailureStatus: 403, rejections: { 'authorization-missing': { status: 401 } } },
    ],
    [{ challenge: 'none' }, { challenge: false }],
    [{ challenge: 'Bearer' }, {}],
    [{ challenge: 'Bearer realm="plants"' }, { challenge: 'Bearer realm="plants"' }],
    [{ 'scheme-in-lower-case': '200', 'two-spaces': '200' }, {}],
    [{ 'scheme-in-lower-case': '400', 'two-spaces': '200' }, { authorizationSyntax: 'exact-scheme' }],
    [{ 'scheme-in-lower-case': '200', 'two-spaces': '400' }, { authorizationSyntax: 'one-space' }],
    [{ 'scheme-in-lower-case': '400', 'two-spaces': '400' }, { authorizationSyntax: 'exact' }],
    [{ 'two-authorizations': '200' }, { duplicateAuthorization: 'first' }],
    [{ 'error-codes': 'status' }, { errorCodes: 'status' }],
    [{ 'error-codes': '-7' }, { errorCodes: -7 }],
    [{ 'repeated-id': '409' }, { rejections: { 'id-duplicate': { status: 409 } } }],
    [{ 'repeated-id': '200', 'repeated-id-with-another-name': '200' }, { duplicateId: 'replace' }],
    [
      { 'repeated-id': '200', 'repeated-id-with-another-name': '409' },
      { duplicateId: 'reject-different', rejections: { 'id-duplicate': { status: 409 } } },
    ],
    [{ 'repeated-name': '400' }, { duplicateName: 'reject' }],
    [{ 'unknown-field': '400' }, { unknownFields: 'reject' }],
    [{ 'repeated-key': '200' }, { duplicateKeys: 'last' }],
    [{ 'id-with-zero-fraction': '400' }, { fractionalIds: 'reject' }],
    [{ 'byte-order-mark': '200' }, { byteOrderMark: 'accept' }],
    [{ 'no-media-type': '200' }, { mediaTypes: ['none'] }],
    [
      { 'text-plain': '200', 'json-suffix': '415' },
      { mediaTypes: ['text/plain'], rejections: { 'media-type': { status: 415 } } },
    ],
    [{ 'text-plain': '200', 'json-suffix': '200' }, { mediaTypes: ['*/*'] }],
    [{ 'id-zero': '200', 'id-negative': '400' }, { limits: { smallestId: 0n } }],
    [{ 'id-zero': '400', 'id-negative': '400' }, { limits: { smallestId: 1n } }],
    [{ 'empty-name': '422' }, { namePattern: '^(?!$)', rejections: { 'name-not-allowed': { status: 422 } } }],
    [{ 'names-refused': 'empty, nul' }, { namePattern: '^(?!$|[^]*\\u0000)' }],
    [{ 'empty-tag': '400', 'tags-refused': 'empty' }, { tagPattern: '^(?!$)' }],
    [{ 'large-body': '200' }, { limits: { bodyBytes: 2 ** 24 } }],
    [{ 'deep-nesting': '200' }, { limits: { depth: 20_001 } }],
    [{ 'unknown-path': '404', get: '405', options: '405' }, {}],
    [{ get: '404' }, { rejections: { 'method-not-allowed': { status: 404 } } }],
  ])('makes of %o: %o', ([observed, options]) => {
    expect(optionsOf(observed)).toEqual(options);
  });

  test('gives reasons that are not observed the response of a similar one, and keeps codes that the provider has', () => {
    const wrongType = { value: '422', error: 7 };
    expect(optionsOf({ 'wrong-type': wrongType, 'error-codes': '7, 8' }).rejections).toMatchObject({
      'name-invalid': { status: 422, error: 7 },
      'id-invalid': { status: 422, error: 7 },
      'tag-invalid': { status: 422, error: 7 },
    });
    const codes = Object.values(errorCodes).join(', ');
    expect(optionsOf({ 'wrong-type': { value: '400', error: 32 }, 'error-codes': codes })).toEqual({});
    const incidents = { 'wrong-type': { value: '400', error: 9 }, 'error-codes': 'another each time' };
    expect(optionsOf(incidents)).toEqual({});
  });

  test.for(triedNames.map(([kind, , text]) => [kind, text] as const))(
    'rejects names of the kind %s without those of other kinds',
    ([kind]) => {
      const pattern = new RegExp(patternAgainst('name', [kind], settingsFrom({})) ?? '', 'u');
      const rejected = triedNames.filter(([, , text]) => !pattern.test(text)).map(([other]) => other);
      // The name of 1,000 characters has accents too.
      const also =
        { accents: ['1000-characters'], '100-characters': ['1000-characters'] }[kind as string] ?? [];
      expect(rejected).toEqual([kind, ...also]);
    },
  );

  test.for(triedTags.map(([kind]) => kind))(
    'rejects tags of the kind %s without those of other kinds',
    (kind) => {
      const pattern = new RegExp(patternAgainst('tag', [kind], settingsFrom({})) ?? '', 'u');
      expect(triedTags.filter(([, , text]) => !pattern.test(text)).map(([other]) => other)).toEqual([kind]);
    },
  );
});

describe('an imitation', () => {
  test('says what it imitates, and not what the server does anyway', () => {
    const { imitated, notImitated, unknown } = imitationOf(
      profileOf({ 'unknown-field': '400', 'repeated-id': '409', 'wrong-token': '400' }),
    );
    expect(imitated).toEqual(['unknown-field returns 400.', 'repeated-id returns 409.']);
    expect([notImitated, unknown]).toEqual([[], []]);
  });

  test.for<[string, Observed, Partial<Profile>, string]>([
    [
      'a rule that the provider breaks',
      {},
      { demands: [{ rule: 'success/plant-fields-only', verdict: 'fail' }] },
      'The provider breaks success/plant-fields-only. This server does not.',
    ],
    ['a 204', { 'repeated-id': '204' }, {}, 'repeated-id returns 204. This server returns 200.'],
    ['a 5xx', { 'malformed-json': '500' }, {}, 'malformed-json returns 500. This server returns 400.'],
    ['no response', { 'large-body': 'reset' }, {}, 'large-body returns reset. This server returns 400.'],
    [
      'two statuses for one reason of this server',
      { 'malformed-json': '400', 'byte-order-mark': '422' },
      {},
      'byte-order-mark returns 422. This server returns 400.',
    ],
    [
      'two codes for one reason of this server',
      { 'malformed-json': { value: '400', error: 1 }, 'byte-order-mark': { value: '400', error: 2 } },
      {},
      'byte-order-mark returns 400. Its "error" is 2. This server sends 1.',
    ],
    [
      'further fields',
      { 'further-fields-of-errors': 'code' },
      {},
      'further-fields-of-errors returns code. This server: none.',
    ],
    [
      'a challenge that cannot be sent',
      { challenge: 'Bearer realm="é"' },
      {},
      'challenge returns Bearer realm="é". This server: Bearer.',
    ],
    [
      'a rule of a later version',
      { 'green-thumbs': '200' },
      {},
      'green-thumbs returns 200. This server has no option for it.',
    ],
    [
      'a name that objects have',
      { constructor: '200' },
      {},
      'constructor returns 200. This server has no option for it.',
    ],
  ])('says that it does not imitate %s', ([_what, observed, given, sentence]) => {
    const { notImitated } = imitationOf(profileOf(observed, given));
    expect(notImitated).toEqual([sentence]);
  });

  test('concludes nothing from what may exist', () => {
    const caveat = 'It may exist.';
    const observed = {
      'id-zero': { value: '400', caveat },
      'id-negative': '400',
      'empty-name': { value: '409', caveat },
    };
    const { options, unknown } = imitationOf(profileOf(observed));
    expect(options).toEqual({ limits: { smallestId: 0n } });
    expect(unknown).toEqual(['id-zero returns 400. It may exist.', 'empty-name returns 409. It may exist.']);
  });

  test('follows the options that are given besides the profile', () => {
    const profile = profileOf({ 'repeated-id': '409', 'unknown-field': '400' });
    const { imitated, notImitated } = imitationOf(profile, { duplicateId: 'replace' });
    expect(imitated).toEqual(['unknown-field returns 400.']);
    expect(notImitated).toEqual(['repeated-id returns 409. This server returns 200.']);
  });
});

describe('a server with a profile', () => {
  const token = 'token-of-these-tests';
  const create = async (options: PlantStoreOptions, plant: object, bearer = token): Promise<string> => {
    const { fetch } = createPlantStore({ token, ...options });
    const headers = { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' };
    const request = { method: 'POST', headers, body: JSON.stringify(plant) };
    const response = await fetch(new Request('http://localhost/plants', request));
    const { error = '' } = (await response.json()) as { error?: number };
    return `${response.status} ${error}`.trim();
  };
  const profile = profileOf({
    'wrong-token': { value: '401', error: 5 },
    'missing-field': { value: '422', error: 6 },
    'unknown-field': { value: '400', error: 7 },
    'error-codes': '5, 6, 7',
  });
  const unknownField = { name: 'a', id: 1, height: 3 };

  test('does what the profile says, unless another option says something else', async () => {
    expect(await create({ profile }, {})).toBe('422 6');
    expect(await create({ profile }, unknownField)).toBe('400 7');
    expect(await create({ profile }, {}, 'wrong')).toBe('401 5');
    expect(await create({ profile, unknownFields: 'ignore' }, unknownField)).toBe('200');
    expect(await create({ profile, authenticationFailureStatus: 403 }, {}, 'wrong')).toBe('403 5');
    const hidden = profileOf({ 'wrong-token': '404' });
    expect(await create({ profile: hidden }, {}, 'wrong')).toBe('404 13');
    expect(await create({ profile: hidden, authenticationFailureStatus: 403 }, {}, 'wrong')).toBe('403 13');
    expect(await create({ profile, errorCodes: 'status' }, {})).toBe('422 422');
    const rejections = { 'name-missing': { status: 418 } } as const;
    expect(await create({ profile, rejections }, {})).toBe('418 6');
  });

  test('rejects what is no profile', () => {
    const store = () => createPlantStore({ profile: { ...profile, behaviours: [7] } as never });
    expect(store).toThrow(ToolkitError);
    expect(store).toThrow('the option "profile" is not a profile: /behaviours/0 must be an object; got 7');
  });
});

test('whatever a profile says, there is a server for it', () => {
  const value = fc.oneof(
    fc.constantFrom(
      '200',
      '204',
      '303',
      '400',
      '401',
      '499',
      '500',
      'none',
      'timeout',
      'status',
      'empty, nul',
    ),
    fc.string({ minLength: 1 }),
  );
  const observation = fc.record(
    {
      name: fc.constantFrom(...requests.keys(), ...otherObservations.keys(), '__proto__', 'toString'),
      value,
      error: fc.integer(),
      caveat: fc.constant('It may exist.'),
    },
    { requiredKeys: ['name', 'value'] },
  );
  fc.assert(
    fc.property(fc.uniqueArray(observation, { selector: ({ name }) => name, maxLength: 60 }), (observed) => {
      const profile = profileOf(Object.fromEntries(observed.map(({ name, ...one }) => [`${name}`, one])));
      expect(createPlantStore({ profile }).token).not.toBe('');
      expect(imitationOf(profile).notImitated).toEqual(expect.any(Array));
    }),
  );
});
