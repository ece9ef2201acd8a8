import { readFileSync } from 'node:fs';
import { Command, CommanderError } from 'commander';
import { ToolkitError } from '../toolkit-error.js';
import { addCheckCommand } from './check.js';
import { addDemoCommand } from './demo.js';
import type { CommandIo } from './io.js';
import { addServeCommand } from './serve.js';

/** The command was misused, or what it needs is not there. */
const MISUSE = 2;

function version(): string {
  return JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')).version;
}

/**
 * The command line: `plant-store serve | check | demo`.
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
  addServeCommand(program, io, conclude);
  addCheckCommand(program, io, conclude);
  addDemoCommand(program, io, conclude);
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
