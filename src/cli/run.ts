import type { Command as Program } from 'commander';
import { logText } from '../output/escape.js';
import { toolVersion } from '../report/version.js';
import { ToolkitError } from '../toolkit-error.js';
import { Command, CommanderError } from './commander.js';
import type { CommandIo } from './io.js';

/** Adds a command to the program. The command gives its exit status to `conclude`. */
export type AddCommand = (program: Program, io: CommandIo, conclude: (status: number) => void) => void;

/** The commands, in the order of the help. Only the one that runs is loaded, so that it starts fast. */
const COMMANDS: Readonly<Record<string, () => Promise<AddCommand>>> = {
  serve: async () => (await import('./serve.js')).addServeCommand,
  check: async () => (await import('./check.js')).addCheckCommand,
  compare: async () => (await import('./compare.js')).addCompareCommand,
  proxy: async () => (await import('./proxy.js')).addProxyCommand,
  verify: async () => (await import('./verify.js')).addVerifyCommand,
  audit: async () => (await import('./audit.js')).addAuditCommand,
  validate: async () => (await import('./validate.js')).addValidateCommand,
  merge: async () => (await import('./merge.js')).addMergeCommand,
  rules: async () => (await import('./rules.js')).addRulesCommand,
  demo: async () => (await import('./demo.js')).addDemoCommand,
};

/** The exit status of a usage error. */
const USAGE_ERROR = 2;

/**
 * The command line: `plant-store serve | check | compare | proxy | validate | verify | audit | merge | rules | demo`.
 *
 * @param argv the arguments after `plant-store`
 * @param io where it reads and writes
 * @returns the exit status: 0; 1 if something does not conform; 2 for a usage error, or if nothing could be tested
 */
export async function run(argv: readonly string[], io: CommandIo): Promise<number> {
  let status = 0;
  const conclude = (code: number): void => {
    status = code;
  };
  const program = new Command('plant-store')
    .description('Mock, test and validate implementations of the plant store interface, POST /plants.')
    .version(toolVersion, '-V, --version', 'show the version')
    .exitOverride()
    .configureOutput({ writeOut: (text) => io.stdout.write(text), writeErr: (text) => io.stderr.write(text) })
    .showHelpAfterError('(use --help to see the commands and flags)')
    .addHelpText(
      'after',
      '\nExit status: 0: conforms. 1: does not conform. 2: usage error, or could not be tested completely.',
    );
  const [first = '', second] = argv;
  const meant = Object.hasOwn(COMMANDS, first) ? [first] : Object.keys(COMMANDS);
  for (const name of meant) (await COMMANDS[name]?.())?.(program, io, conclude);
  // Commander would show the help of the whole program, and not say that there is no such command.
  const isHelpOfUnknown =
    first === 'help' && second !== undefined && program.commands.every((one) => one.name() !== second);
  try {
    await program.parseAsync(isHelpOfUnknown ? argv.slice(1) : argv, { from: 'user' });
    return status;
  } catch (cause) {
    if (cause instanceof CommanderError) return cause.exitCode === 0 ? 0 : USAGE_ERROR;
    if (!(cause instanceof ToolkitError)) throw cause;
    io.stderr.write(logText(`plant-store: ${cause.message}\n`));
    return USAGE_ERROR;
  }
}
