import fc from 'fast-check';
import { type Profile, type RuleId, rules } from 'plant-store-contract/conformance';
import {
  createPlantStore,
  imitationOf,
  type RuntimeOptions,
  ToolkitError,
} from 'plant-store-contract/server';
import { describe, expect, test } from 'vitest';

type ObservedRule = Profile['behaviours'][number];

/** What was observed, by the name of the rule: its value, or more. */
type Observed = Readonly<Record<string, string | Partial<ObservedRule>>>;

function profileOf(observed: Observed, given: Partial<Profile> = {}): Profile {
  const behaviours = Object.entries(observed).map(([name, one]): ObservedRule => {
    const { value = '', ...more } = typeof one === 'string' ? { value: one } : one;
    return { rule: `unspecified/${name}`, sentence: `${name} returns ${value}.`, value, ...more };
  });
  return { profileVersion: 1, interfaceVersion: '1.0.0', demands: [], behaviours, ...given };
}

const names = rules
  .filter(({ level }) => level === 'unspecified')
  .map(({ id }: { id: RuleId }) => id.replace('unspecified/', ''));

describe('an imitation', () => {
  test.for<[Observed, RuntimeOptions]>([
    [{}, {}],
    [{ 'missing-token': '401', 'wrong-token': '401' }, { authenticationFailureStatus: 401 }],
    [
      { 'missing-token': '401', 'wrong-token': '403' },
      { authenticationFailureStatus: 403, rejections: { 'authorization-missing': { status: 401 } } },
    ],
    [{ 'scheme-in-lower-case': '400' }, { schemeCase: 'exact' }],
    [{ 'error-codes': 'status' }, { errorCodes: 'status' }],
    [{ 'error-codes': '-7' }, { errorCodes: -7 }],
    [{ 'repeated-id': '200', 'repeated-id-with-another-name': '200' }, { duplicateId: 'replace' }],
    [
      { 'repeated-id': '200', 'repeated-id-with-another-name': '409' },
      { duplicateId: 'reject-different', rejections: { 'id-duplicate': { status: 409 } } },
    ],
    [
      { 'unknown-field': '422' },
      { unknownFields: 'reject', rejections: { 'field-unknown': { status: 422 } } },
    ],
    [{ 'no-media-type': '200', 'text-plain': '200' }, { mediaTypes: ['text/plain', 'none'] }],
    [
      { 'no-media-type': '200', 'text-plain': '415' },
      { mediaTypes: ['none'], rejections: { 'media-type': { status: 415 } } },
    ],
    [
      { 'malformed-json': '422', 'empty-body': '411' },
      {
        rejections: {
          'json-malformed': { status: 422 },
          'json-duplicate-key': { status: 422 },
          'body-missing': { status: 411 },
        },
      },
    ],
  ])('makes of %o: %o', ([observed, options]) => {
    const { options: made, notImitated } = imitationOf(profileOf(observed));
    expect([made, notImitated]).toEqual([options, []]);
  });

  test.for<[string, Observed]>([
    ['a 204', { 'repeated-id': '204' }],
    ['malformed JSON that is accepted', { 'malformed-json': '200' }],
    ['no response', { 'large-body': 'reset' }],
    ['a limit', { 'id-negative': '400' }],
    ['another path that is accepted', { 'unknown-path': '200' }],
    ['a request without a status', { 'unknown-path': 'none' }],
    ['a status of four digits', { 'unknown-path': '4000' }],
    ['an error code', { 'unknown-path': '-404' }],
    ['names that are rejected', { 'names-refused': 'html' }],
    ['a name that objects have', { constructor: '400' }],
  ])('says that it does not imitate %s', ([_what, observed]) => {
    const [[name, value]] = Object.entries(observed) as [[string, string]];
    const { options, notImitated } = imitationOf(profileOf(observed));
    expect([options, notImitated]).toEqual([{}, [`${name} returns ${value}.`]]);
  });

  test.for<[string, string]>([
    ['unknown-path', '499'],
    ['id-negative', '200'],
    ['names-refused', 'none'],
  ])('says nothing of what the server does anyway: %s returns %s', ([name, value]) => {
    const nothing = { options: {}, imitated: [], notImitated: [] };
    expect(imitationOf(profileOf({ [name]: value }))).toEqual(nothing);
  });

  test('of what is no profile is an error', () => {
    const imitate = () => imitationOf({ ...profileOf({}), behaviours: [7] } as never);
    expect(imitate).toThrow(ToolkitError);
    expect(imitate).toThrow('the profile is not a profile: /behaviours/0 must be object');
  });

  test('has options of a server, whatever a profile says', () => {
    const value = fc.oneof(
      fc.constantFrom('200', '204', '303', '400', '401', '499', '500', 'none', 'timeout', 'status'),
      fc.string({ minLength: 1 }),
    );
    const observed = fc.dictionary(fc.constantFrom(...names, 'toString'), value);
    fc.assert(
      fc.property(observed, (one) => {
        expect(createPlantStore(imitationOf(profileOf(one)).options).token).not.toBe('');
      }),
    );
  });
});
