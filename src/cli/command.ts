import { createRequire } from 'node:module';
import { millisecondsIn } from '../duration.js';
import type { Fields } from '../http/fields.js';
import { visibleInLine } from '../report/escape.js';
import { invalidOption, reasonOf } from '../toolkit-error.js';
import { parseJsonFile } from '../validation/json-file.js';
import type { CommandIo } from './io.js';

// Commander is CommonJS behind a wrapper that node scans for names; required as it is, the command line starts sooner.
const commander: typeof import('commander') = createRequire(import.meta.url)('commander');

export const { Argument, Command: ProgramClass, CommanderError, InvalidArgumentError, Option } = commander;

/** A command as data. Its help and its options in the options file are made from it. */
export interface Command {
  readonly description: string;
  readonly args?: readonly ArgumentData[];
  /** In the order of the help. */
  readonly flags: readonly Flag[];
  readonly examples?: string;
  /** Whether the options file has options for it. Not if its flags decide what it does at all. Default true. */
  readonly hasFileOptions?: false;
  /** @returns the exit status */
  run(given: Given, io: CommandIo): Promise<number>;
}

/** An argument: `<needed>`, `[optional]` or `<several...>`. */
interface ArgumentData {
  readonly form: string;
  readonly help: string;
  /** The words that it takes, if it takes no others. */
  readonly choices?: readonly string[];
}

/** What a command was given, on the command line and in the options file. */
export interface Given<Flags extends object = object> {
  readonly flags: Flags;
  readonly args: readonly string[];
}

/** A command whose flags have the types that the list of flags says. */
export function defineCommand<const List extends readonly Flag[]>(
  command: Omit<Command, 'flags' | 'run'> & {
    readonly flags: List;
    run(given: Given<FlagsOf<List>>, io: CommandIo): Promise<number>;
  },
): Command {
  return command;
}

/**
 * Rejects flags that would do nothing without another one: whoever writes a flag expects an effect.
 *
 * @param names the flags that need something else
 * @param why what they need: "needs --explore"
 * @throws ToolkitError `invalid-option`, naming the first that is given
 */
export function rejectFlags<Flags extends object>(
  flags: Flags,
  names: readonly (keyof Flags & string)[],
  why: string,
): void {
  const unused = names.find((name) => flags[name] !== undefined);
  if (unused !== undefined) throw invalidOption(`${longForm(unused)} ${why}`);
}

