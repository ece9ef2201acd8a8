import { definedOnly } from '../defined-only.js';
import { type ObservedRule, type Profile, profileFrom } from '../report/profile.js';
import { isObject } from '../validation/json-value.js';
import { errorCodes } from './error-codes.js';
import {
  choices,
  otherObservations,
  type ProfileOptions,
  patternAgainst,
  requests,
  similarReasons,
} from './imitation-table.js';
import { isFieldValue, isInt32 } from './option-check.js';
import {
  type ListenOptions,
  type OwnOptions,
  type PlantStoreOptions,
  type Settings,
  settingsFrom,
} from './options.js';
import { responseFor } from './rejections.js';
import type { ClientErrorStatus, RejectionReason, RejectionResponse } from './settings.js';

/** How the server imitates a provider. Each sentence is about one thing that the profile says. */
export interface Imitation {
  /** The options that the server takes from the profile. */
  readonly options: ProfileOptions;
  /** What it does like the provider, and would not do without the profile. */
  readonly imitated: readonly string[];
  /** What it does not do like the provider. */
  readonly notImitated: readonly string[];
  /** What the profile leaves open. There the server does what it does without a profile. */
  readonly unknown: readonly string[];
}

/**
 * How the server imitates a provider.
 *
 * @param profile what a check learned about the provider: see {@link readProfile}
 * @param options what is given besides the profile, and counts more
 * @throws ToolkitError `invalid-option` if it is not a profile
 * @example
 * import assert from 'node:assert/strict';
 * import { checkConformance } from 'plant-store-contract/conformance';
 * import { imitationOf, startPlantStore } from 'plant-store-contract/server';
 *
 * await using provider = await startPlantStore({ token: 'secret', duplicateId: 'replace', faults: ['leaks-id'] });
 * const { profile } = await checkConformance({ baseUrl: provider.url, token: 'secret', quick: true });
 * const { options, imitated, notImitated } = imitationOf(profile);
 * assert.deepEqual(options, { duplicateId: 'replace' });
 * assert.equal(imitated[0], 'A duplicate id returns 200.');
 * assert.deepEqual(notImitated, ['The provider breaks success/plant-fields-only. This server does not.']);
 */
export function imitationOf(profile: Profile, options: PlantStoreOptions = {}): Imitation {
  const checked = profileFrom(profile, 'the profile');
  const { behaviours, demands } = checked;
  const own = optionsLike(checked);
  const settings = settingsFrom(merged(own, options));
  const usual = settingsFrom({});
  const compared = [
    ...demands.flatMap(({ rule, verdict }) => (verdict === 'fail' ? [broken(rule)] : [])),
    ...behaviours.map((one) => comparedBehaviour(one, settings, usual, hasSteadyErrors(checked))),
  ];
  const sentences = (outcome: Compared['outcome']): string[] =>
    compared.filter((one) => one.outcome === outcome).map(({ sentence }) => sentence);
  return {
    options: own,
    imitated: sentences('imitated'),
    notImitated: sentences('not-imitated'),
    unknown: sentences('unknown'),
  };
}

/** Options without their profile, and with those that follow from it. What is given besides the profile counts more. */
export function withProfile(options: ListenOptions): OwnOptions {
  // What is no object at all is rejected like other wrong options.
  if (!isObject(options) || options.profile === undefined) return options;
  return merged(optionsLike(profileFrom(options.profile, 'the option "profile"')), options);
}

/** Options of which the later ones count more. */
function merged(before: ProfileOptions, { profile: _, ...after }: ListenOptions): OwnOptions {
  const { authenticationFailureStatus, errorCodes } = after;
  const rejections = Object.entries(before.rejections ?? {}).map(([reason, { status, error }]) => [
    reason,
    definedOnly({
      // A status or an "error" for all of them counts more than earlier ones for some.
      status: authenticationFailureStatus !== undefined && isOfAuthentication(reason) ? undefined : status,
      error: errorCodes === undefined ? error : undefined,
      ...after.rejections?.[reason as RejectionReason],
    }),
  ]);
  return definedOnly({
    ...before,
    ...definedOnly(after),
    rejections: filled({ ...after.rejections, ...Object.fromEntries(rejections) }),
    limits: filled({ ...before.limits, ...definedOnly(after.limits ?? {}) }),
  }) as ListenOptions;
}

