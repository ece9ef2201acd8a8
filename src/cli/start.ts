import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { clearInterval, setInterval } from 'node:timers';
import { setTimeout as sleep } from 'node:timers/promises';
import { baseUrlOf, portOf } from '../http/address.js';
import { deadline } from '../http/deadline.js';
import { type Route, type RouteOptions, routeTo, statusOf } from '../http/route.js';
import { logText, visibleInLine } from '../report/escape.js';
import { createRedactor, type Redactor } from '../report/redaction.js';
import { withoutStyle } from '../report/terminal-text.js';
import { operationUrl } from '../spec/operation.js';
import { reasonOf, ToolkitError } from '../toolkit-error.js';
import { duration, type FlagsOf, flag, type Given } from './command.js';
import type { CommandIo } from './io.js';
import { listeningPorts } from './listening-ports.js';

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
interface Provider extends RouteOptions {
  readonly baseUrl: string;
  readonly token: string;
}

/** Starts the provider again that has stopped responding, and says whether it answers. */
export type StartAgain = () => Promise<boolean>;

/** How long a provider that was started may take to answer, unless a flag says otherwise. */
const WAIT_MS = 30_000;
/** What a provider gets to end; if the command was stopped, all must be over within 2 s. */
const STOP_MS = { usually: 5_000, stopped: 300 } as const;
/** A server that answers at all answers soon. */
const ALREADY_MS = 1_000;
/** The longest time for one attempt: a port may be open long before anybody reads from it. */
const ATTEMPT_MS = 2_000;
const BETWEEN_MS = 100;

/**
 * Does the work of a command while the provider runs: starts it, waits until it answers, and stops it, as the flags say.
 *
 * Whoever answers before the process was started, or after it ended, is another server: that one gets no verdict.
 *
 * @throws ToolkitError `provider-not-testable` if it does not answer, or another server does. Also what the work throws
 */
export async function withProvider<T>(
  { flags: { start, wait } }: Given<FlagsOf<typeof startFlags>>,
  { baseUrl, token, headers = [], ...way }: Provider,
  io: CommandIo,
  work: (startAgain?: StartAgain) => Promise<T>,
): Promise<T> {
  if (start === undefined && wait === undefined) return await work();
  const fields = [['Authorization', `Bearer ${token}`] as const, ...headers];
  const operation = routeTo(operationUrl(baseUrlOf(baseUrl)), { ...way, headers: fields });
  const { href } = operation.url;
  const stop = new AbortController();
  const { signal } = stop;
  void io.untilStopped().then(() => stop.abort());
  const untestable = (why: string): ToolkitError => new ToolkitError('provider-not-testable', why);
  const unanswered = (why: string): ToolkitError =>
    untestable(
      `the provider did not answer at ${href}: ${signal.aborted ? 'stopped while it was awaited' : why}`,
    );
  const whyNotReady = (...until: readonly AbortSignal[]): Promise<string | undefined> =>
    whyNoAnswer(operation, wait ?? WAIT_MS, until);
  if (start === undefined) {
    const why = await whyNotReady(signal);
    if (why !== undefined) throw unanswered(why);
    return await work();
  }
  if (await answers(operation, signal))
    throw untestable(
      `a server answers at ${href} before the provider is started; stop it, or leave out --start`,
    );
  const secrets = createRedactor([token, ...headers.map(([, value]) => value)].map((value) => ({ value })));
  let running = startProcess(start, io);
  const whyNotStarted = async (): Promise<string | undefined> => {
    const said = sayWhereElse(running, operation.url, io);
    const why = await whyNotReady(signal, running.ended).finally(said.end);
    return running.ended.aborted ? String(running.ended.reason) : why;
  };
  const sayHowItEnded = async (): Promise<void> => {
    const { ended, output } = running;
    // A check may see that its connections are refused before the news of its end arrive here.
    if (!(await answers(operation, signal)))
      await sleep(2 * LAST_WORDS_MS, undefined, { signal: ended }).catch(() => {});
    if (ended.aborted)
      io.stderr.write(
        logText(`the provider has ended by itself: ${ended.reason}${lastLines(output(), secrets)}\n`),
      );
  };
  const startAgain: StartAgain = async () => {
    await sayHowItEnded();
    await running.stop(STOP_MS.stopped);
    if (signal.aborted) return false;
    io.stderr.write('the provider stopped responding; starting it again\n');
    running = startProcess(start, io);
    return (await whyNotStarted()) === undefined;
  };
  try {
    const why = await whyNotStarted();
    if (why !== undefined) {
      await running.stop(STOP_MS.stopped);
      throw unanswered(why + lastLines(running.output(), secrets));
    }
    const result = await work(startAgain);
    await sayHowItEnded();
    await running.stop(signal.aborted ? STOP_MS.stopped : STOP_MS.usually);
    // A provider that finds its port in use leaves the verdict to the server that has the port.
    if (!signal.aborted && (await answers(operation, signal)))
      throw untestable(
        `another server answers at ${href} after the provider has ended, so the results may be about that one; stop it, or use another port`,
      );
    return result;
  } finally {
    await running.stop(signal.aborted ? STOP_MS.stopped : STOP_MS.usually);
  }
}

/** How long a provider may take to listen before it is said on which other ports it does. */
const ELSEWHERE_MS = 3_000;

/** Says on which ports a provider listens if none is that of the check. It says so once, while the provider is awaited. */
function sayWhereElse({ pid }: ProviderProcess, url: URL, io: CommandIo): { end(): void } {
  const port = portOf(url);
  const timer = setInterval(() => {
    const ports = pid === undefined ? [] : listeningPorts(pid);
    if (ports.length === 0 || ports.includes(port)) return;
    clearInterval(timer);
    io.stderr.write(
      `the provider listens on ${ports.length === 1 ? 'port' : 'the ports'} ${ports.join(', ')}, and the check asks port ${port}: give it that port, or change the base URL\n`,
    );
  }, ELSEWHERE_MS);
  return { end: () => clearInterval(timer) };
}

