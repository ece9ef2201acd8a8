import type { Command } from 'commander';
import { logText, visibleInLine } from '../../report/escape.js';
import { invalidOption } from '../../toolkit-error.js';
import { InvalidArgumentError } from '../commander.js';
import type { CommandIo } from '../io.js';
import { createProgram } from '../program.js';
import { findFile, type ReadFile } from './find-file.js';
import { markFromFile } from './from-file.js';
import { BASE_URL, type FileOption, optionsOf, takesOptions } from './option-table.js';
import { type FileText, isVariable, type OptionValue, readOptions } from './read-options.js';

/**
 * Gives a command the options of the options file that the command line does not give. Says which, and what they run.
 *
 * @param program the flags of the program: `--config` and `--no-config`
 * @throws ToolkitError `invalid-option` that says what is wrong in the file, and where
 */
export async function applyConfig(
  command: Command,
  { config }: { readonly config?: string | false },
  io: CommandIo,
): Promise<void> {
  const file = takesOptions(command) ? await findFile(config, io) : undefined;
  if (file === undefined) return;
  const all = await createProgram(io, () => {});
  const { shared, ofCommand } = readOptions(file, all);
  const values = { ...shared, ...ofCommand.get(command.name()) };
  const used: string[] = [];
  const runs: string[] = [];
  for (const [name, option] of optionsOf(command)) {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    if (value === undefined || isGiven(command, name)) continue;
    const parsed = parse(value, option, file, io);
    if (name === BASE_URL.name) command.processedArgs[0] = parsed;
    else command.setOptionValueWithSource(name, parsed, 'config');
    markFromFile(command.opts(), name, file.folder);
    used.push(name);
    if (option.isRun) runs.push(`  ${name}: ${inWords(value)}\n`);
  }
  if (used.length > 0)
    io.stderr.write(logText(`options from ${file.name}: ${used.join(', ')}\n${runs.join('')}`));
}

function isGiven(command: Command, name: string): boolean {
  return name === BASE_URL.name ? command.args.length > 0 : command.getOptionValueSource(name) === 'cli';
}

/** A value as the file has it: the environment variable that it names may be a secret. */
function inWords(value: OptionValue): string {
  const texts = [value].flat().map((one) => (isVariable(one) ? `$${one.env}` : visibleInLine(String(one))));
  return texts.join(', ');
}

/** Reads a value as its flag does. */
function parse(value: OptionValue, option: FileOption, file: ReadFile, io: CommandIo): unknown {
  if (typeof value === 'boolean') return value;
  const isList = option.types.some(({ type }) => type === 'list');
  let parsed: unknown;
  for (const one of Array.isArray(value) ? (value as readonly FileText[]) : [value as FileText]) {
    const text = option.place(textOf(one, option, file, io), file.folder, io.folder);
    try {
      const read = option.parse(text, isList ? parsed : undefined);
      // A flag with several values has no parser: it collects them.
      parsed =
        isList && typeof read === 'string' ? [...((parsed as string[] | undefined) ?? []), read] : read;
    } catch (cause) {
      if (!(cause instanceof InvalidArgumentError)) throw cause;
      throw invalidOption(`${file.name}: "${option.name}" is wrong: ${cause.message}`, { cause });
    }
  }
  return parsed;
}

function textOf(value: FileText, { name }: FileOption, file: ReadFile, { env }: CommandIo): string {
  if (!isVariable(value)) return String(value);
  const text = env[value.env];
  if (text !== undefined && text !== '') return text;
  throw invalidOption(
    `${file.name}: "${name}" comes from the environment variable ${value.env}, which is not set`,
  );
}
