import { ToolkitError } from '../toolkit-error.js';
import type { Exchange } from './exchange.js';

/** Options of a check. */
export interface CheckOptions {
  /** Where the provider is; `/plants` is appended to the path. */
  readonly baseUrl: string | URL;
  /** A token that the provider accepts. */
  readonly token: string;
  /** Milliseconds that a request may take. Default 5,000. */
  readonly timeoutMs?: number;
  /** How many requests are under way at once, where their order does not matter. Default 16. */
  readonly concurrency?: number;
  /** Called after each exchange, with how many there will be at least. */
  readonly onExchange?: (exchange: Exchange, planned: number) => void;
}

/** Options with defaults filled in, checked. */
export interface CheckSettings {
  /** The URL of the operation. */
  readonly url: URL;
  readonly baseUrl: string;
  readonly token: string;
  readonly timeoutMs: number;
  readonly concurrency: number;
  readonly onExchange: (exchange: Exchange, planned: number) => void;
}

/** No header value with another character can be sent as it is. */
const SENDABLE = /^[\x21-\x7e]+$/;

/** @throws ToolkitError `invalid-option`, with a sentence that names the option */
export function checkSettings(options: CheckOptions): CheckSettings {
  const { token, timeoutMs = 5_000, concurrency = 16, onExchange = () => {} } = options;
  const baseUrl = baseUrlOf(options.baseUrl);
  if (typeof token !== 'string' || !SENDABLE.test(token)) {
    throw invalid(
      'the token must be a text of visible ASCII characters, as an Authorization header can carry it',
    );
  }
  if (!isIntegerBetween(timeoutMs, 1, 30_000))
    throw invalid('the time-out of a request must be 1 to 30000 ms');
  if (!isIntegerBetween(concurrency, 1, 100)) throw invalid('the concurrency must be 1 to 100 requests');
  const url = new URL(baseUrl);
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/plants`;
  return { url, baseUrl, token, timeoutMs, concurrency, onExchange };
}

function baseUrlOf(text: string | URL): string {
  const shown = JSON.stringify(String(text));
  if (!URL.canParse(String(text)))
    throw invalid(`the base URL must be an absolute URL, such as http://localhost:3000; got ${shown}`);
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw invalid(`the base URL must begin with http:// or https://; got ${shown}`);
  if (url.search !== '' || url.hash !== '')
    throw invalid(`the base URL must have no query and no fragment; got ${shown}`);
  if (url.username !== '' || url.password !== '')
    throw invalid('the base URL must hold no user and no password');
  return url.href.replace(/\/+$/, '');
}

function isIntegerBetween(value: number, low: number, high: number): boolean {
  return Number.isInteger(value) && value >= low && value <= high;
}

function invalid(message: string): ToolkitError {
  return new ToolkitError('invalid-option', message);
}
