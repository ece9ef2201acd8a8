import type { Command } from 'commander';
import { definedOnly } from '../defined-only.js';
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
  readonly duplicateId?: 'reject' | 'replace';
  readonly unknownFields?: 'ignore' | 'reject';
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
    .description(
      'Runs the reference server until Ctrl+C or SIGTERM. It finishes requests in progress before it stops.',
    )
    .option('--host <name>', 'address to listen on', '127.0.0.1')
    .option('--port <number>', 'port to listen on; 0 is a free port', wholeNumber, 0)
    .option(
      '--token <token...>',
      'accepted tokens (default: PLANT_STORE_TOKEN, or else a random token, which is printed)',
    )
    .addOption(
      new Option('--log <form>', 'format of the log').choices(['text', 'json', 'silent']).default('text'),
    )
    .option('--cors [origin...]', 'allow browser requests from other origins: all, or only these')
    .option('--delay <ms>', 'delay each response by this time', wholeNumber)
    .addOption(
      new Option(
        '--authentication-status <status>',
        'status for a missing or unknown token (default: 400)',
      ).argParser(wholeNumber),
    )
    .addOption(
      new Option('--duplicate-id <what>', 'how a duplicate id is handled (default: reject)').choices([
        'reject',
        'replace',
      ]),
    )
    .addOption(
      new Option('--unknown-fields <what>', 'how unknown fields are handled (default: ignore)').choices([
        'ignore',
        'reject',
      ]),
    )
    .option('--body-limit <bytes>', 'largest accepted body (default: 1048576)', wholeNumber)
    .option('--headers-timeout <ms>', 'time limit for the headers of a request (default: 10000)', wholeNumber)
    .option('--request-timeout <ms>', 'time limit for a whole request (default: 30000)', wholeNumber)
    .option('--fault <name...>', 'make the server nonconforming; --list-faults lists the names')
    .option('--list-faults', 'list the faults and exit')
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
    duplicateId: flags.duplicateId,
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

/** Prints a new token once, since the server could not be used without it. A given token is never printed. */
function announce(log: ServeFlags['log'], url: string, madeToken: string | undefined, io: CommandIo): void {
  if (log === 'json') {
    io.stdout.write(
      `${JSON.stringify({ event: 'listening', url, ...(madeToken !== undefined && { token: madeToken }) })}\n`,
    );
    return;
  }
  const token = madeToken === undefined ? '' : `token for this run: ${madeToken}\n`;
  io.stdout.write(`${token}listening on ${url}\n`);
}

const LOG_LINES: Readonly<Record<'text' | 'json', (entry: LogEntry) => string>> = {
  text: ({ method, target, status, rejection }) =>
    `${method} ${target} ${status}${rejection === undefined ? '' : ` ${rejection}`}\n`,
  json: ({ method, target, status, rejection, at }) =>
    `${JSON.stringify({ event: 'request', at: at.toISOString(), method, target, status, rejection })}\n`,
};

async function listFaults(io: CommandIo): Promise<number> {
  const { loadFaults } = await import('../server/faults/names.js');
  for (const { name, title, breaks } of await loadFaults()) {
    io.stdout.write(`${name}\n    ${title}\n    breaks ${breaks.join(', ')}\n`);
  }
  return 0;
}
