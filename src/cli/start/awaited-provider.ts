import { setTimeout as sleep } from 'node:timers/promises';
import { baseUrlOf } from '../../http/address.js';
import { beginRequest, type Route, type RouteOptions, routeTo } from '../../http/route.js';
import { tokenOf } from '../../http/token.js';
import { logText } from '../../report/escape.js';
import { operationUrl } from '../../spec/operation.js';
import { reasonOf, ToolkitError } from '../../toolkit-error.js';
import type { CommandIo } from '../io.js';
import { type Ended, endInWords, lastLines, type ProviderProcess, startProcess } from './process.js';

/** Where the provider is, and how it is asked whether it answers. */
export interface Provider extends RouteOptions {
  readonly baseUrl: string;
  /** It is sent with the question whether the provider answers. */
  readonly token: string;
}

/** Starts the provider again that has stopped responding, and says whether it answers. */
export type StartAgain = () => Promise<boolean>;

/** What a provider gets to end; if the command was stopped, all must be over within 2 s. */
const STOP_MS = { usually: 5_000, stopped: 300 } as const;
/** A server that answers at all answers soon. */
const ALREADY_MS = 1_000;
/** What a gateway says while the provider behind it starts. */
const STARTING: ReadonlySet<number> = new Set([502, 503, 504]);
/** The longest time for one attempt: a port may be open long before anybody reads from it. */
const ATTEMPT_MS = 2_000;
const BETWEEN_MS = 100;

/** The wait for an answer. */
interface Wait {
  /** It is asked with GET, which creates no plant. */
  readonly operation: Route;
  readonly withinMs: number;
  /** Aborts when the command is asked to end. */
  readonly stopped: AbortSignal;
}

/**
 * Waits until a provider answers that something else starts.
 *
 * @throws ToolkitError `provider-not-testable` if it does not answer
 */
export async function untilThere(provider: Provider, withinMs: number, io: CommandIo): Promise<void> {
  const wait = await waitFor(provider, withinMs, io);
  const why = await whyNoAnswer(wait, wait.stopped);
  if (why !== undefined) throw unanswered(wait, late(wait, why));
}

/**
 * Starts a provider, waits until it answers, does the work of a command, and stops the provider.
 *
 * @param folder where the command of the provider runs
 * @throws ToolkitError `provider-not-testable` if it does not answer; the message has the end of its output. Also if it
 *   has failed, and another server answers in its place, and what the work throws
 */
export async function whileStarted<T>(
  command: string,
  folder: string,
  provider: Provider,
  withinMs: number,
  io: CommandIo,
  work: (startAgain: StartAgain) => Promise<T>,
): Promise<T> {
  const wait = await waitFor(provider, withinMs, io);
  const { operation, stopped } = wait;
  // Otherwise the verdict would be on another server.
  if (typeof (await ask(operation, ALREADY_MS, stopped)) === 'number')
    throw new ToolkitError(
      'provider-not-testable',
      `a server answers at ${operation.url.href} before the provider is started; stop it, or leave out --start`,
    );
  let running = await startProcess(command, folder);
  stopped.addEventListener('abort', () => running.hurry(), { once: true });
  if (stopped.aborted) running.hurry();
  const endOf = (output: string): string =>
    lastLines(output, [provider.token, ...(provider.headers ?? []).map(([, value]) => value)]);
  const untilReady = (): Promise<string | undefined> =>
    whyNoAnswer(wait, AbortSignal.any([stopped, failureOf(running)]));
  const sayHowItFailed = (): void => {
    const { ended } = running;
    if (ended !== undefined && hasFailed(ended))
      io.stderr.write(logText(`the provider has failed: ${endInWords(ended)}${endOf(ended.output)}\n`));
  };
  const startAgain: StartAgain = async () => {
    sayHowItFailed();
    await running.stop(STOP_MS.stopped);
    if (stopped.aborted) return false;
    io.stderr.write('the provider stopped responding; starting it again\n');
    running = await startProcess(command, folder);
    if (stopped.aborted) running.hurry();
    return (await untilReady()) === undefined && !hasFailed(running.ended);
  };
  try {
    const why = await untilReady();
    const { ended } = running;
    if (why !== undefined || hasFailed(ended)) {
      const how = ended === undefined ? late(wait, why ?? '') : endInWords(ended);
      throw unanswered(wait, how + endOf(ended?.output ?? (await running.stop(STOP_MS.stopped))));
    }
    const result = await work(startAgain);
    sayHowItFailed();
    // A server that ends because its port is in use leaves the verdict to the server that has the port.
    if (hasFailed(running.ended) && typeof (await ask(operation, ALREADY_MS, stopped)) === 'number')
      throw new ToolkitError(
        'provider-not-testable',
        `another server answers at ${operation.url.href}, so the results may be about that one; stop it, or use another port`,
      );
    return result;
  } finally {
    await running.stop(stopped.aborted ? STOP_MS.stopped : STOP_MS.usually);
  }
}

