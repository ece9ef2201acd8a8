import { definedOnly } from '../defined-only.js';
import { limits } from '../http/limits.js';
import { bodySchemas, type MessageKind } from '../proxy/messages/stored-message.js';
import { invalidOption, reasonOf } from '../toolkit-error.js';
import { choice, defineCommand } from './command.js';
import type { CommandIo } from './io.js';
import { prepareReports, reportFlags, strictFlag } from './reports.js';

/** `plant-store-contract validate request|response <file>`: judges saved messages. It needs no provider. */
export const command = defineCommand({
  description:
    'Compares saved requests or responses with the interface. Reads the output of curl -i, or a request in the same form; ' +
    'HAR files, of which it judges each POST …/plants; and JSON bodies.',
  args: [
    { form: '<kind>', help: 'what is in the file', choices: ['request', 'response'] },
    {
      form: '<file>',
      help: 'the output of curl -i, a HAR file, or (with --as) a JSON body; - is standard input',
    },
  ],
  flags: [
    choice('--as <schema>', 'the file is a JSON body with this schema', bodySchemas),
    strictFlag,
    ...reportFlags,
  ],
  examples: `Examples:
  curl -si "$URL/plants" -d @plant.json … | plant-store-contract validate response -
  plant-store-contract validate response body.json --as error`,
  async run(given, io) {
    const [kind, file] = given.args as readonly [MessageKind, string];
    const { as, strict } = given.flags;
    const kindOfBody = as === 'new-plant' ? 'request' : 'response';
    if (as !== undefined && kindOfBody !== kind)
      throw invalidOption(`--as ${as} is for the body of a ${kindOfBody}, not of a ${kind}`);
    const reports = await prepareReports(given, io);
    const { judgeMessages } = await import('../proxy/messages/judge.js');
    const options = { kind, file, ...definedOnly({ as, strict }) };
    return await reports.write(judgeMessages(await bytesOf(file, io), options));
  },
});

async function bytesOf(file: string, io: CommandIo): Promise<Uint8Array> {
  try {
    return file === '-' ? await io.readInput(limits.messages) : await io.readBytes(file, limits.messages);
  } catch (cause) {
    const name = file === '-' ? 'standard input' : file;
    throw invalidOption(`${name} cannot be read: ${reasonOf(cause)}`, { cause });
  }
}
