import { invalidOption, reasonOf } from '../toolkit-error.js';
import { parseJsonFile } from '../validation/json-file.js';
import type { Compiled } from '../validation/schema.js';
import type { Verdict } from './frame.js';
import { isProfile } from './profile.generated.js';

/**
 * What a check learned about a provider: whether it satisfies what the interface demands, and what it does where the
 * interface is silent. It has no token, no id and no time, and its order is fixed,
 * so that two profiles can be compared line by line.
 */
export interface Profile {
  /** The version of this form. */
  readonly profileVersion: 1;
  readonly interfaceVersion: string;
  /** One entry for each rule of the levels `documented` and `implied`. */
  readonly demands: readonly DemandedRule[];
  /** One entry for each rule of the level `unspecified` that was observed. */
  readonly behaviours: readonly ObservedRule[];
}

/** What a check said about a rule that the interface demands. */
export interface DemandedRule {
  /** Its id. */
  readonly rule: string;
  readonly verdict: Exclude<Verdict, 'observed'>;
  /** Why there is no judgement. */
  readonly reason?: string;
}

/** What a provider does where the interface says nothing. */
export interface Behaviour {
  /** For people: "The response to a duplicate id is 409." */
  readonly sentence: string;
  /** For programs that compare profiles: `409`, `none`, `timeout`. */
  readonly value: string;
  /** The "error" in the body, if the provider rejected the request. */
  readonly error?: number;
}

/** What a check observed for a rule that demands nothing. */
export interface ObservedRule extends Behaviour {
  /** Its id. */
  readonly rule: string;
}

/**
 * Reads a saved profile: the file that `check --profile` writes. The file may come from anywhere, so everything in it is checked.
 *
 * @param file how errors name it
 * @throws ToolkitError `invalid-option`, with a sentence that says what is wrong and where
 * @example
 * import assert from 'node:assert/strict';
 * import { checkConformance } from 'plant-store-contract/conformance';
 * import { readProfile, startPlantStore } from 'plant-store-contract/server';
 *
 * await using store = await startPlantStore({ token: 'secret' });
 * const { profile } = await checkConformance({ baseUrl: store.url, token: 'secret' });
 * assert.deepEqual(readProfile(JSON.stringify(profile)), profile);
 */
export function readProfile(text: string, file = 'the profile'): Profile {
  let value: unknown;
  try {
    value = parseJsonFile(text);
  } catch (cause) {
    throw invalidOption(`${file} is not a profile: it is not JSON: ${reasonOf(cause)}`, { cause });
  }
  return profileFrom(value, file);
}

/**
 * Reads a profile that is JSON already. The result has only members that a profile has.
 *
 * @throws ToolkitError `invalid-option`, with a sentence that says what is wrong and where
 */
export function profileFrom(value: unknown, file: string): Profile {
  // The validator takes away what a profile does not have, and this may be an option that somebody goes on using.
  const profile: unknown = JSON.parse(JSON.stringify(value) ?? 'null');
  const validate: Compiled = isProfile;
  if (validate(profile)) return profile as Profile;
  // Of alternatives, the last error is the one about all of them.
  const { instancePath: place = '', message = 'is wrong', params = {} } = validate.errors?.at(-1) ?? {};
  // Most messages name what they are about.
  const further = Object.values(params).filter((param) => !message.includes(String(param)));
  const problem = [`${place || 'it'} ${message}`, ...further].join(': ');
  throw invalidOption(`${file} is not a profile: ${problem}`);
}
