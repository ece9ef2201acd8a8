import type { BrokerOptions } from '../pact/verification/verify.js';
import { invalidOption } from '../toolkit-error.js';
import { type FlagsOf, flag, type Given, grouped, list, nameOf, rejectFlags, without } from './command.js';
import type { CommandIo } from './io.js';
import { flagOrVariable } from './token.js';

/** The flags for a Pact broker. The second name of each is that of the option of Pact's verifier. */
export const brokerFlags = grouped('Pact broker', [
  flag(
    '--broker, --pact-broker-url <url>',
    'get the pacts from a Pact broker (default: PACT_BROKER_BASE_URL)',
  ),
  without(
    flag(
      '--broker-token, --pact-broker-token <token>',
      'a token for the broker (default: PACT_BROKER_TOKEN)',
    ),
    ['pactBrokerUsername', 'pactBrokerPassword'],
  ),
  flag(
    '--broker-user, --pact-broker-username <name>',
    'a user, instead of a token (default: PACT_BROKER_USERNAME)',
  ),
  flag(
    '--broker-password, --pact-broker-password <password>',
    'the password of that user (default: PACT_BROKER_PASSWORD)',
  ),
  flag(
    '--selectors, --consumer-version-selectors <json>',
    'which pacts: consumer version selectors, as in [{ "mainBranch": true }]',
  ),
  flag('--consumer-version-tags <tags>', 'which pacts: tags, separated by commas', list),
  flag(
    '--pending, --enable-pending',
    'do not count failures of pacts that this provider has never satisfied',
  ),
  flag(
    '--wip-since, --include-wip-pacts-since <day>',
    'also verify work-in-progress pacts since this day, as in 2026-01-31; needs the branch',
  ),
  flag(
    '--publish, --publish-verification-results',
    'publish the result of each pact; needs --provider-version (default: PACT_BROKER_PUBLISH_VERIFICATION_RESULTS)',
  ),
  flag('--provider-version <version>', 'the version of the provider'),
  flag('--provider-branch, --provider-version-branch <branch>', 'the branch of the provider'),
  flag('--provider-version-tags <tags>', 'tags of the version of the provider, separated by commas', list),
  flag('--build-url <url>', 'the URL of the build'),
]);

/**
 * The broker that the flags and Pact's own environment variables name; `undefined` if there is none. An empty value is none:
 * in CI, a variable that is not set gives one.
 *
 * @throws ToolkitError `invalid-option` if a flag needs another one
 */
export function brokerFrom(
  given: Given<FlagsOf<typeof brokerFlags>>,
  io: CommandIo,
): BrokerOptions | undefined {
  const { env } = io;
  const flags = Object.fromEntries(
    Object.entries(given.flags).filter(([, value]) => value !== ''),
  ) as typeof given.flags;
  const url = flags.pactBrokerUrl ?? (env.PACT_BROKER_BASE_URL || undefined);
  const names = brokerFlags.map(nameOf) as (keyof typeof flags)[];
  if (url === undefined) {
    rejectFlags(flags, names, 'needs a broker: --broker, or PACT_BROKER_BASE_URL');
    return undefined;
  }
  const publish = flags.publishVerificationResults ?? env.PACT_BROKER_PUBLISH_VERIFICATION_RESULTS === 'true';
  if (publish && flags.providerVersion === undefined)
    throw invalidOption('--publish-verification-results needs --provider-version');
  if (!publish) rejectFlags(flags, ['providerVersion', 'buildUrl'], 'needs --publish-verification-results');
  const token =
    flags.pactBrokerUsername === undefined
      ? flagOrVariable(flags.pactBrokerToken, '--pact-broker-token', 'PACT_BROKER_TOKEN', io)
      : undefined;
  const username =
    flags.pactBrokerUsername ?? (token === undefined ? env.PACT_BROKER_USERNAME || undefined : undefined);
  const { consumerVersionSelectors: selectors, publishVerificationResults: _, ...others } = flags;
  return {
    ...others,
    pactBrokerUrl: url,
    pactBrokerToken: token,
    pactBrokerUsername: username,
    pactBrokerPassword: username && (flags.pactBrokerPassword ?? env.PACT_BROKER_PASSWORD),
    consumerVersionSelectors: selectors === undefined ? undefined : selectorsFrom(selectors),
    publishVerificationResult: publish || undefined,
  };
}

function selectorsFrom(text: string): readonly object[] {
  try {
    const selectors: unknown = JSON.parse(text);
    if (Array.isArray(selectors)) return selectors;
  } catch {
    // The error below covers this.
  }
  throw invalidOption(
    `--consumer-version-selectors must be a JSON array such as [{ "mainBranch": true }]; got ${text}`,
  );
}
