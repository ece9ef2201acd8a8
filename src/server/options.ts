import { definedOnly } from '../defined-only.js';
import { invalidOption } from '../toolkit-error.js';
import { isObject } from '../validation/json-value.js';
import { type Check, checkAll, shown } from './option-check.js';
import {
  type FilledOptionsOf,
  limitSettings,
  listenSettings,
  type OptionsOf,
  runtimeSettings,
  type Setting,
  startSettings,
  type TokenVerifier,
} from './settings.js';

/** How large and how slow a request may be. The interface documents no limits; these are limits of the server. */
export interface Limits extends OptionsOf<typeof limitSettings> {}

/** The options that can be changed while a server runs, with their values. */
export interface RuntimeOptions extends OptionsOf<typeof runtimeSettings> {}

/** Options of the reference server. Everything that the interface calls "not shown" is an option with a default. */
export interface PlantStoreOptions extends RuntimeOptions, OptionsOf<typeof startSettings> {
  readonly limits?: Limits;
}

/** Options of {@link startPlantStore}: options of the server, and where it listens. */
export interface ListenOptions extends PlantStoreOptions, OptionsOf<typeof listenSettings> {}

/** The options that a server has after its profile became some. */
export type OwnOptions = Omit<ListenOptions, 'profile'>;

/** Options with every default filled in. */
export interface Settings
  extends FilledOptionsOf<typeof runtimeSettings>,
    FilledOptionsOf<typeof listenSettings>,
    Omit<FilledOptionsOf<typeof startSettings>, 'token' | 'profile'> {
  readonly tokens: readonly string[];
  readonly verify: TokenVerifier | undefined;
  readonly limits: FilledOptionsOf<typeof limitSettings>;
}

type Table = Readonly<Record<string, Setting<unknown, unknown>>>;

const optionSettings: Table = { ...listenSettings, ...startSettings, ...runtimeSettings };
const OPTION_CHECKS: Readonly<Record<string, Check>> = {
  ...checksOf(optionSettings),
  limits: (value) => isObject(value) || 'an object',
};
const LIMIT_CHECKS = checksOf(limitSettings);

function checksOf(table: Table): Readonly<Record<string, Check>> {
  return Object.fromEntries(Object.entries(table).map(([name, { check }]) => [name, check]));
}

/**
 * Checks all options.
 *
 * @throws ToolkitError `invalid-option`, with a sentence that names the option, what it must be, and its value
 */
export function checkOptions(options: ListenOptions): void {
  checkAll('option', options, OPTION_CHECKS, (name, value) => (optionSettings[name]?.got ?? shown)(value));
  checkAll('limit', options.limits ?? {}, LIMIT_CHECKS);
}

/**
 * Fills in the defaults.
 *
 * @throws ToolkitError `invalid-option`, with a sentence that names the option, what it must be, and its value
 */
export function settingsFrom(options: OwnOptions): Settings {
  checkOptions(options);
  const { token = randomToken(), limits, ...others } = options;
  const { token: _token, profile: _profile, ...ofStart } = defaultsOf(startSettings);
  return {
    ...ofStart,
    ...defaultsOf(listenSettings),
    ...defaultsOf(runtimeSettings),
    ...definedOnly(others),
    tokens: typeof token === 'function' ? [] : [token].flat(),
    verify: typeof token === 'function' ? token : undefined,
    limits: { ...defaultsOf(limitSettings), ...definedOnly(limits ?? {}) },
  };
}

function defaultsOf<T extends Table>(table: T): FilledOptionsOf<T> {
  const defaults = Object.entries(table).map(([name, setting]) => [name, setting.default]);
  return Object.fromEntries(defaults) as FilledOptionsOf<T>;
}

function randomToken(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(18));
  return Buffer.from(bytes).toString('base64url');
}

/** The options of a server that can be changed. A pattern is text. */
export function runtimeOptionsOf(settings: Settings): RuntimeOptions {
  const names = Object.keys(runtimeSettings) as (keyof RuntimeOptions)[];
  const entries = names.map((name) => {
    const value = settings[name];
    return [name, value instanceof RegExp ? value.source : value] as const;
  });
  return definedOnly(Object.fromEntries(entries));
}

/**
 * Checks changes of options.
 *
 * @throws ToolkitError `invalid-option`, naming the option
 */
export function checkChanges(changes: unknown): RuntimeOptions {
  if (!isObject(changes)) throw invalidOption('the options must be an object');
  const fixed = Object.keys(changes).find((name) => !Object.hasOwn(runtimeSettings, name));
  if (fixed !== undefined)
    throw invalidOption(
      `the option ${JSON.stringify(fixed)} cannot be changed while the server runs; expected one of: ${Object.keys(runtimeSettings).join(', ')}`,
    );
  checkOptions(changes as ListenOptions);
  return definedOnly(changes) as RuntimeOptions;
}
