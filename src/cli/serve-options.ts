import type { Command, Option as Flag } from 'commander';
import { definedOnly } from '../defined-only.js';
import type { ListenOptions, PlantStoreOptions } from '../server/options.js';
import {
  limitSettings,
  listenSettings,
  runtimeSettings,
  type Setting,
  startSettings,
} from '../server/settings.js';
import { ToolkitError } from '../toolkit-error.js';
import { InvalidArgumentError, Option } from './commander.js';
import { described, REPEATS } from './flag-value.js';
import { list, wholeNumber } from './flags.js';

type Settings = Readonly<Record<string, Setting<unknown, unknown>>>;
type Parse<Value = unknown> = (text: string, before: Value) => unknown;

/** The settings that are options themselves. Those of `limits` are members of one. */
const OPTIONS: Settings = { ...listenSettings, ...startSettings, ...runtimeSettings };
const ALL: Settings = { ...OPTIONS, ...limitSettings };

/**
 * Names the flag in an error of the server, which knows only its option.
 *
 * @throws the error
 */
export function nameFlag(problem: unknown): never {
  if (!(problem instanceof ToolkitError)) throw problem;
  const message = problem.message.replace(/^the option "(?:limits\.)?(\w+)"/, (whole, name: string) => {
    const { flag } = ALL[name] ?? {};
    return flag === undefined ? whole : `--${new Option(flag).name()}`;
  });
  throw new ToolkitError(problem.code, message, { cause: problem });
}

/** Adds the flags of all settings to a command. */
export function withSettings(command: Command): Command {
  for (const [name, setting] of Object.entries(ALL)) {
    const { flag, negated } = setting;
    if (flag !== undefined) command.addOption(flagOf(name, flag, setting));
    if (negated !== undefined) command.option(negated.flag, negated.help);
  }
  return command;
}

function flagOf(name: string, flag: string, setting: Settings[string]): Flag {
  const { help, choices } = setting;
  const usual = defaultInWords(setting);
  const option = new Option(flag, usual === undefined ? help : `${help} (default: ${usual})`);
  if (choices !== undefined) return option.choices(choices as readonly string[]);
  const parser = PARSERS[name] ?? (typeof setting.default === 'number' ? wholeNumber : undefined);
  return parser === undefined ? option : option.argParser(parser as Parse);
}

/** A default as the help shows it; `undefined` if there is none. */
function defaultInWords({ default: usual, defaultInWords: words }: Settings[string]): string | undefined {
  if (words !== undefined) return words;
  return typeof usual === 'string' || typeof usual === 'number' ? String(usual) : undefined;
}

/** The options of the server that flags give. Some are read by the command itself: see `serve.ts`. */
export function optionsFrom(flags: Readonly<Record<string, unknown>>): ListenOptions {
  return definedOnly({ ...valuesOf(OPTIONS, flags), limits: valuesOf(limitSettings, flags) });
}

function valuesOf(settings: Settings, flags: Readonly<Record<string, unknown>>): object {
  const given = Object.entries(settings).map(([name, { flag, negated }]) => {
    const value = flag === undefined ? undefined : flags[new Option(flag).attributeName()];
    // `--no-challenge` is false; without either flag, commander says true.
    return [name, negated !== undefined && value === true ? undefined : value];
  });
  return definedOnly(Object.fromEntries(given));
}

/** Reads `id-duplicate,name-duplicate=409:8`. The server itself checks the reasons and the numbers. */
const rejection = described(REPEATS, (value: string, before: PlantStoreOptions['rejections'] = {}) => {
  const [, reasons, status, error] = /^([a-z-]+(?:,[a-z-]+)*)=(\d{3})?(?::(-?\d{1,10}))?$/.exec(value) ?? [];
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

function errorCodes(value: string): 'own' | 'status' | number {
  if (value === 'own' || value === 'status') return value;
  if (/^-?\d{1,10}$/.test(value)) return Number(value);
  throw new InvalidArgumentError('It must be own, status or a whole number.');
}

const integer = described({ type: 'integer' }, (value: string): bigint => {
  if (!/^-?\d{1,19}$/.test(value)) throw new InvalidArgumentError('It must be a whole number.');
  return BigInt(value);
});

const failure = described(REPEATS, (text: string, before: readonly string[] = []) => [...before, text]);

/** How the flags are read that are no plain text and no whole number, by the name of the setting. */
const PARSERS: Readonly<Record<string, Parse<never>>> = {
  rejections: rejection,
  errorCodes,
  mediaTypes: list,
  smallestId: integer,
  failures: failure,
};
