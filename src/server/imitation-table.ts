import { headerValues } from '../http/fields.js';
import { triedLengths, triedNames, triedTags } from '../report/profile.js';
import { patternOf } from './option-check.js';
import type { PlantStoreOptions, Settings } from './options.js';
import { responseFor } from './rejections.js';
import { type RejectionReason, runtimeSettings, type Setting } from './settings.js';

// What a profile says of a provider, and the options with which the server does the same. `imitation.ts` reads it.

/** Options of the server that follow from a profile. */
export type ProfileOptions = Omit<PlantStoreOptions, 'token' | 'profile' | 'logger' | 'failures' | 'faults'>;

/** Why the server rejects the request of an observation; `undefined` if it accepts it. */
type ServerVerdict = (settings: Settings) => RejectionReason | undefined;

const accepts: ServerVerdict = () => undefined;
const rejects =
  (reason: RejectionReason): ServerVerdict =>
  () =>
    reason;
const rejectsIf =
  (reason: RejectionReason, isRejected: (settings: Settings) => boolean): ServerVerdict =>
  (settings) =>
    isRejected(settings) ? reason : undefined;

/** What the server does with the one request of each observation. */
const REQUESTS: Readonly<Record<string, ServerVerdict>> = {
  'malformed-json': rejects('json-malformed'),
  'missing-field': rejects('name-missing'),
  'wrong-type': rejects('name-invalid'),
  'empty-body': rejects('body-missing'),
  'missing-token': rejects('authorization-missing'),
  'wrong-token': rejects('token-wrong'),
  'scheme-in-lower-case': rejectsIf('authorization-malformed', (s) => /^exact/.test(s.authorizationSyntax)),
  'two-spaces': rejectsIf('authorization-malformed', (s) =>
    /^(?:exact|one-space)$/.test(s.authorizationSyntax),
  ),
  'two-authorizations': rejectsIf('authorization-duplicate', (s) => s.duplicateAuthorization === 'reject'),
  'repeated-id': rejectsIf('id-duplicate', (s) => s.duplicateId === 'reject'),
  'repeated-id-with-another-name': rejectsIf('id-duplicate', (s) => s.duplicateId !== 'replace'),
  'id-negative': rejectsIf('id-not-allowed', (s) => smallestId(s) > -(2n ** 31n)),
  'id-near-lower-end': rejectsIf('id-not-allowed', (s) => smallestId(s) > 1n - 2n ** 63n),
  'id-zero': rejectsIf('id-not-allowed', (s) => smallestId(s) > 0n),
  'id-at-upper-end': accepts,
  'id-at-lower-end': rejectsIf('id-not-allowed', (s) => smallestId(s) > -(2n ** 63n)),
  'id-with-zero-fraction': rejectsIf('id-invalid', (s) => s.fractionalIds === 'reject'),
  'repeated-name': rejectsIf('name-duplicate', (s) => s.duplicateName === 'reject'),
  'empty-name': rejectsIf('name-not-allowed', (s) => !matches(s.namePattern, '')),
  'empty-tag': rejectsIf('tag-not-allowed', (s) => !matches(s.tagPattern, '')),
  'lone-surrogate': rejectsIf('name-not-allowed', (s) => !matches(s.namePattern, 'Aloe\ud800')),
  'unknown-field': rejectsIf('field-unknown', (s) => s.unknownFields === 'reject'),
  'deep-nesting': (s) => {
    if (s.limits.bodyBytes < DEEP_BODY.bytes) return 'body-too-large';
    if (s.limits.depth < DEEP_BODY.levels) return 'json-too-deep';
    return s.unknownFields === 'reject' ? 'field-unknown' : undefined;
  },
  'repeated-key': rejectsIf('json-duplicate-key', (s) => s.duplicateKeys === 'reject'),
  'byte-order-mark': rejectsIf('json-malformed', (s) => s.byteOrderMark === 'reject'),
  'malformed-utf-8': rejects('json-malformed'),
  'not-a-number': rejects('json-malformed'),
  'no-media-type': rejectsIf('media-type', (s) => !s.mediaTypes.includes('none')),
  'text-plain': rejectsIf('media-type', (s) => !reads(s, 'text/plain')),
  'json-suffix': rejectsIf('media-type', (s) => !reads(s, 'application/vnd.api+json')),
  'other-charset': rejects('json-malformed'),
  'body-of-64-kib': rejectsIf('body-too-large', (s) => s.limits.bodyBytes < 2 ** 16),
  'nested-arrays': (s) => {
    if (s.limits.depth < NESTED.levels) return 'json-too-deep';
    return s.unknownFields === 'reject' ? 'field-unknown' : undefined;
  },
  'large-body': (s) => {
    if (s.limits.bodyBytes < LARGE_BODY.bytes) return 'body-too-large';
    return s.limits.longestName < LARGE_BODY.letters ? 'name-not-allowed' : undefined;
  },
  'chunked-body': accepts,
  'compressed-body': rejects('content-encoding'),
  'odd-framing': accepts,
  query: accepts,
  get: rejects('method-not-allowed'),
  options: rejects('method-not-allowed'),
  'unknown-path': rejects('unknown-path'),
};

