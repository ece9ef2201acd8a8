import { isHttpUrl } from '../../http/address.js';
import { checkSendable } from '../../http/fields.js';
import type { TlsSettings } from '../../http/route.js';
import type { Secret } from '../../report/redaction.js';
import { invalidOption } from '../../toolkit-error.js';

/** Selects the consumer versions whose pacts a broker gives. Pact documents the members. */
export interface ConsumerVersionSelector {
  readonly mainBranch?: boolean;
  readonly branch?: string;
  readonly matchingBranch?: boolean;
  readonly deployedOrReleased?: boolean;
  readonly deployed?: boolean;
  readonly released?: boolean;
  readonly environment?: string;
  readonly consumer?: string;
  readonly tag?: string;
  readonly fallbackTag?: string;
  readonly latest?: boolean;
}

/** A Pact broker, or another server that has pacts. */
export interface BrokerOptions extends Credentials, Pick<TlsSettings, 'ca' | 'insecure'> {
  /** The broker that chooses the pacts. Leave it out if `pacts` has URLs of its pacts. */
  readonly url?: string;
  /** Default: the main branches, the branch of the provider, and everything deployed or released. */
  readonly selectors?: readonly ConsumerVersionSelector[];
  /** Whether a failure of a pact that was never verified does not count. Default false. */
  readonly pending?: boolean;
  /** Also verifies work-in-progress pacts since this day, `YYYY-MM-DD`. Needs the branch of the provider. */
  readonly wipSince?: string;
  /** Publishes the verdict on each pact, for a version of the provider and its branch. */
  readonly publish?: Publication;
  /** The branch of the provider, by which the broker finds pending and matching pacts. Default `publish.branch`. */
  readonly branch?: string;
  /** The time limit for each request to the broker, in milliseconds. Default 30,000. */
  readonly timeoutMs?: number;
}

/** What the results of a verification are published for. */
export interface Publication {
  /** The version of the provider. */
  readonly version: string;
  readonly branch?: string;
  readonly buildUrl?: string;
}

/** The time limit for a request to a broker, in milliseconds. */
export const BROKER_TIMEOUT_MS = 30_000;
const LONGEST_TIMEOUT_MS = 600_000;

/**
 * Checks the options of a broker.
 *
 * @param pacts the sources of pacts beside it
 * @throws ToolkitError `invalid-option`
 */
export function checkBroker(broker: BrokerOptions, pacts: readonly string[] | undefined): void {
  checkCredentials(broker);
  const { publish, timeoutMs = BROKER_TIMEOUT_MS } = broker;
  if (publish !== undefined && publish.version === '')
    throw invalidOption('the version of the provider must not be empty if results are published');
  // The message does not show it: it may contain a password.
  if (publish?.buildUrl !== undefined && !isHttpUrl(publish.buildUrl))
    throw invalidOption('the URL of the build must be a URL that begins with http:// or https://');
  if (!Number.isInteger(timeoutMs) || timeoutMs < 1 || timeoutMs > LONGEST_TIMEOUT_MS)
    throw invalidOption(`the timeout of the broker must be 1 to ${LONGEST_TIMEOUT_MS} ms`);
  if (broker.url === undefined) checkUrls(broker, pacts ?? []);
  else checkChoice(broker, broker.url, pacts);
}

/** A broker that chooses the pacts. */
function checkChoice(broker: BrokerOptions, url: string, pacts: readonly string[] | undefined): void {
  const { wipSince, publish, branch = publish?.branch } = broker;
  if (pacts !== undefined)
    throw invalidOption('pacts come from files and URLs or from a broker, not from both');
  // The messages do not show it: it may contain a password.
  if (!isHttpUrl(url)) throw invalidOption('the broker must be a URL that begins with http:// or https://');
  if (inUrl(new URL(url)) !== undefined)
    throw invalidOption(
      'the URL of the broker must not contain a user or a password: use their options instead',
    );
  if (wipSince !== undefined && !/^\d{4}-\d{2}-\d{2}/.test(wipSince))
    throw invalidOption(`the first day of work-in-progress pacts must look like 2026-01-31; got ${wipSince}`);
  if (wipSince !== undefined && branch === undefined)
    throw invalidOption(
      'work-in-progress pacts need the branch of the provider: a broker finds none without it',
    );
}

/** URLs of pacts, which may be on a broker. */
function checkUrls(broker: BrokerOptions, pacts: readonly string[]): void {
  const { selectors, pending, wipSince, publish } = broker;
  if (selectors !== undefined || pending !== undefined || wipSince !== undefined)
    throw invalidOption('selectors, pending pacts and work in progress need the URL of the broker');
  const urls = pacts.filter(isHttpUrl).map((source) => new URL(source));
  if (urls.length === 0 && publish !== undefined)
    throw invalidOption('results can be published only for pacts of a broker: name it, or URLs of its pacts');
  // A token must not reach a server that it is not for.
  const origins = new Set(urls.filter((url) => inUrl(url) === undefined).map(({ origin }) => origin));
  if (origins.size > 1 && (broker.token ?? broker.username) !== undefined)
    throw invalidOption(
      `the credentials are for one server, but the pacts are on several: ${[...origins].join(' and ')}`,
    );
}

/** Credentials for a server: a bearer token, or a user name and a password. */
export interface Credentials {
  readonly token?: string | undefined;
  readonly username?: string | undefined;
  readonly password?: string | undefined;
}

/** @throws ToolkitError `invalid-option` if there are two kinds of credentials, or a header cannot carry them */
function checkCredentials(credentials: Credentials): void {
  if (credentials.token !== undefined && credentials.username !== undefined)
    throw invalidOption('the broker needs a token or a user and a password, not both');
  const authorization = authorizationOf(credentials);
  if (authorization !== undefined) checkSendable('Authorization', authorization);
}

/** The value of the `Authorization` header; `undefined` without credentials. */
export function authorizationOf({ token, username, password = '' }: Credentials): string | undefined {
  if (token !== undefined) return `Bearer ${token}`;
  if (username === undefined) return undefined;
  return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
}

/** The user and the password in a URL. */
export function inUrl({ username, password }: URL): Credentials | undefined {
  if (username === '' && password === '') return undefined;
  return { username: decoded(username), password: decoded(password) };
}

/** A URL as it may be shown: without its user and password. */
export function withoutCredentials(url: URL): URL {
  const bare = new URL(url);
  bare.username = '';
  bare.password = '';
  return bare;
}

/** A `%` that begins no escape stands for itself. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** What no output may show. */
export function secretsIn({ token = '', password = '' }: Credentials): Secret[] {
  return [
    { value: token, shown: '$PACT_BROKER_TOKEN' },
    { value: password, shown: '$PACT_BROKER_PASSWORD' },
  ];
}
