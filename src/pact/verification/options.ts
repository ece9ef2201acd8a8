import { fileURLToPath } from 'node:url';
import { baseUrlOf, isHttpUrl } from '../../http/address.js';
import { type Route, type RouteOptions, routeTo } from '../../http/route.js';
import { type TokenOption, tokenOf } from '../../http/token.js';
import { createRedactor, type Redactor, type Secret } from '../../report/redaction.js';
import { invalidOption } from '../../toolkit-error.js';
import { type BrokerOptions, checkBroker, inUrl, secretsIn } from '../broker/options.js';
import { isUrl, PROVIDER } from '../pact-sources.js';
import { type StateHandlers, statesWithoutHelp } from './states.js';

/** Options of {@link verifyProvider}. */
export interface VerifyOptions extends RouteOptions {
  /** The base URL of the provider. The paths of the pacts are appended to its own path. */
  readonly baseUrl: string | URL;
  /** A token that the provider accepts. It replaces the tokens of the pacts. It is sent only if a pact has a token. */
  readonly token: TokenOption;
  /**
   * Files, folders and URLs of pacts. A folder gives the `.json` files in it. Default: the pact of the reference client,
   * unless a broker has a URL.
   */
  readonly pacts?: readonly string[];
  /** A broker that gives the pacts instead, or that has the pacts whose URLs are in `pacts`. */
  readonly broker?: BrokerOptions;
  /** The name of the provider in the pacts. Default `plant-store`. Pacts with other providers are left out. */
  readonly provider?: string;
  /**
   * Handlers of provider states, by name. They override the defaults, {@link statesWithoutHelp}, which need no help from
   * the provider.
   */
  readonly states?: StateHandlers;
  /**
   * A URL of the provider that sets states up instead of handlers. It is called as Pact's verifiers call it, but no redirect
   * is followed. `ca` and `insecure` apply to it. If it has the host of the provider, `cert` and `key` do too, and
   * if it also has its port, `headers`.
   */
  readonly stateUrl?: string | URL;
  /** Whether each response is also compared with the interface and with its request. Default true. */
  readonly validate?: boolean;
  /** The time limit for a request, in milliseconds. Default 5000. */
  readonly timeoutMs?: number;
  /** Stops the verification. What has no verdict by then is `blocked`. It throws if not even the pacts were read. */
  readonly signal?: AbortSignal;
  /** Called with Pact's output when the verification has ended. */
  readonly onPactOutput?: (text: string) => void;
}

/** Checked options with their defaults. */
export interface VerifySettings
  extends Required<Omit<VerifyOptions, 'broker' | 'stateUrl' | 'signal' | keyof RouteOptions>> {
  readonly baseUrl: string;
  readonly token: string;
  readonly broker: BrokerOptions | undefined;
  /** The way to the provider. */
  readonly route: Route;
  /** The way to the state URL. */
  readonly stateRoute: Route | undefined;
  readonly signal: AbortSignal | undefined;
  /** Takes out the token, the values of further headers, and the credentials for servers of pacts. */
  readonly redactor: Redactor;
}

/** The pact of the reference client, which is part of this package. */
const SHIPPED_PACT = fileURLToPath(
  new URL('../../../pacts/plant-store-client-plant-store.json', import.meta.url),
);

const LONGEST_TIMEOUT_MS = 30_000;

/** @throws ToolkitError `invalid-option`, which names the option */
export async function verifySettings(options: VerifyOptions): Promise<VerifySettings> {
  const { timeoutMs = 5_000, headers = [], provider = PROVIDER, broker, states, stateUrl } = options;
  if (!Number.isInteger(timeoutMs) || timeoutMs < 1 || timeoutMs > LONGEST_TIMEOUT_MS)
    throw invalidOption(`the timeout of a request must be 1 to ${LONGEST_TIMEOUT_MS} ms`);
  if (states !== undefined && stateUrl !== undefined)
    throw invalidOption('states are set up by handlers or by a URL, not by both');
  if (broker !== undefined) checkBroker(broker, options.pacts);
  for (const [name] of headers) checkHeader(name);
  const baseUrl = baseUrlOf(options.baseUrl);
  const route = routeTo(new URL(baseUrl), options);
  const token = await tokenOf(options.token);
  const pacts = options.pacts ?? [SHIPPED_PACT];
  return {
    timeoutMs,
    provider,
    broker,
    baseUrl,
    token,
    pacts,
    states: { ...statesWithoutHelp, ...states },
    validate: options.validate ?? true,
    route,
    stateRoute: stateUrl === undefined ? undefined : stateRouteTo(String(stateUrl), route),
    signal: options.signal,
    onPactOutput: options.onPactOutput ?? (() => {}),
    redactor: createRedactor([
      { value: token, shown: '$PLANT_STORE_TOKEN' },
      ...headers.map(([, value]) => ({ value })),
      ...secretsIn(broker ?? {}),
      ...pacts.filter(isUrl).flatMap(secretsOfUrl),
    ]),
  };
}

/** What belongs to the provider alone goes to no other server: the fields, which may be secret. */
function stateRouteTo(text: string, provider: Route): Route {
  if (!isHttpUrl(text))
    throw invalidOption(`the state URL must begin with http:// or https://; got ${JSON.stringify(text)}`);
  const url = new URL(text);
  if (inUrl(url) !== undefined) throw invalidOption('the state URL must not have a user or a password');
  const { ca, insecure } = provider;
  if (url.hostname !== provider.url.hostname) return { url, headers: [], ca, insecure };
  return { ...provider, url, headers: url.origin === provider.url.origin ? provider.headers : [] };
}

function secretsOfUrl(source: string): Secret[] {
  const credentials = URL.canParse(source) ? inUrl(new URL(source)) : undefined;
  return credentials === undefined ? [] : secretsIn(credentials);
}

function checkHeader(name: string): void {
  if (/^(?:authorization|host|content-length|content-type|transfer-encoding|connection)$/i.test(name))
    throw invalidOption(`the header "${name}" cannot be set: the pacts decide it`);
}
