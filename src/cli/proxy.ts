import type { Command } from 'commander';
import type { FailOn } from '../proxy/options.js';
import { Option } from './commander.js';
import { caFrom, wholeNumber } from './flags.js';
import { type CommandIo, wantsColor } from './io.js';
import { prepareReports, type ReportFlags, withReportFlags } from './reports.js';

/** The flags of `proxy`. */
interface ProxyFlags extends ReportFlags {
  readonly upstream: string;
  readonly host: string;
  readonly port: number;
  readonly failOn: FailOn;
  readonly prism: boolean;
  readonly timeout?: number;
  readonly ca?: string;
  readonly insecure?: boolean;
}

/** `plant-store proxy --upstream <url>`: judges the traffic of a provider. */
export function addProxyCommand(program: Command, io: CommandIo, conclude: (status: number) => void): void {
  const command = program
    .command('proxy')
    .summary('forward traffic to a provider, and judge it')
    .description(
      'Forwards all traffic to a provider unchanged, and judges each POST …/plants. Prints each violation and each ' +
        'missing response immediately, except with --quiet. Writes its report when you stop it with Ctrl+C or SIGTERM.',
    )
    .requiredOption('--upstream <url>', 'the base URL of the provider; the path of each request is appended')
    .option('--host <name>', 'address to listen on', '127.0.0.1')
    .option('--port <number>', 'port to listen on; 0 is a free port', wholeNumber, 0)
    .addOption(
      new Option('--fail-on <side>', 'which violations count: those in responses, in requests, or both')
        .choices(['response', 'request', 'both'])
        .default('response'),
    )
    .option('--no-prism', 'do not ask Prism for its opinion')
    .option('--timeout <ms>', 'time limit for an exchange (default: none)', wholeNumber)
    .option('--ca <file>', 'trust these certificates (PEM) instead of the default ones')
    .option('--insecure', 'accept any certificate');
  withReportFlags(command)
    .addHelpText('after', EXAMPLES)
    .action(async (flags: ProxyFlags) => conclude(await proxy(flags, io)));
}

const EXAMPLES = `
Examples:
  plant-store proxy --upstream http://localhost:3000 --port 4011
  plant-store proxy --upstream http://localhost:3000 --fail-on both --reporter text --reporter json=traffic.json

Exit status: 0: the traffic conforms. 1: it does not. 2: usage error, nothing that counts was
judged, or not all of it could be judged in time.`;

/** A command that is stopped ends within 2 s, and the report takes a moment. */
const STOP_MS = 1_200;

async function proxy(flags: ProxyFlags, io: CommandIo): Promise<number> {
  const reports = await prepareReports(flags, io);
  const ca = await caFrom(flags, io);
  const [{ startProxy }, { exchangeLines, failedLine }] = await Promise.all([
    import('../proxy/proxy.js'),
    import('../proxy/traffic-lines.js'),
  ]);
  const stopped = io.untilStopped();
  const { upstream, host, port, failOn, prism, timeout, insecure, quiet = false } = flags;
  const color = wantsColor(io.stderr, io.env);
  const running = await startProxy({
    upstream,
    host,
    port,
    failOn,
    prism,
    ...(timeout !== undefined && { timeoutMs: timeout }),
    ...(ca !== undefined && { ca }),
    ...(insecure !== undefined && { insecure }),
    ...(!quiet && {
      onJudged: (judged) => void io.stderr.write(exchangeLines(judged, color)),
      onFailed: (failed) => void io.stderr.write(failedLine(failed, color)),
    }),
  });
  io.stderr.write(`forwarding ${running.url} to ${upstream}\n`);
  await stopped;
  return await reports.write(await running.close(STOP_MS));
}
