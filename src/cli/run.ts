import type { Option as CommanderOption, Command as Program } from 'commander';
import { isHttpUrl } from '../http/address.js';
import { logText } from '../report/escape.js';
import { toolVersion } from '../report/version.js';
import { invalidOption, ToolkitError } from '../toolkit-error.js';
import {
  Argument,
  BASE_URL,
  type Command,
  CommanderError,
  type Flag,
  longForm,
  nameOf,
  Option,
  ProgramClass,
} from './command.js';
import { COMMANDS } from './commands.js';
import type { CommandIo } from './io.js';
import { CONFIG_FILE, type FileOptions, fileOptions } from './options-file.js';

/** The exit status of a usage error. */
const USAGE_ERROR = 2;

/**
 * The command line: `plant-store-contract serve | check | proxy | validate | verify | audit | rules | demo | init`.
 *
 * @param argv the arguments after `plant-store-contract`
 * @param io where it reads and writes
 * @returns the exit status: 0; 1 if something does not conform; 2 for a usage error, or if nothing could be tested
 */
export async function run(argv: readonly string[], io: CommandIo): Promise<number> {
  let status = 0;
  const program = createProgram(io);
  program.hook('preSubcommand', async (_, parser) => {
    const entry = COMMANDS.find(({ name }) => name === parser.name());
    if (entry === undefined) return;
    const { command } = await entry.load();
    describe(parser, command);
    const { config } = program.opts<{ config: string | boolean }>();
    const needsFile = command.hasFileOptions !== false && config !== false && !asksForHelp(program.args);
    const named = typeof config === 'string' ? config : undefined;
    const file = needsFile ? await fileOptions(parser.name(), command, named, io) : undefined;
    if (file !== undefined) applyOptions(file, parser);
    parser.action(async () => {
      const typed = parser.args;
      if (typed.length === 0) rejectSwallowedUrl(argv, command, parser);
      const args = typed.length > 0 ? typed : [file?.baseUrl].filter((url) => url !== undefined);
      file?.announce((name) =>
        name === 'baseUrl' ? typed.length === 0 : parser.getOptionValueSource(name) === FROM_FILE,
      );
      status = await command.run({ flags: parser.opts(), args }, io);
    });
  });
  try {
    await program.parseAsync(argv, { from: 'user' });
    return status;
  } catch (cause) {
    if (cause instanceof CommanderError) return cause.exitCode === 0 ? 0 : USAGE_ERROR;
    if (!(cause instanceof ToolkitError)) throw cause;
    io.stderr.write(logText(`plant-store-contract: ${cause.message}\n`));
    return USAGE_ERROR;
  }
}

function asksForHelp(args: readonly string[]): boolean {
  return args.includes('--help') || args.includes('-h');
}

/** Where a value comes from, for commander. */
const FROM_FILE = 'config';

/** Gives commander the options of the file. What is typed comes after them, and counts instead. */
function applyOptions({ values }: FileOptions, parser: Program): void {
  for (const [name, value] of Object.entries(values)) parser.setOptionValueWithSource(name, value, FROM_FILE);
}

/**
 * A flag that takes several values takes the base URL, too, if it comes last.
 *
 * @throws ToolkitError `invalid-option` that says so: the base URL of the options file would be used instead
 */
function rejectSwallowedUrl(argv: readonly string[], { args = [], flags }: Command, parser: Program): void {
  if (args.every(({ form }) => form !== BASE_URL)) return;
  for (const flag of flags.filter(({ form }) => form.endsWith('...>'))) {
    const name = nameOf(flag);
    const last = parser.getOptionValueSource(name) === 'cli' && parser.getOptionValue(name).at(-1);
    if (last === false || !isHttpUrl(last)) continue;
    // As one argument, `--pacts=…`, it is not in the list.
    if (/^(?:-.*)?$/.test(argv[argv.lastIndexOf(last) - 1] ?? '')) continue;
    throw invalidOption(
      `${longForm(name)} would take ${last} as well: write the base URL before ${longForm(name)}, or ${longForm(name)} before each value`,
    );
  }
}

/** The program with the names of its commands. Each gets its flags when it is chosen. */
function createProgram(io: CommandIo): Program {
  const program = new ProgramClass('plant-store-contract')
    .description('Mock, test and validate implementations of the plant store interface, POST /plants.')
    .version(toolVersion, '-V, --version', 'show the version')
    .option('--config <file>', `read options from this file (default: ${CONFIG_FILE})`)
    .option('--no-config', 'read no options from a file')
    .helpCommand(false)
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
  const { description, args = [], flags, examples } = command;
  parser.description(description).allowExcessArguments(false);
  if (examples !== undefined) parser.addHelpText('after', `\n${examples}`);
  for (const { form, help, choices } of args) {
    const argument = new Argument(form, help);
    parser.addArgument(choices === undefined ? argument : argument.choices(choices));
  }
  for (const flag of flags) parser.addOption(optionOf(flag, parser));
}

function optionOf(flag: Flag, parser: Program): CommanderOption {
  const { form, help, reader, choices, conflicts = [], group } = flag;
  const option = new Option(form, help).conflicts([...conflicts]);
  if (choices !== undefined) option.choices(choices as readonly string[]);
  // A list that is typed does not add to that of the options file.
  if (reader !== undefined)
    option.argParser((text, before) => {
      const isFromFile = parser.getOptionValueSource(nameOf(flag)) === FROM_FILE;
      return reader(text, isFromFile ? undefined : before);
    });
  return group === undefined ? option : option.helpGroup(`${group}:`);
}