/** A provider that was started with a command. */
interface ProviderProcess {
  /** The process of its shell, which leads the group of its processes. */
  readonly pid: number | undefined;
  /** Aborts when it has ended by itself. The reason says how, in words. */
  readonly ended: AbortSignal;
  /** The end of what it wrote. */
  readonly output: () => string;
  /** Stops it with all its processes. They get this time to end by themselves. */
  stop(withinMs: number): Promise<void>;
}

/** How much of the output is kept, and how much of that is shown, in characters. */
const KEPT = 16_384;
const SHOWN = 1_000;
/** After the command has ended, its last words may still be in a pipe. */
const LAST_WORDS_MS = 200;
const POLL_MS = 25;
const IS_WINDOWS = process.platform === 'win32';

/** Secrets of this command line that no provider needs. */
const OURS = /^(PACT_BROKER_TOKEN|PACT_BROKER_PASSWORD|PLANT_STORE_CONTROL_TOKEN)$/i;

/** Starts a provider with a command for the shell. */
function startProcess(command: string, io: CommandIo): ProviderProcess {
  const child = spawn(command, {
    shell: true,
    cwd: io.folder,
    env: Object.fromEntries(Object.entries(process.env).filter(([name]) => !OURS.test(name))),
    // A group of its own: one signal reaches all its processes, and Ctrl+C does not.
    detached: !IS_WINDOWS,
    stdio: ['ignore', 'pipe', 'pipe'],
    windowsHide: true,
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-KEPT);
    });
  const ended = new AbortController();
  let isStopped = false;
  const closed = once(child, 'close').catch(() => {});
  child.once('error', ({ message }) => ended.abort(`the command cannot be started: ${message}`));
  child.once('exit', async (code, signal) => {
    // A process that it left behind may keep the pipe open.
    await Promise.race([closed, sleep(LAST_WORDS_MS)]);
    if (isStopped) return;
    const how = signal === null ? `it ended with exit code ${code}` : `${signal} ended it`;
    ended.abort(code === 0 ? `${how}, but the command must run as long as the provider` : how);
  });
  io.atEnd(() => {
    if (!isStopped) endGroup(child, 'SIGKILL');
  });
  return {
    pid: child.pid,
    ended: ended.signal,
    output: () => output,
    async stop(withinMs) {
      if (isStopped) return;
      const giveUp = performance.now() + withinMs;
      // Once: a second signal makes many programs end without what they do at the end.
      endGroup(child, 'SIGTERM');
      while (endGroup(child, 0) && performance.now() < giveUp) await sleep(POLL_MS);
      endGroup(child, 'SIGKILL');
      isStopped = true;
      await Promise.race([closed, sleep(LAST_WORDS_MS)]);
    },
  };
}

/**
 * Sends a signal to all processes of a provider; 0 is none.
 *
 * @returns whether there was one
 */
function endGroup({ pid }: ChildProcess, signal: NodeJS.Signals | 0): boolean {
  if (pid === undefined || (IS_WINDOWS && signal === 0)) return false;
  if (IS_WINDOWS) return spawnSync('taskkill', ['/pid', String(pid), '/T', '/F']).status === 0;
  try {
    return process.kill(-pid, signal);
  } catch {
    return false;
  }
}

/**
 * The end of what a provider wrote, for a message. Nothing in it is a command to a terminal or a CI system, and the secrets
 * are taken out.
 */
function lastLines(output: string, { message }: Redactor): string {
  const text = withoutStyle(message(output)).slice(-SHOWN).trim();
  if (text === '') return '; it wrote nothing';
  const lines = text.split(/\r?\n/).map((line) => `\n  | ${visibleInLine(line)}`);
  return `; the end of its output:${lines.join('')}`;
}

/** What a gateway says while the provider behind it starts. */
const STARTING: ReadonlySet<number | string> = new Set([502, 503, 504]);

/**
 * Waits until a provider answers: with any HTTP response but 502, 503 and 504.
 *
 * @param until ends the waiting
 * @returns why it does not answer; `undefined` if it does
 */
async function whyNoAnswer(
  operation: Route,
  withinMs: number,
  until: readonly AbortSignal[],
): Promise<string | undefined> {
  const { signal, end } = deadline(withinMs, ...until);
  let reason = 'no response';
  while (!signal.aborted) {
    const answer = await ask(operation, ATTEMPT_MS, signal);
    if (typeof answer === 'number' && !STARTING.has(answer)) {
      end();
      return undefined;
    }
    // An attempt that the time limit cuts short says less than the one before.
    if (!signal.aborted) reason = typeof answer === 'number' ? `it returns ${answer}` : answer;
    await sleep(BETWEEN_MS, undefined, { signal }).catch(() => {});
  }
  end();
  return `${reason} (waited ${withinMs / 1_000} s)`;
}

async function answers(operation: Route, signal: AbortSignal): Promise<boolean> {
  return typeof (await ask(operation, ALREADY_MS, signal)) === 'number';
}

/**
 * Asks with GET, which creates no plant.
 *
 * @returns the status of the response, or the reason why there is none
 */
function ask(operation: Route, timeoutMs: number, signal: AbortSignal): Promise<number | string> {
  const request = { method: 'GET', headers: [['User-Agent', 'plant-store-contract'] as const] };
  return statusOf(operation, request, { timeoutMs, signal }).catch(reasonOf);
}
