import { logText, visibleInLine } from '../../report/escape.js';
import { didYouMean } from '../../suggestion.js';
import { invalidOption, reasonOf, type ToolkitError } from '../../toolkit-error.js';
import { parseJsonFile } from '../../validation/json-file.js';
import { type Given, InvalidArgumentError } from '../command.js';
import type { CommandIo } from '../io.js';
import type { ReadFile } from './find-file.js';
import {
  BASE_URL_OPTION,
  type CommandOptions,
  definitionOf,
  type FileOption,
  loadOptions,
  type ValueType,
} from './option-table.js';
import { integer, text, texts, variable, variables } from './values.generated.js';

/**
 * Adds the options of the options file that the command line does not give. Says which, and what they run.
 *
 * @param command its name
 * @throws ToolkitError `invalid-option` that says what is wrong in the file, and where
 */
export async function addFileOptions(
  { flags, args, origin }: Given,
  command: string,
  file: ReadFile,
  io: CommandIo,
): Promise<Given> {
  const all = await loadOptions();
  const values = readOptions(file, all, command);
  const options = all.find(({ name }) => name === command)?.options ?? new Map<string, FileOption>();
  const given = new Map(Object.entries({ ...flags, ...(args.length > 0 && { [BASE_URL_OPTION]: args[0] }) }));
  const added = new Map<string, unknown>();
  let runs = '';
  for (const [name, option] of options) {
    const value = values.get(name);
    if (value === undefined || given.get(name) !== undefined) continue;
    added.set(name, valueFor(option, value, file, io));
    if (option.isRun) runs += `  ${name}: ${inWords(value)}\n`;
  }
  if (added.size === 0) return { flags, args, origin };
  io.stderr.write(logText(`options from ${file.name}: ${[...added.keys()].join(', ')}\n${runs}`));
  const baseUrl = added.get(BASE_URL_OPTION);
  return {
    flags: { ...flags, ...Object.fromEntries(added) },
    args: baseUrl === undefined ? args : [String(baseUrl)],
    origin: new Map([...added.keys()].map((name) => [name, file.folder])),
  };
}

/** A value as the file has it: the environment variable that it names may be a secret. */
function inWords(value: OptionValue): string {
  const texts = [value].flat().map((one) => (isVariable(one) ? `$${one.env}` : visibleInLine(String(one))));
  return texts.join(', ');
}

/** Reads a value as its flag does. */
function valueFor(option: FileOption, value: OptionValue, file: ReadFile, io: CommandIo): unknown {
  if (typeof value === 'boolean') return value;
  const texts = [value]
    .flat()
    .map((one) => option.place(textOf(one, option, file, io), file.folder, io.folder));
  try {
    const isList = option.types.some(({ type }) => type === 'list');
    if (!isList) return option.reader.read(texts[0] ?? '');
    // A flag with several values has no reader of its own.
    if (option.reader.repeats !== true) return texts;
    return texts.reduce<unknown>((before, text) => option.reader.read(text, before), undefined);
  } catch (cause) {
    if (!(cause instanceof InvalidArgumentError)) throw cause;
    throw invalidOption(`${file.name}: "${option.name}" is wrong: ${cause.message}`, { cause });
  }
}

function textOf(value: FileText, { name }: FileOption, file: ReadFile, { env }: CommandIo): string {
  if (!isVariable(value)) return String(value);
  const text = env[value.env];
  if (text !== undefined && text !== '') return text;
  throw invalidOption(
    `${file.name}: "${name}" comes from the environment variable ${value.env}, which is not set`,
  );
}

/** Values by the names of options. They are of the right type. */
type Options = ReadonlyMap<string, OptionValue>;

/** A value as it is in the file. An object names an environment variable that has the value. */
type OptionValue = FileText | boolean | readonly FileText[];
type FileText = string | number | { readonly env: string };

/**
 * Reads the options for a command: those for all commands, and its own. Those of the other commands must be right as well.
 *
 * @param all the options that there are
 * @throws ToolkitError `invalid-option` that says what is wrong, and where
 */
