import { isBroken } from '../report/conclusion.js';
import { type ObservedRule, type Profile, profileFrom } from '../report/profile.js';
import type { ClientErrorStatus, RejectionReason, RuntimeOptions } from './behaviour.js';
import { isInt32 } from './option-check.js';
import { responseFor } from './rejections.js';
import { settingsFrom } from './settings.js';

/** How the server imitates a provider. Each sentence is about one thing that the profile says. */
export interface Imitation {
  /** The options that the server takes from the profile. */
  readonly options: RuntimeOptions;
  /** What it does like the provider because of these options. */
  readonly imitated: readonly string[];
  /** What it does not do like the provider. */
  readonly notImitated: readonly string[];
}

/** The options that make the server do what was observed: none if it does it anyway, `undefined` if it cannot. */
type Row = (one: ObservedRule, before: RuntimeOptions) => RuntimeOptions | undefined;

const TOKEN_REASONS = [
  ...(['token-wrong', 'authorization-scheme', 'authorization-malformed', 'authorization-duplicate'] as const),
];

/** In this order: what all rejections have in common comes first. */
const ROWS: Readonly<Record<string, Row>> = {
  'error-codes': ({ value }) => {
    if (value === 'status') return { errorCodes: value };
    // Several codes mean what only the provider knows.
    return isInt32(Number(value)) ? { errorCodes: Number(value) } : {};
  },
  'wrong-token': (one, before) => {
    const status = Number(one.value);
    if (status === 401 || status === 403) return { authenticationFailureStatus: status };
    return row(TOKEN_REASONS)(one, before);
  },
  'missing-token': row(['authorization-missing']),
  'scheme-in-lower-case': row([], { rejecting: { schemeCase: 'exact' } }),
  'repeated-id': row(['id-duplicate'], { accepting: () => ({ duplicateId: 'reject-different' }) }),
  'repeated-id-with-another-name': row(['id-duplicate'], { accepting: () => ({ duplicateId: 'replace' }) }),
  'unknown-field': row(['field-unknown'], { rejecting: { unknownFields: 'reject' } }),
  // They are in an unknown field.
  'nested-arrays': ({ value }, { unknownFields }) =>
    value === '200' || (unknownFields === 'reject' && statusIn(value) !== undefined) ? {} : undefined,
  'text-plain': row(['media-type'], { accepting: () => ({ mediaTypes: ['text/plain'] }) }),
  'no-media-type': row(['media-type'], {
    accepting: ({ mediaTypes = [] }) => ({ mediaTypes: [...mediaTypes, 'none'] }),
  }),
  'malformed-json': row(['json-malformed', 'json-duplicate-key']),
  'empty-body': row(['body-missing']),
  'missing-field': row(['name-missing', 'id-missing']),
  'wrong-type': row(['name-invalid', 'id-invalid', 'id-out-of-range', 'tag-invalid', 'body-not-an-object']),
};

/** What else the server rejects of what a check observes. It accepts all other requests. */
const REJECTED: ReadonlySet<string> = new Set([
  ...['two-authorizations', 'deep-nesting', 'large-body', 'repeated-key', 'byte-order-mark', 'get'],
  ...['malformed-utf-8', 'not-a-number', 'other-charset', 'compressed-body', 'unknown-path'],
]);

/**
 * How the server imitates a provider.
 *
 * @param profile what a check learned about the provider: see {@link readProfile}
 * @throws ToolkitError `invalid-option` if it is not a profile
 * @example
 * import assert from 'node:assert/strict';
 * import { checkConformance } from 'plant-store-contract/conformance';
 * import { imitationOf, startPlantStore } from 'plant-store-contract/server';
 *
 * await using provider = await startPlantStore({ token: 'secret', duplicateId: 'replace', faults: ['leaks-id'] });
 * const { profile } = await checkConformance({ baseUrl: provider.url, token: 'secret' });
 * const { options, imitated, notImitated } = imitationOf(profile);
 * assert.deepEqual(options, { duplicateId: 'replace' });
 * assert.equal(imitated[0], 'A duplicate id returns 200.');
 * assert.deepEqual(notImitated, ['The provider breaks success/plant-fields-only. This server does not.']);
 */
export function imitationOf(profile: Profile): Imitation {
  const { demands, behaviours } = profileFrom(profile, 'the profile');
  const imitated: string[] = [];
  const notImitated = demands
    .filter(isBroken)
    .map(({ rule }) => `The provider breaks ${rule}. This server does not.`);
  const observed = new Map(behaviours.map((one) => [one.rule.replace('unspecified/', ''), one]));
  let options: RuntimeOptions = {};
  for (const name of new Set([...Object.keys(ROWS), ...observed.keys()])) {
    const one = observed.get(name);
    if (one === undefined) continue;
    const more = Object.hasOwn(ROWS, name) ? ROWS[name]?.(one, options) : asUsual(name, one.value);
    if (more === undefined) notImitated.push(one.sentence);
    else if (Object.keys(more).length > 0) imitated.push(one.sentence);
    options = { ...options, ...more };
  }
  return { options, imitated, notImitated };
}

function statusIn(value: string): ClientErrorStatus | undefined {
  return /^4\d\d$/.test(value) ? (Number(value) as ClientErrorStatus) : undefined;
}

/** What has no options: the server does it anyway, or not. */
function asUsual(name: string, value: string): RuntimeOptions | undefined {
  const isRejected = REJECTED.has(name) && statusIn(value) !== undefined;
  return isRejected || (!REJECTED.has(name) && (value === '200' || value === 'none')) ? {} : undefined;
}

/** The row of a request that the server rejects for some reasons, or accepts. One with `rejecting` it usually accepts. */
function row(
  reasons: readonly RejectionReason[],
  ways: { rejecting?: RuntimeOptions; accepting?: (before: RuntimeOptions) => RuntimeOptions } = {},
): Row {
  return ({ value }, before) => {
    const { rejecting, accepting } = ways;
    if (value === '200') return rejecting === undefined ? accepting?.(before) : {};
    const status = statusIn(value);
    if (status === undefined) return undefined;
    const settings = settingsFrom(before);
    const others = reasons.filter((reason) => responseFor(reason, settings).status !== status);
    if (others.length === 0) return rejecting ?? {};
    const rejections = Object.fromEntries(others.map((reason) => [reason, { status }]));
    return { ...rejecting, rejections: { ...before.rejections, ...rejections } };
  };
}
