import { definedOnly } from '../../defined-only.js';
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

/** A Pact broker. All options are passed to Pact, which talks to the broker. */
export interface BrokerOptions {
  readonly url: string;
  /** A bearer token for the broker. The alternative is a user name and a password. */
  readonly token?: string;
  readonly username?: string;
  readonly password?: string;
  /** Default: the main branches, the branch of the provider, and everything deployed or released. */
  readonly selectors?: readonly ConsumerVersionSelector[];
  /** Whether a failure of a pact that was never verified does not count. Default false. */
  readonly pending?: boolean;
  /** Also verifies work-in-progress pacts since this day, `YYYY-MM-DD`. */
  readonly wipSince?: string;
  /** Publishes the results for a version of the provider and its branch. */
  readonly publish?: { readonly version: string; readonly branch?: string; readonly buildUrl?: string };
  /** The branch of the provider, by which the broker finds pending and matching pacts. Default `publish.branch`. */
  readonly branch?: string;
}

/** Whether a text is a URL that begins with `http://` or `https://`. */
export function isHttpUrl(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}

/** Options of Pact's verifier for a broker. */
export function brokerOptions(broker: BrokerOptions): Readonly<Record<string, unknown>> {
  const { url, token, username, password, selectors, pending = false, wipSince, publish } = broker;
  const branch = broker.branch ?? publish?.branch;
  if (!isHttpUrl(url))
    // The message does not show it: it may contain a password.
    throw invalidOption('the broker must be a URL that begins with http:// or https://');
  if (new URL(url).username !== '' || new URL(url).password !== '')
    throw invalidOption(
      'the URL of the broker must not contain a user or a password: use their options instead',
    );
  if (token !== undefined && username !== undefined)
    throw invalidOption('the broker needs a token or a user and a password, not both');
  if (publish !== undefined && publish.version === '')
    throw invalidOption('the version of the provider must not be empty if results are published');
  if (wipSince !== undefined && !/^\d{4}-\d{2}-\d{2}/.test(wipSince))
    throw invalidOption(`the first day of work-in-progress pacts must look like 2026-01-31; got ${wipSince}`);
  return definedOnly({
    pactBrokerUrl: url,
    enablePending: pending,
    failIfNoPactsFound: true,
    pactBrokerToken: token,
    ...(username !== undefined && { pactBrokerUsername: username, pactBrokerPassword: password ?? '' }),
    // Pact requires selectors. Its documentation recommends these.
    consumerVersionSelectors: selectors ?? [
      { mainBranch: true },
      ...(branch === undefined ? [] : [{ matchingBranch: true }]),
      { deployedOrReleased: true },
    ],
    includeWipPactsSince: wipSince,
    providerVersionBranch: branch,
    publishVerificationResult: publish && true,
    providerVersion: publish?.version,
    buildUrl: publish?.buildUrl,
  });
}
