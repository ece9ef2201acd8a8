import { definedOnly } from '../defined-only.js';
import type { ListenOptions, PlantStoreOptions } from '../server/options.js';
import { type Setting, settingsTable } from '../server/settings.js';
import { ToolkitError } from '../toolkit-error.js';
import {
  type Flag,
  flag,
  InvalidArgumentError,
  list,
  Option,
  type Reader,
  repeatable,
  repeated,
  wholeNumber,
} from './command.js';

const SETTINGS: Readonly<Record<string, Setting>> = settingsTable;

/**
 * Names the flag in an error of the server, which knows only its option.
 *
 * @throws the error
 */
export function nameFlag(problem: unknown): never {
  if (!(problem instanceof ToolkitError)) throw problem;
  const message = problem.message.replace(/^the option "(\w+)"/, (whole, name: string) => {
    const { flag } = SETTINGS[name] ?? {};
    return flag === undefined ? whole : `--${new Option(flag).name()}`;
  });
  throw new ToolkitError(problem.code, message, { cause: problem });
}

/** A default as the help shows it; `undefined` if there is none. */
function defaultInWords({ default: usual, defaultInWords: words }: Setting): string | undefined {
  if (words !== undefined) return words;
  return typeof usual === 'string' || typeof usual === 'number' ? String(usual) : undefined;
}

/** The options of the server that flags give. Some are read by the command itself: see `serve.ts`. */
export function optionsFrom(flags: Readonly<Record<string, unknown>>): ListenOptions {
  const given = Object.entries(SETTINGS).map(([name, { flag }]) => [
    name,
    flag === undefined ? undefined : flags[new Option(flag).attributeName()],
  ]);
  return definedOnly(Object.fromEntries(given));
}

/** Reads `id-duplicate,name-duplicate=409:8`. The server itself checks the reasons and the numbers. */
const rejection = repeatable<PlantStoreOptions['rejections']>((text, before = {}) => {
  const [, reasons, status, error] = /^([a-z-]+(?:,[a-z-]+)*)=(\d{3})?(?::(-?\d{1,10}))?$/.exec(text) ?? [];
  if (reasons === undefined || (status === undefined && error === undefined))
    throw new InvalidArgumentError(
      'It must look like id-duplicate=409, id-duplicate=409:8 or id-duplicate=:8.',
    );
  const response = definedOnly({
    status: status === undefined ? undefined : Number(status),
    error: error === undefined ? undefined : Number(error),
  });
  return { ...before, ...Object.fromEntries(reasons.split(',').map((reason) => [reason, response])) };
});

const errorCodes: Reader<'own' | 'status' | number> = (text) => {
  if (text === 'own' || text === 'status') return text;
  if (/^-?\d{1,10}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be own, status or a whole number.');
};

/** How the flags are read that are no plain text and no whole number, by the name of the setting. */
const READERS: Readonly<Record<string, Reader<unknown>>> = {
  rejections: rejection,
  errorCodes,
  mediaTypes: list,
  failures: repeated,
  faults: list,
};

/** The flags of all settings. */
export const settingFlags: readonly Flag[] = Object.entries(SETTINGS).flatMap(([name, setting]) => {
  const { flag: form } = setting;
  return form === undefined ? [] : [flagOf(name, form, setting)];
});

function flagOf(name: string, form: string, setting: Setting): Flag {
  const { help, choices, default: usual } = setting;
  const inWords = defaultInWords(setting);
  const described = inWords === undefined ? help : `${help} (default: ${inWords})`;
  if (choices !== undefined) return { form, help: described, choices };
  const reader = READERS[name] ?? (typeof usual === 'number' ? wholeNumber : undefined);
  return reader === undefined ? flag(form, described) : flag(form, described, reader);
}
