import { constants } from 'node:buffer';
import type { Command } from 'commander';
import { bareBodies, kindOf } from '../messages/bare-body.js';
import type { JudgeOptions } from '../messages/judge.js';
import type { MessagesReport } from '../messages/report.js';
import type { BareBody, MessageFormat, MessageKind } from '../messages/stored-message.js';
import { invalidOption } from '../toolkit-error.js';
import { InvalidArgumentError, Option } from './commander.js';
import { reporter } from './flags.js';
import type { CommandIo } from './io.js';
import {
  chosenReporters,
  type ReporterFlag,
  type ReportLoaders,
  tellOutcome,
  writeReports,
} from './reports.js';

/** The flags of `validate`. */
interface ValidateFlags {
  readonly as?: BareBody;
  readonly format?: MessageFormat;
  readonly statuses?: NonNullable<JudgeOptions['statuses']>;
  readonly reporter?: readonly ReporterFlag[];
  readonly quiet?: boolean;
}

const REPORTERS: ReportLoaders<MessagesReport> = {
  text: async () => (await import('../messages/reporting/messages-text.js')).messagesText,
  json: async () => (await import('../messages/reporting/messages-json.js')).messagesJson,
  junit: async () => (await import('../messages/reporting/messages-junit.js')).messagesJunit,
  github: async () => (await import('../messages/reporting/messages-github.js')).messagesGithub,
};

/** `plant-store validate request|response <file>`: judges messages that were stored. Needs no provider. */
export function addValidateCommand(
  program: Command,
  io: CommandIo,
  conclude: (status: number) => void,
): void {
  program
    .command('validate')
    .argument('<kind>', 'request or response', messageKind)
    .argument('<file>', 'raw HTTP messages, a HAR, or with --as a body alone; - is standard input')
    .summary('hold stored messages against the interface')
    .description(
      'Holds stored requests or responses against the interface, byte by byte: raw HTTP messages as curl -i saves ' +
        'them, HTTPie prints them or Wireshark follows them; every POST …/plants in a HAR; or a JSON body alone.',
    )
    .addOption(
      new Option('--as <schema>', 'the file is a body alone, and this is its schema').choices(bareBodies),
    )
    .addOption(
      new Option('--format <format>', 'how the messages are stored (default: their content tells)').choices([
        'raw',
        'har',
        'json',
      ]),
    )
    .addOption(
      new Option(
        '--statuses <which>',
        'statuses that a response may have: 200 and any 4xx, or 200 and 400 (default: any-4xx)',
      ).choices(['any-4xx', 'documented']),
    )
    .option(
      '--reporter <name[=file]>',
      'text, json, junit or github; to a file where one is named; can be repeated (default: text)',
      reporter,
    )
    .option('--quiet', 'leave out of the text what is as it should be (default where CI is set)')
    .addHelpText('after', EXAMPLES)
    .action(async (kind: MessageKind, file: string, flags: ValidateFlags) =>
      conclude(await validate(kind, file, flags, io)),
    );
}

const EXAMPLES = `
Examples:
  curl -si "$URL/plants" -d @plant.json … | plant-store validate response -
  plant-store validate request recorded.har --reporter junit=requests.xml
  plant-store validate response body.json --as error

Exit status: 0 every message keeps to the interface; 1 one does not; 2 misuse, or a message cannot be
read or not all of it is there, or there is none.`;

async function validate(
  kind: MessageKind,
  file: string,
  flags: ValidateFlags,
  io: CommandIo,
): Promise<number> {
  refuseContradictions(kind, flags);
  const { as, format, statuses } = flags;
  const chosen = await chosenReporters(flags.reporter, REPORTERS);
  const [{ judgeMessages }, { messagesExitCode }] = await Promise.all([
    import('../messages/judge.js'),
    import('../messages/report.js'),
  ]);
  const report = judgeMessages(await bytesOf(file, io), {
    ...{ kind, file },
    ...(as !== undefined && { as }),
    ...(format !== undefined && { format }),
    ...(statuses !== undefined && { statuses }),
  });
  await writeReports(report, chosen, flags.quiet, io);
  tellOutcome(chosen, report.summary, io);
  return messagesExitCode(report.conclusion);
}

function messageKind(value: string): MessageKind {
  if (value === 'request' || value === 'response') return value;
  throw new InvalidArgumentError('It must be request or response.');
}

function refuseContradictions(kind: MessageKind, { as, format, statuses }: ValidateFlags): void {
  if (as !== undefined && kindOf(as) !== kind)
    throw invalidOption(`--as ${as} is for the body of a ${kindOf(as)}, not of a ${kind}`);
  if (as !== undefined && format !== undefined && format !== 'json')
    throw invalidOption(`--as is for a body alone, and --format ${format} says that it is not`);
  if (as === undefined && format === 'json')
    throw invalidOption(`--format json needs --as, which says what the body is: ${bareBodies.join(', ')}`);
  if (statuses !== undefined && kind === 'request')
    throw invalidOption('--statuses is for responses: a request has no status');
  if (statuses !== undefined && as !== undefined)
    throw invalidOption('--statuses is for whole responses: a body alone has no status');
}

/** What the system says of a file, in words. */
const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EISDIR: 'it is a directory',
  EACCES: 'permission is denied',
  EPERM: 'permission is denied',
  ERR_FS_FILE_TOO_LARGE: `it is longer than ${constants.MAX_STRING_LENGTH} bytes, which is the most that can be read`,
};

async function bytesOf(file: string, io: CommandIo): Promise<Uint8Array> {
  try {
    return file === '-' ? await io.readInput() : await io.readBytes(file);
  } catch (cause) {
    const { code = '', message = String(cause) } = cause as NodeJS.ErrnoException;
    const name = file === '-' ? 'standard input' : file;
    throw invalidOption(`${name} cannot be read: ${REASONS[code] ?? message}`, { cause });
  }
}
