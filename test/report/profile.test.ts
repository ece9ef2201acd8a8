import { ToolkitError } from 'plant-store-contract/conformance';
import { type Profile, readProfile } from 'plant-store-contract/server';
import { describe, expect, test } from 'vitest';
import { checkStore } from '../conformance/checks.js';

const PROFILE: Profile = {
  profileVersion: 1,
  interfaceVersion: '1.0.0',
  demands: [
    { rule: 'success/status-is-200', verdict: 'fail' },
    { rule: 'auth/unknown-token-is-refused', verdict: 'blocked', reason: 'no response' },
  ],
  behaviours: [
    { rule: 'unspecified/missing-token', sentence: 'A missing token returns 401.', value: '401', error: 7 },
    { rule: 'unspecified/id-zero', sentence: 'The id 0 returns 409.', value: '409' },
  ],
};

/** The profile with another value at a place. */
function withValue(place: readonly (string | number)[], value: unknown): string {
  const copy = JSON.parse(JSON.stringify(PROFILE));
  const last = place.at(-1) as string;
  const parent = place.slice(0, -1).reduce((object, key) => object[key], copy);
  if (value === undefined) delete parent[last];
  else parent[last] = value;
  return JSON.stringify(copy);
}

describe('a saved profile', () => {
  test('is read as it was written', async () => {
    expect(readProfile(JSON.stringify(PROFILE))).toEqual(PROFILE);
    const report = await checkStore([]);
    expect(readProfile(JSON.stringify(report.profile))).toEqual(report.profile);
  });

  test.for<[readonly (string | number)[], unknown, string]>([
    [['profileVersion'], 2, '/profileVersion must be equal to constant: 1'],
    [
      ['demands', 1, 'verdict'],
      'observed',
      '/demands/1/verdict must be equal to one of the allowed values: pass,',
    ],
    [
      ['behaviours', 0, 'sentence'],
      'x'.repeat(100_001),
      '/behaviours/0/sentence must NOT have more than 100000 characters',
    ],
    [
      ['behaviours'],
      Array.from({ length: 10_001 }, () => ({})),
      '/behaviours must NOT have more than 10000 items',
    ],
  ])('with a wrong value at %j is an error that says what and where', ([place, value, sentence]) => {
    const read = () => readProfile(withValue(place, value), 'old.json');
    expect(read).toThrow(ToolkitError);
    expect(read).toThrow(`old.json is not a profile: ${sentence}`);
  });

  test('of deep nesting is an error', () => {
    const deep = '['.repeat(1_000_000);
    expect(() => readProfile(deep)).toThrow('the profile is not a profile: it is not JSON: ');
  });

  test('loses members that a profile does not have', () => {
    const read = readProfile(JSON.stringify({ ...PROFILE, __proto__: null, more: 1 }));
    expect(Object.keys(read)).not.toContain('more');
  });
});
