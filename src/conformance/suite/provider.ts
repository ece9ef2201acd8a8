import { setTimeout as sleep } from 'node:timers/promises';
import type { TokenOption } from '../../http/token.js';
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

/** A target that the suite starts before the check, and stops after it. */
export interface StartTarget {
  start(): ProviderTarget | Promise<ProviderTarget>;
}

/**
 * What a suite checks:
 *
 * - `{ url }`, or the URL alone: a provider that listens
 * - `{ fetch }`: a function from a `Request` to a `Response`; it needs no port
 * - `{ start }`: a function that starts a provider, and returns one of these, best with `close`
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
  const { listen, address } = partsOf(target);
  // An application of Express, Koa or Fastify, or a server of Node.
  if (typeof listen === 'function' || typeof address === 'function')
    return `the target must be ${KINDS}, not a server; pass where it listens: { url: 'http://127.0.0.1:3000' }, or { start: … } that returns { url, close }`;
  if (typeof target === 'function')
    return `the target must be ${KINDS}, not a function; use { fetch: … } if it takes a Request, or { start: … } if it starts a provider`;
  return `the target must be ${KINDS}, or a base URL`;
}

/** @throws ToolkitError `provider-not-testable`, with what the function threw as its cause */
export async function started(target: StartTarget, baseUrl: string | URL | undefined): Promise<Provider> {
  let running: unknown;
  try {
    running = await target.start();
  } catch (cause) {
    const why = `the provider could not be started: ${reasonOf(cause)}`;
    throw new ToolkitError('provider-not-testable', why, { cause });
  }
  try {
    return { ...providerOf(running, baseUrl), stop: () => stop(running) };
  } catch (cause) {
    stopUnusable(running);
    throw cause;
  }
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

/** A server that stays open would keep the process of the tests alive. One that does not listen yet cannot be closed. */
function stopUnusable(running: unknown): void {
  const { listening, once } = partsOf(running);
  const close = (): void => void stop(running).catch(() => {});
  if (listening === false && typeof once === 'function') once.call(running, 'listening', close);
  else close();
}

interface Parts extends TargetExtras {
  readonly url?: unknown;
  readonly fetch?: FetchHandler;
  readonly start?: unknown;
  readonly listen?: unknown;
  readonly address?: unknown;
  readonly listening?: unknown;
  readonly once?: unknown;
}

function partsOf(target: unknown): Parts {
  return Object(target);
}

/** By name, not by class: jsdom has its own URL class. */
function isUrl(value: unknown): value is string | URL {
  return typeof value === 'string' || Object.prototype.toString.call(value) === '[object URL]';
}

/** Shares of the time that a test may take. The runner's own timeout would not say what was waited for. */
const FOR_CHECK = 0.9;
const FOR_STOPPING = 0.97;
/** A provider that has not started by then will not. */
const STARTING_MS = 30_000;

/** What a check needs besides its options. */
interface OneCheck {
  readonly provider: Provider | Promise<Provider>;
  readonly token: TokenOption | undefined;
  readonly options: Omit<CheckOptions, 'baseUrl' | 'fetch' | 'token'>;
  readonly timeoutMs: number;
  readonly onReport: ((report: CheckReport) => void | Promise<void>) | undefined;
}

/** Starts a provider, checks it, and stops it, within the time that a test may take. */
export async function checkOnce(check: OneCheck): Promise<CheckReport> {
  const start = performance.now();
  const left = (share: number): number => check.timeoutMs * share - (performance.now() - start);
  const starting = Promise.resolve(check.provider);
  // A provider that starts too late is stopped all the same.
  const stopLate = (): void => void starting.then((late) => late.stop()).catch(() => {});
  const provider = await within(
    Math.min(STARTING_MS, left(FOR_CHECK)),
    starting,
    'the provider has not started',
    stopLate,
  );
  const checking = async (): Promise<CheckReport> => {
    const token = tokenFor(provider, check.token);
    const report = await checkConformance({ prism: false, ...check.options, ...provider.at, token });
    await check.onReport?.(report);
    return report;
  };
  try {
    return await within(left(FOR_CHECK), checking(), 'the check has not ended');
  } finally {
    await within(left(FOR_STOPPING), provider.stop(), 'the provider has not stopped').catch((cause) => {
      process.stderr.write(`the provider could not be stopped: ${reasonOf(cause)}\n`);
    });
  }
}

/**
 * Waits for work.
 *
 * @param missed what has not happened when the time is over: "the provider has not started"
 * @throws ToolkitError `provider-not-testable` when the time is over
 */
async function within<T>(ms: number, work: Promise<T>, missed: string, orElse = (): void => {}): Promise<T> {
  const over = new AbortController();
  // From the module, not the globals: a test may have replaced those with fake timers.
  const late = sleep(ms, undefined, { signal: over.signal }).then(() => {
    orElse();
    throw new ToolkitError('provider-not-testable', `${missed} within ${Math.round(ms / 100) / 10} s`);
  });
  return await Promise.race([work, late]).finally(() => over.abort());
}
