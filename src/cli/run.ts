import type { Option as CommanderOption, Command as Program } from 'commander';
import { logText } from '../report/escape.js';
import { toolVersion } from '../report/version.js';
import { ToolkitError } from '../toolkit-error.js';
import { type Command, CommanderError, type Flag, Option, ProgramClass } from './command.js';
import { COMMANDS } from './commands.js';
import type { CommandIo } from './io.js';
import { CONFIG_FILE, withFileOptions } from './options-file.js';

/** The exit status of a usage error. */
const USAGE_ERROR = 2;

/**
 * The command line: `plant-store serve | check | proxy | validate | verify | audit | rules | demo | init`.
 *
 * @param argv the arguments after `plant-store`
 * @param io where it reads and writes
 * @returns the exit status: 0; 1 if something does not conform; 2 for a usage error, or if nothing could be tested
 */
export async function run(argv: readonly string[], io: CommandIo): Promise<number> {
  let status = 0;
  let baseUrl: string | undefined;
  const program = createProgram(io);
  program.hook('preSubcommand', async (_, parser) => {
    const entry = COMMANDS.find(({ name }) => name === parser.name());
    const command = await entry?.load();
    if (command === undefined) return;
    describe(parser, command);
    parser.action(async () => {
      const args = parser.args.length > 0 || baseUrl === undefined ? parser.args : [baseUrl];
      status = await command.run({ flags: parser.opts(), args }, io);
    });
  });
  try {
    const line = await withFileOptions(withHelpFlag(argv), io);
    baseUrl = line.baseUrl;
    await program.parseAsync(line.argv, { from: 'user' });
    return status;
  } catch (cause) {
    if (cause instanceof CommanderError) return cause.exitCode === 0 ? 0 : USAGE_ERROR;
    if (!(cause instanceof ToolkitError)) throw cause;
    io.stderr.write(logText(`plant-store: ${cause.message}\n`));
    return USAGE_ERROR;
  }
}

/** `help check` as `check --help`. Of a command that does not exist, commander would show the help of the whole program. */
function withHelpFlag(argv: readonly string[]): readonly string[] {
  const [first, second = 'help'] = argv;
  if (first !== 'help' || second === 'help') return argv;
  return COMMANDS.some(({ name }) => name === second) ? [second, '--help'] : [second];
}

/** The program with the names of its commands. Each gets its flags when it is chosen. */
function createProgram(io: CommandIo): Program {
  const program = new ProgramClass('plant-store')
    .description('Mock, test and validate implementations of the plant store interface, POST /plants.')
    .version(toolVersion, '-V, --version', 'show the version')
    .option('--config <file>', `read options from this file (default: ${CONFIG_FILE})`)
    .option('--no-config', 'read no options from a file')
    .exitOverride()
    .configureOutput({ writeOut: (text) => io.stdout.write(text), writeErr: (text) => io.stderr.write(text) })
    .showHelpAfterError('(use --help to see the commands and flags)')
    .addHelpText(
      'after',
      '\nExit status: 0: conforms. 1: does not conform. 2: usage error, or could not be tested completely.',
    );
  for (const { name, summary } of COMMANDS) program.command(name).summary(summary);
  return program;
}

/** Gives commander what a command says of itself. */
function describe(parser: Program, command: Command): void {
  const { description, args = [], usage, flags, examples, errorHint } = command;
  parser.description(description).allowExcessArguments(false);
  if (usage !== undefined) parser.usage(usage);
  if (errorHint !== undefined) parser.showHelpAfterError(errorHint);
  if (examples !== undefined) parser.addHelpText('after', `\n${examples}`);
  for (const { form, help, check } of args)
    if (check === undefined) parser.argument(form, help);
    else
      parser.argument(form, help, (value) => {
        check(value);
        return value;
      });
  for (const flag of flags) {
    const form = oppositeOf(flag, flags);
    const opposite = form === undefined ? [] : [optionOf({ ...flag, form }).hideHelp()];
    // After `--colour`, commander does not make `--no-colour` true by default.
    for (const option of [optionOf(flag), ...opposite].sort((one, other) => +one.negate - +other.negate))
      parser.addOption(option);
  }
}

function optionOf({ form, help, reader, choices, conflicts = [], group }: Flag): CommanderOption {
  const option = new Option(form, help).conflicts([...conflicts]);
  if (choices !== undefined) option.choices(choices as readonly string[]);
  if (reader !== undefined) option.argParser((text, before) => reader.read(text, before));
  return group === undefined ? option : option.helpGroup(`${group}:`);
}

/** `--no-pending` for `--pending`: a flag overrides the options file in both directions. */
function oppositeOf({ form }: Flag, flags: readonly Flag[]): string | undefined {
  if (form.includes(' ')) return undefined;
  const opposite = form.startsWith('--no-') ? form.replace('--no-', '--') : form.replace('--', '--no-');
  return flags.some((other) => other.form.split(' ')[0] === opposite) ? undefined : opposite;
}
