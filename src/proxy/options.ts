import { LONGEST_TIMEOUT_MS } from '../duration.js';
import { baseUrlOf } from '../http/address.js';
import type { RequestHead } from '../http/exchange.js';
import { type Route, type RouteOptions, routeTo } from '../http/route.js';
import { checkInteger, invalidOption } from '../toolkit-error.js';
import type { JudgedExchange } from '../validation/exchange.js';

/** Which violations count. */
export type FailOn = 'response' | 'request' | 'both';

/** A request that got no response from the upstream. */
export interface FailedRequest {
  /** Its head; left out if the request was rejected. */
  readonly request?: RequestHead;
  /** Why, as a sentence. */
  readonly reason: string;
  /** 1, or how many requests waited on a connection that was closed: they fail together. */
  readonly count: number;
}

/** How a proxy runs. */
export interface ProxyOptions extends Omit<RouteOptions, 'headers'> {
  /** The provider. The targets of requests are appended to its own path. */
  readonly upstream: string | URL;
  /** Default 127.0.0.1. */
  readonly host?: string | undefined;
  /** Default: a free one. */
  readonly port?: number | undefined;
  /** Which violations count. Default `response`: the interface says how a provider rejects a wrong request. */
  readonly failOn?: FailOn | undefined;
  /** Whether warnings count as errors. Default false. */
  readonly strict?: boolean | undefined;
  /** Milliseconds for an exchange, 1 to 2,147,483,647. Default: no limit, as without the proxy. */
  readonly timeoutMs?: number | undefined;
  /** Called for each exchange that was judged, after its response was sent. */
  readonly onJudged?: ((judged: JudgedExchange) => void) | undefined;
  /** Called for requests that got no response, judged or not, or that were rejected. */
  readonly onFailed?: ((failed: FailedRequest) => void) | undefined;
}

/** Checked options with their defaults. */
export type ProxySettings = Omit<ProxyOptions, keyof RouteOptions> & {
  readonly upstream: string;
  readonly failOn: FailOn;
  readonly route: Route;
};

/** @throws ToolkitError `invalid-option`, with a sentence that names the option */
export function proxySettings(options: ProxyOptions): ProxySettings {
  const { failOn = 'response', timeoutMs } = options;
  if (!['response', 'request', 'both'].includes(failOn))
    throw invalidOption(`failOn must be response, request or both; got "${failOn}"`);
  checkInteger('the timeout', timeoutMs ?? 1, 1, LONGEST_TIMEOUT_MS, ' ms');
  const upstream = baseUrlOf(options.upstream);
  const route = routeTo(new URL(upstream), options);
  return { ...options, upstream, failOn, route };
}
