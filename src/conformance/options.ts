import { setMaxListeners } from 'node:events';
import { checkSendable } from '../header-fields.js';
import { baseUrlOf, plantsUrlOf } from '../provider-address.js';
import { type TokenOption, tokenOf } from '../token-option.js';
import { invalidOption } from '../toolkit-error.js';
import type { Exchange, Fields } from './exchange.js';
import type { Level } from './rule.js';
import type { FetchHandler } from './sending/fetch-handler.js';
import type { Target } from './sending/send.js';

/** A rule that a provider is known to break. */
export interface ExpectedFailure {
  /** The id of the rule. */
  readonly rule: string;
  /** Why it is left so for now. */
  readonly reason: string;
  /** The last day on which this counts, as `YYYY-MM-DD`, in UTC; without one it counts until the rule is kept. */
  readonly until?: string;
}

/** What implements the interface; for the report. */
export interface Implementation {
  readonly name: string;
  readonly version?: string;
}

/** Options of a check. */
export interface CheckOptions {
  /** Where the provider is; `/plants` is appended to the path. */
  readonly baseUrl: string | URL;
  /**
   * The provider itself, where it is a function: it is called with each request, and nothing goes to `baseUrl`,
   * which the requests and the lines for a shell name all the same. What no `Request` can say (a connection that is
   * kept, chunks, a header twice) is not sent, and its rules are `not-applicable`.
   */
  readonly fetch?: FetchHandler;
  /** A token that the provider accepts, or a function that gets one; it is called once. */
  readonly token: TokenOption;
  /** Judge these only: ids of rules, topics (`auth`) or levels (`documented`). Default: all. */
  readonly only?: readonly string[];
  /** Judge all but these: ids, topics or levels. */
  readonly skip?: readonly string[];
  /** Judge the rules of these levels only. Default: all three. */
  readonly levels?: readonly Level[];
  /** Milliseconds that a request may take. Default 5,000. */
  readonly timeoutMs?: number;
  /** How many requests are under way at once, where their order does not matter. Default 16. */
  readonly concurrency?: number;
  /** Header fields that are sent with every request besides, in order. */
  readonly headers?: Fields;
  /** Certificates to trust instead of the usual ones, as PEM. */
  readonly ca?: string;
  /** Whether to take any certificate. Default false. */
  readonly insecure?: boolean;
  /** Rules that the provider is known to break: they do not count, and it is an error if it keeps one after all. */
  readonly expectedFailures?: readonly ExpectedFailure[];
  /** What implements the interface; for the report. */
  readonly implementation?: Implementation;
  /** Whether each exchange is put to Prism as well. Default true; loading Prism takes about 0.3 s, once. */
  readonly prism?: boolean;
  /** Ends the check with what is known so far. */
  readonly signal?: AbortSignal;
  /** Called after each exchange, with how many there will be at least. */
  readonly onExchange?: (exchange: Exchange, planned: number) => void;
}

/** Options with defaults filled in, checked. */
export interface CheckSettings extends Target {
  readonly baseUrl: string;
  /** What is called in the place of a server at the base URL. */
  readonly fetch?: FetchHandler;
  readonly token: string;
  readonly timeoutMs: number;
  readonly concurrency: number;
  readonly prism: boolean;
  readonly implementation: Implementation | undefined;
  readonly signal: AbortSignal;
  readonly onExchange: (exchange: Exchange, planned: number) => void;
}

/** What a check sends by itself; another value would change what its probes mean. */
const OWN_HEADERS = new Set([
  ...['authorization', 'content-type', 'content-length', 'content-encoding'],
  ...['transfer-encoding', 'connection', 'host', 'expect'],
]);

/** @throws ToolkitError `invalid-option`, with a sentence that names the option */
export async function checkSettings(options: CheckOptions): Promise<CheckSettings> {
  return { ...settingsWithoutToken(options), token: await tokenOf(options.token) };
}

/** The settings that need no token: enough to say what would be sent. */
export function settingsWithoutToken(options: Omit<CheckOptions, 'token'>): Omit<CheckSettings, 'token'> {
  const { timeoutMs = 5_000, concurrency = 16, headers = [], ca, insecure = false } = options;
  const { fetch, prism = true, implementation, signal, onExchange = () => {} } = options;
  const baseUrl = baseUrlOf(options.baseUrl);
  if (fetch !== undefined && typeof fetch !== 'function')
    throw invalidOption('"fetch" must be a function that takes a Request and gives a Response');
  if (!isIntegerBetween(timeoutMs, 1, 30_000))
    throw invalidOption('the time-out of a request must be 1 to 30000 ms');
  if (!isIntegerBetween(concurrency, 1, 100))
    throw invalidOption('the concurrency must be 1 to 100 requests');
  for (const [name, value] of headers) checkHeader(name, value);
  if (ca !== undefined && !ca.includes('-----BEGIN CERTIFICATE-----'))
    throw invalidOption('the CA must be a certificate as PEM: -----BEGIN CERTIFICATE----- …');
  return {
    ...{
      url: plantsUrlOf(baseUrl),
      baseUrl,
      timeoutMs,
      concurrency,
      headers,
      insecure,
      prism,
      implementation,
      onExchange,
    },
    signal: ownSignal(signal),
    ...(ca !== undefined && { ca }),
    ...(fetch !== undefined && { fetch }),
  };
}

/** A signal of the check's own: many requests listen to it at once, which Node would warn of. */
function ownSignal(signal: AbortSignal | undefined): AbortSignal {
  const own = signal === undefined ? new AbortController().signal : AbortSignal.any([signal]);
  try {
    setMaxListeners(0, own);
  } catch {
    // A signal of jsdom or happy-dom: Node does not know it, and does not warn of it either.
  }
  return own;
}

function checkHeader(name: string, value: string): void {
  if (OWN_HEADERS.has(name.toLowerCase()))
    throw invalidOption(`the header "${name}" cannot be set: the check sends it by itself`);
  checkSendable(name, value);
}

function isIntegerBetween(value: number, low: number, high: number): boolean {
  return Number.isInteger(value) && value >= low && value <= high;
}
