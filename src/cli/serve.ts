import type { Command } from 'commander';
import type { FaultName } from '../server/faults/names.js';
import type { ListenOptions, LogEntry } from '../server/options.js';
import { Option } from './commander.js';
import { wholeNumber } from './flags.js';
import type { CommandIo } from './io.js';

interface ServeFlags {
  readonly host: string;
  readonly port: number;
  readonly token?: string[];
  readonly log: 'text' | 'json' | 'silent';
  readonly cors?: true | string[];
  readonly delay?: number;
  readonly authenticationStatus?: number;
  readonly repeatedId?: 'refuse' | 'replace';
  readonly unknownFields?: 'ignore' | 'refuse';
  readonly bodyLimit?: number;
  readonly headersTimeout?: number;
  readonly requestTimeout?: number;
  readonly fault?: string[];
  readonly listFaults?: boolean;
}

/** `plant-store serve`: the reference server in the foreground. */
export function addServeCommand(program: Command, io: CommandIo, conclude: (status: number) => void): void {
  program
    .command('serve')
    .summary('run the reference server')
    .description('Runs the reference server until it is interrupted; requests under way are answered first.')
    .option('--host <name>', 'address to listen on', '127.0.0.1')
    .option('--port <number>', 'port to listen on; 0 is a free one', wholeNumber, 0)
    .option(
      '--token <token...>',
      'tokens that are accepted (or PLANT_STORE_TOKEN; without both, one is made and printed)',
    )
    .addOption(
      new Option('--log <form>', 'what is printed of each request')
        .choices(['text', 'json', 'silent'])
        .default('text'),
    )
    .option('--cors [origin...]', 'let pages of other origins in: of all, or of those named')
    .option('--delay <ms>', 'wait before each answer', wholeNumber)
    .addOption(
      new Option(
        '--authentication-status <status>',
        'what answers a missing or wrong token (default: 400)',
      ).argParser(wholeNumber),
    )
    .addOption(
      new Option('--repeated-id <what>', 'what an id that exists does (default: refuse)').choices([
        'refuse',
        'replace',
      ]),
    )
    .addOption(
      new Option('--unknown-fields <what>', 'what fields beyond NewPlant do (default: ignore)').choices([
        'ignore',
        'refuse',
      ]),
    )
    .option('--body-limit <bytes>', 'largest body that is read (default: 1048576)', wholeNumber)
    .option(
      '--headers-timeout <ms>',
      'how long the headers of a request may take (default: 10000)',
      wholeNumber,
    )
    .option('--request-timeout <ms>', 'how long a whole request may take (default: 30000)', wholeNumber)
    .option('--fault <name...>', 'make the server wrong in named ways')
    .option('--list-faults', 'show the faults and end')
    .action(async (flags: ServeFlags) => {
      conclude(flags.listFaults === true ? await listFaults(io) : await serve(flags, io));
    });
}

async function serve(flags: ServeFlags, io: CommandIo): Promise<number> {
  const { startPlantStore } = await import('../server/listen.js');
  const token = flags.token ?? io.env.PLANT_STORE_TOKEN;
  const options = definedOnly({
    host: flags.host,
    port: flags.port,
    token: token === '' ? undefined : token,
    cors: flags.cors,
    delayMs: flags.delay,
    authenticationFailureStatus: flags.authenticationStatus,
    repeatedId: flags.repeatedId,
    unknownFields: flags.unknownFields,
    limits: definedOnly({
      bodyBytes: flags.bodyLimit,
      headersTimeoutMs: flags.headersTimeout,
      requestTimeoutMs: flags.requestTimeout,
    }),
    faults: flags.fault as FaultName[] | undefined,
    logger:
      flags.log === 'silent'
        ? undefined
        : (entry: LogEntry) => io.stdout.write(LOG_LINES[flags.log as 'text' | 'json'](entry)),
  }) as ListenOptions;
  const store = await startPlantStore(options);
  announce(flags.log, store.url, token ? undefined : store.token, io);
  await io.untilStopped();
  await store.close();
  return 0;
}

/** A token that was made here has to be told once, or nobody could use the server; a token that was given is not. */
function announce(log: ServeFlags['log'], url: string, madeToken: string | undefined, io: CommandIo): void {
  if (log === 'json') {
    io.stdout.write(
      `${JSON.stringify({ event: 'listening', url, ...(madeToken !== undefined && { token: madeToken }) })}\n`,
    );
    return;
  }
  const token = madeToken === undefined ? '' : `token, made for this run: ${madeToken}\n`;
  io.stdout.write(`${token}listening on ${url}\n`);
}

const LOG_LINES: Readonly<Record<'text' | 'json', (entry: LogEntry) => string>> = {
  text: ({ method, target, status, refusal }) =>
    `${method} ${target} ${status}${refusal === undefined ? '' : ` ${refusal}`}\n`,
  json: ({ method, target, status, refusal, at }) =>
    `${JSON.stringify({ event: 'request', at: at.toISOString(), method, target, status, refusal })}\n`,
};

async function listFaults(io: CommandIo): Promise<number> {
  const { loadFaults } = await import('../server/faults/names.js');
  for (const { name, title, breaks } of await loadFaults()) {
    io.stdout.write(`${name}\n    ${title}\n    breaks ${breaks.join(', ')}\n`);
  }
  return 0;
}

function definedOnly(options: Readonly<Record<string, unknown>>): object {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
}
