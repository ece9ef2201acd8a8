import { setMaxListeners } from 'node:events';
import type { Filled } from '../defined-only.js';
import { baseUrlOf } from '../http/address.js';
import { type Route, type RouteOptions, routeTo } from '../http/route.js';
import type { TokenOption } from '../http/token.js';
import { operationUrl } from '../spec/operation.js';
import { checkInteger, invalidOption } from '../toolkit-error.js';
import type { Exchange } from './exchange.js';
import { type ExploreOptions, type ExploreSettings, exploreSettings } from './exploring/exploration.js';
import type { Row } from './row.js';
import type { SelectionOptions } from './selection.js';
import type { FetchHandler } from './send/handler.js';
import type { Tokens } from './send/tokens.js';

/** A rule that a provider is expected to break. */
export interface ExpectedFailure {
  /** The id of the rule. */
  readonly rule: string;
  /** Why it is not fixed yet. */
  readonly reason: string;
  /** The last day on which the failure is expected, as `YYYY-MM-DD`, in UTC. Without it, there is no last day. */
  readonly until?: string | undefined;
  /** Whether it fails now and then. Then it is no error if the rule passes. Default false. */
  readonly intermittent?: boolean | undefined;
}

/** Options of a check. */
export interface CheckOptions extends SelectionOptions, RouteOptions {
  /** Where the provider is. `/plants` is appended to its path. */
  readonly baseUrl: string | URL;
  /**
   * The provider as a function. While the check runs, it is served on a free port of 127.0.0.1, and nothing is sent to
   * `baseUrl`, which appears in its requests and in the report. If it throws, its client gets a 500 with the reason.
   */
  readonly fetch?: FetchHandler | undefined;
  /**
   * A token that the provider accepts, or a function that returns one. It is called at the start, and again before
   * exploring.
   */
  readonly token: TokenOption;
  /** Milliseconds that a request may take. Default 5,000. */
  readonly timeoutMs?: number | undefined;
  /**
   * Milliseconds that the check may take, whatever the provider does: 5,000 to 3,600,000. Exploring has
   * its own. Default 150,000.
   */
  readonly timeLimitMs?: number | undefined;
  /**
   * How many requests may be under way at once if their order does not matter. Default 6, as many as a browser opens connections,
   * and 16 if each response takes longer than 90 ms.
   */
  readonly concurrency?: number | undefined;
  /** How many requests per second are sent at most: 5 to 1,000. Default: as many as the provider allows. */
  readonly rate?: number | undefined;
  /** Whether a broken rule of severity `warning` counts as an error. Default false. */
  readonly strict?: boolean | undefined;
  /** Rules that the provider is expected to break. These failures do not count. It is an error if such a rule passes. */
  readonly expectedFailures?: readonly ExpectedFailure[] | undefined;
  /** Whether Prism judges the responses too. Default true. Loading Prism takes about 0.3 s, once. */
  readonly prism?: boolean | undefined;
  /** Send only this row, and the controls: its name, or a row that exploring has found. */
  readonly row?: string | Row | undefined;
  /** After the core probes, draw more at random. Default: do not explore. */
  readonly explore?: ExploreOptions | undefined;
  /** The variables of the shell that will run the commands of the report. If one is missing, the report says so. Default: none. */
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined;
  /** Stops the check. The report then has what is known so far. */
  readonly signal?: AbortSignal | undefined;
  /** Called after each exchange. */
  readonly onExchange?: ((exchange: Exchange) => void) | undefined;
}

/** Options that were checked, with the defaults filled in. */
export interface CheckSettings
  extends Route,
    Pick<CheckOptions, 'fetch'>,
    Filled<
      Pick<
        CheckOptions,
        'timeoutMs' | 'timeLimitMs' | 'concurrency' | 'prism' | 'signal' | 'onExchange' | 'environment'
      >
    > {
  readonly baseUrl: string;
  readonly tokens: Tokens;
  readonly explore?: ExploreSettings;
  /** The signal of the user. On Node 20, one with a time limit is lost if nothing holds it (nodejs/node#57736). */
  readonly given: AbortSignal | undefined;
  /** How many requests may be under way at once if each response takes long. */
  readonly concurrencyIfFar: number;
  /** Requests per second; `Infinity` without a limit. */
  readonly rate: number;
}

/** Fields that the check itself sends. Other values would change what its probes test. */
const OWN_HEADERS = new Set([
  'authorization',
  'content-type',
  'content-length',
  'content-encoding',
  'transfer-encoding',
  'connection',
  'expect',
]);

/**
 * Checks the options and fills in the defaults. The token is handled apart: it may come from an asynchronous function.
 *
 * @throws ToolkitError `invalid-option`, with a sentence that names the option
 */
export function checkSettings(options: Omit<CheckOptions, 'token'>): Omit<CheckSettings, 'tokens'> {
  const { fetch, rate, timeoutMs = 5_000, timeLimitMs = 150_000 } = options;
  const { concurrency = 6, headers = [], prism = true, signal, onExchange = () => {} } = options;
  const baseUrl = baseUrlOf(options.baseUrl);
  if (fetch !== undefined && typeof fetch !== 'function')
    throw invalidOption('"fetch" must be a function that takes a Request and returns a Response');
  checkInteger('the timeout', timeoutMs, 1, 30_000, ' ms');
  checkInteger('the time limit', timeLimitMs, 5_000, 3_600_000, ' ms');
  checkInteger('the concurrency', concurrency, 1, 100, ' requests');
  checkInteger('the rate', rate ?? 5, 5, 1_000, ' requests per second');
  for (const [name] of headers)
    if (OWN_HEADERS.has(name.toLowerCase()))
      throw invalidOption(`the header "${name}" cannot be set: the check sends its own`);
  return {
    ...routeTo(operationUrl(baseUrl), options),
    baseUrl,
    timeoutMs,
    timeLimitMs,
    concurrency,
    concurrencyIfFar: options.concurrency ?? 16,
    prism,
    environment: options.environment ?? {},
    rate: rate ?? Number.POSITIVE_INFINITY,
    onExchange,
    signal: ownSignal(signal),
    given: signal,
    ...(fetch !== undefined && { fetch }),
    ...(options.explore !== undefined && { explore: exploreSettings(options.explore) }),
  };
}

function ownSignal(signal: AbortSignal | undefined): AbortSignal {
  const own = signal === undefined ? new AbortController().signal : AbortSignal.any([signal]);
  forManyListeners(own);
  return own;
}

/** Lets many requests listen to a signal. Node would warn about that. */
export function forManyListeners(signal: AbortSignal): void {
  try {
    setMaxListeners(0, signal);
  } catch {
    // Node rejects a signal of jsdom or happy-dom, but does not warn about its listeners either.
  }
}
