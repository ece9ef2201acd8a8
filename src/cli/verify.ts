import { definedOnly } from '../defined-only.js';
import type { BrokerOptions } from '../pact/verification/verify.js';
import { invalidOption } from '../toolkit-error.js';
import {
  BASE_URL,
  defineCommand,
  type FlagsOf,
  flag,
  type Given,
  grouped,
  list,
  nameOf,
  neededBaseUrl,
  rejectFlags,
  repeated,
  without,
} from './command.js';
import type { CommandIo } from './io.js';
import { prepareReports, reportFlags } from './reports.js';
import { requestFlags, routeFlags, routeFrom } from './route-flags.js';
import { startFlags, withProvider } from './start.js';
import { flagOrVariable, tokenFlags, tokenFrom } from './token.js';

/** The flags for a Pact broker. Each has the name of the option of Pact's verifier, which gets its value. */
const brokerFlags = grouped('Pact broker', [
  flag('--pact-broker-url <url>', 'get the pacts from a Pact broker (default: PACT_BROKER_BASE_URL)'),
  without(flag('--pact-broker-token <token>', 'a token for the broker (default: PACT_BROKER_TOKEN)'), [
    'pactBrokerUsername',
    'pactBrokerPassword',
  ]),
  flag('--pact-broker-username <name>', 'a user, instead of a token (default: PACT_BROKER_USERNAME)'),
  flag('--pact-broker-password <password>', 'the password of that user (default: PACT_BROKER_PASSWORD)'),
  flag(
    '--consumer-version-selectors <json>',
    'which pacts: consumer version selectors, as in [{ "mainBranch": true }]',
  ),
  flag('--consumer-version-tags <tags>', 'which pacts: tags, separated by commas', list),
  flag('--enable-pending', 'do not count failures of pacts that this provider has never satisfied'),
  flag(
    '--include-wip-pacts-since <day>',
    'also verify work-in-progress pacts since this day, as in 2026-01-31; needs the branch',
  ),
  flag(
    '--publish-verification-results',
    'publish the result of each pact; needs --provider-version (default: PACT_BROKER_PUBLISH_VERIFICATION_RESULTS)',
  ),
  flag('--provider-version <version>', 'the version of the provider'),
  flag('--provider-version-branch <branch>', 'the branch of the provider'),
  flag('--provider-version-tags <tags>', 'tags of the version of the provider, separated by commas', list),
  flag('--build-url <url>', 'the URL of the build'),
]);

/** `plant-store-contract verify <base-url>`: verifies a provider against pacts. */
export const command = defineCommand({
  description:
    "Verifies a provider against pacts with Pact's own verifier (install @pact-foundation/pact). The provider needs no test " +
    'hooks: if a pact needs an unused id, a random id is sent; if it needs an existing plant, the plant is created first.',
  args: [{ form: BASE_URL, help: 'the base URL of the provider; the paths of the pacts are appended' }],
  flags: [
    ...tokenFlags,
    flag(
      '--pacts <sources...>',
      'files, folders with .json files, or URLs of pacts (default: those of the broker; otherwise the pact of the reference client in this package)',
      repeated,
    ),
    flag('--provider <name>', 'verify only the pacts with this provider (default: plant-store)'),
    flag('--state-url <url>', 'a URL of the provider that sets up provider states, in the format of Pact'),
    ...requestFlags,
    ...routeFlags,
    ...reportFlags,
    ...startFlags,
    ...brokerFlags,
  ],
  examples: `Examples:
  plant-store-contract verify http://localhost:3000 --start "npm start" --pacts pacts/ --reporter junit=pacts.xml
  plant-store-contract verify http://localhost:3000 --pact-broker-url https://broker.example --enable-pending`,
  async run(given, io) {
    const baseUrl = neededBaseUrl(given);
    const broker = brokerFrom(given, io);
    const token = tokenFrom(given, io);
    const { pacts, provider, stateUrl } = given.flags;
    const route = await routeFrom(given, io);
    if (pacts !== undefined)
      rejectFlags(
        given.flags,
        ['consumerVersionSelectors', 'consumerVersionTags', 'enablePending', 'includeWipPactsSince'],
        'is for a broker that chooses the pacts, and not for --pacts',
      );
    const { verify } = await import('../pact/verification/verify.js');
    const reports = await prepareReports(given, io);
    const stop = new AbortController();
    void io.untilStopped().then(() => stop.abort());
    const options = definedOnly({ baseUrl, token, pacts, broker, provider, stateUrl, ...route });
    return await withProvider(given, { baseUrl, token, ...route }, io, async () =>
      reports.write(await verify({ ...options, signal: stop.signal })),
    );
  },
});

/**
 * The broker that the flags and Pact's own environment variables name; `undefined` if there is none. An empty value is none:
 * in CI, a variable that is not set gives one.
 *
 * @throws ToolkitError `invalid-option` if a flag needs another one
 */
function brokerFrom(given: Given<FlagsOf<typeof brokerFlags>>, io: CommandIo): BrokerOptions | undefined {
  const { env } = io;
  const flags = Object.fromEntries(
    Object.entries(given.flags).filter(([, value]) => value !== ''),
  ) as typeof given.flags;
  const url = flags.pactBrokerUrl ?? (env.PACT_BROKER_BASE_URL || undefined);
  const names = brokerFlags.map(nameOf) as (keyof typeof flags)[];
  if (url === undefined) {
    rejectFlags(flags, names, 'needs a broker: --pact-broker-url, or PACT_BROKER_BASE_URL');
    return undefined;
  }
  const publish = flags.publishVerificationResults ?? env.PACT_BROKER_PUBLISH_VERIFICATION_RESULTS === 'true';
  if (publish && flags.providerVersion === undefined)
    throw invalidOption('--publish-verification-results needs --provider-version');
  if (flags.includeWipPactsSince !== undefined && flags.providerVersionBranch === undefined)
    throw invalidOption('--include-wip-pacts-since needs --provider-version-branch');
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
