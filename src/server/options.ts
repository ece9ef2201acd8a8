import { randomBytes } from 'node:crypto';
import { definedOnly } from '../defined-only.js';
import { invalidOption } from '../toolkit-error.js';
import { isObject } from '../validation/json-value.js';
import { type Check, checkAll, shown } from './option-check.js';
import {
  type FilledOptionsOf,
  listenSettings,
  type OptionsOf,
  runtimeSettings,
  type Setting,
  startSettings,
  type TokenVerifier,
} from './settings.js';

/** The options that can be changed while a server runs, with their values. */
export interface RuntimeOptions extends OptionsOf<typeof runtimeSettings> {}

/** Options of the reference server. Everything that the interface calls "not shown" is an option with a default. */
export interface PlantStoreOptions extends RuntimeOptions, OptionsOf<typeof startSettings> {}

/** Options of {@link startPlantStore}: options of the server, and where it listens. */
export interface ListenOptions extends PlantStoreOptions, OptionsOf<typeof listenSettings> {}

/** Options with every default filled in. */
export interface Settings
  extends FilledOptionsOf<typeof runtimeSettings>,
    FilledOptionsOf<typeof listenSettings>,
    Omit<FilledOptionsOf<typeof startSettings>, 'token'> {
  readonly tokens: readonly string[];
  readonly verify: TokenVerifier | undefined;
}

type Table = Readonly<Record<string, Setting<unknown, unknown>>>;

const optionSettings: Table = { ...listenSettings, ...startSettings, ...runtimeSettings };
const CHECKS: Readonly<Record<string, Check>> = Object.fromEntries(
  Object.entries(optionSettings).map(([name, { check }]) => [name, check]),
);

/**
 * Checks all options.
 *
 * @throws ToolkitError `invalid-option`, with a sentence that names the option, what it must be, and its value
 */
export function checkOptions(options: ListenOptions): void {
  checkAll('option', options, CHECKS, (name, value) => (optionSettings[name]?.got ?? shown)(value));
}

/**
 * Fills in the defaults.
 *
 * @throws ToolkitError `invalid-option`, with a sentence that names the option, what it must be, and its value
 */
export function settingsFrom(options: ListenOptions): Settings {
  checkOptions(options);
  const { token = randomToken(), ...others } = options;
  const { token: _token, ...ofStart } = defaultsOf(startSettings);
  return {
    ...ofStart,
    ...defaultsOf(listenSettings),
    ...defaultsOf(runtimeSettings),
    ...definedOnly(others),
    tokens: typeof token === 'function' ? [] : [token].flat(),
    verify: typeof token === 'function' ? token : undefined,
  };
}

function defaultsOf<T extends Table>(table: T): FilledOptionsOf<T> {
  const defaults = Object.entries(table).map(([name, setting]) => [name, setting.default]);
  return Object.fromEntries(defaults) as FilledOptionsOf<T>;
}

function randomToken(): string {
  return randomBytes(18).toString('base64url');
}

/** The options of a server that can be changed. */
export function runtimeOptionsOf(settings: Settings): RuntimeOptions {
  const names = Object.keys(runtimeSettings) as (keyof RuntimeOptions)[];
  return definedOnly(Object.fromEntries(names.map((name) => [name, settings[name]])));
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