function isOfAuthentication(reason: string): boolean {
  return reason === 'token-wrong' || reason.startsWith('authorization-');
}

function filled<T extends object>(members: T): T | undefined {
  return Object.keys(members).length === 0 ? undefined : members;
}

/** What was observed, by the name of the rule, without what may say nothing about the provider. */
type Observed = ReadonlyMap<string, ObservedRule>;

/** Reads a profile as options. What has no option is left out. */
function optionsLike({ behaviours }: Profile): ProfileOptions {
  const observed: Observed = new Map(
    // A list of rejected names has only those that do not exist.
    behaviours
      .filter((one) => one.caveat === undefined || nameOf(one) === 'names-refused')
      .map((one) => [nameOf(one), one]),
  );
  let options: ProfileOptions = {};
  for (const given of choices) options = merged(options, mostAlike([{}, ...given], observed));
  options = merged(options, patternsLike(observed, settingsFrom(options)));
  options = merged(options, commonLike(observed));
  return merged(options, { rejections: rejectionsLike(observed, settingsFrom(options)) });
}

/** `missing-token` of `unspecified/missing-token`. */
function nameOf({ rule }: ObservedRule): string {
  return rule.slice(rule.indexOf('/') + 1);
}

/** The status of a rejection that was observed. */
function rejectionStatus(one: ObservedRule | undefined): ClientErrorStatus | undefined {
  return statusIn(one?.value);
}

/** The options with which the server accepts and rejects what the provider does, as far as possible. The first ones, if several do. */
function mostAlike(given: readonly ProfileOptions[], observed: Observed): ProfileOptions {
  const alike = given.map((options) => {
    const settings = settingsFrom(options);
    return [...observed].filter(([name, one]) => {
      const isRejected = requests.get(name)?.(settings) !== undefined;
      return isRejected ? rejectionStatus(one) !== undefined : /^2\d\d$/.test(one.value);
    }).length;
  });
  return given[alike.indexOf(Math.max(...alike))] ?? {};
}

function patternsLike(observed: Observed, settings: Settings): ProfileOptions {
  const isRejected = (name: string): boolean => rejectionStatus(observed.get(name)) !== undefined;
  const kindsIn = (rule: string): string[] => observed.get(rule)?.value.split(', ') ?? [];
  const names = [
    ...kindsIn('names-refused'),
    ...(isRejected('empty-name') ? ['empty'] : []),
    ...(isRejected('lone-surrogate') ? ['lone-surrogate'] : []),
  ];
  const tags = [...kindsIn('tags-refused'), ...(isRejected('empty-tag') ? ['empty'] : [])];
  return definedOnly({
    namePattern: patternAgainst('name', names, settings),
    tagPattern: patternAgainst('tag', tags, settings),
  });
}

/** What all rejections have in common. */
function commonLike(observed: Observed): ProfileOptions {
  const status = rejectionStatus(observed.get('wrong-token'));
  const challenge = observed.get('challenge')?.value;
  const codes = observed.get('error-codes')?.value ?? 'unknown';
  return {
    ...(status === 401 || status === 403 ? { authenticationFailureStatus: status } : {}),
    ...(challenge === 'none' && { challenge: false }),
    ...(isOwnChallenge(challenge) && { challenge }),
    ...(codes === 'status' && { errorCodes: codes }),
    ...(isInt32(Number(codes)) && { errorCodes: Number(codes) }),
  };
}

/** Whether it is a challenge that the server can send, and not what it sends anyway. */
function isOwnChallenge(challenge: string | undefined): challenge is string {
  return challenge !== 'none' && challenge !== 'Bearer' && isFieldValue(challenge);
}

/** The "error" of a provider that numbers its failures. */
const EACH_TIME = 'another each time';

