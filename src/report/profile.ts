import { definedOnly } from '../defined-only.js';
import { limits } from '../http/limits.js';
import { openApiDocument } from '../spec/index.js';
import { invalidOption } from '../toolkit-error.js';
import { isObject } from '../validation/json-value.js';
import { describe } from '../validation/violation.js';
import { type Verdict, verdicts } from './frame.js';

/**
 * What a check learned about a provider: whether it satisfies what the interface demands, and what it does where the
 * interface is silent. It has no token, no id and no time, so that two profiles can be compared.
 */
export interface Profile {
  /** The version of this form. */
  readonly profileVersion: 1;
  readonly interfaceVersion: string;
  /** One entry for each rule of the levels `documented` and `implied`. */
  readonly demands: readonly DemandedRule[];
  /** One entry for each rule of the level `unspecified` that was observed. */
  readonly behaviours: readonly ObservedRule[];
  /** The limits that the interface does not show. Left out if nothing looked for them. */
  readonly limits?: readonly DiscoveredLimit[];
}

/** What a check said about a rule that the interface demands. */
export interface DemandedRule {
  /** Its id. */
  readonly rule: string;
  readonly verdict: Exclude<Verdict, 'observed'>;
  /** Why there is no judgement. */
  readonly reason?: string;
  /** Whether failures were gone when they were sent again, and none was seen twice. */
  readonly intermittent?: true;
}

/** What a provider does where the interface says nothing. */
export interface Behaviour {
  /** For people: "The response to a duplicate id is 409." */
  readonly sentence: string;
  /** For programs that compare profiles: `409`, `none`, `timeout`. */
  readonly value: string;
  /** The "error" in the body, if the provider rejected the request. */
  readonly error?: number;
  /** What says nothing about the provider, since it may exist from an earlier check. A sentence. */
  readonly caveat?: string;
}

/** What a check observed for a rule that demands nothing. */
export interface ObservedRule extends Behaviour {
  /** Its id. */
  readonly rule: string;
}

/** The limits that are looked for, in the order in which they are searched and reported. What may end a provider comes last. */
export const limitTitles = {
  'longest-name': 'Longest name',
  'longest-tag': 'Longest tag',
  'largest-body': 'Largest body',
  'largest-depth': 'Largest depth',
} as const;

/** What a limit limits. */
export type LimitId = keyof typeof limitTitles;

/** A limit of a provider that the interface does not show, as far as it could be found. */
export interface DiscoveredLimit {
  readonly id: LimitId;
  /**
   * - `found`: `value` is accepted, and the next value is rejected.
   * - `not-found`: everything that was tried is accepted, up to `upTo`.
   * - `unknown`: it could not be found, for `reason`.
   */
  readonly outcome: 'found' | 'not-found' | 'unknown';
  /** For people. */
  readonly sentence: string;
  /**
   * For programs: the last accepted value. A name or a tag in characters, a body in bytes, and the depth in levels of JSON, of
   * which the plant is the first. Only if it was found.
   */
  readonly value?: string;
  /** For programs: the farthest value that was tried. Only if no limit was found. */
  readonly upTo?: string;
  /** Why it could not be found. A clause without a full stop. */
  readonly reason?: string;
  readonly accepted?: LimitSide;
  readonly rejected?: LimitSide;
}

/** A request on one side of a limit. */
export interface LimitSide {
  /** What was sent, as a noun: "a name of 255 letters". */
  readonly sent: string;
  /** What came back, in a few words: "200", "400". */
  readonly got: string;
  /** Lines for a POSIX shell that send it, with a new id. */
  readonly reproduce: readonly string[];
}

/**
 * Reads a saved profile: the file that `check --profile` writes, or a JSON report of `check`. The file may come from
 * anywhere, so everything in it is checked.
 *
 * @param file how errors name it
 * @throws ToolkitError `invalid-option`, with a sentence that says what is wrong and where
 * @example
 * import assert from 'node:assert/strict';
 * import { checkConformance, readProfile } from 'plant-store-contract/conformance';
 * import { startPlantStore } from 'plant-store-contract/server';
 *
 * await using store = await startPlantStore({ token: 'secret' });
 * const { profile } = await checkConformance({ baseUrl: store.url, token: 'secret' });
 * assert.deepEqual(readProfile(JSON.stringify(profile)), profile);
 */
export function readProfile(content: string | Uint8Array, file = 'the profile'): Profile {
  if (content.length > limits.file)
    throw notAProfile(file, `it is longer than the limit of ${limits.file} bytes`);
  let whole: unknown;
  try {
    const text =
      typeof content === 'string' ? content : new TextDecoder('utf-8', { fatal: true }).decode(content);
    whole = JSON.parse(text);
  } catch (cause) {
    throw notAProfile(file, `it is not JSON: ${(cause as Error).message}`);
  }
  return profileFrom(whole, file);
}

/**
 * Reads a profile, or that of a report, which is JSON already. The result has only members that a profile has.
 *
 * @throws ToolkitError `invalid-option`, with a sentence that says what is wrong and where
 */