/** The same, to look up names that come from a file. */
export const requests: ReadonlyMap<string, ServerVerdict> = new Map(Object.entries(REQUESTS));

/** The largest requests of a check: what they need to be accepted. */
const LARGE_BODY = { letters: 1_200_010, bytes: 1_200_100 };
const NESTED = { levels: 401 };
const DEEP_BODY = { levels: 20_001, bytes: 40_100 };

/** What the profile may make of each setting, beside its default. */
export const choices: readonly (readonly ProfileOptions[])[] = [
  ...Object.entries<Setting<unknown, unknown>>(runtimeSettings).flatMap(([name, { choices = [] }]) =>
    choices.length === 0 ? [] : [choices.slice(1).map((word) => ({ [name]: word }))],
  ),
  [[], ['text/plain'], ['application/vnd.api+json'], ['*/*']].flatMap((types) => [
    { mediaTypes: types },
    { mediaTypes: ['none', ...types] },
  ]),
  [{ limits: { smallestId: 0n } }, { limits: { smallestId: 1n } }],
  [{ limits: { bodyBytes: 16 * 2 ** 20 } }],
  [{ limits: { depth: DEEP_BODY.levels } }],
];

/** What a name of each kind that a check tries is, and other such kinds are not: the rest of a pattern that rejects it. */
const NAMES: Readonly<Record<(typeof triedNames)[number][0] | 'lone-surrogate', string>> = {
  'lone-surrogate': '[^]*[\\ud800-\\udfff]',
  accents: '[^]*[\\u00c0-\\u024f]',
  'combining-marks': '[^]*[\\u0300-\\u036f]',
  scripts: '[^]*[\\u0370-\\u04ff\\u1100-\\u11ff\\u3040-\\u9fff\\uac00-\\ud7a3]',
  'right-to-left': '[^]*[\\u0590-\\u08ff]',
  'indic-scripts': '[^]*[\\u0900-\\u0e7f]',
  emoji: '[^]*\\p{Extended_Pictographic}',
  astral: '[^]*[\\u{10000}-\\u{1efff}\\u{20000}-\\u{10ffff}]',
  html: '[^]*[<>]',
  quotes: '[^]*["`\\\\]',
  'line-breaks': '[^]*[\\t\\n\\r]',
  'control-characters': '[^]*[\\u0001-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f-\\u009f]',
  nul: '[^]*\\u0000',
  'outer-spaces': '\\s|[^]*\\s$',
  separators: '[^]*[\\u2028\\u2029\\u200b\\ufeff]',
  placeholders: '[^]*[{}]',
  digits: '\\d+$',
  empty: '$',
  '100-characters': '[^]{100}',
  '1000-characters': '[^]{1000}',
};
const TAGS: Readonly<Record<(typeof triedTags)[number][0], string>> = {
  scripts: '[^]*[\\u0370-\\u{10ffff}]',
  markup: '[^]*[<>&"\']',
  capitals: '[^]*[A-Z]',
  empty: '$',
};

/** Reasons that a profile may not show although the server has them, and those that are most like them. */
export const similarReasons: Readonly<Partial<Record<RejectionReason, RejectionReason>>> = {
  'authorization-malformed': 'token-wrong',
  'authorization-duplicate': 'token-wrong',
  'json-too-deep': 'json-malformed',
  'body-not-an-object': 'name-invalid',
  'id-missing': 'name-missing',
  'id-invalid': 'name-invalid',
  'id-out-of-range': 'name-invalid',
  'tag-invalid': 'name-invalid',
  'name-not-allowed': 'name-invalid',
  'tag-not-allowed': 'name-invalid',
};