function readOptions(
  { name: file, text }: ReadFile,
  all: readonly CommandOptions[],
  command: string,
): Options {
  const root = parsed(file, text);
  const everywhere = new Map<string, FileOption[]>();
  for (const { options } of all)
    for (const [name, option] of options) everywhere.set(name, [...(everywhere.get(name) ?? []), option]);
  const known = [...all.map(({ name }) => name), ...everywhere.keys()];
  const shared = new Map<string, OptionValue>();
  let own: Options = new Map();
  for (const [name, value] of Object.entries(root)) {
    const section = all.find((one) => one.name === name);
    if (name === '$schema') continue;
    if (section === undefined)
      shared.set(name, checked(value, everywhere.get(name), { file, place: name }, known));
    // A command that is left out of a build has no flags, and reads nothing.
    else if (section.options.size > 0) {
      const options = optionsIn(value, section, all, file);
      if (name === command) own = options;
    }
  }
  return new Map([...shared, ...own]);
}

function parsed(file: string, text: string): object {
  let root: unknown;
  try {
    root = parseJsonFile(text);
  } catch (cause) {
    const yaml = /\.ya?ml$/i.test(file) ? '. YAML is not read' : '';
    throw invalidOption(`the options file ${file} is not JSON: ${visibleInLine(reasonOf(cause))}${yaml}`, {
      cause,
    });
  }
  if (isPlain(root)) return root;
  throw invalidOption(
    `the options file ${file} must be an object, such as { "baseUrl": "http://localhost:3000" }`,
  );
}

function optionsIn(
  values: unknown,
  { name: command, options }: CommandOptions,
  all: readonly CommandOptions[],
  file: string,
): Options {
  if (!isPlain(values))
    throw wrong({ file, place: command }, 'must be an object with the options of that command');
  const read = Object.entries(values).map(([name, value]) => {
    const at = { file, place: `${command}.${name}` };
    const option = options.get(name);
    const elsewhere = all.filter((other) => other.options.has(name)).map((other) => other.name);
    if (option === undefined && elsewhere.length > 0)
      throw wrong(at, `is no option of ${command}, but of ${elsewhere.join(' and ')}`);
    return [name, checked(value, option && [option], at, [...options.keys()])] as const;
  });
  return new Map(read);
}

interface Place {
  readonly file: string;
  readonly place: string;
}

/** @throws ToolkitError `invalid-option` if there is no such option, or its value has another type in every command */
function checked(
  value: unknown,
  options: readonly FileOption[] | undefined,
  at: Place,
  known: readonly string[],
): OptionValue {
  if (options === undefined) {
    const name = at.place.split('.').at(-1) ?? '';
    throw wrong(at, `is no option${didYouMean(name, known)}`);
  }
  const types = options.flatMap((option) => option.types);
  const isSecret = options.every((option) => option.isSecret);
  if (types.some((type) => fits(value, type, isSecret))) return value as OptionValue;
  if (isSecret)
    throw wrong(
      at,
      'is a secret: write the name of an environment variable that has it, as in { "env": "PLANT_STORE_TOKEN" }',
    );
  const must = [...new Set(types.map(typeInWords))].join(' or ');
  throw wrong(at, `must be ${must}; got ${visibleInLine(JSON.stringify(value)).slice(0, 100)}`);
}

const validators = { integer, text, texts, variable, variables };

function fits(value: unknown, type: ValueType, isSecret: boolean): boolean {
  const definition = definitionOf(type, isSecret);
  if (definition !== undefined) return validators[definition](value);
  return type.type === 'text' ? type.choices?.includes(value as string) === true : typeof value === 'boolean';
}

function typeInWords(type: ValueType): string {
  switch (type.type) {
    case 'boolean':
      return 'true or false';
    case 'integer':
      return 'a whole number';
    case 'text':
      return type.choices === undefined ? 'a string' : type.choices.map((one) => `"${one}"`).join(', ');
    case 'list':
      return 'a list of strings';
  }
}

function isPlain(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether a value names an environment variable. */
function isVariable(value: unknown): value is { readonly env: string } {
  return validators.variable(value);
}

function wrong({ file, place }: Place, why: string): ToolkitError {
  return invalidOption(`${file}: "${visibleInLine(place.slice(0, 100))}" ${why}`);
}
