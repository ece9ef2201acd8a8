import { once } from 'node:events';
import type { AddressInfo, Server } from 'node:net';
import { clearTimeout, setTimeout } from 'node:timers';
import { type TokenOption, tokenOf } from '../../http/token.js';
import { invalidOption, reasonOf, ToolkitError } from '../../toolkit-error.js';
import { checkConformance } from '../check.js';
import type { CheckOptions } from '../options.js';
import type { CheckReport } from '../report/check-report.js';
import type { FetchHandler } from '../session/fetch-handler.js';

/** What a target can have besides its provider. */
interface TargetExtras {
  /** A token that the provider accepts. Used if the suite is given none. */
  readonly token?: TokenOption;
  /** Stops a provider that `start` started. */
  readonly close?: () => unknown;
  /** The same, as `await using` calls it. */
  readonly [Symbol.asyncDispose]?: () => PromiseLike<void>;
}

/** A provider that runs: its base URL, an object with that `url`, or an object with a `fetch` function. */
export type ProviderTarget =
  | string
  | URL
  | (TargetExtras & { readonly url: string | URL })
  | (TargetExtras & { readonly fetch: FetchHandler });

/** A server of node:http, node:https, or node:http2, as `app.listen(0)` of Express and Koa returns it. */
type NodeServer = Server;

/** A target that the suite starts before the check, and stops after it. */
export interface StartTarget {
  start(): ProviderTarget | NodeServer | Promise<ProviderTarget | NodeServer>;
}

/**
 * What a suite checks:
 *
 * - `{ url }`, or the URL alone: a provider that listens
 * - `{ fetch }`: a function from a `Request` to a `Response`; it needs no port
 * - `{ start }`: a function that starts a provider. It returns a server of Node, such as `app.listen(0)`, or
 *   `{ url, close }`, or `{ fetch }`.
 */
export type SuiteTarget = ProviderTarget | StartTarget;

/** A provider that can be checked. */
interface Provider {
  readonly at: Pick<CheckOptions, 'baseUrl' | 'fetch'>;
  readonly token: TokenOption | undefined;
  readonly stop: () => Promise<void>;
}

/** The base URL of a provider that is a function, unless the options name another. */
export const NO_HOST = 'http://localhost';

const KINDS = '{ url }, { fetch }, or { start }';

/** Whether the suite must start the target. */
export function isStartTarget(target: SuiteTarget): target is StartTarget {
  const { url, fetch, start } = partsOf(target);
  return !isUrl(url) && typeof fetch !== 'function' && typeof start === 'function' && !isUrl(target);
}

/** @throws ToolkitError `invalid-option` if the target is not a provider that runs */
export function providerOf(target: unknown, baseUrl: string | URL = NO_HOST): Provider {
  const { url, fetch, token } = partsOf(target);
  const provider = (at: Provider['at']): Provider => ({ at, token, stop: async () => {} });
  if (isUrl(target)) return provider({ baseUrl: target });
  if (isUrl(url)) return provider({ baseUrl: url });
  if (typeof fetch === 'function')
    return provider({ baseUrl, fetch: (request) => fetch.call(target, request) });
  throw invalidOption(whyUnusable(target));
}

function whyUnusable(target: unknown): string {
  if (typeof partsOf(target).listen === 'function')
    return 'the target does not listen; use target: { start: () => app.listen(0) }';
  if (typeof target === 'function')
    return `the target must be ${KINDS}, not a function; use { fetch: … } if it takes a Request, or { start: … } if it starts a provider`;
  return `the target must be ${KINDS}, or a base URL`;
}

/** @throws ToolkitError `provider-not-testable`, with what the function threw as its cause */
export async function started(target: StartTarget, baseUrl: string | URL | undefined): Promise<Provider> {
  let running: unknown;
  try {
    const given = await target.start();
    running = isNodeServer(given) ? await listeningServer(given) : given;
  } catch (cause) {
    const why = `the provider could not be started: ${reasonOf(cause)}`;
    throw new ToolkitError('provider-not-testable', why, { cause });
  }
  return { ...providerOf(running, baseUrl), stop: () => stop(running) };
}

/**
 * The token of the suite, or that of its provider.
 *
 * @throws ToolkitError `invalid-option` if there is neither
 */
export function tokenFor({ token: own }: Provider, given: TokenOption | undefined): TokenOption {
  const token = given ?? own;
  if (token === undefined)
    throw invalidOption('a token is missing: set "token" on the suite or on the target');
  return token;
}

async function stop(running: unknown): Promise<void> {
  const { close, [Symbol.asyncDispose]: dispose } = partsOf(running);
  if (typeof dispose === 'function') await dispose.call(running);
  else if (typeof close === 'function') await close.call(running);
}

interface Parts extends TargetExtras {
  readonly url?: unknown;
  readonly fetch?: FetchHandler;
  readonly start?: unknown;
  readonly listen?: unknown;
}

function partsOf(target: unknown): Parts {
  return Object(target);
}

