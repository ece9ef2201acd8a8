import type { Command as Program } from 'commander';
import { toolVersion } from '../report/version.js';
import { Command, Option } from './commander.js';
import type { CommandIo } from './io.js';

/** Adds a command to the program. The command gives its exit status to `conclude`. */
type AddCommand = (program: Program, io: CommandIo, conclude: (status: number) => void) => void;

/** The commands, in the order of the help. Only the one that runs is loaded, so that it starts fast. */
const COMMANDS: Readonly<Record<string, () => Promise<AddCommand>>> = {
  serve: async () => (await import('./serve.js')).addServeCommand,
  check: async () => (await import('./check.js')).addCheckCommand,
  compare: async () => (await import('./compare.js')).addCompareCommand,
  proxy: async () => (await import('./proxy.js')).addProxyCommand,
  verify: async () => (await import('./verify.js')).addVerifyCommand,
  audit: async () => (await import('./audit.js')).addAuditCommand,
  validate: async () => (await import('./validate.js')).addValidateCommand,
  rules: async () => (await import('./rules.js')).addRulesCommand,
  demo: async () => (await import('./demo.js')).addDemoCommand,
  init: async () => (await import('./init.js')).addInitCommand,
};

/** Whether there is a command with this name. */
export function isCommand(name: string): boolean {
  return Object.hasOwn(COMMANDS, name);
}

/**
 * The program with its commands and all their flags.
 *
 * @param only the one command to load; without it, all are loaded
 */
export async function createProgram(
  io: CommandIo,
  conclude: (status: number) => void,
  only?: string,
): Promise<Program> {
  const program = new Command('plant-store')
    .description('Mock, test and validate implementations of the plant store interface, POST /plants.')
    .version(toolVersion, '-V, --version', 'show the version')
    .option(
      '--config <file>',
      'read options from this file (default: plant-store.config.json, here or above)',
    )
    .option('--no-config', 'read no options from a file')
    .exitOverride()
    .configureOutput({ writeOut: (text) => io.stdout.write(text), writeErr: (text) => io.stderr.write(text) })
    .showHelpAfterError('(use --help to see the commands and flags)')
    .addHelpText(
      'after',
      '\nExit status: 0: conforms. 1: does not conform. 2: usage error, or could not be tested completely.',
    );
  for (const name of only === undefined ? Object.keys(COMMANDS) : [only])
    (await COMMANDS[name]?.())?.(program, io, conclude);
  for (const command of program.commands) addOpposites(command);
  return program;
}

/** Adds `--no-quick` to `--quick`, and `--validation` to `--no-validation`: a flag overrides the options file in both directions. */
function addOpposites(command: Program): void {
  for (const { long, negate, required, optional } of [...command.options]) {
    if (long == null || required || optional) continue;
    const opposite = negate ? long.replace('--no-', '--') : long.replace('--', '--no-');
    if (!command.options.some((one) => one.long === opposite))
      command.addOption(new Option(opposite).hideHelp());
  }
}
