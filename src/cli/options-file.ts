import { logText, visibleInLine } from '../report/escape.js';
import { didYouMean } from '../suggestion.js';
import { invalidOption, reasonOf } from '../toolkit-error.js';
import { isObject } from '../validation/json-value.js';
import { BASE_URL, type Command, type Flag, jsonIn, longForm, nameOf } from './command.js';
import { COMMANDS } from './commands.js';
import type { CommandIo } from './io.js';

/** The name of the options file. */
export const CONFIG_FILE = 'plant-store.config.json';

/** The longest options file, in bytes. */
const LONGEST = 2 ** 20;

/** What the options file has for a command. */
export interface FileOptions {
  readonly path: string;
  /** Used if no base URL is typed. */
  readonly baseUrl?: string;
  /** By the names that commander gives them. */
  readonly options: Readonly<Record<string, unknown>>;
  /** The options as flags. */
  readonly argv: readonly string[];
}

/**
 * The options of a command in the options file, each as its flag, so that commander reads and checks it as if it were typed.
 * Says which options there are, and what they run.
 *
 * `{ "baseUrl": "http://localhost:3000", "check": { "only": ["auth"], "quiet": true } }` gives `--only=auth --quiet` to
 * `check`.
 *
 * @param name the command
 * @param named the file, if `--config` names one
 * @returns `undefined` if there is no file
 * @throws ToolkitError `invalid-option` if the file cannot be read, is no JSON object, or has a secret
 */
export async function fileOptions(
  name: string,
  { flags, args = [] }: Command,
  named: string | undefined,
  io: CommandIo,
): Promise<FileOptions | undefined> {
  const path = named ?? CONFIG_FILE;
  const whole = await readOptions(path, named !== undefined, io);
  if (whole === undefined) return undefined;
  const { $schema: _, baseUrl, ...sections } = whole;
  const stray = Object.keys(sections).find((one) => COMMANDS.every((command) => command.name !== one));
  if (stray !== undefined)
    throw invalidOption(
      `${path}: "${stray}" is no command; write an option under the command that it is for: { "check": { … } }`,
    );
  const options = sections[name] ?? {};
  if (!isObject(options)) throw invalidOption(`${path}: "${name}" must be an object`);
  const argv = Object.entries(options).flatMap(([option, value]) => flagsFor(option, value, flags, path));
  const url =
    args.some(({ form }) => form === BASE_URL) && baseUrl !== undefined ? { baseUrl: String(baseUrl) } : {};
  const names = Object.keys({ ...url, ...options });
  const runs = names
    .filter((one) => /<(?:command|module)>/.test(flagOf(one, flags)?.form ?? ''))
    .map((one) => `  ${one}: ${visibleInLine([options[one]].flat().join(', '))}\n`);
  if (names.length > 0)
    io.stderr.write(logText(`options from ${path}: ${names.join(', ')}\n${runs.join('')}`));
  return { path, options, argv, ...url };
}

async function readOptions(
  path: string,
  isNamed: boolean,
  io: CommandIo,
): Promise<Readonly<Record<string, unknown>> | undefined> {
  let text: string;
  try {
    text = Buffer.from(await io.readBytes(path, LONGEST)).toString();
  } catch (cause) {
    if (!isNamed && Object(cause).code === 'ENOENT') return undefined;
    throw invalidOption(`the options file ${path} cannot be read: ${reasonOf(cause)}`, { cause });
  }
  const options = jsonIn(text, `the options file ${path}`);
  if (isObject(options)) return options;
  throw invalidOption(
    `the options file ${path} must be an object, such as { "baseUrl": "http://localhost:3000" }`,
  );
}

function flagOf(name: string, flags: readonly Flag[]): Flag | undefined {
  return flags.find((flag) => nameOf(flag) === name);
}

/** `only: ['auth', 'state']` as `--only=auth --only=state`. */
function flagsFor(name: string, value: unknown, flags: readonly Flag[], file: string): readonly string[] {
  const flag = flagOf(name, flags);
  if (flag === undefined)
    throw invalidOption(`${file}: unknown option "${name}"${didYouMean(name, flags.map(nameOf))}`);
  if (/<(?:token|password)/.test(flag.form))
    throw invalidOption(`${file}: "${name}" is a secret; set its environment variable instead (see --help)`);
  const long = longForm(name);
  if (value === true) return [long];
  if (value === false) return [];
  const values = [value].flat();
  if (values.every((one) => typeof one === 'string' || typeof one === 'number'))
    return values.map((one) => `${long}=${one}`);
  throw invalidOption(`${file}: "${name}" must be a string, a number, true, false or a list of strings`);
}
