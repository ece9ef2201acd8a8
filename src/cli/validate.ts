import type { Command } from 'commander';
import { limitInWords, limits } from '../http/limits.js';
import { bodySchemas, kindOf } from '../proxy/messages/body-alone.js';
import type { JudgeOptions } from '../proxy/messages/judge.js';
import type { ValidateReport } from '../proxy/messages/report.js';
import type { BodySchema, MessageFormat, MessageKind } from '../proxy/messages/stored-message.js';
import { invalidOption, reasonOf } from '../toolkit-error.js';
import { InvalidArgumentError, Option } from './commander.js';
import type { CommandIo } from './io.js';
import { prepareReports, type ReportFlags, withReportFlags } from './reports.js';

/** The flags of `validate`. */
interface ValidateFlags extends ReportFlags {
  readonly as?: BodySchema;
  readonly format?: MessageFormat;
  readonly statuses?: NonNullable<JudgeOptions['statuses']>;
}

/** `plant-store validate request|response <file>`: judges saved messages. It needs no provider. */
export function addValidateCommand(
  program: Command,
  io: CommandIo,
  conclude: (status: number) => void,
): void {
  const command = program
    .command('validate')
    .argument('<kind>', 'request or response', messageKind)
    // Optional, so that a missing kind is said to be missing.
    .argument('[file]', 'raw HTTP messages, a HAR file, or (with --as) a JSON body; - is standard input')
    .usage('[options] <kind> <file>')
    .summary('compare saved messages with the interface')
    .description(
      'Compares saved requests or responses with the interface. Reads raw HTTP messages, as curl -i, HTTPie and Wireshark ' +
        'save them; HAR files, of which it judges each POST …/plants; and JSON bodies.',
    )
    .addOption(new Option('--as <schema>', 'the file is a JSON body with this schema').choices(bodySchemas))
    .addOption(
      new Option('--format <format>', 'the format of the file (default: detected)').choices([
        'raw',
        'har',
        'json',
      ]),
    )
    .addOption(
      new Option(
        '--statuses <which>',
        'accepted statuses: 200 and any 4xx, or only 200 and 400 (default: any-4xx)',
      ).choices(['any-4xx', 'documented']),
    );
  withReportFlags(command, { hasExchanges: false })
    .addHelpText('after', EXAMPLES)
    .action(async (kind: MessageKind, file: string | undefined, flags: ValidateFlags) => {
      if (file === undefined) throw invalidOption('the file is missing: name one, or - for standard input');
      conclude(await validate(kind, file, flags, io));
    });
}

const EXAMPLES = `
Examples:
  curl -si "$URL/plants" -d @plant.json … | plant-store validate response -
  plant-store validate request recorded.har --reporter junit=requests.xml
  plant-store validate response body.json --as error

Exit status: 0: every message conforms. 1: a message does not conform. 2: usage error, no message, or
a message is incomplete or cannot be read.`;

async function validate(
  kind: MessageKind,
  file: string,
  flags: ValidateFlags,
  io: CommandIo,
): Promise<number> {
  rejectContradictions(kind, flags);
  const { as, format, statuses } = flags;
  const reports = await prepareReports(flags, io, { hasExchanges: false });
  const report = await judged(file, io, {
    kind,
    file,
    ...(as !== undefined && { as }),
    ...(format !== undefined && { format }),
    ...(statuses !== undefined && { statuses }),
  });
  return await reports.write(report);
}

/** A function of its own, so that the memory of the file is free when the report is written. */
async function judged(file: string, io: CommandIo, options: JudgeOptions): Promise<ValidateReport> {
  const { judgeMessages } = await import('../proxy/messages/judge.js');
  return judgeMessages(await bytesOf(file, io), options);
}

function messageKind(value: string): MessageKind {
  if (value === 'request' || value === 'response') return value;
  throw new InvalidArgumentError(`It must be request or response, as in: validate response ${value}`);
}

function rejectContradictions(kind: MessageKind, { as, format, statuses }: ValidateFlags): void {
  if (as !== undefined && kindOf(as) !== kind)
    throw invalidOption(`--as ${as} is for the body of a ${kindOf(as)}, not of a ${kind}`);
  if (as !== undefined && format !== undefined && format !== 'json')
    throw invalidOption(`--as is for a body alone, but --format is ${format}`);
  if (as === undefined && format === 'json')
    throw invalidOption(`--format json needs --as, the schema of the body: ${bodySchemas.join(', ')}`);
  if (statuses !== undefined && kind === 'request')
    throw invalidOption('--statuses is for responses: a request has no status');
  if (statuses !== undefined && as !== undefined)
    throw invalidOption('--statuses is for whole responses: a body alone has no status');
}

async function bytesOf(file: string, io: CommandIo): Promise<Uint8Array> {
  try {
    return file === '-' ? await io.readInput(limits.messages) : await io.readBytes(file, limits.messages);
  } catch (cause) {
    const isTooLarge = (cause as NodeJS.ErrnoException).code === 'ERR_FS_FILE_TOO_LARGE';
    const reason = isTooLarge
      ? `it is larger than ${limitInWords(limits.messages)}; export fewer entries, or save fewer messages`
      : reasonOf(cause);
    throw invalidOption(`${file === '-' ? 'standard input' : file} cannot be read: ${reason}`, { cause });
  }
}
