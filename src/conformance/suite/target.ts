import type { TokenOption } from '../../token-option.js';
import { invalidOption, reasonOf, ToolkitError } from '../../toolkit-error.js';
import type { CheckOptions } from '../options.js';
import type { FetchHandler } from '../sending/fetch-handler.js';
import { hasToListen, isNodeServer, listeningServer, type NodeServer } from './node-server.js';

/** What goes with a provider that was started. */
interface Started {
  /** A token that it accepts, where the suite is given none. */
  readonly token?: TokenOption;
  /** Stops it. */
  readonly close?: () => unknown;
  readonly [Symbol.asyncDispose]?: () => PromiseLike<void>;
}

/** A provider: its base URL, or an object with `url`, or with a `fetch` that takes its requests. */
export type ProviderTarget =
  | string
  | URL
  | (Started & { readonly url: string | URL })
  | (Started & { readonly fetch: FetchHandler });

/**
 * A function that starts a provider, or a server of node:http, such as `() => app.listen(0)` with an application of
 * Express or Koa.
 */
export type Starter = () => ProviderTarget | NodeServer | Promise<ProviderTarget | NodeServer>;

/**
 * What a suite checks: a provider that is there; a handler of `Request`s, which needs no port; or a function that starts
 * a provider, which is stopped after the check by its `close` or as `await using` would. A handler is told by its
 * parameter, since a function that starts something takes none; one that names none is given as `{ fetch }`.
 */
export type SuiteTarget = ProviderTarget | FetchHandler | Starter;

/** A provider that can be checked. */
export interface Provider {
  readonly at: Pick<CheckOptions, 'baseUrl' | 'fetch'>;
  readonly token: TokenOption | undefined;
  readonly stop: () => Promise<void>;
}

/** Where a handler is, as its requests say. */
const NOWHERE = 'http://localhost';

const WHAT =
  'the target must be a base URL, an object with "url" or "fetch", a function that takes a Request, or one that takes nothing and starts a provider';

const NOT_LISTENING =
  'the target has to listen before it can be asked; give a function that starts it, such as () => app.listen(0)';

/** The handler of a target that is known to be one before anything is started. */
export function handlerOf(target: SuiteTarget): FetchHandler | undefined {
  // One parameter tells a handler from a function that starts a provider, which takes none.
  if (typeof target === 'function') return target.length > 0 ? (target as FetchHandler) : undefined;
  return isObject(target) && 'fetch' in target && !('url' in target && isUrl(target.url))
    ? target.fetch
    : undefined;
}

/** Whether a target has to be started. */
export function isStarter(target: SuiteTarget): target is Starter {
  return typeof target === 'function' && target.length === 0;
}

/** @throws ToolkitError `invalid-option` where it is nothing of the kind */
export function providerOf(target: unknown, baseUrl: string | URL = NOWHERE): Provider {
  if (isUrl(target)) return provider({ baseUrl: target });
  const { url, fetch } = Object(target) as { readonly url?: unknown; readonly fetch?: FetchHandler };
  // A router may have a method, or an answer, for every name.
  if (isUrl(url)) return provider({ baseUrl: url }, target as Started);
  if (hasToListen(target)) throw invalidOption(NOT_LISTENING);
  if (typeof target === 'function') return provider({ baseUrl, fetch: target as FetchHandler });
  if (!isObject(target) || typeof fetch !== 'function') throw invalidOption(WHAT);
  return provider({ baseUrl, fetch: (request) => fetch.call(target, request) }, target);
}

/** Also where the class is another one: jsdom has a URL of its own. */
function isUrl(value: unknown): value is string | URL {
  return typeof value === 'string' || Object.prototype.toString.call(value) === '[object URL]';
}

/** @throws ToolkitError `provider-not-testable`, with what the function threw as its cause */
export async function started(start: Starter, baseUrl: string | URL | undefined): Promise<Provider> {
  let target: unknown;
  try {
    const given = await start();
    target = isNodeServer(given) ? await listeningServer(given) : given;
  } catch (cause) {
    // A handler that takes its request from among all that it is given has none now.
    const hint = Object(cause).name === 'TypeError' ? '; if it is a handler, give it as { fetch }' : '';
    const why = `the provider could not be started: ${reasonOf(cause)}${hint}`;
    throw new ToolkitError('provider-not-testable', why, { cause });
  }
  // A handler that names no parameter has answered instead of starting anything.
  if (typeof (target as Response | undefined)?.headers?.get === 'function') return providerOf(start, baseUrl);
  const given = providerOf(target, baseUrl);
  return { ...given, stop: () => stop(target) };
}

/**
 * The token of the suite, or that of its provider.
 *
 * @throws ToolkitError `invalid-option` where there is neither
 */
export function tokenFor({ token: own }: Provider, given: TokenOption | undefined): TokenOption {
  const token = given ?? own;
  if (token === undefined) throw invalidOption('no token is given, and the target has none');
  return token;
}

function provider(at: Provider['at'], { token }: Started = {}): Provider {
  return { at, token, stop: async () => {} };
}

async function stop(target: unknown): Promise<void> {
  const { close, [Symbol.asyncDispose]: dispose } = Object(target) as Started;
  if (typeof dispose === 'function') await dispose.call(target);
  else if (typeof close === 'function') await close.call(target);
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