async function waitFor(
  { baseUrl, token, headers = [], ...way }: Provider,
  withinMs: number,
  io: CommandIo,
): Promise<Wait> {
  const authorization = ['Authorization', `Bearer ${await tokenOf(token)}`] as const;
  const options = { ...way, headers: [authorization, ...headers] };
  const stopped = new AbortController();
  void io.untilStopped().then(() => stopped.abort());
  return {
    operation: routeTo(operationUrl(baseUrlOf(baseUrl)), options),
    withinMs,
    stopped: stopped.signal,
  };
}

/** Aborts when a provider fails, which then will not answer. One that has ended well may run in the background. */
function failureOf(running: ProviderProcess): AbortSignal {
  const failed = new AbortController();
  void running.whenEnded.then((ended) => {
    if (hasFailed(ended)) failed.abort();
  });
  return failed.signal;
}

function hasFailed(ended: Ended | undefined): boolean {
  return ended !== undefined && ended.code !== 0;
}

function late({ stopped, withinMs }: Wait, why: string): string {
  return stopped.aborted ? 'stopped while it was awaited' : `${why} (waited ${withinMs / 1_000} s)`;
}

function unanswered({ operation }: Wait, why: string): ToolkitError {
  return new ToolkitError(
    'provider-not-testable',
    `the provider did not answer at ${operation.url.href}: ${why}`,
  );
}

/**
 * Waits until a provider answers: with any HTTP response but 502, 503 and 504.
 *
 * @param signal ends the waiting
 * @returns why it does not answer; `undefined` if it does
 */
async function whyNoAnswer({ operation, withinMs }: Wait, signal: AbortSignal): Promise<string | undefined> {
  const end = performance.now() + withinMs;
  let reason: string | undefined;
  for (;;) {
    const left = end - performance.now();
    const answer = await ask(operation, Math.max(Math.min(ATTEMPT_MS, left), 1), signal);
    if (typeof answer === 'number' && !STARTING.has(answer)) return undefined;
    const isCutShort = left < ATTEMPT_MS && performance.now() >= end;
    // An attempt that the time limit cuts short says less than the one before.
    if (!isCutShort || reason === undefined)
      reason = typeof answer === 'number' ? `it returns ${answer}` : answer;
    if (signal.aborted || performance.now() + BETWEEN_MS > end) return reason;
    await sleep(BETWEEN_MS, undefined, { signal }).catch(() => {});
  }
}

/** @returns the status of the response, or the reason why there is none */
function ask(operation: Route, withinMs: number, signal: AbortSignal): Promise<number | string> {
  const { url, headers } = operation;
  const late = new Error(`no response within ${Math.round(withinMs)} ms`);
  const own = [['Host', url.host] as const, ['User-Agent', 'plant-store-contract'] as const];
  const sent = beginRequest(operation, { method: 'GET', headers: [...own, ...headers] }, { signal });
  const timer = setTimeout(() => sent.destroy(late), withinMs);
  return new Promise((resolve) => {
    sent
      .once('response', ({ statusCode = 0 }) => {
        resolve(statusCode);
        sent.destroy();
      })
      .on('error', (problem) => resolve(reasonOf(problem)))
      .once('close', () => clearTimeout(timer))
      .end();
  });
}
