import { once } from 'node:events';
import type { AddressInfo, Server } from 'node:net';
import type { TokenOption } from '../../http/token.js';
import { invalidOption, reasonOf, ToolkitError } from '../../toolkit-error.js';
import type { CheckOptions } from '../options.js';
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
export interface Provider {
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
