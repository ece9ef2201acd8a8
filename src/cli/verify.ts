import type { Command } from 'commander';
import type { Fields } from '../conformance/exchange.js';
import type { BrokerOptions, ConsumerVersionSelector } from '../pact/verification/broker.js';
import type { VerifyOptions } from '../pact/verification/options.js';
import type { Verification } from '../pact/verification/verification.js';
import { ToolkitError } from '../toolkit-error.js';
import { contentOf, header, reporter, tokenFrom, wholeNumber } from './flags.js';
import type { CommandIo } from './io.js';
import {
  checkFiles,
  chosenReporters,
  type ReporterFlag,
  type ReportLoaders,
  tellOutcome,
  writeReports,
} from './reports.js';

const REPORTERS: ReportLoaders<Verification> = {
  text: async () => (await import('../pact/reporting/verification-text.js')).verificationText,
  json: async () => (await import('../pact/reporting/verification-json.js')).verificationJson,
  junit: async () => (await import('../pact/reporting/verification-junit.js')).verificationJunit,
};

interface VerifyFlags {
  readonly token?: string;
  readonly pacts?: readonly string[];
  readonly provider?: string;
  readonly stateUrl?: string;
  readonly validation: boolean;
  readonly reporter?: readonly ReporterFlag[];
  readonly quiet?: boolean;
  readonly pactOutput?: boolean;
  readonly timeout?: number;
  readonly header?: Fields;
  readonly ca?: string;
  readonly insecure?: boolean;
  readonly broker?: string;
  readonly brokerToken?: string;
  readonly brokerUser?: string;
  readonly brokerPassword?: string;
  readonly selectors?: string;
  readonly pending?: boolean;
  readonly wipSince?: string;
  readonly publish?: boolean;
  readonly providerVersion?: string;
  readonly providerBranch?: string;
  readonly buildUrl?: string;
}

/** `plant-store verify <base-url>`: verifies a provider against pacts. */
export function addVerifyCommand(program: Command, io: CommandIo, conclude: (status: number) => void): void {
  program
    .command('verify')
    .argument('<base-url>', 'where the provider is; the paths of pacts are appended')
    .summary('verify a provider against pacts')
    .description(
      'Verifies a provider against pacts, by Pact itself: install @pact-foundation/pact beside this. Needs no help ' +
        'from the provider: where a pact wants no plant with an id, a fresh id is sent; where it wants one, it is ' +
        'created beforehand. Each answer is held against the interface as well.',
    )
    .option('--token <token>', 'a token that the provider accepts (default: PLANT_STORE_TOKEN)')
    .option(
      '--pacts <sources...>',
      'files, folders or URLs of pacts (default: the pact of the reference client, which this package brings)',
    )
    .option('--provider <name>', 'what the pacts call the provider (default: plant-store)')
    .option(
      '--state-url <url>',
      'let the provider bring its states about: it is called as Pact calls such URLs',
    )
    .option('--no-validation', 'do not hold answers against the interface')
    .option(
      '--reporter <name[=file]>',
      'text, json or junit; to a file where one is named; can be repeated (default: text)',
      reporter,
    )
    .option('--quiet', 'leave out of the text what is as it should be (default where CI is set)')
    .option('--pact-output', 'print what Pact prints, to standard error')
    .option('--timeout <ms>', 'how long a request may take (default: 5000)', wholeNumber)
    .option('--header <field>', 'send "Name: value" with every request; can be repeated', header)
    .option('--ca <file>', 'trust these certificates (PEM) instead of the usual ones')
    .option('--insecure', 'take any certificate')
    .showHelpAfterError('(the base URL stands before --pacts; --help shows what there is)')
    .optionsGroup('Pact broker:')
    .option('--broker <url>', 'get the pacts from a Pact broker')
    .option('--broker-token <token>', 'a token for the broker (default: PACT_BROKER_TOKEN)')
    .option('--broker-user <name>', 'or else a user (default: PACT_BROKER_USERNAME)')
    .option('--broker-password <password>', 'and a password (default: PACT_BROKER_PASSWORD)')
    .option('--selectors <json>', 'consumer version selectors: [{ "mainBranch": true }]')
    .option('--pending', 'pacts that were never verified may fail')
    .option('--wip-since <day>', 'verify pacts in work since this day as well: 2026-01-31')
    .option('--publish', 'publish the results; needs --provider-version')
    .option('--provider-version <version>', 'the version of the provider that is verified')
    .option('--provider-branch <branch>', 'its branch')
    .option('--build-url <url>', 'where the build can be seen')
    .addHelpText('after', EXAMPLES)
    .action(async (baseUrl: string, flags: VerifyFlags) => conclude(await verify(baseUrl, flags, io)));
}