/** `brokerToken` as `--broker-token`. */
export function longForm(name: string): string {
  return `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/** The argument of a command that needs a provider. The options file may have it as `baseUrl`. */
export const BASE_URL = '[base-url]';

/** @throws ToolkitError `invalid-option` if neither the command line nor the options file has the base URL */
export function neededBaseUrl({ args: [given] }: Given): string {
  if (given !== undefined) return given;
  throw invalidOption(
    'the base URL is missing: pass the base URL of the provider, such as http://localhost:3000, or write "baseUrl" to plant-store.config.json',
  );
}

/** A flag as data. Its help, its option in the options file and the type of its value are made from it. */
export interface Flag<Form extends string = string, Value = unknown> {
  /**
   * As the help shows it: `--timeout <ms>`. The name of the value also says what it is: `<token>` and `<password>` are
   * secrets, `<command>` and `<module>` run.
   */
  readonly form: Form;
  readonly help: string;
  /** How a value is read. Default: as text. */
  readonly reader?: Reader<Value>;
  /** The words that it takes, if it takes no others. */
  readonly choices?: readonly Value[];
  /** The flags that it cannot be used with, by the names that commander gives them. */
  readonly conflicts?: readonly string[];
  /** The heading in the help under which it stands. */
  readonly group?: string;
}

/**
 * Reads the value of a flag.
 *
 * @param before the value so far, if the flag is repeated
 * @throws InvalidArgumentError
 */
// As the type of a method, so that a list may have readers of several types.
export type Reader<Value> = { read(text: string, before?: Value): Value }['read'] & {
  /** Whether the flag can be repeated. Otherwise, the last value counts. */
  readonly isRepeatable?: true;
};

/** The values of flags, by the names that commander gives them. A flag that is not given has none. */
export type FlagsOf<List extends readonly Flag[]> = {
  readonly [One in List[number] as NameOf<One['form']>]?: One extends Flag<string, infer Value>
    ? Value
    : never;
};

type NameOf<Form extends string> = Form extends `${infer Name} ${string}`
  ? NameOf<Name>
  : Form extends `--no-${infer Name}`
    ? CamelCase<Name>
    : Form extends `--${infer Name}`
      ? CamelCase<Name>
      : string;

type CamelCase<Text extends string> = Text extends `${infer First}-${infer Rest}`
  ? `${First}${Capitalize<CamelCase<Rest>>}`
  : Text;

type ValueIn<Form extends string> = Form extends `${string}...>`
  ? readonly string[]
  : Form extends `${string}>`
    ? string
    : boolean;

/**
 * A flag.
 *
 * @param form `--name` for yes or no, `--name <value>`, or `--name <values...>` for several values
 */
export function flag<const Form extends string>(form: Form, help: string): Flag<Form, ValueIn<Form>>;
export function flag<const Form extends string, Value>(
  form: Form,
  help: string,
  reader: Reader<Value>,
): Flag<Form, Value>;
export function flag(form: string, help: string, reader?: Reader<unknown>): Flag {
  return { form, help, ...(reader !== undefined && { reader }) };
}

/** A flag that takes one of some words. */
export function choice<const Form extends string, const Word extends string>(
  form: Form,
  help: string,
  choices: readonly Word[],
): Flag<Form, Word> {
  return { form, help, choices };
}

/** A flag that cannot be used with some others. */
export function without<const One extends Flag>(one: One, conflicts: readonly string[]): One {
  return { ...one, conflicts };
}

/** Puts flags under a heading of the help. */
export function grouped<const List extends readonly Flag[]>(group: string, flags: List): List {
  return flags.map((one) => ({ ...one, group })) as readonly Flag[] as List;
}

/** The name that commander gives to the value of a flag. */
export function nameOf({ form }: Flag): string {
  return new Option(form).attributeName();
}

/** Reads a whole number. The command itself checks its limits. */
export const wholeNumber: Reader<number> = (text) => {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.');
  return Number(text);
};

/** Reads a duration in milliseconds: `30s` is 30,000. */
export const duration: Reader<number> = (text) => {
  const milliseconds = millisecondsIn(text);
  if (milliseconds === undefined) throw new InvalidArgumentError('It must look like 30s, 5m or 500ms.');
  return milliseconds;
};

/** Marks the reader of a flag that can be repeated. */
export function repeatable<Value>(reader: Reader<Value>): Reader<Value> {
  return Object.assign(reader, { isRepeatable: true } as const);
}

/** Whether a flag has several values if it is repeated. */
export function isRepeatable({ form, reader }: Flag): boolean {
  return reader?.isRepeatable === true || form.endsWith('...>');
}

/** Reads one text. The flag can be repeated. */
export const repeated = repeatable<readonly string[]>((text, before = []) => [...before, text]);

/** Reads names that commas separate. The flag can be repeated. */
export const list = repeatable<readonly string[]>((text, before = []) => {
  const names = text.split(',').map((name) => name.trim());
  if (names.includes('')) throw new InvalidArgumentError('A name is empty.');
  return [...before, ...names];
});

/** Reads a header field, `Name: value`. The flag can be repeated. */
export const header = repeatable<Fields>((text, before = []) => {
  const colon = text.indexOf(':');
  if (colon < 1) throw new InvalidArgumentError('It must look like "Name: value".');
  return [...before, [text.slice(0, colon), text.slice(colon + 1).trim()]];
});

/**
 * The content of a file that a flag names.
 *
 * @param what how an error names the file: "the CA"
 * @throws ToolkitError `invalid-option` if it cannot be read
 */
export async function contentOf(file: string, what: string, io: CommandIo): Promise<string> {
  try {
    return await io.readFile(file);
  } catch (cause) {
    throw invalidOption(`${what} cannot be read from ${file}: ${reasonOf(cause)}`, { cause });
  }
}

/**
 * What a JSON file of the user has.
 *
 * @throws ToolkitError `invalid-option` that says where it is wrong
 */
export function jsonIn(text: string, file: string): unknown {
  try {
    return parseJsonFile(text);
  } catch (cause) {
    throw invalidOption(`${file} is not JSON: ${visibleInLine(reasonOf(cause))}`, { cause });
  }
}