export function profileFrom(value: unknown, file: string): Profile {
  const isReport = isObject(value) && value.kind === 'check' && Object.hasOwn(value, 'profile');
  try {
    return isReport ? profile(value.profile, '/profile') : profile(value, '');
  } catch (cause) {
    throw cause instanceof Wrong ? notAProfile(file, cause.message) : cause;
  }
}

function notAProfile(file: string, what: string): Error {
  return invalidOption(`${file} is not a profile: ${what}`);
}

/** What is wrong with a value, and where. Thrown and caught in this file. */
class Wrong extends Error {
  constructor(at: string, what: string) {
    super(at === '' ? `it ${what}` : `${at} ${what}`);
  }
}

/** Reads a value at a JSON pointer, and throws {@link Wrong} if it is another. */
type Read<T> = (value: unknown, at: string) => T;

/** A profile has about a hundred entries. */
const MOST_ENTRIES = 10_000;
const LONGEST_TEXT = 100_000;

const text: Read<string> = (value, at) => {
  if (typeof value !== 'string') throw mustBe('a string', value, at);
  if (value === '') throw new Wrong(at, 'must not be empty');
  if (value.length > LONGEST_TEXT) throw new Wrong(at, `is longer than ${LONGEST_TEXT} characters`);
  return value;
};

const integer: Read<number> = (value, at) => {
  if (!Number.isSafeInteger(value)) throw mustBe('an integer', value, at);
  return value as number;
};

const side = object<LimitSide>({ sent: text, got: text, reproduce: list(text) });

const limit: Read<DiscoveredLimit> = (value, at) => {
  const read = object<DiscoveredLimit>({
    id: oneOf(Object.keys(limitTitles) as LimitId[]),
    outcome: oneOf(['found', 'not-found', 'unknown']),
    sentence: text,
    value: optional(digits),
    upTo: optional(digits),
    reason: optional(text),
    accepted: optional(side),
    rejected: optional(side),
  })(value, at);
  if (read.outcome === 'found') digits(read.value, `${at}/value`);
  if (read.outcome === 'not-found') digits(read.upTo, `${at}/upTo`);
  return read;
};

const profile = object<Profile>({
  profileVersion: oneOf([1]),
  interfaceVersion: oneOf([openApiDocument.info.version]),
  demands: listBy(
    'rule',
    object<DemandedRule>({
      rule: text,
      verdict: oneOf(verdicts.filter((verdict) => verdict !== 'observed')),
      reason: optional(text),
      intermittent: optional(oneOf([true])),
    }),
  ),
  behaviours: listBy(
    'rule',
    object<ObservedRule>({
      rule: text,
      sentence: text,
      value: text,
      error: optional(integer),
      caveat: optional(text),
    }),
  ),
  limits: optional(listBy('id', limit)),
});

function digits(value: unknown, at: string): string {
  if (/^\d{1,15}$/.test(text(value, at))) return value as string;
  throw mustBe('a number in digits', value, at);
}

function oneOf<const T>(known: readonly T[]): Read<T> {
  return (value, at) => {
    if (known.includes(value as T)) return value as T;
    throw mustBe(`${known.length === 1 ? '' : 'one of '}${known.join(', ')}`, value, at);
  };
}

function optional<T>(read: Read<T>): Read<T | undefined> {
  return (value, at) => (value === undefined ? undefined : read(value, at));
}

function object<T extends object>(members: { readonly [K in keyof T]-?: Read<T[K] | undefined> }): Read<T> {
  return (value, at) => {
    if (!isObject(value)) throw mustBe('an object', value, at);
    const read = Object.entries<Read<unknown>>(members).map(([name, member]) => [
      name,
      // A member that JSON does not have may come from Object.prototype.
      member(Object.hasOwn(value, name) ? value[name] : undefined, `${at}/${name}`),
    ]);
    return definedOnly(Object.fromEntries(read)) as T;
  };
}

function list<T>(read: Read<T>): Read<readonly T[]> {
  return (value, at) => {
    if (!Array.isArray(value)) throw mustBe('a list', value, at);
    if (value.length > MOST_ENTRIES)
      throw new Wrong(at, `has ${value.length} entries; at most ${MOST_ENTRIES} are allowed`);
    return value.map((one, index) => read(one, `${at}/${index}`));
  };
}

/** A list in which no two entries have the same key. */
function listBy<T, K extends keyof T & string>(key: K, read: Read<T>): Read<readonly T[]> {
  return (value, at) => {
    const entries = list(read)(value, at);
    const seen = new Set<unknown>();
    for (const [index, { [key]: name }] of entries.entries()) {
      if (seen.has(name)) throw new Wrong(`${at}/${index}/${key}`, `names ${JSON.stringify(name)} again`);
      seen.add(name);
    }
    return entries;
  };
}

function mustBe(what: string, got: unknown, at: string): Wrong {
  return new Wrong(at, `must be ${what}; got ${describe(got)}`);
}
