import { definedOnly } from '../defined-only.js';
import type { BrokerOptions } from '../pact/broker/broker.js';
import { invalidOption } from '../toolkit-error.js';
import { type FlagsOf, flag, type Given, grouped, nameOf, rejectFlags, without } from './command.js';
import type { CommandIo } from './io.js';
import { flagOrVariable } from './token.js';

/** The flags for a Pact broker. */
export const brokerFlags = grouped('Pact broker', [
  flag('--broker <url>', 'get the pacts from a Pact broker (default: PACT_BROKER_BASE_URL)'),
  without(flag('--broker-token <token>', 'a token for the broker (default: PACT_BROKER_TOKEN)'), [
    'brokerUser',
    'brokerPassword',
  ]),
  flag('--broker-user <name>', 'a user, instead of a token (default: PACT_BROKER_USERNAME)'),
  flag('--broker-password <password>', 'the password of that user (default: PACT_BROKER_PASSWORD)'),
  flag('--selectors <json>', 'which pacts: consumer version selectors, as in [{ "mainBranch": true }]'),
  flag('--pending', 'do not count failures of pacts that this provider has never satisfied'),
  flag(
    '--wip-since <day>',
    'also verify work-in-progress pacts since this day, as in 2026-01-31; needs --provider-branch',
  ),
  flag('--publish', 'publish the verdict on each pact; needs --provider-version'),
  flag('--provider-version <version>', 'the version of the provider'),
  flag('--provider-branch <branch>', 'the branch of the provider'),
  flag('--build-url <url>', 'the URL of the build'),
]);

/**
 * The broker that the flags and Pact's own environment variables name; `undefined` if there is none.
 *
 * @throws ToolkitError `invalid-option` if a flag needs another one
 */
export function brokerFrom(
  given: Given<FlagsOf<typeof brokerFlags>>,
  io: CommandIo,
): BrokerOptions | undefined {
  const { env } = io;
  const url = given.flags.broker ?? (env.PACT_BROKER_BASE_URL || undefined);
  if (url === undefined) {
    const names = brokerFlags.map(nameOf) as (keyof typeof given.flags)[];
    rejectFlags(given.flags, names, 'needs a broker: --broker, or PACT_BROKER_BASE_URL');
    return undefined;
  }
  const { publish, providerVersion, providerBranch, buildUrl, ...flags } = given.flags;
  // A variable that is not set gives an empty one.
  if (publish === true && !providerVersion) throw invalidOption('--publish needs --provider-version');
  if (publish !== true) rejectFlags(given.flags, ['providerVersion', 'buildUrl'], 'needs --publish');
  const token =
    flags.brokerUser === undefined
      ? flagOrVariable(flags.brokerToken, '--broker-token', 'PACT_BROKER_TOKEN', io)
      : undefined;
  const username = flags.brokerUser ?? (token === undefined ? env.PACT_BROKER_USERNAME : undefined);
  return definedOnly({
    url,
    token,
    username,
    password: username && (flags.brokerPassword ?? env.PACT_BROKER_PASSWORD),
    selectors: flags.selectors === undefined ? undefined : selectorsFrom(flags.selectors),
    pending: flags.pending,
    wipSince: flags.wipSince,
    branch: providerBranch,
    publish:
      publish === true && providerVersion !== undefined
        ? definedOnly({ version: providerVersion, buildUrl })
        : undefined,
  });
}

function selectorsFrom(text: string): readonly object[] {
  try {
    const list: unknown = JSON.parse(text);
    if (Array.isArray(list)) return list;
  } catch {
    // The error below covers this.
  }
  throw invalidOption(`--selectors must be a JSON array such as [{ "mainBranch": true }]; got ${text}`);
}
