import { setTimeout as sleep } from 'node:timers/promises';
import { definedOnly } from '../defined-only.js';
import { jsonText, visibleInLine } from '../report/escape.js';
import type { RunningControl } from '../server/control/control.js';
import type { Imitation } from '../server/imitation.js';
import type { ListenOptions } from '../server/options.js';
import type { Store } from '../server/plant-store.js';
import { operationUrl } from '../spec/operation.js';
import type { NewPlant } from '../spec/types.js';
import { invalidOption } from '../toolkit-error.js';
import { choice, contentOf, defineCommand, type FlagsOf, flag, type Given, wholeNumber } from './command.js';
import type { CommandIo } from './io.js';
import { nameFlag, optionsFrom, settingFlags } from './serve-options.js';
import { flagOrVariable } from './token.js';

/** The flags of the control interface. */
const controlFlags = [
  flag(
    '--control-port <number>',
    'also start the control interface, and a page for your browser, on this port; 0 is a free port',
    wholeNumber,
  ),
  flag('--control-host <name>', 'address of the control interface (default: 127.0.0.1)'),
  flag(
    '--control-token <token>',
    'token of the control interface, needed on any other address (default: PLANT_STORE_CONTROL_TOKEN)',
  ),
] as const;

const serveFlags = [
  ...settingFlags,
  flag(
    '--profile <file>',
    'behave like the provider of which `check --profile` wrote this file; other flags count more',
  ),
  choice('--log <form>', 'format of the log (default: text)', ['text', 'json', 'silent']),
  ...controlFlags,
  flag(
    '--until-stdin-closes',
    'also stop when standard input closes: when the program that started the server ends, however it ends',
  ),
  flag('--list-faults', 'list the faults and exit'),
] as const;

/** The flags that are read here. */
interface ServeFlags extends FlagsOf<typeof controlFlags> {
  readonly log?: Log;
  readonly token?: readonly string[];
  readonly profile?: string;
  readonly plants?: string;
  readonly fail?: readonly string[];
  readonly listFaults?: boolean;
  readonly untilStdinCloses?: boolean;
}

type Log = 'text' | 'json' | 'silent';

/** `plant-store-contract serve`: the reference server in the foreground. */
export const command = defineCommand({
  description:
    'Runs the reference server until Ctrl+C or SIGTERM. It gives requests in progress 1 s to finish.',
  flags: serveFlags,
  async run(all, io) {
    const { flags } = all as Given<ServeFlags>;
    return flags.listFaults === true ? await listFaults(io) : await serveUntilStopped(flags, io);
  },
});

async function serveUntilStopped(flags: ServeFlags, io: CommandIo): Promise<number> {
  const { log: form = 'text', profile } = flags;
  // Not before: help and an options file need the flags of every command, and not the server.
  const [{ startStore }, { requestLog }, { parseFailure }] = await Promise.all([
    import('../server/listen.js'),
    import('./request-log.js'),
    import('../server/failures/check-failure.js'),
  ]);
  const inputEnd = flags.untilStdinCloses === true ? [io.untilInputCloses()] : [];
  const token = flags.token ?? flagOrVariable(undefined, '--token', 'PLANT_STORE_TOKEN', io);
  const imitation = profile === undefined ? undefined : await imitationFrom(profile, io);
  const own = optionsFrom({ ...flags });
  const options = definedOnly({
    ...imitation?.options,
    ...own,
    rejections: { ...imitation?.options.rejections, ...own.rejections },
    plants: await plantsFrom(flags, io),
    token,
    failures: flags.fail?.map(parseFailure),
    logger: form === 'silent' ? undefined : requestLog(form, io.stdout),
  }) as ListenOptions;
  const store = await startStore(options).catch(nameFlag);
  const control = await controlFrom(flags, store, io).catch(async (cause) => {
    await store.close();
    throw cause;
  });
  const { url } = store;
  const made = token === undefined ? store.token : undefined;
  const { imitated = [], notImitated = [] } = imitation ?? {};
  if (form === 'json') {
    const told = imitation && { file: profile, imitated, notImitated };
    const line = { event: 'listening', url, control: control?.url, token: made, profile: told };
    io.stdout.write(`${jsonText(line)}\n`);
  } else {
    const lines = [
      ...(made === undefined ? [] : [`token for this run: ${made}`]),
      `listening on ${url}`,
      ...(control === undefined ? [] : [`control interface and page on ${control.url}`]),
    ];
    if (form === 'text') {
      lines.push(...listed(`behaves like the provider of ${profile}`, imitated));
      lines.push(...listed('cannot imitate', notImitated), curlLine(url, made ?? flags.token?.[0]));
    }
    io.stdout.write(`${lines.join('\n')}\n`);
  }
  await Promise.race([io.untilStopped(), ...inputEnd]);
  // A command ends within 2 s of a signal, so requests in progress do not get all the time of `close`.
  const closed = Promise.all([control?.close(), store.close()]);
  await Promise.race([closed, sleep(CLOSE_MS, undefined, { ref: false })]);
  return 0;
}

/** @throws ToolkitError `invalid-option` if there is no profile in the file of `--profile` */
async function imitationFrom(file: string, io: CommandIo): Promise<Imitation> {
  const { readProfile } = await import('../report/profile.js');
  const { imitationOf } = await import('../server/imitation.js');
  return imitationOf(readProfile(await contentOf(file, 'the profile', io), file));
}

/** @throws ToolkitError `invalid-option` if the file of `--plants` has something else */
async function plantsFrom({ plants: file }: ServeFlags, io: CommandIo): Promise<NewPlant[] | undefined> {
  if (file === undefined) return undefined;
  const { readPlants } = await import('../server/seed-file.js');
  return readPlants(await contentOf(file, 'the plants', io), file);
}

/** What requests in progress get to end, in milliseconds. */
const CLOSE_MS = 1_000;

/**
 * Starts the control interface that flags ask for.
 *
 * @throws ToolkitError `invalid-option` if there is none, and a flag is for it
 */
async function controlFrom(
  { controlHost: host, controlToken, controlPort: port }: ServeFlags,
  store: Store,
  io: CommandIo,
): Promise<RunningControl | undefined> {
  if (port === undefined) {
    if (host === undefined && controlToken === undefined) return undefined;
    throw invalidOption('--control-host and --control-token need --control-port');
  }
  const token = flagOrVariable(controlToken, '--control-token', 'PLANT_STORE_CONTROL_TOKEN', io);
  const { startControl } = await import('../server/control/control.js');
  return await startControl(store, { port, ...(host && { host }), ...(token !== undefined && { token }) });
}

function listed(title: string, sentences: readonly string[]): string[] {
  return sentences.length === 0 ? [] : [`${title}:`, ...sentences.map((one) => `  - ${visibleInLine(one)}`)];
}

/**
 * A line for a shell that creates a plant.
 *
 * @param token one that was made, or typed: the terminal shows that already. One from a file or the environment is never
 *   printed
 */
function curlLine(url: string, token = '$PLANT_STORE_TOKEN'): string {
  return `curl -i ${operationUrl(url).href} -H "Authorization: Bearer ${token}" -H "Content-Type: application/json" -d '{"name":"Aloe","id":7}'`;
}

async function listFaults(io: CommandIo): Promise<number> {
  const { loadFaults } = await import('../server/faults/index.js');
  for (const { name, title, breaks, needsExploring } of await loadFaults()) {
    const how = needsExploring ? ' (for rare input: found by check --explore)' : '';
    io.stdout.write(`${name}\n    ${title}\n    breaks ${breaks.join(', ')}${how}\n`);
  }
  return 0;
}
