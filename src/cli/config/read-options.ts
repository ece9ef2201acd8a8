import { visibleInLine } from '../../report/escape.js';
import { didYouMean } from '../../suggestion.js';
import { invalidOption, reasonOf, type ToolkitError } from '../../toolkit-error.js';
import { parseJsonFile } from '../../validation/json-file.js';
import type { ReadFile } from './find-file.js';
import { type CommandOptions, definitionOf, type FileOption, type ValueType } from './option-table.js';
import { integer, text, texts, variable, variables } from './values.generated.js';

/** Values by the names of options. They are of the right type. */
type Options = ReadonlyMap<string, OptionValue>;

/** A value as it is in the file. An object names an environment variable that has the value. */
export type OptionValue = FileText | boolean | readonly FileText[];
export type FileText = string | number | { readonly env: string };

/**
 * Reads the options for a command: those for all commands, and its own. Those of the other commands must be right as well.
 *
 * @param all the options that there are
 * @throws ToolkitError `invalid-option` that says what is wrong, and where
 */
export function readOptions(
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
  const must = [...new Set(types.map(inWords))].join(' or ');
  throw wrong(at, `must be ${must}; got ${visibleInLine(JSON.stringify(value)).slice(0, 100)}`);
}

const validators = { integer, text, texts, variable, variables };

function fits(value: unknown, type: ValueType, isSecret: boolean): boolean {
  const definition = definitionOf(type, isSecret);
  if (definition !== undefined) return validators[definition](value);
  return type.type === 'text' ? type.choices?.includes(value as string) === true : typeof value === 'boolean';
}

function inWords(type: ValueType): string {
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
export function isVariable(value: unknown): value is { readonly env: string } {
  return validators.variable(value);
}

function wrong({ file, place }: Place, why: string): ToolkitError {
  return invalidOption(`${file}: "${visibleInLine(place.slice(0, 100))}" ${why}`);
}
