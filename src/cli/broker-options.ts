import { definedOnly } from '../defined-only.js';
import { isHttpUrl } from '../http/address.js';
import type { BrokerOptions, ConsumerVersionSelector } from '../pact/broker/options.js';
import { invalidOption } from '../toolkit-error.js';
import {
  contentOf,
  type FlagsOf,
  flag,
  type Given,
  grouped,
  namesOf,
  rejectUnused,
  wholeNumber,
} from './command.js';
import type { CommandIo } from './io.js';

/** The flags for a Pact broker. */
export const brokerFlags = grouped('Pact broker', [
  flag('--broker <url>', 'get the pacts from a Pact broker (default: PACT_BROKER_BASE_URL without --pacts)'),
  flag(
    '--broker-token <token>',
    'a token for the broker, or for the URLs in --pacts (default: PACT_BROKER_TOKEN)',
  ),
  flag('--broker-user <name>', 'a user, instead of a token (default: PACT_BROKER_USERNAME)'),
  flag('--broker-password <password>', 'the password of that user (default: PACT_BROKER_PASSWORD)'),
  flag('--broker-timeout <ms>', 'time limit for a request to the broker (default: 30000)', wholeNumber),
  flag('--broker-ca <file>', 'trust these certificates (PEM) for the broker instead of the default ones'),
  flag('--broker-insecure', 'accept any certificate of the broker'),
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

type BrokerFlags = FlagsOf<typeof brokerFlags> & { readonly pacts?: readonly string[] };

/**
 * The broker that the flags and Pact's own environment variables name; `undefined` if there is none.
 *
 * @throws ToolkitError `invalid-option` if a flag needs another one
 */
export async function brokerFrom(
  given: Given<BrokerFlags>,
  io: CommandIo,
): Promise<BrokerOptions | undefined> {
  const url = chosenBroker(given.flags, io);
  const isNeeded = url !== undefined || given.flags.pacts?.some(isHttpUrl) === true;
  const needBroker = namesOf(brokerFlags).filter((name) => name !== 'broker');
  rejectUnused(!isNeeded, given, needBroker, 'needs a broker: --broker, or the URL of a pact in --pacts');
  if (!isNeeded) return undefined;
  const { flags } = withoutUnused(given);
  const { publish, pending, wipSince, providerVersion: version, providerBranch: branch, buildUrl } = flags;
  if (publish === true && version === undefined) throw invalidOption('--publish needs --provider-version');
  const { brokerTimeout: timeoutMs, brokerCa, brokerInsecure: insecure } = flags;
  return definedOnly({
    url,
    ...credentialsFrom(flags, io),
    selectors: flags.selectors === undefined ? undefined : selectorsFrom(flags.selectors),
    pending,
    wipSince,
    branch,
    timeoutMs,
    ca: brokerCa === undefined ? undefined : await contentOf(brokerCa, 'the CA of the broker', io),
    insecure,
    publish:
      publish === true && version !== undefined ? definedOnly({ version, branch, buildUrl }) : undefined,
  });
}

function withoutUnused(given: Given<BrokerFlags>): Given<BrokerFlags> {
  const { publish, brokerToken, brokerInsecure } = given.flags;
  const published = rejectUnused(publish !== true, given, ['providerVersion', 'buildUrl'], 'needs --publish');
  const secured = rejectUnused(
    brokerInsecure === true,
    published,
    ['brokerCa'],
    'cannot be used with --broker-insecure',
  );
  const users = ['brokerUser', 'brokerPassword'] as const;
  return rejectUnused(brokerToken !== undefined, secured, users, 'cannot be used with --broker-token');
}

/** The URL of the broker that chooses the pacts, as in the commands of Pact; `undefined` if none does. */
function chosenBroker({ broker, pacts }: BrokerFlags, { env }: CommandIo): string | undefined {
  return broker ?? (pacts === undefined ? env.PACT_BROKER_BASE_URL || undefined : undefined);
}

/** The variables are for the broker. A pact may be on any server, which must not get them. */
function credentialsFrom(
  flags: BrokerFlags,
  { env }: CommandIo,
): Pick<BrokerOptions, 'token' | 'username' | 'password'> {
  const trusted = isForBroker(flags, env.PACT_BROKER_BASE_URL) ? env : {};
  const token = flags.brokerToken ?? (flags.brokerUser === undefined ? trusted.PACT_BROKER_TOKEN : undefined);
  const username = flags.brokerUser ?? (token === undefined ? trusted.PACT_BROKER_USERNAME : undefined);
  const password = flags.brokerPassword ?? trusted.PACT_BROKER_PASSWORD;
  return definedOnly({ token, username, password: username === undefined ? undefined : password });
}

/** Whether the requests go to a broker for sure: it is named, gets results, or is the one in the environment. */
function isForBroker({ broker, publish, pacts = [] }: BrokerFlags, baseUrl = ''): boolean {
  if (broker !== undefined) return true;
  if (!isHttpUrl(baseUrl)) return publish === true;
  const { origin } = new URL(baseUrl);
  return pacts.filter(isHttpUrl).every((url) => new URL(url).origin === origin);
}

function selectorsFrom(text: string): readonly ConsumerVersionSelector[] {
  try {
    const list: unknown = JSON.parse(text);
    if (Array.isArray(list)) return list;
  } catch {
    // The error below covers this.
  }
  throw invalidOption(`--selectors must be a JSON array such as [{ "mainBranch": true }]; got ${text}`);
}