const EXAMPLES = `
Examples:
  plant-store verify http://localhost:3000 --token secret
  plant-store verify http://localhost:3000 --pacts pacts/ --reporter junit=pacts.xml
  plant-store verify http://localhost:3000 --pacts consumer.json --state-url http://localhost:3000/_states
  plant-store verify http://localhost:3000 --broker https://broker.example --publish --provider-version 1.2.3

Exit status: 0 the provider keeps every pact; 1 it fails an interaction; 2 misuse, or it could not be
tested, or not wholly.`;

async function verify(baseUrl: string, flags: VerifyFlags, io: CommandIo): Promise<number> {
  const chosen = await chosenReporters(flags.reporter, REPORTERS);
  const broker = brokerFrom(flags, io);
  const options: VerifyOptions = {
    baseUrl,
    token: tokenFrom(flags, io),
    validate: flags.validation,
    ...(flags.pacts !== undefined && { pacts: flags.pacts }),
    ...(broker !== undefined && { broker }),
    ...(flags.provider !== undefined && { provider: flags.provider }),
    ...(flags.stateUrl !== undefined && { stateUrl: flags.stateUrl }),
    ...(flags.timeout !== undefined && { timeoutMs: flags.timeout }),
    ...(flags.header !== undefined && { headers: flags.header }),
    ...(flags.ca !== undefined && { ca: await contentOf(flags.ca, 'the CA', io) }),
    ...(flags.insecure !== undefined && { insecure: flags.insecure }),
    ...(flags.pactOutput === true && { onPactOutput: (text) => void io.stderr.write(text) }),
  };
  const [{ verifyProvider }, { verificationExitCode }] = await Promise.all([
    import('../pact/verification/verify.js'),
    import('../pact/verification/verification.js'),
  ]);
  await checkFiles(chosen, io);
  const stop = new AbortController();
  void io.untilStopped().then(() => stop.abort());
  const verification = await verifyProvider({ ...options, signal: stop.signal });
  await writeReports(verification, chosen, flags.quiet, io);
  tellOutcome(chosen, verification.summary, io);
  return verificationExitCode(verification.conclusion);
}

/** What the flags, and Pact's own variables of the environment, say of a broker. */
function brokerFrom(flags: VerifyFlags, { env }: CommandIo): BrokerOptions | undefined {
  const url = flags.broker;
  if (url === undefined) {
    if (flags.publish === true) throw misuse('--publish needs a broker to publish to: --broker');
    return undefined;
  }
  const { pending, wipSince, providerBranch: branch, providerVersion: version, buildUrl } = flags;
  if (flags.publish === true && version === undefined) throw misuse('--publish needs --provider-version');
  const token = flags.brokerToken ?? (flags.brokerUser === undefined ? env.PACT_BROKER_TOKEN : undefined);
  const username = flags.brokerUser ?? (token === undefined ? env.PACT_BROKER_USERNAME : undefined);
  const password = flags.brokerPassword ?? env.PACT_BROKER_PASSWORD;
  return {
    url,
    ...(token !== undefined && { token }),
    ...(username !== undefined && { username, ...(password !== undefined && { password }) }),
    ...(flags.selectors !== undefined && { selectors: selectorsFrom(flags.selectors) }),
    ...(pending !== undefined && { pending }),
    ...(wipSince !== undefined && { wipSince }),
    ...(branch !== undefined && { branch }),
    ...(flags.publish === true &&
      version !== undefined && {
        publish: {
          version,
          ...(branch !== undefined && { branch }),
          ...(buildUrl !== undefined && { buildUrl }),
        },
      }),
  };
}

function selectorsFrom(text: string): readonly ConsumerVersionSelector[] {
  try {
    const list: unknown = JSON.parse(text);
    if (Array.isArray(list)) return list;
  } catch {
    // It is told below.
  }
  throw misuse(`--selectors must be a JSON list such as [{ "mainBranch": true }]; got ${text}`);
}

function misuse(message: string): ToolkitError {
  return new ToolkitError('invalid-option', message);
}
