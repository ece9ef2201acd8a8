import { relative, resolve } from 'node:path';
import type { Option as CommanderOption } from 'commander';
import { isHttpUrl } from '../../http/address.js';
import { BASE_URL, type Command, type Flag, Option, type Reader } from '../command.js';
import { COMMANDS } from '../commands.js';

/** An option of a command, as the options file has it. */
export interface FileOption {
  /** Its name in the file: `expectFailures`. */
  readonly name: string;
  readonly description: string;
  /** What it may be; several if two flags have one name, as `--challenge` and `--no-challenge`. */
  readonly types: readonly ValueType[];
  readonly reader: Reader<unknown>;
  /** Makes a path that is relative to the folder of the file relative to the working directory. */
  readonly place: (text: string, folder: string, workingFolder: string) => string;
  /** Whether the file may only name an environment variable that has it. */
  readonly isSecret: boolean;
  /** Whether its value is a command or a module that runs. */
  readonly isRun: boolean;
}

export type ValueType =
  | { readonly type: 'boolean' }
  | { readonly type: 'text'; readonly choices?: readonly string[] }
  | { readonly type: 'integer' }
  | { readonly type: 'list' };

/** A command that takes options from the file, and these options by their names. */
export interface CommandOptions {
  readonly name: string;
  readonly summary: string;
  readonly options: ReadonlyMap<string, FileOption>;
}

/** Flags that would change what a command is. In a file, they would make every check send nothing. */
const NOT_IN_FILE: ReadonlySet<string> = new Set([
  'dryRun',
  'replay',
  'listFaults',
  'updateExpectedFailures',
]);

/** The options of all commands. The flags of the command line are the one source. */
export async function loadOptions(): Promise<readonly CommandOptions[]> {
  const all: CommandOptions[] = [];
  for (const { name, summary, load } of COMMANDS) {
    const command = await load();
    if (command.hasFileOptions !== false) all.push({ name, summary, options: optionsOf(command) });
  }
  return all;
}

function optionsOf({ flags, args }: Command): ReadonlyMap<string, FileOption> {
  const found = new Map<string, FileOption>();
  for (const flag of flags) {
    const option = new Option(flag.form);
    const name = option.attributeName();
    if (NOT_IN_FILE.has(name)) continue;
    const before = found.get(name);
    const types = [...(before?.types ?? []), ...typesOf(flag, option)];
    found.set(name, { ...(option.negate && before !== undefined ? before : fileOption(flag, name)), types });
  }
  const url = args?.find(({ form }) => form === BASE_URL);
  if (url !== undefined) {
    const name = BASE_URL_OPTION;
    found.set(name, { ...fileOption(url, name), types: [{ type: 'text' }] });
  }
  return found;
}

/** The name of the one argument that the file may have. */
export const BASE_URL_OPTION = 'baseUrl';

const AS_TEXT: Reader<unknown> = { read: (text) => text };

function fileOption({ form, help, reader = AS_TEXT }: Flag, name: string): FileOption {
  // As the help names its value: `file` in `--ca <file>`.
  const [, value = ''] = /[<[](.*?)(?:\.\.\.)?[>\]]$/.exec(form) ?? [];
  return {
    name,
    description: help,
    types: [],
    reader,
    place: PLACES[value] ?? ((text) => text),
    isSecret: value === 'token' || value === 'password',
    isRun: value === 'command' || value === 'module',
  };
}

function typesOf(
  { reader, choices }: Flag,
  { required, optional, variadic }: CommanderOption,
): readonly ValueType[] {
  if (!required && !optional) return [{ type: 'boolean' }];
  const { type = 'text', repeats = variadic } = reader ?? {};
  const one: ValueType =
    type === 'text' && choices !== undefined ? { type, choices: choices as readonly string[] } : { type };
  return [
    ...(optional ? [{ type: 'boolean' } as const] : []),
    one,
    ...(repeats ? [{ type: 'list' } as const] : []),
  ];
}

/** How a value contains a path, by the name of the value in the help. */
const PLACES: Readonly<Record<string, FileOption['place']>> = {
  file: placed,
  module: placed,
  'name[=file]': (text, folder, workingFolder) => {
    const at = text.indexOf('=');
    return at === -1 ? text : text.slice(0, at + 1) + placed(text.slice(at + 1), folder, workingFolder);
  },
  sources: (text, folder, workingFolder) => (isHttpUrl(text) ? text : placed(text, folder, workingFolder)),
};

function placed(path: string, folder: string, workingFolder: string): string {
  return folder === workingFolder ? path : relative(workingFolder, resolve(folder, path)) || '.';
}

// Ajv compiles these schemas ahead of time, for the reader: `npm run generate` writes values.generated.ts. The schema of the
// options file has the same.

const variable = {
  type: 'object',
  description: 'The name of an environment variable that has the value.',
  required: ['env'],
  additionalProperties: false,
  properties: { env: { type: 'string', pattern: '^[A-Za-z_][A-Za-z0-9_]*$' } },
};
const VARIABLE = { $ref: '#/definitions/variable' };

/** What a value in the options file may be, beside a boolean and one of a few words. */
export const definitions = {
  variable,
  text: { anyOf: [{ type: 'string' }, VARIABLE] },
  integer: {
    anyOf: [
      { type: 'integer', minimum: -(2 ** 53 - 1), maximum: 2 ** 53 - 1 },
      { type: 'string', pattern: '^-?[0-9]+$' },
      VARIABLE,
    ],
  },
  texts: { type: 'array', minItems: 1, items: { $ref: '#/definitions/text' } },
  variables: { type: 'array', minItems: 1, items: VARIABLE },
} as const;

/** The definition of a type; none if it is a boolean, or one of a few words. */
export function definitionOf(type: ValueType, isSecret: boolean): keyof typeof definitions | undefined {
  if (type.type === 'integer') return 'integer';
  if (type.type === 'list') return isSecret ? 'variables' : 'texts';
  if (type.type === 'boolean' || type.choices !== undefined) return undefined;
  return isSecret ? 'variable' : 'text';
}
