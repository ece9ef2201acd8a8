import type { Command } from 'commander';
import { definedOnly } from '../defined-only.js';
import { isHttpUrl } from '../http/address.js';
import type { BrokerOptions, ConsumerVersionSelector } from '../pact/broker/options.js';
import { invalidOption } from '../toolkit-error.js';
import { contentOf, wholeNumber } from './flags.js';
import { rejectIdle } from './idle-flags.js';
import type { CommandIo } from './io.js';

/** The flags for a Pact broker. */
export interface BrokerFlags {
  readonly pacts?: readonly string[];
  readonly broker?: string;
  readonly brokerToken?: string;
  readonly brokerUser?: string;
  readonly brokerPassword?: string;
  readonly brokerTimeout?: number;
  readonly brokerCa?: string;
  readonly brokerInsecure?: boolean;
  readonly selectors?: string;
  readonly pending?: boolean;
  readonly wipSince?: string;
  readonly publish?: boolean;
  readonly providerVersion?: string;
  readonly providerBranch?: string;
  readonly buildUrl?: string;
}

/** Adds the flags for a broker to a command. */
export function withBrokerFlags(command: Command): Command {
  return command
    .optionsGroup('Pact broker:')
    .option(
      '--broker <url>',
      'get the pacts from a Pact broker (default: PACT_BROKER_BASE_URL without --pacts)',
    )
    .option(
      '--broker-token <token>',
      'a token for the broker, or for the URLs in --pacts (default: PACT_BROKER_TOKEN)',
    )
    .option('--broker-user <name>', 'a user, instead of a token (default: PACT_BROKER_USERNAME)')
    .option('--broker-password <password>', 'the password of that user (default: PACT_BROKER_PASSWORD)')
    .option('--broker-timeout <ms>', 'time limit for a request to the broker (default: 30000)', wholeNumber)
    .option('--broker-ca <file>', 'trust these certificates (PEM) for the broker instead of the default ones')
    .option('--broker-insecure', 'accept any certificate of the broker')
    .option('--selectors <json>', 'which pacts: consumer version selectors, as in [{ "mainBranch": true }]')
    .option('--pending', 'do not count failures of pacts that this provider has never satisfied')
    .option(
      '--wip-since <day>',
      'also verify work-in-progress pacts since this day, as in 2026-01-31; needs --provider-branch',
    )
    .option('--publish', 'publish the verdict on each pact; needs --provider-version')
    .option('--provider-version <version>', 'the version of the provider')
    .option('--provider-branch <branch>', 'the branch of the provider')
    .option('--build-url <url>', 'the URL of the build');
}

const NEED_A_BROKER = [
  'brokerToken',
  'brokerUser',
  'brokerPassword',
  'brokerTimeout',
  'brokerCa',
  'brokerInsecure',
  'selectors',
  'pending',
  'wipSince',
  'publish',
  'providerVersion',
  'providerBranch',
  'buildUrl',
] as const satisfies readonly (keyof BrokerFlags)[];

/**
 * The broker that the flags and Pact's own environment variables name; `undefined` if there is none.
 *
 * @throws ToolkitError `invalid-option` if a flag needs another one
 */
export async function brokerFrom(flags: BrokerFlags, io: CommandIo): Promise<BrokerOptions | undefined> {
  const { publish, pending, wipSince, providerBranch: branch, buildUrl } = flags;
  const url = chosenBroker(flags, io);
  const hasUrls = flags.pacts?.some(isHttpUrl) === true;
  if (url === undefined && !hasUrls) {
    rejectIdle(flags, NEED_A_BROKER, 'needs a broker: --broker, or the URL of a pact in --pacts');
    return undefined;
  }
  if (publish !== true) rejectIdle(flags, ['providerVersion', 'buildUrl'], 'needs --publish');
  if (flags.brokerToken !== undefined)
    rejectIdle(flags, ['brokerUser', 'brokerPassword'], 'cannot be used with --broker-token');
  if (flags.brokerInsecure === true) rejectIdle(flags, ['brokerCa'], 'cannot be used with --broker-insecure');
  const version = flags.providerVersion;
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
