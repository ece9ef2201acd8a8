import { baseUrlOf } from '../../http/address.js';
import { type RouteOptions, routeTo } from '../../http/route.js';
import { tokenOf } from '../../http/token.js';
import { logText } from '../../report/escape.js';
import { operationUrl } from '../../spec/operation.js';
import { ToolkitError } from '../../toolkit-error.js';
import type { Given } from '../command.js';
import { duration, type FlagsOf, flag } from '../flag.js';
import type { CommandIo } from '../io.js';
import { endInWords, lastLines } from './last-lines.js';
import type { Ended, ProviderProcess } from './provider-process.js';

/** The flags of a command that can start its provider, or wait for it. */
export const startFlags = [
  flag(
    '--start <command>',
    'start the provider with this command, and stop it with all its processes at the end',
  ),
  flag(
    '--wait <duration>',
    'wait for the provider to answer, such as 30s or 2m (default: 30s with --start, otherwise not at all)',
    duration,
  ),
] as const;

/** Where the provider is, and how it is asked whether it answers. */
export interface Provider extends RouteOptions {
  readonly baseUrl: string;
  /** The tokens so far. All are secrets; the first is sent with the question whether it answers. */
  readonly tokens: readonly string[];
}

/** How long a provider that was started may take to answer, unless a flag says otherwise. */
const WAIT_MS = 30_000;
/** What a provider gets to end; if the command was stopped, all must be over within 2 s. */
const STOP_MS = { usually: 5_000, stopped: 300 } as const;
/** A server that answers at all answers soon. */
const ALREADY_MS = 1_000;

/**
 * Does the work of a command while the provider runs: starts it, waits until it answers, and stops it, as the flags say.
 *
 * @throws ToolkitError `provider-not-testable` if it does not answer; the message has the end of its output. Also what
 *   the work throws
 */
export async function withProvider<T>(
  { flags: { start, wait }, origin }: Given<FlagsOf<typeof startFlags>>,
  { baseUrl, tokens, headers = [], ...way }: Provider,
  io: CommandIo,
  work: () => Promise<T>,
): Promise<T> {
  if (start === undefined && wait === undefined) return await work();
  const [{ ATTEMPT_MS, ask, untilAnswered }, { startProcess }] = await Promise.all([
    import('./answer.js'),
    import('./provider-process.js'),
  ]);
  const [token] = tokens;
  if (token !== undefined) await tokenOf(token);
  const stopped = new AbortController();
  void io.untilStopped().then(() => stopped.abort());
  const authorization = token === undefined ? [] : [['Authorization', `Bearer ${token}`] as const];
  const url = operationUrl(baseUrlOf(baseUrl));
  const operation = routeTo(url, { ...way, headers: [...authorization, ...headers] }, ATTEMPT_MS);
  const secrets = (): readonly string[] => [...tokens, ...headers.map(([, value]) => value)];
  const withinMs = wait ?? WAIT_MS;
  const late = (why: string): string =>
    stopped.signal.aborted ? 'stopped while it was awaited' : `${why} (waited ${withinMs / 1_000} s)`;
  const wasNot = (why: string): ToolkitError =>
    new ToolkitError('provider-not-testable', `the provider did not answer at ${url.href}: ${why}`);
  if (start === undefined) {
    const why = await untilAnswered(operation, withinMs, stopped.signal);
    if (why !== undefined) throw wasNot(late(why));
    return await work();
  }
  // Otherwise the verdict would be on another server.
  if (typeof (await ask(operation, ALREADY_MS, stopped.signal)) === 'number')
    throw new ToolkitError(
      'provider-not-testable',
      `a server answers at ${url.href} before the provider is started; stop it, or leave out --start`,
    );
  const provider = await startProcess(start, origin.get('start') ?? io.folder);
  stopped.signal.addEventListener('abort', () => provider.hurry(), { once: true });
  if (stopped.signal.aborted) provider.hurry();
  try {
    const why = await answerOf(provider, stopped, (signal) => untilAnswered(operation, withinMs, signal));
    const { ended } = provider;
    if (why !== undefined || hasFailed(ended)) {
      const output = ended?.output ?? (await provider.stop(STOP_MS.stopped));
      throw wasNot(
        (ended === undefined ? late(why ?? '') : endInWords(ended)) + lastLines(output, secrets()),
      );
    }
    const result = await work();
    if (provider.ended !== undefined && hasFailed(provider.ended))
      io.stderr.write(
        logText(
          `the provider has failed: ${endInWords(provider.ended)}${lastLines(provider.ended.output, secrets())}\n`,
        ),
      );
    return result;
  } finally {
    await provider.stop(stopped.signal.aborted ? STOP_MS.stopped : STOP_MS.usually);
  }
}

/** Waits for the answer. A provider that has failed will not answer; one that has ended well may run in the background. */
async function answerOf(
  provider: ProviderProcess,
  stopped: AbortController,
  wait: (signal: AbortSignal) => Promise<string | undefined>,
): Promise<string | undefined> {
  const failed = new AbortController();
  void provider.whenEnded.then((ended) => {
    if (hasFailed(ended)) failed.abort();
  });
  return await wait(AbortSignal.any([stopped.signal, failed.signal]));
}

function hasFailed(ended: Ended | undefined): boolean {
  return ended !== undefined && ended.code !== 0;
}
