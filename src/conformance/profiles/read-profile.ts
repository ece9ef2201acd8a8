import { limits } from '../../http/limits.js';
import { verdicts } from '../../report/frame.js';
import { openApiDocument } from '../../spec/index.js';
import { invalidOption, type ToolkitError } from '../../toolkit-error.js';
import { isObject } from '../../validation/json-value.js';
import { describe } from '../../validation/violation.js';
import { type DiscoveredLimit, type LimitId, type LimitSide, limitTitles } from '../limits/limit.js';
import type { DemandedRule, Profile } from './profile.js';

/** A profile has about a hundred entries. */
const MOST_ENTRIES = 10_000;
const LONGEST_TEXT = 100_000;
const VERDICTS = verdicts.filter((verdict) => verdict !== 'observed');

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
    throw wrong(file, '', `it is longer than the limit of ${limits.file} bytes`);
  const whole = parsed(content, file);
  const isReport = isObject(whole) && whole.kind === 'check' && Object.hasOwn(whole, 'profile');
  return new ProfileReader(file, isReport ? '/profile' : '').read(isReport ? whole.profile : whole);
}

function parsed(content: string | Uint8Array, file: string): unknown {
  try {
    const text =
      typeof content === 'string' ? content : new TextDecoder('utf-8', { fatal: true }).decode(content);
    return JSON.parse(text);
  } catch (cause) {
    throw wrong(file, '', `it is not JSON: ${(cause as Error).message}`);
  }
}

function wrong(file: string, pointer: string, what: string): ToolkitError {
  return invalidOption(`${file} is not a profile: ${pointer === '' ? '' : `${pointer} `}${what}`);
}

/** Checks each member, and copies only those that a profile has. */
class ProfileReader {
  constructor(
    private readonly file: string,
    private readonly base: string,
  ) {}

  read(value: unknown): Profile {
    const members = this.object(value, '');
    if (members.profileVersion !== 1)
      throw this.wrong('/profileVersion', 'must be 1', members.profileVersion);
    const { version } = openApiDocument.info;
    if (members.interfaceVersion !== version)
      throw this.wrong('/interfaceVersion', `must be "${version}"`, members.interfaceVersion);
    const profile: Profile = {
      profileVersion: 1,
      interfaceVersion: version,
      demands: this.list(members.demands, '/demands', 'rule', (one, at) => this.demand(one, at)),
      behaviours: this.list(members.behaviours, '/behaviours', 'rule', (one, at) => this.behaviour(one, at)),
      ...(members.limits !== undefined && {
        limits: this.list(members.limits, '/limits', 'id', (one, at) => this.limit(one, at)),
      }),
    };
    return profile;
  }

  private demand(value: unknown, at: string): DemandedRule {
    const { rule, verdict, reason, intermittent } = this.object(value, at);
    return {
      rule: this.text(rule, `${at}/rule`),
      verdict: this.oneOf(VERDICTS, verdict, `${at}/verdict`),
      ...(reason !== undefined && { reason: this.text(reason, `${at}/reason`) }),
      ...(intermittent === true && { intermittent }),
    };
  }

  private behaviour(value: unknown, at: string): Profile['behaviours'][number] {
    const { rule, sentence, value: observed, error } = this.object(value, at);
    if (error !== undefined && !Number.isSafeInteger(error))
      throw this.wrong(`${at}/error`, 'must be an integer', error);
    return {
      rule: this.text(rule, `${at}/rule`),
      sentence: this.text(sentence, `${at}/sentence`),
      value: this.text(observed, `${at}/value`),
      ...(error !== undefined && { error: error as number }),
    };
  }

  private limit(value: unknown, at: string): DiscoveredLimit {
    const { id, outcome, sentence, ...others } = this.object(value, at);
    const side = (name: 'accepted' | 'rejected') =>
      others[name] === undefined ? {} : { [name]: this.side(others[name], `${at}/${name}`) };
    const optional = (name: 'value' | 'upTo' | 'reason') =>
      others[name] === undefined ? {} : { [name]: this.text(others[name], `${at}/${name}`) };
    const needed = outcome === 'found' ? 'value' : outcome === 'not-found' ? 'upTo' : undefined;
    if (needed !== undefined && others[needed] === undefined)
      throw this.wrong(`${at}/${needed}`, 'must be a string', undefined);
    return {
      id: this.oneOf(Object.keys(limitTitles) as LimitId[], id, `${at}/id`),
      outcome: this.oneOf(['found', 'not-found', 'unknown'] as const, outcome, `${at}/outcome`),
      sentence: this.text(sentence, `${at}/sentence`),
      ...optional('value'),
      ...optional('upTo'),
      ...optional('reason'),
      ...side('accepted'),
      ...side('rejected'),
    };
  }

  private side(value: unknown, at: string): LimitSide {
    const { sent, got, reproduce } = this.object(value, at);
    if (!Array.isArray(reproduce)) throw this.wrong(`${at}/reproduce`, 'must be a list', reproduce);
    return {
      sent: this.text(sent, `${at}/sent`),
      got: this.text(got, `${at}/got`),
      reproduce: reproduce.map((line, index) => this.text(line, `${at}/reproduce/${index}`)),
    };
  }

  private oneOf<T extends string>(known: readonly T[], value: unknown, at: string): T {
    if (known.includes(value as T)) return value as T;
    throw this.wrong(at, `must be one of ${known.join(', ')}`, value);
  }

  /** A list in which no two entries have the same key. */
  private list<T, K extends keyof T & string>(
    value: unknown,
    at: string,
    key: K,
    read: (one: unknown, at: string) => T,
  ): T[] {
    if (!Array.isArray(value)) throw this.wrong(at, 'must be a list', value);
    if (value.length > MOST_ENTRIES)
      throw wrong(
        this.file,
        this.base + at,
        `has ${value.length} entries; at most ${MOST_ENTRIES} are allowed`,
      );
    const entries = value.map((one, index) => read(one, `${at}/${index}`));
    const seen = new Set<unknown>();
    for (const [index, { [key]: name }] of entries.entries()) {
      if (seen.has(name))
        throw wrong(this.file, `${this.base}${at}/${index}/${key}`, `names ${JSON.stringify(name)} again`);
      seen.add(name);
    }
    return entries;
  }

  private object(value: unknown, at: string): Readonly<Record<string, unknown>> {
    if (!isObject(value))
      throw this.wrong(at, at === '' ? 'it must be an object' : 'must be an object', value);
    // A member that JSON does not have may otherwise come from Object.prototype.
    return Object.assign(Object.create(null), value);
  }

  private text(value: unknown, at: string): string {
    if (typeof value !== 'string') throw this.wrong(at, 'must be a string', value);
    if (value === '') throw wrong(this.file, this.base + at, 'must not be empty');
    if (value.length > LONGEST_TEXT)
      throw wrong(this.file, this.base + at, `is longer than ${LONGEST_TEXT} characters`);
    return value;
  }

  private wrong(at: string, what: string, got: unknown): ToolkitError {
    return wrong(this.file, this.base + at, `${what}; got ${got === undefined ? 'nothing' : describe(got)}`);
  }
}
