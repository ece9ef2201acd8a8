import { invalidOption } from '../../toolkit-error.js';

/** Which versions of consumers a broker gives the pacts of, as Pact documents it. */
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

/** A Pact broker: everything here is passed on to Pact, which does the talking. */
export interface BrokerOptions {
  readonly url: string;
  /** A bearer token for the broker; or else a user and a password. */
  readonly token?: string;
  readonly username?: string;
  readonly password?: string;
  /** Default: what is on main branches, on the branch of the provider, and what is deployed or released. */
  readonly selectors?: readonly ConsumerVersionSelector[];
  /** Whether pacts that were never verified may fail without failing the verification. Default false. */
  readonly pending?: boolean;
  /** The day, as `YYYY-MM-DD`, since when pacts in work are verified as well. */
  readonly wipSince?: string;
  /** Publishes the results for a version of the provider, and its branch. */
  readonly publish?: { readonly version: string; readonly branch?: string; readonly buildUrl?: string };
  /** The branch of the provider, which pending and matching pacts are found by; `publish.branch` unless said. */
  readonly branch?: string;
}

/** Options of Pact's verifier for a broker. */
export function brokerOptions(broker: BrokerOptions): Readonly<Record<string, unknown>> {
  const { url, token, username, password, selectors, pending = false, wipSince, publish } = broker;
  const branch = broker.branch ?? publish?.branch;
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    // It is not shown: it may hold a password.
    throw invalidOption('the broker must be a URL that begins with http:// or https://');
  if (new URL(url).username !== '' || new URL(url).password !== '')
    throw invalidOption(
      'the URL of the broker must hold no user and no password: they have options of their own',
    );
  if (token !== undefined && username !== undefined)
    throw invalidOption('the broker takes a token or a user and a password, and not both');
  if (publish !== undefined && publish.version === '')
    throw invalidOption('results are published for a version of the provider: it must not be empty');
  if (wipSince !== undefined && !/^\d{4}-\d{2}-\d{2}/.test(wipSince))
    throw invalidOption(`the day since when pacts in work count must look like 2026-01-31; got ${wipSince}`);
  return {
    pactBrokerUrl: url,
    enablePending: pending,
    failIfNoPactsFound: true,
    ...(token !== undefined && { pactBrokerToken: token }),
    ...(username !== undefined && { pactBrokerUsername: username, pactBrokerPassword: password ?? '' }),
    // Pact asks for some; these are the ones that its documentation recommends.
    consumerVersionSelectors: selectors ?? [
      { mainBranch: true },
      ...(branch === undefined ? [] : [{ matchingBranch: true }]),
      { deployedOrReleased: true },
    ],
    ...(wipSince !== undefined && { includeWipPactsSince: wipSince }),
    ...(branch !== undefined && { providerVersionBranch: branch }),
    ...(publish !== undefined && {
      publishVerificationResult: true,
      providerVersion: publish.version,
      ...(publish.buildUrl !== undefined && { buildUrl: publish.buildUrl }),
    }),
  };
}
