import { readFileSync } from 'node:fs';
import type { Command as Program } from 'commander';
import { ToolkitError } from '../toolkit-error.js';
import { Command, CommanderError } from './commander.js';
import type { CommandIo } from './io.js';

/** Adds a command to the program; it tells its exit status by `conclude`. */
export type AddCommand = (program: Program, io: CommandIo, conclude: (status: number) => void) => void;

/** The commands, in the order of the help. Only the one that is meant is loaded: that shows in its start. */
const COMMANDS: Readonly<Record<string, () => Promise<AddCommand>>> = {
  serve: async () => (await import('./serve.js')).addServeCommand,
  check: async () => (await import('./check.js')).addCheckCommand,
  proxy: async () => (await import('./proxy.js')).addProxyCommand,
  verify: async () => (await import('./verify.js')).addVerifyCommand,
  audit: async () => (await import('./audit.js')).addAuditCommand,
  validate: async () => (await import('./validate.js')).addValidateCommand,
  rules: async () => (await import('./rules.js')).addRulesCommand,
  demo: async () => (await import('./demo.js')).addDemoCommand,
};

/** The command was misused, or what it needs is not there. */
const MISUSE = 2;

function version(): string {
  return JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')).version;
}

/**
 * The command line: `plant-store serve | check | proxy | validate | verify | audit | rules | demo`.
 *
 * @param argv the arguments after `plant-store`
 * @param io where it reads and writes
 * @returns the exit status: 0, 1 where a provider breaks rules, 2 for misuse and where nothing could be tested
 */
export async function run(argv: readonly string[], io: CommandIo): Promise<number> {
  let status = 0;
  const conclude = (code: number): void => {
    status = code;
  };
  const program = new Command('plant-store')
    .description('Mock, test and validate implementations of the plant store interface, POST /plants.')
    .version(version(), '-V, --version', 'show the version')
    .exitOverride()
    .configureOutput({ writeOut: (text) => io.stdout.write(text), writeErr: (text) => io.stderr.write(text) })
    .showHelpAfterError('(--help shows what there is)')
    .addHelpText(
      'after',
      '\nExit status: 0 conforms; 1 the provider breaks a rule; 2 misuse, or nothing could be tested.',
    );
  const [first = ''] = argv;
  const meant = Object.hasOwn(COMMANDS, first) ? [first] : Object.keys(COMMANDS);
  for (const name of meant) (await COMMANDS[name]?.())?.(program, io, conclude);
  try {
    await program.parseAsync(argv, { from: 'user' });
    return status;
  } catch (cause) {
    if (cause instanceof CommanderError) return cause.exitCode === 0 ? 0 : MISUSE;
    if (!(cause instanceof ToolkitError)) throw cause;
    io.stderr.write(`plant-store: ${cause.message}\n`);
    return MISUSE;
  }
}