/** The responses to rejections that the server would not send anyway. */
function rejectionsLike(
  observed: Observed,
  settings: Settings,
): NonNullable<PlantStoreOptions['rejections']> {
  const codes = observed.get('error-codes')?.value ?? '';
  const shown = new Map<RejectionReason, RejectionResponse>();
  const show = (
    reason: RejectionReason | undefined,
    status: ClientErrorStatus | undefined,
    error?: number,
  ): void => {
    if (reason === undefined || status === undefined || shown.has(reason)) return;
    shown.set(
      reason,
      definedOnly({ status, error: codes === EACH_TIME || !isInt32(error) ? undefined : error }),
    );
  };
  for (const [name, verdict] of requests) {
    const one = observed.get(name);
    show(verdict(settings), rejectionStatus(one), one?.error);
  }
  const rejections: Partial<Record<RejectionReason, RejectionResponse>> = {};
  for (const reason of new Set([...shown.keys(), ...(Object.keys(similarReasons) as RejectionReason[])])) {
    const own = shown.get(reason);
    const like = similarReasons[reason];
    const alike = like === undefined ? undefined : shown.get(like);
    // The provider may have the codes of this server.
    const hasOwnCode =
      codes.split(', ').includes(String(errorCodes[reason])) ||
      (like !== undefined && alike?.error === errorCodes[like]);
    const response = withoutUsual(
      reason,
      {
        status: own?.status ?? alike?.status,
        error: own?.error ?? (hasOwnCode ? undefined : alike?.error),
      },
      settings,
    );
    if (response !== undefined) rejections[reason] = response;
  }
  return rejections;
}

/** A response without what the server would send anyway. */
function withoutUsual(
  reason: RejectionReason,
  { status, error }: { readonly status: ClientErrorStatus | undefined; readonly error: number | undefined },
  settings: Settings,
): RejectionResponse | undefined {
  const own = status === undefined || status === responseFor(reason, settings).status ? {} : { status };
  const usual = responseFor(reason, { ...settings, rejections: { [reason]: own } });
  return filled({ ...own, ...(error !== undefined && error !== usual.error && { error }) });
}

/** One thing of a profile, and a sentence about it. */
interface Compared {
  readonly outcome: 'imitated' | 'not-imitated' | 'unknown' | 'usual';
  readonly sentence: string;
}

function broken(rule: string): Compared {
  return { outcome: 'not-imitated', sentence: `The provider breaks ${rule}. This server does not.` };
}

function comparedBehaviour(
  one: ObservedRule,
  settings: Settings,
  usual: Settings,
  comparesErrors: boolean,
): Compared {
  const { sentence, value, error, caveat } = one;
  if (caveat !== undefined) return { outcome: 'unknown', sentence: `${sentence} ${caveat}` };
  const own = behaviourOf(one, settings);
  if (own === undefined)
    return { outcome: 'not-imitated', sentence: `${sentence} This server has no option for it.` };
  if (value !== own.value) return { outcome: 'not-imitated', sentence: `${sentence} ${saidOf(own.value)}` };
  if (comparesErrors && error !== undefined && own.error !== undefined && error !== own.error)
    return {
      outcome: 'not-imitated',
      sentence: `${sentence} Its "error" is ${error}. This server sends ${own.error}.`,
    };
  return { outcome: value === behaviourOf(one, usual)?.value ? 'usual' : 'imitated', sentence };
}

function saidOf(own: string): string {
  return /^\d{3}$/.test(own) ? `This server returns ${own}.` : `This server: ${own}.`;
}

/** What a check would observe of the server. */
function behaviourOf(
  one: ObservedRule,
  settings: Settings,
): Pick<ObservedRule, 'value' | 'error'> | undefined {
  const value = otherObservations.get(nameOf(one))?.(settings, one.value);
  if (value !== undefined) return { value };
  const verdict = requests.get(nameOf(one));
  if (verdict === undefined) return undefined;
  const reason = verdict(settings);
  if (reason === undefined) return { value: '200' };
  const { status, error } = responseFor(reason, settings);
  return { value: String(status), error };
}

function hasSteadyErrors({ behaviours }: Profile): boolean {
  return behaviours.every((one) => nameOf(one) !== 'error-codes' || one.value !== EACH_TIME);
}

function statusIn(got: string | undefined): ClientErrorStatus | undefined {
  return got !== undefined && /^4\d\d$/.test(got) ? (Number(got) as ClientErrorStatus) : undefined;
}
