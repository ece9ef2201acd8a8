import { setTimeout as sleep } from 'node:timers/promises';
import { definedOnly } from '../defined-only.js';
import { jsonText, visibleInLine } from '../report/escape.js';
import type { RunningControl } from '../server/control/control.js';
import type { Engine } from '../server/engine.js';
import type { Imitation } from '../server/imitation.js';
import type { ListenOptions } from '../server/options.js';
import { operationUrl } from '../spec/operation.js';
import type { NewPlant } from '../spec/types.js';
import { choice, contentOf, defineCommand, type FlagsOf, flag, type Given } from './command.js';
import { controlFlags, controlOptionsFrom } from './control-flags.js';
import type { CommandIo } from './io.js';
import { nameFlag, optionsFrom, settingFlags } from './serve-options.js';
import { flagOrVariable } from './token.js';

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

/** `plant-store serve`: the reference server in the foreground. */
export const serve = defineCommand({
  description:
    'Runs the reference server until Ctrl+C or SIGTERM. It gives requests in progress 1 s to finish.',
  flags: serveFlags,
  async run(all, io) {
    const given = all as Given<ServeFlags>;
    return given.flags.listFaults === true ? await listFaults(io) : await serveUntilStopped(given, io);
  },
});

async function serveUntilStopped({ flags }: Given<ServeFlags>, io: CommandIo): Promise<number> {
  const { log: form = 'text' } = flags;
  // Not before: help and an options file need the flags of every command, and not the server.
  const [{ startWithEngine }, { requestLog }, { parseFailure }] = await Promise.all([
    import('../server/listen.js'),
    import('./request-log.js'),
    import('../server/failures/check-failure.js'),
  ]);
  const inputEnd = flags.untilStdinCloses === true ? io.untilInputCloses() : undefined;
  const token = flags.token ?? flagOrVariable(undefined, '--token', 'PLANT_STORE_TOKEN', io);
  const imitation = await imitationFrom(flags, io);
  const own = optionsFrom({ ...flags });
  const options = definedOnly({
    ...imitation?.options,
    ...own,
    rejections: { ...imitation?.options.rejections, ...own.rejections },
    plants: await plantsFrom(flags, io),
    token,
    failures: flags.fail?.map(parseFailure),
  }) as ListenOptions;
  const { store, engine } = await startWithEngine(options).catch(nameFlag);
  const log = form === 'silent' ? undefined : requestLog(form, io.stdout);
  if (log !== undefined) engine.events.on('received', log);
  const close = async (control?: RunningControl): Promise<unknown> =>
    Promise.all([control?.close(), store.close()]);
  const control = await controlFrom(flags, engine, io).catch(async (cause) => {
    await close();
    throw cause;
  });
  announce(
    form,
    {
      url: store.url,
      control: control?.url,
      token: token ? undefined : store.token,
      // A token that was typed: the terminal shows it already.
      shown: flags.token?.[0],
      imitation: imitation && { file: flags.profile ?? '', ...imitation },
    },
    io,
  );
  await Promise.race([io.untilStopped(), ...(inputEnd === undefined ? [] : [inputEnd])]);
  // A command ends within 2 s of a signal, so requests in progress do not get all the time of `close`.
  await Promise.race([close(control), sleep(CLOSE_MS, undefined, { ref: false })]);
  return 0;
}

/** @throws ToolkitError `invalid-option` if there is no profile in the file of `--profile` */
async function imitationFrom({ profile: file }: ServeFlags, io: CommandIo): Promise<Imitation | undefined> {
  if (file === undefined) return undefined;
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

/** Starts the control interface that flags ask for. */
async function controlFrom(
  flags: ServeFlags,
  engine: Engine,
  io: CommandIo,
): Promise<RunningControl | undefined> {
  const options = controlOptionsFrom(flags, io);
  if (options === undefined) return undefined;
  const { startControl } = await import('../server/control/control.js');
  return await startControl(engine, options);
}

/** Where a server listens, and its token if it made one. */
interface Started {
  readonly url: string;
  readonly control: string | undefined;
  readonly token: string | undefined;
  /** The token if it may be shown: it was typed. */
  readonly shown: string | undefined;
  /** How it behaves like the provider of a profile, if it was given one. */
  readonly imitation: (Imitation & { readonly file: string }) | undefined;
}

/**
 * Prints where the server is, and how to try it. It prints a new token, since the server could not be used without it, and
 * one that was typed. It never prints one that comes from a file or the environment.
 */
function announce(log: Log, started: Started, io: CommandIo): void {
  const { url, control, token, shown, imitation } = started;
  if (log === 'json') {
    const { options: _, ...profile } = imitation ?? {};
    const line = { event: 'listening', url, control, token };
    io.stdout.write(`${jsonText({ ...line, profile: imitation && profile })}\n`);
    return;
  }
  const lines = [
    ...(token === undefined ? [] : [`token for this run: ${token}`]),
    `listening on ${url}`,
    ...(control === undefined ? [] : [`control interface and page on ${control}`]),
    ...(log === 'text' && imitation !== undefined ? imitationLines(imitation) : []),
    ...(log === 'text' ? curlExample({ url, token: token ?? shown }, process.platform) : []),
  ];
  io.stdout.write(`${lines.join('\n')}\n`);
}

/** What a server with a profile does like the provider, and what it does not. */
function imitationLines({ file, imitated, notImitated }: NonNullable<Started['imitation']>): string[] {
  const list = (title: string, sentences: readonly string[]): string[] =>
    sentences.length === 0 ? [] : [`${title}:`, ...sentences.map((one) => `  - ${visibleInLine(one)}`)];
  return [
    ...(imitated.length === 0 ? [`behaves like the provider of ${file} without other settings`] : []),
    ...list(`behaves like the provider of ${file}`, imitated),
    ...list('cannot imitate', notImitated),
  ];
}

async function listFaults(io: CommandIo): Promise<number> {
  const { loadFaults } = await import('../server/faults/names.js');
  for (const { name, title, breaks, needsExploring } of await loadFaults()) {
    const how = needsExploring ? ' (for rare input: found by check --explore)' : '';
    io.stdout.write(`${name}\n    ${title}\n    breaks ${breaks.join(', ')}${how}\n`);
  }
  return 0;
}

/**
 * Lines for a shell that create a plant.
 *
 * @param token the token to show; without one, the variable `PLANT_STORE_TOKEN`
 * @param platform that of Node; on Windows, there is a line for each of its two shells
 */
export function curlExample(
  { url, token }: { readonly url: string; readonly token: string | undefined },
  platform: NodeJS.Platform,
): readonly string[] {
  const to = `-i ${operationUrl(url).href}`;
  const header = (variable: string): string => `-H "Authorization: Bearer ${token ?? variable}"`;
  const typed = '-H "Content-Type: application/json"';
  if (platform !== 'win32')
    return [`curl ${to} ${header('$PLANT_STORE_TOKEN')} ${typed} -d '{"name":"Aloe","id":7}'`];
  // The rules of C programs on Windows for a command line: a quote in an argument is \".
  const line = `${to} ${header('%PLANT_STORE_TOKEN%')} ${typed} -d "{\\"name\\":\\"Aloe\\",\\"id\\":7}"`;
  // After --%, PowerShell changes nothing but variables between percent signs. Its own "curl" is another program.
  return [`cmd:        curl ${line}`, `PowerShell: curl.exe --% ${line}`];
}
