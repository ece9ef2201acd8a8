import { logText, visibleInLine } from '../../report/escape.js';
import { invalidOption } from '../../toolkit-error.js';
import type { Given } from '../command.js';
import { InvalidArgumentError } from '../commander.js';
import type { CommandIo } from '../io.js';
import type { ReadFile } from './find-file.js';
import { BASE_URL_OPTION, type FileOption, loadOptions } from './option-table.js';
import { type FileText, isVariable, type OptionValue, readOptions } from './read-options.js';

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