/** By name, not by class: jsdom has its own URL class. */
function isUrl(value: unknown): value is string | URL {
  return typeof value === 'string' || Object.prototype.toString.call(value) === '[object URL]';
}

function isNodeServer(target: unknown): target is NodeServer {
  const { address, close } = partsOf(target) as Partial<NodeServer>;
  return typeof address === 'function' && typeof close === 'function' && 'listening' in Object(target);
}

async function listeningServer(server: NodeServer): Promise<{ url: string; close(): Promise<void> }> {
  if (!server.listening) await once(server, 'listening');
  const close = (): Promise<void> => closed(server);
  const address = server.address();
  if (address !== null && typeof address !== 'string') return { url: urlOf(server, address), close };
  await close();
  throw invalidOption('the server listens on no port');
}

function urlOf(server: NodeServer, { address, family, port }: AddressInfo): string {
  const scheme = 'setSecureContext' in server ? 'https' : 'http';
  // A server can listen on these addresses, but no client can connect to them.
  if (address === '::' || address === '0.0.0.0') return `${scheme}://127.0.0.1:${port}`;
  return `${scheme}://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}

/** Does not wait for clients that keep their connections open. */
async function closed(server: NodeServer): Promise<void> {
  const { closeAllConnections } = server as { readonly closeAllConnections?: () => void };
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
    closeAllConnections?.call(server);
  });
}

// From the module, not the globals: a test may have replaced those with fake timers.

/** Shares of the time that a test may take. The runner's own timeout would not say what was waited for. */
const FOR_CHECK = 0.9;
const FOR_STOPPING = 0.97;

/** What a check needs besides its options. */
interface OneCheck {
  readonly provider: Provider | Promise<Provider>;
  readonly token: TokenOption | undefined;
  readonly options: Omit<CheckOptions, 'baseUrl' | 'fetch' | 'token'>;
  readonly timeoutMs: number;
  readonly onReport: ((report: CheckReport) => void | Promise<void>) | undefined;
  readonly say: (text: string) => void;
}

/** Starts a provider, checks it, and stops it, within the time that a test may take. */
export async function checkOnce(check: OneCheck): Promise<CheckReport> {
  const limit = timeLimit(check.timeoutMs * FOR_CHECK);
  const stopLimit = timeLimit(check.timeoutMs * FOR_STOPPING);
  try {
    const provider = await startedInTime(check, limit);
    const [run] = await Promise.allSettled([runOn(provider, check, limit)]);
    const problem = await stopLimit.wait(provider.stop(), 'it has not stopped').then(
      () => undefined,
      (cause) => `the provider could not be stopped: ${reasonOf(cause)}`,
    );
    if (run.status === 'rejected')
      throw problem === undefined ? run.reason : withStopProblem(run.reason, problem);
    if (problem !== undefined) check.say(problem);
    return run.value;
  } finally {
    limit.end();
    stopLimit.end();
  }
}

async function startedInTime(check: OneCheck, limit: TimeLimit): Promise<Provider> {
  const starting = Promise.resolve(check.provider);
  try {
    return await limit.wait(starting, 'the provider has not started');
  } catch (cause) {
    // A provider that starts too late is stopped all the same.
    starting.then((late) => late.stop()).catch(() => {});
    throw cause;
  }
}

async function runOn(provider: Provider, check: OneCheck, limit: TimeLimit): Promise<CheckReport> {
  const option = tokenFor(provider, check.token);
  const first = await limit.wait(tokenOf(option), 'there was no token');
  const token = typeof option === 'function' ? beginningWith(first, option) : first;
  const checking = checkConformance({ prism: false, ...check.options, ...provider.at, token });
  const report = await limit.wait(checking, 'the check has not ended');
  await limit.wait(check.onReport?.(report), '"onReport" has not ended');
  return report;
}

/** The same function, whose first result is known already. */
function beginningWith(first: string, rest: () => string | Promise<string>): () => string | Promise<string> {
  let isFirst = true;
  return () => {
    if (!isFirst) return rest();
    isFirst = false;
    return first;
  };
}

function withStopProblem(cause: unknown, problem: string): ToolkitError {
  const code = cause instanceof ToolkitError ? cause.code : 'provider-not-testable';
  return new ToolkitError(code, `${reasonOf(cause)}\n\nAlso, ${problem}`, { cause });
}

type TimeLimit = ReturnType<typeof timeLimit>;

/** A limit of time for several things that happen one after the other. */
function timeLimit(ms: number) {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  return {
    /**
     * Waits for work until the time is over.
     *
     * @param missed what has not happened by then: "the provider has not started"
     * @throws ToolkitError `provider-not-testable`
     */
    async wait<T>(work: T | Promise<T>, missed: string): Promise<T> {
      const late = over.then(() => {
        throw new ToolkitError('provider-not-testable', `${missed} within ${ms / 1_000} s`);
      });
      return await Promise.race([work, late]);
    },
    /** Lets the process end. */
    end: () => clearTimeout(timer),
  };
}
