import { definedOnly } from '../defined-only.js';
import { limitInWords, limits } from '../http/limits.js';
import type { JudgeOptions } from '../proxy/messages/judge.js';
import type { ValidateReport } from '../proxy/messages/report.js';
import { bodySchemas, kindOf } from '../proxy/messages/schemas.js';
import type { MessageKind } from '../proxy/messages/stored-message.js';
import { invalidOption, reasonOf } from '../toolkit-error.js';
import { choice, defineCommand, type FlagsOf, InvalidArgumentError } from './command.js';
import type { CommandIo } from './io.js';
import { prepareReports, reportFlags, strictFlag } from './reports.js';

const ownFlags = [
  choice('--as <schema>', 'the file is a JSON body with this schema', bodySchemas),
  choice('--statuses <which>', 'accepted statuses: 200 and any 4xx, or only 200 and 400 (default: any-4xx)', [
    'any-4xx',
    'documented',
  ]),
] as const;

/** `plant-store validate request|response <file>`: judges saved messages. It needs no provider. */
export const validate = defineCommand({
  description:
    'Compares saved requests or responses with the interface. Reads the output of curl -i, or a request in the same form; ' +
    'HAR files, of which it judges each POST …/plants; and JSON bodies.',
  args: [
    { form: '<kind>', help: 'request or response', check: checkKind },
    // Optional, so that a missing kind is said to be missing.
    {
      form: '[file]',
      help: 'the output of curl -i, a HAR file, or (with --as) a JSON body; - is standard input',
    },
  ],
  usage: '[options] <kind> <file>',
  flags: [...ownFlags, strictFlag, ...reportFlags],
  examples: `Examples:
  curl -si "$URL/plants" -d @plant.json … | plant-store validate response -
  plant-store validate request recorded.har --reporter junit=requests.xml
  plant-store validate response body.json --as error

Exit status: 0: every message conforms, warnings aside. 1: a message does not conform. 2: usage error, no message, or
a message is incomplete or cannot be read.`,
  async run(given, io) {
    const [kind, file] = given.args as readonly [MessageKind, string | undefined];
    if (file === undefined) throw invalidOption('the file is missing: name one, or - for standard input');
    rejectContradictions(kind, given.flags);
    const { as, statuses, strict } = given.flags;
    const reports = await prepareReports(given, io);
    const report = await judged(file, io, { kind, file, ...definedOnly({ as, statuses, strict }) });
    return await reports.write(report);
  },
});

/** A function of its own, so that the memory of the file is free when the report is written. */
async function judged(file: string, io: CommandIo, options: JudgeOptions): Promise<ValidateReport> {
  const { judgeMessages } = await import('../proxy/messages/judge.js');
  return judgeMessages(await bytesOf(file, io), options);
}

function checkKind(value: string): void {
  if (value === 'request' || value === 'response') return;
  const file = /[./]/.test(value) ? value : '<file>';
  throw new InvalidArgumentError(`It must be request or response, as in: validate response ${file}`);
}

function rejectContradictions(kind: MessageKind, { as, statuses }: FlagsOf<typeof ownFlags>): void {
  if (as !== undefined && kindOf(as) !== kind)
    throw invalidOption(`--as ${as} is for the body of a ${kindOf(as)}, not of a ${kind}`);
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
      ? `it is larger than ${limitInWords(limits.messages)}; export fewer entries`
      : reasonOf(cause);
    throw invalidOption(`${file === '-' ? 'standard input' : file} cannot be read: ${reason}`, { cause });
  }
}
