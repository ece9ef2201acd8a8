import type { Command } from 'commander';
import { definedOnly } from '../defined-only.js';
import type { Fields } from '../http/fields.js';
import type { VerifyOptions } from '../pact/verification/options.js';
import { withoutStyle } from '../report/color.js';
import { logText } from '../report/escape.js';
import { type BrokerFlags, brokerFrom, withBrokerFlags } from './broker-options.js';
import { CERT, caFrom, clientCertificateFrom, header, KEY, neededBaseUrl, wholeNumber } from './flags.js';
import type { CommandIo } from './io.js';
import { type ProxyFlag, proxyFrom, withProxyFlag } from './proxy-flag.js';
import { prepareReports, type ReportFlags, withReportFlags } from './reports.js';
import { type StartFlags, withProvider, withStartOptions } from './start/with-provider.js';
import { type TokenFlags, tokenFrom, withTokenFlags } from './token.js';

interface VerifyFlags extends ReportFlags, BrokerFlags, StartFlags, TokenFlags, ProxyFlag {
  readonly provider?: string;
  readonly stateUrl?: string;
  readonly validation: boolean;
  readonly pactOutput?: boolean;
  readonly timeout?: number;
  readonly header?: Fields;
  readonly ca?: string;
  readonly insecure?: boolean;
  readonly cert?: string;
  readonly key?: string;
}

/** `plant-store verify <base-url>`: verifies a provider against pacts. */
export function addVerifyCommand(program: Command, io: CommandIo, conclude: (status: number) => void): void {
  const command = withReportFlags(
    withTokenFlags(program.command('verify'))
      .argument('[base-url]', 'the base URL of the provider; the paths of the pacts are appended')
      .summary('verify a provider against pacts')
      .description(
        "Verifies a provider against pacts with Pact's own verifier (install @pact-foundation/pact). Also compares each " +
          'response with the interface. The provider needs no test hooks: if a pact needs an unused id, a random id is ' +
          'sent; if it needs an existing plant, the plant is created first.',
      )
      .option(
        '--pacts <sources...>',
        'files, folders, patterns such as "pacts/**/*.json", or URLs of pacts (default: the pact of the reference client in this package)',
      )
      .option('--provider <name>', 'verify only the pacts with this provider (default: plant-store)')
      .option(
        '--state-url <url>',
        'a URL of the provider that sets up provider states, in the format of Pact',
      )
      .option('--no-validation', 'do not compare responses with the interface and with their requests')
      .option('--pact-output', "write Pact's own output to standard error")
      .option('--timeout <ms>', 'time limit for a request (default: 5000)', wholeNumber)
      .option('--header <field>', 'send "Name: value" with every request; can be repeated', header)
      .option('--ca <file>', 'trust these certificates (PEM) instead of the default ones')
      .option('--insecure', 'accept any certificate')
      .option('--cert <file>', CERT)
      .option('--key <file>', KEY),
  ).showHelpAfterError('(write the base URL before --pacts; --help lists the flags)');
  withBrokerFlags(withStartOptions(withProxyFlag(command)))
    .addHelpText('after', EXAMPLES)
    .action(async (baseUrl: string | undefined, flags: VerifyFlags) =>
      conclude(await verify(neededBaseUrl(baseUrl), flags, io)),
    );
}

const EXAMPLES = `
Examples:
  plant-store verify http://localhost:3000 --token secret
  plant-store verify http://localhost:3000 --start "npm start" --pacts pacts/
  plant-store verify http://localhost:3000 --pacts pacts/ --reporter junit=pacts.xml
  plant-store verify http://localhost:3000 --pacts consumer.json --state-url http://localhost:3000/_states
  plant-store verify http://localhost:3000 --broker https://broker.example --publish --provider-version 1.2.3
  plant-store verify http://localhost:3000 --pacts "$PACT_URL" --publish --provider-version 1.2.3

Exit status: 0: the provider satisfies every pact, except for what is pending. 1: it fails an interaction. 2: usage
error, or the provider could not be tested completely, or a verdict could not be published.`;

async function verify(baseUrl: string, flags: VerifyFlags, io: CommandIo): Promise<number> {
  const broker = await brokerFrom(flags, io);
  const token = tokenFrom(flags, io);
  const { pacts, provider, stateUrl, timeout, header: headers, insecure } = flags;
  const options: VerifyOptions = definedOnly({
    baseUrl,
    token: token.option,
    validate: flags.validation,
    pacts,
    broker,
    provider,
    stateUrl,
    timeoutMs: timeout,
    headers,
    ca: await caFrom(flags, io),
    insecure,
    ...(await clientCertificateFrom(flags, io)),
    ...proxyFrom(flags, baseUrl, io),
    onPactOutput: flags.pactOutput
      ? (text: string) => void io.stderr.write(logText(withoutStyle(text)))
      : undefined,
  });
  const { verifyProvider } = await import('../pact/verification/verify.js');
  const reports = await prepareReports(flags, io);
  const stop = new AbortController();
  void io.untilStopped().then(() => stop.abort());
  return await withProvider(flags, { ...options, baseUrl, tokens: token.soFar }, io, async () =>
    reports.write(await verifyProvider({ ...options, signal: stop.signal })),
  );
}
