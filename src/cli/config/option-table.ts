import { relative, resolve } from 'node:path';
import type { Command, Option } from 'commander';
import { isHttpUrl } from '../../http/address.js';
import type { FlagValue } from '../flag-value.js';

/** An option of a command, as the options file has it. */
export interface FileOption {
  /** Its name in the file: `expectFailures`. */
  readonly name: string;
  readonly description: string;
  /** What it may be; several if two flags have one name, as `--challenge` and `--no-challenge`. */
  readonly types: readonly ValueType[];
  /** Reads a text as the flag does. Throws what the flag throws. */
  readonly parse: (text: string, before: unknown) => unknown;
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

/** Commands that take no options from the file. Their flags decide what they do at all. */
const WITHOUT_FILE: ReadonlySet<string> = new Set(['rules', 'demo', 'init', 'help']);

/** Flags that would change what a command is. In a file, they would make every check send nothing. */
const NOT_IN_FILE: ReadonlySet<string> = new Set([
  'dryRun',
  'replay',
  'listFaults',
  'updateExpectedFailures',
]);

/** Whether a command takes options from the file. */
export function takesOptions(command: Command): boolean {
  return !WITHOUT_FILE.has(command.name());
}

/** The commands that do. */
export function configurable(program: Command): readonly Command[] {
  return program.commands.filter(takesOptions);
}

/** The options of a command that the file may have, by name. The flags of the command line are the one source. */
export function optionsOf(command: Command): ReadonlyMap<string, FileOption> {
  const found = new Map<string, FileOption>();
  for (const option of command.options) {
    const name = option.attributeName();
    if (option.hidden || NOT_IN_FILE.has(name)) continue;
    const before = found.get(name);
    const types = [...(before?.types ?? []), ...typesOf(option)];
    found.set(name, { ...(option.negate && before !== undefined ? before : fileOption(option)), types });
  }
  const [argument] = command.registeredArguments;
  if (argument?.name() === BASE_URL.argument)
    found.set(BASE_URL.name, {
      name: BASE_URL.name,
      description: argument.description,
      types: [{ type: 'text' }],
      parse: (text) => text,
      place: (text) => text,
      isSecret: false,
      isRun: false,
    });
  return found;
}

/** The one argument that the file may have. */
export const BASE_URL = { name: 'baseUrl', argument: 'base-url' } as const;

function fileOption(option: Option): FileOption {
  // As the help names its value: `file` in `--ca <file>`.
  const [, value = ''] = /[<[](.*?)(?:\.\.\.)?[>\]]$/.exec(option.flags) ?? [];
  return {
    name: option.attributeName(),
    description: option.description,
    types: [],
    parse: (option.parseArg as FileOption['parse'] | undefined) ?? ((text) => text),
    place: PLACES[value] ?? ((text) => text),
    isSecret: value === 'token' || value === 'password',
    isRun: value === 'command' || value === 'module',
  };
}

function typesOf(option: Option): readonly ValueType[] {
  const { argChoices, parseArg, required, optional, variadic } = option;
  if (!required && !optional) return [{ type: 'boolean' }];
  const { type = 'text', repeats = variadic } = (parseArg ?? {}) as Partial<FlagValue>;
  const one: ValueType =
    type === 'text' && argChoices !== undefined ? { type, choices: argChoices } : { type };
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
