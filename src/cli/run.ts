import { logText } from '../report/escape.js';
import { ToolkitError } from '../toolkit-error.js';
import { CommanderError } from './commander.js';
import { applyConfig } from './config/apply.js';
import type { CommandIo } from './io.js';
import { createProgram, isCommand } from './program.js';

/** The exit status of a usage error. */
const USAGE_ERROR = 2;

/**
 * The command line: `plant-store serve | check | compare | proxy | validate | verify | audit | rules | demo | init`.
 *
 * @param argv the arguments after `plant-store`
 * @param io where it reads and writes
 * @returns the exit status: 0; 1 if something does not conform; 2 for a usage error, or if nothing could be tested
 */
export async function run(argv: readonly string[], io: CommandIo): Promise<number> {
  let status = 0;
  const [first = '', second] = argv;
  const conclude = (code: number): void => {
    status = code;
  };
  const program = await createProgram(io, conclude, isCommand(first) ? first : undefined);
  program.hook('preAction', (_program, command) => applyConfig(command, program.opts(), io));
  // Commander would show the help of the whole program, and not say that there is no such command.
  const isHelpOfUnknown = first === 'help' && second !== undefined && second !== 'help' && !isCommand(second);
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
