import { dirname, isAbsolute, join } from 'node:path';
import { logText, visibleInLine } from '../report/escape.js';
import { didYouMean } from '../suggestion.js';
import { invalidOption, reasonOf } from '../toolkit-error.js';
import { isObject } from '../validation/json-value.js';
import {
  BASE_URL,
  type Command,
  type Flag,
  InvalidArgumentError,
  isRepeatable,
  jsonIn,
  nameOf,
} from './command.js';
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
  /** The values of flags, by the names that commander gives them: as if they were typed. */
  readonly values: Readonly<Record<string, unknown>>;
  /**
   * Says on standard error which options come from the file, and what they run.
   *
   * @param isUsed whether an option, or `baseUrl`, was not overridden
   */
  announce(isUsed: (name: string) => boolean): void;
}

/**
 * The options of a command in the options file, each read as its flag reads what is typed.
 *
 * `{ "baseUrl": "http://localhost:3000", "check": { "only": ["auth"], "quiet": true } }` gives `check` the values of `--only auth`
 * and `--quiet`.
 *
 * @param name the command
 * @param named the file, if `--config` names one
 * @returns `undefined` if there is no file
 * @throws ToolkitError `invalid-option` if the file cannot be read, is no JSON object, or has a secret or a wrong value
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
  if (baseUrl !== undefined && typeof baseUrl !== 'string')
    throw invalidOption(`${path}: "baseUrl" must be a string`);
  const read = Object.entries(options).flatMap(([option, value]) => {
    const flag = flagOf(option, flags, path);
    const texts = textsOf(option, value, flag, path);
    return texts === undefined ? [] : [{ option, flag, texts, value: valueFrom(option, texts, flag, path) }];
  });
  const takesUrl = baseUrl !== undefined && args.some(({ form }) => form === BASE_URL);
  return {
    path,
    ...(takesUrl && { baseUrl }),
    values: Object.fromEntries(read.map(({ option, value }) => [option, value])),
    announce(isUsed) {
      const used = read.filter(({ option }) => isUsed(option));
      const names = used.map(({ option }) => option);
      if (takesUrl && isUsed('baseUrl')) names.unshift('baseUrl');
      const runs = used
        .filter(({ flag }) => /<(?:command|module)>/.test(flag.form))
        .map(({ option, texts }) => `  ${option}: ${visibleInLine(texts.join(', '))}\n`);
      if (names.length > 0)
        io.stderr.write(logText(`options from ${path}: ${names.join(', ')}\n${runs.join('')}`));
    },
  };
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

/** @throws ToolkitError `invalid-option` if there is no such flag, or its value is a secret */
function flagOf(name: string, flags: readonly Flag[], file: string): Flag {
  const flag = flags.find((one) => nameOf(one) === name);
  if (flag === undefined)
    throw invalidOption(`${file}: unknown option "${name}"${didYouMean(name, flags.map(nameOf))}`);
  if (/<(?:token|password)/.test(flag.form))
    throw invalidOption(`${file}: "${name}" is a secret; set its environment variable instead (see --help)`);
  return flag;
}

/**
 * What would be typed after a flag: nothing after one for yes or no. A module is found from the file.
 *
 * @returns `undefined` if the flag would not be typed at all
 */
function textsOf(name: string, value: unknown, flag: Flag, file: string): readonly string[] | undefined {
  const isList = isRepeatable(flag);
  const must = (be: string) => invalidOption(`${file}: "${name}" must be ${be}`);
  if (!flag.form.includes('<')) {
    if (typeof value !== 'boolean') throw must('true or false');
    return value ? [] : undefined;
  }
  const values = Array.isArray(value) && isList ? value : [value];
  if (values.length === 0 || values.some((one) => typeof one !== 'string' && typeof one !== 'number'))
    throw must(isList ? 'a string or a list of strings' : 'a string or a number');
  const texts = values.map(String);
  return flag.form.includes('<module>') ? texts.map((one) => fromFile(one, file)) : texts;
}

/** A path in a file is relative to this file. */
function fromFile(path: string, file: string): string {
  return isAbsolute(path) ? path : join(dirname(file), path);
}

/** @throws ToolkitError `invalid-option` if the flag would not take it either */
function valueFrom(name: string, texts: readonly string[], flag: Flag, file: string): unknown {
  const { reader, choices, form } = flag;
  if (!form.includes('<')) return true;
  const [first] = texts;
  if (choices !== undefined && !choices.includes(first))
    throw invalidOption(`${file}: "${name}" must be one of ${choices.join(', ')}`);
  try {
    if (reader === undefined) return isRepeatable(flag) ? texts : first;
    return texts.reduce<unknown>((before, text) => reader(text, before), undefined);
  } catch (cause) {
    if (!(cause instanceof InvalidArgumentError)) throw cause;
    throw invalidOption(`${file}: "${name}": ${cause.message}`, { cause });
  }
}
