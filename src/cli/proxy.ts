import type { Command } from 'commander';
import type { FailOn } from '../proxy/options.js';
import type { ProxyReport } from '../proxy/report.js';
import { Option } from './commander.js';
import { contentOf, reporter, wholeNumber } from './flags.js';
import { type CommandIo, wantsColor } from './io.js';
import {
  checkFiles,
  chosenReporters,
  type ReporterFlag,
  type ReportLoaders,
  tellOutcome,
  writeReports,
} from './reports.js';

const REPORTERS: ReportLoaders<ProxyReport> = {
  text: async () => (await import('../proxy/report-text.js')).proxyText,
  json: async () => (report) => `${JSON.stringify(report, null, 2)}\n`,
  junit: async () => (await import('../proxy/report-junit.js')).proxyJunit,
};

interface ProxyFlags {
  readonly upstream: string;
  readonly host: string;
  readonly port: number;
  readonly failOn: FailOn;
  readonly report?: readonly ReporterFlag[];
  readonly quiet?: boolean;
  readonly prism: boolean;
  readonly timeout?: number;
  readonly ca?: string;
  readonly insecure?: boolean;
}

/** `plant-store proxy --upstream <url>`: judges the traffic of a provider. */
export function addProxyCommand(program: Command, io: CommandIo, conclude: (status: number) => void): void {
  program
    .command('proxy')
    .summary('stand in front of a provider and judge its traffic')
    .description(
      'Forwards everything to a provider, unchanged and as it comes, and judges each POST …/plants on the side. ' +
        'Violations, and why there is no answer, are printed as they come, and summed up when the proxy is stopped (Ctrl-C, SIGTERM).',
    )
    .requiredOption('--upstream <url>', 'where the provider is; the targets of requests are appended')
    .option('--host <name>', 'address to listen on', '127.0.0.1')
    .option('--port <number>', 'port to listen on; 0 is a free one', wholeNumber, 0)
    .addOption(
      new Option('--fail-on <side>', 'whose violations count')
        .choices(['response', 'request', 'both'])
        .default('response'),
    )
    .option(
      '--report <name[=file]>',
      'text, json or junit when it is stopped; to a file where one is named; can be repeated (default: text)',
      reporter,
    )
    .option('--quiet', 'print nothing as it passes, and leave Prism out of the text in the end')
    .option('--no-prism', 'do not ask Prism for its opinion')
    .option(
      '--timeout <ms>',
      'give up an exchange after so long (default: never, as without the proxy)',
      wholeNumber,
    )
    .option('--ca <file>', 'trust these certificates (PEM) instead of the usual ones')
    .option('--insecure', 'take any certificate')
    .addHelpText('after', EXAMPLES)
    .action(async (flags: ProxyFlags) => conclude(await proxy(flags, io)));
}

const EXAMPLES = `
Examples:
  plant-store proxy --upstream http://localhost:3000 --port 4011
  plant-store proxy --upstream http://localhost:3000 --fail-on both --report text --report json=traffic.json

Exit status: 0 the traffic keeps to the interface; 1 it does not; 2 misuse, or nothing was judged.`;

async function proxy(flags: ProxyFlags, io: CommandIo): Promise<number> {
  const chosen = await chosenReporters(flags.report, REPORTERS);
  await checkFiles(chosen, io);
  const ca = flags.ca === undefined ? undefined : await contentOf(flags.ca, 'the CA', io);
  const [{ startProxy }, { exchangeLines, summaryOf, unansweredLine }] = await Promise.all([
    import('../proxy/proxy.js'),
    import('../proxy/report-text.js'),
  ]);
  const stopped = io.untilStopped();
  const { upstream, host, port, failOn, prism, timeout, insecure, quiet = false } = flags;
  const color = wantsColor(io.stderr, io.env);
  const running = await startProxy({
    ...{ upstream, host, port, failOn, prism },
    ...(timeout !== undefined && { timeoutMs: timeout }),
    ...(ca !== undefined && { ca }),
    ...(insecure !== undefined && { insecure }),
    ...(!quiet && {
      onJudged: (judged) => void io.stderr.write(exchangeLines(judged, color)),
      onUnanswered: (unanswered) => void io.stderr.write(unansweredLine(unanswered, color)),
    }),
  });
  io.stderr.write(`forwarding ${running.url} to ${upstream}\n`);
  await stopped;
  const report = await running.close();
  await writeReports(report, chosen, quiet, io);
  tellOutcome(chosen, summaryOf(report), io);
  return { conforms: 0, violations: 1, 'nothing-judged': 2 }[report.conclusion];
}
