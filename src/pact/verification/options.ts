import { fileURLToPath } from 'node:url';
import { baseUrlOf, isHttpUrl } from '../../http/address.js';
import { type Route, type RouteOptions, routeTo } from '../../http/route.js';
import { type TokenOption, tokenOf } from '../../http/token.js';
import { createRedactor } from '../../report/redaction.js';
import { checkInteger, invalidOption } from '../../toolkit-error.js';
import { type BrokerOptions, checkBroker } from '../broker/broker.js';
import { PROVIDER } from '../pacts.js';
import { type StateHandlers, statesWithoutHelp } from './states.js';

/** Options of {@link verifyProvider}. */
export interface VerifyOptions extends RouteOptions {
  /** The base URL of the provider. The paths of the pacts are appended to its own path. */
  readonly baseUrl: string | URL;
  /** A token that the provider accepts. It replaces the tokens of the pacts. It is sent only if a pact has a token. */
  readonly token: TokenOption;
  /**
   * Files, folders and URLs of pacts. A folder gives the `.json` files in it. Default: the pacts of the broker, if there is
   * one; otherwise the pact of the reference client.
   */
  readonly pacts?: readonly string[] | undefined;
  /** A broker that chooses the pacts, gets the verdicts, and gives the pacts at its URLs in `pacts`. */
  readonly broker?: BrokerOptions | undefined;
  /** The name of the provider in the pacts. Default `plant-store`. Pacts with other providers are left out. */
  readonly provider?: string | undefined;
  /**
   * Handlers of provider states, by name. They override the defaults, {@link statesWithoutHelp}, which need no help from
   * the provider.
   */
  readonly states?: StateHandlers | undefined;
  /**
   * A URL of the provider that sets states up instead of handlers. It is called as Pact's verifiers call it, but no redirect
   * is followed. `ca` and `insecure` apply to it, and the other options of connections too if it has the provider's origin.
   */
  readonly stateUrl?: string | URL | undefined;
  /** The time limit for a request, in milliseconds. Default 5000. */
  readonly timeoutMs?: number | undefined;
  /** Whether warnings count as errors. Default false. */
  readonly strict?: boolean | undefined;
  /** Stops the verification, which then throws. */
  readonly signal?: AbortSignal | undefined;
}

/** Checked options with their defaults. */
export type VerifySettings = Awaited<ReturnType<typeof verifySettings>>;

/** The pact of the reference client, which is part of this package. */
const SHIPPED_PACT = fileURLToPath(
  new URL('../../../pacts/plant-store-client-plant-store.json', import.meta.url),
);

/** @throws ToolkitError `invalid-option`, which names the option */
export async function verifySettings(options: VerifyOptions) {
  const { timeoutMs = 5_000, headers = [], provider = PROVIDER, pacts, broker, states, stateUrl } = options;
  checkInteger('the timeout', timeoutMs, 1, 30_000, ' ms');
  if (states !== undefined && stateUrl !== undefined)
    throw invalidOption('states are set up by handlers or by a URL, not by both');
  if (broker !== undefined) checkBroker(broker);
  if (pacts !== undefined && (broker?.selectors ?? broker?.pending ?? broker?.wipSince) !== undefined)
    throw invalidOption(
      'selectors, pending pacts and work in progress are for a broker that chooses the pacts',
    );
  for (const [name] of headers)
    if (/^(?:authorization|host|content-length|content-type|transfer-encoding|connection)$/i.test(name))
      throw invalidOption(`the header "${name}" cannot be set: the pacts decide it`);
  const baseUrl = baseUrlOf(options.baseUrl);
  const route = routeTo(new URL(baseUrl), options);
  const token = await tokenOf(options.token);
  return {
    timeoutMs,
    provider,
    broker,
    baseUrl,
    token,
    /** `undefined`: the broker chooses them. */
    pacts: pacts ?? (broker === undefined ? [SHIPPED_PACT] : undefined),
    states: { ...statesWithoutHelp, ...states } as StateHandlers,
    /** The way to the provider. */
    route,
    /** The way to the state URL. */
    stateRoute: stateUrl === undefined ? undefined : stateRouteTo(String(stateUrl), route),
    strict: options.strict,
    signal: options.signal,
    /** Takes out the token, the values of further headers, and the credentials of the broker. */
    redactor: createRedactor([
      { value: token, shown: '$PLANT_STORE_TOKEN' },
      ...headers.map(([, value]) => ({ value })),
      { value: broker?.token ?? '', shown: '$PACT_BROKER_TOKEN' },
      { value: broker?.password ?? '', shown: '$PACT_BROKER_PASSWORD' },
    ]),
  };
}

/** What belongs to the provider alone goes to no other server: the fields, which may be secret. */
function stateRouteTo(text: string, provider: Route): Route {
  if (!isHttpUrl(text))
    throw invalidOption(`the state URL must begin with http:// or https://; got ${JSON.stringify(text)}`);
  const url = new URL(text);
  if (url.username + url.password !== '')
    throw invalidOption('the state URL must not have a user or a password');
  const { ca, insecure } = provider;
  return url.origin === provider.url.origin ? { ...provider, url } : { url, headers: [], ca, insecure };
}
