import type { Command } from 'commander';
import { Argument } from './commander.js';
import { bashCompletion } from './completion/bash.js';
import { type Completable, completables } from './completion/completable.js';
import { fishCompletion } from './completion/fish.js';
import { zshCompletion } from './completion/zsh.js';
import type { CommandIo } from './io.js';
import type { CreateProgram } from './program.js';

const SHELLS: Readonly<Record<string, (commands: readonly Completable[]) => string>> = {
  bash: bashCompletion,
  zsh: zshCompletion,
  fish: fishCompletion,
};

/** `plant-store completion <shell>`: prints a script that lets a shell complete commands and flags. */
export function addCompletionCommand(
  program: Command,
  io: CommandIo,
  _conclude: (status: number) => void,
  createProgram: CreateProgram,
): void {
  program
    .command('completion')
    .addArgument(new Argument('<shell>', 'the shell').choices(Object.keys(SHELLS)))
    .summary('let a shell complete commands and flags')
    .description(
      'Prints a script that lets bash, zsh or fish complete the commands and flags of plant-store.',
    )
    .addHelpText('after', EXAMPLES)
    .action(async (shell: string) => {
      const commands = completables(await createProgram(io, () => {}));
      io.stdout.write(SHELLS[shell]?.(commands) ?? '');
    });
}

const EXAMPLES = `
Examples:
  echo 'eval "$(plant-store completion bash)"' >> ~/.bashrc
  echo 'source <(plant-store completion zsh)' >> ~/.zshrc       after compinit
  plant-store completion fish > ~/.config/fish/completions/plant-store.fish`;
