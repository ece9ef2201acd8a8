import { logText, visibleInLine } from '../report/escape.js';
import { invalidOption, reasonOf } from '../toolkit-error.js';
import { parseJsonFile } from '../validation/json-file.js';
import { type Command, type Flag, Option } from './command.js';
import { COMMANDS } from './commands.js';
import type { CommandIo } from './io.js';

/** The name of the options file. */
export const CONFIG_FILE = 'plant-store.config.json';

/** The longest options file, in bytes. */
const LONGEST = 2 ** 20;

/** A command line with the options of the options file. */
interface WholeLine {
  readonly argv: readonly string[];
  /** Used if no base URL was typed. */
  readonly baseUrl?: string;
}

/**
 * Adds the options of the options file to a command line. Each is written as its flag before those that were typed, so
 * that commander reads and checks both in one way. A typed flag counts instead of the option with its name. Says which
 * options there are, and what they run.
 *
 * `{ "baseUrl": "http://localhost:3000", "check": { "only": ["auth"], "quiet": true } }` adds
 * `--only=auth --quiet` to `check`.
 *
 * @throws ToolkitError `invalid-option` if the file cannot be read, is no JSON object, or has a secret
 */
export async function withFileOptions(argv: readonly string[], io: CommandIo): Promise<WholeLine> {
  const names = COMMANDS.map(({ name }) => name);
  const at = argv.findIndex((arg) => names.includes(arg));
  const entry = COMMANDS.find(({ name }) => name === argv[at]);
  const file = fileIn(argv);
  if (entry === undefined || file === undefined || argv.some((arg) => arg === '--help' || arg === '-h'))
    return { argv };
  const command = await entry.load();
  const options = command.hasFileOptions === false ? undefined : await readOptions(file, io);
  if (options === undefined) return { argv };
  const own = options[entry.name];
  const typed = typedIn(argv, command.flags);
  const all = Object.entries({ ...(await sharedOptions(options, command)), ...(isPlain(own) && own) }).filter(
    ([name]) => !typed.has(name),
  );
  const baseUrl = all.find(([name]) => name === BASE_URL_OPTION)?.[1];
  const flags = all.filter(([name]) => name !== BASE_URL_OPTION);
  const added = flags.flatMap(([name, value]) => flagsFor(name, value, flagOf(name, command), file.path));
  const runs = flags
    .filter(([name]) => /<(?:command|module)>/.test(flagOf(name, command)?.form ?? ''))
    .map(
      ([name, value]) =>
        `  ${name}: ${[value]
          .flat()
          .map((one) => visibleInLine(String(one)))
          .join(', ')}\n`,
    );
  const said = all.map(([name]) => name).join(', ');
  if (said !== '') io.stderr.write(logText(`options from ${file.path}: ${said}\n${runs.join('')}`));
  return {
    argv: [...argv.slice(0, at + 1), ...added, ...argv.slice(at + 1)],
    ...(baseUrl !== undefined && { baseUrl: String(baseUrl) }),
  };
}

const BASE_URL_OPTION = 'baseUrl';

/** Which file is read: commander has not read the command line yet. */
function fileIn(argv: readonly string[]): { readonly path: string; readonly isNamed: boolean } | undefined {
  if (argv.includes('--no-config')) return undefined;
  const at = argv.findIndex((arg) => /^--config(?:=|$)/.test(arg));
  if (at < 0) return { path: CONFIG_FILE, isNamed: false };
  const path = argv[at]?.split('=').slice(1).join('=') || argv[at + 1];
  // commander says that it is missing.
  return path === undefined ? undefined : { path, isNamed: true };
}

async function readOptions(
  { path, isNamed }: { readonly path: string; readonly isNamed: boolean },
  io: CommandIo,
): Promise<Readonly<Record<string, unknown>> | undefined> {
  let text: string;
  try {
    text = Buffer.from(await io.readBytes(path, LONGEST)).toString();
  } catch (cause) {
    if (!isNamed && Object(cause).code === 'ENOENT') return undefined;
    throw invalidOption(`the options file ${path} cannot be read: ${reasonOf(cause)}`, { cause });
  }
  let options: unknown;
  try {
    options = parseJsonFile(text);
  } catch (cause) {
    throw invalidOption(`the options file ${path} is not JSON: ${visibleInLine(reasonOf(cause))}`, { cause });
  }
  if (isPlain(options)) return options;
  throw invalidOption(
    `the options file ${path} must be an object, such as { "baseUrl": "http://localhost:3000" }`,
  );
}

/** The options for all commands, without those that only other commands have. A mistyped one is left to commander. */
async function sharedOptions(
  options: Readonly<Record<string, unknown>>,
  command: Command,
): Promise<Readonly<Record<string, unknown>>> {
  // "rules" is a command and an option: an object is what a command has.
  const isSection = (name: string, value: unknown): boolean =>
    isPlain(value) && COMMANDS.some((one) => one.name === name);
  const shared = Object.entries(options).filter(
    ([name, value]) => name !== '$schema' && !isSection(name, value),
  );
  const isOwn = (name: string): boolean => flagOf(name, command) !== undefined || isBaseUrlOf(name, command);
  if (shared.every(([name]) => isOwn(name))) return Object.fromEntries(shared);
  const all = await Promise.all(COMMANDS.map(({ load }) => load()));
  const isElsewhere = (name: string): boolean =>
    all.some((other) => flagOf(name, other) !== undefined || isBaseUrlOf(name, other));
  return Object.fromEntries(shared.filter(([name]) => isOwn(name) || !isElsewhere(name)));
}

function isBaseUrlOf(name: string, { args = [] }: Command): boolean {
  return name === BASE_URL_OPTION && args.some(({ form }) => form === '[base-url]');
}

function flagOf(name: string, { flags }: Command): Flag | undefined {
  return flags.find(({ form }) => new Option(form).attributeName() === name);
}

/** The options whose flags were typed, and those that cannot be used beside them. */
function typedIn(argv: readonly string[], flags: readonly Flag[]): ReadonlySet<string> {
  const names = argv.flatMap((arg) => /^--(?:no-)?([a-z-]+)/.exec(arg)?.[1] ?? []);
  const nameOf = (form: string): string => new Option(form).attributeName();
  const isTyped = (form: string): boolean =>
    names.includes(form.replace(/^--(?:no-)?/, '').split(' ')[0] ?? '');
  const typed = flags.filter(({ form }) => isTyped(form));
  const excluding = flags.filter(({ conflicts = [] }) =>
    typed.some(({ form }) => conflicts.includes(nameOf(form))),
  );
  return new Set([
    ...[...typed, ...excluding].map(({ form }) => nameOf(form)),
    ...typed.flatMap(({ conflicts = [] }) => conflicts),
  ]);
}

/** `only: ['auth', 'state']` as `--only=auth --only=state`, and `validation: false` as `--no-validation`. */
function flagsFor(name: string, value: unknown, flag: Flag | undefined, file: string): readonly string[] {
  if (/<(?:token|password)/.test(flag?.form ?? ''))
    throw invalidOption(`${file}: "${name}" is a secret; set its environment variable instead (see --help)`);
  const long = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  if (typeof value === 'boolean') return [value ? `--${long}` : `--no-${long}`];
  const values = [value].flat();
  if (values.every((one) => typeof one === 'string' || typeof one === 'number'))
    return values.map((one) => `--${long}=${one}`);
  throw invalidOption(
    `${file}: ${JSON.stringify(name)} must be a string, a number, true, false or a list of strings`,
  );
}

function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
