import type { Command, Option } from 'commander';

/** What a shell can complete of a command. */
export interface Completable {
  readonly name: string;
  readonly summary: string;
  readonly flags: readonly CompletableFlag[];
  /** The words that its first argument may be; without any, files. */
  readonly words: readonly string[];
}

export interface CompletableFlag {
  /** `--token` */
  readonly flag: string;
  readonly description: string;
  /** What follows it: nothing, a file, one of several words, or a text that no shell can complete. */
  readonly value: 'none' | 'file' | 'text' | readonly string[];
}

/**
 * Everything that a shell can complete, from the commands and their flags.
 *
 * @param program with all commands
 */
export function completables(program: Command): readonly Completable[] {
  const commands = program.commands.map((command) => ({
    name: command.name(),
    summary: command.summary(),
    flags: command.createHelp().visibleOptions(command).flatMap(flagOf),
    words: command.registeredArguments[0]?.argChoices ?? [],
  }));
  const names = commands.map(({ name }) => name);
  return [...commands, { name: 'help', summary: 'show the help of a command', flags: [], words: names }];
}

function flagOf({ long, description, required, argChoices, flags }: Option): readonly CompletableFlag[] {
  if (long == null) return [];
  // A value in brackets may be left out.
  const value = !required ? 'none' : (argChoices ?? (/<file>/.test(flags) ? 'file' : 'text'));
  return [{ flag: long, description, value }];
}