/** What the server does with the invalid requests of a check that the observation of "error" is about. */
const INVALID_REQUESTS: readonly ServerVerdict[] = [
  ...(['authorization-missing', 'authorization-malformed', 'token-wrong', 'body-missing'] as const),
  ...(['json-malformed', 'body-not-an-object', 'name-missing', 'name-invalid', 'id-missing'] as const),
  ...(['id-invalid', 'id-out-of-range', 'tag-invalid'] as const),
]
  .map(rejects)
  .concat(rejectsIf('media-type', (s) => !reads(s, 'application/x-www-form-urlencoded')));
/** A quick check does not send this one. */
const LARGE_INVALID_REQUEST = rejectsIf('body-too-large', (s) => s.limits.bodyBytes < 60_011);

/** What a check observes of the server in other observations. The second argument is what it observed of the provider. */
const OTHERS: Readonly<Record<string, (settings: Settings, value: string) => string>> = {
  challenge: (s) =>
    headerValues(responseFor('authorization-missing', s).headers, 'www-authenticate')[0] ?? 'none',
  'error-codes': (s, value) => {
    const whole = errorCodesOf([...INVALID_REQUESTS, LARGE_INVALID_REQUEST], s);
    return whole === value ? whole : errorCodesOf(INVALID_REQUESTS, s);
  },
  'further-fields-of-errors': () => 'none',
  'name-lengths': ({ limits }) => acceptedLengths(limits.longestName, limits.bodyBytes),
  'tag-lengths': ({ limits }) => acceptedLengths(limits.longestTag, limits.bodyBytes),
  'names-refused': (s) => rejectedKinds('name', s).join(', ') || 'none',
  'tags-refused': (s) => rejectedKinds('tag', s).join(', ') || 'none',
};

export const otherObservations: ReadonlyMap<string, (settings: Settings, value: string) => string> = new Map(
  Object.entries(OTHERS),
);

function errorCodesOf(verdicts: readonly ServerVerdict[], settings: Settings): string {
  const responses = verdicts.flatMap((verdict) => {
    const reason = verdict(settings);
    return reason === undefined ? [] : [responseFor(reason, settings)];
  });
  const codes = [...new Set(responses.map(({ error }) => error))].sort((a, b) => a - b);
  return codes.every((code) => responses.some(({ status }) => status === code)) ? 'status' : codes.join(', ');
}

function smallestId({ limits }: Settings): bigint {
  return BigInt(limits.smallestId ?? -(2n ** 63n));
}

function reads({ mediaTypes }: Settings, type: string): boolean {
  return mediaTypes.includes(type) || mediaTypes.includes('*/*');
}

function matches(pattern: string | RegExp | undefined, text: string): boolean {
  return pattern === undefined || patternOf(pattern).test(text);
}

/** A body with a name or a tag has so many more bytes. */
const AROUND = 50;

function acceptedLengths(longest: number, bodyBytes: number): string {
  return (
    triedLengths.filter((length) => length <= longest && length + AROUND <= bodyBytes).join(', ') || 'none'
  );
}

/** The kinds of strings that the server rejects. */
function rejectedKinds(field: 'name' | 'tag', { limits, namePattern, tagPattern }: Settings): string[] {
  const [pattern, longest] =
    field === 'name' ? [namePattern, limits.longestName] : [tagPattern, limits.longestTag];
  const isRejected = (text: string): boolean =>
    !matches(pattern, text) ||
    [...text].length > longest ||
    Buffer.byteLength(JSON.stringify(text)) + AROUND > limits.bodyBytes;
  const tried: readonly (readonly [kind: string, description: string, text: string])[] =
    field === 'name' ? triedNames : triedTags;
  return tried.flatMap(([kind, , text]) => (isRejected(text) ? [kind] : [])).sort();
}

/**
 * A pattern that rejects the strings that a provider rejects.
 *
 * @param kinds those of `tried-strings.ts` that it rejects, and others, which are ignored
 * @param settings the settings without the pattern: no pattern is needed for what they reject
 */
export function patternAgainst(
  field: 'name' | 'tag',
  kinds: readonly string[],
  settings: Settings,
): string | undefined {
  const known: Readonly<Record<string, string>> = field === 'name' ? NAMES : TAGS;
  const rejected = rejectedKinds(field, settings);
  const parts = [...new Set(kinds)].flatMap((kind) =>
    rejected.includes(kind) || !Object.hasOwn(known, kind) ? [] : [known[kind]],
  );
  return parts.length === 0 ? undefined : `^(?!${parts.join('|')})`;
}
