import type { Command } from 'commander';
import type { FailOn, ProxyOptions } from '../proxy/options.js';
import type { RunningProxy } from '../proxy/proxy.js';
import type { SeenSecrets } from '../proxy/seen-secrets.js';
import type { ControlOptions, RunningControl } from '../server/control/start-control.js';
import { invalidOption } from '../toolkit-error.js';
import { Option } from './commander.js';
import { type ControlFlags, controlOptionsFrom, withControlFlags } from './control-flags.js';
import { CERT, caFrom, clientCertificateFrom, KEY, wholeNumber } from './flags.js';
import { rejectIdle } from './idle-flags.js';
import { type CommandIo, wantsColor } from './io.js';
import { type ProxyFlag, proxyFrom, withProxyFlag } from './proxy-flag.js';
import { prepareReports, type ReportFlags, withReportFlags } from './reports.js';

/** The flags of `proxy`. */
interface ProxyFlags extends ReportFlags, ControlFlags, ProxyFlag {
  readonly upstream?: string;
  readonly host: string;
  readonly port: number;
  readonly failOn: FailOn;
  readonly timeout?: number;
  readonly ca?: string;
  readonly insecure?: boolean;
  readonly cert?: string;
  readonly key?: string;
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
    .option('--upstream <url>', 'the base URL of the provider; the path of each request is appended')
    .option('--host <name>', 'address to listen on', '127.0.0.1')
    .option('--port <number>', 'port to listen on; 0 is a free port', wholeNumber, 0)
    .addOption(
      new Option('--fail-on <side>', 'which violations count: those in responses, in requests, or both')
        .choices(['response', 'request', 'both'])
        .default('response'),
    )
    .option('--timeout <ms>', 'time limit for an exchange (default: none)', wholeNumber)
    .option('--ca <file>', 'trust these certificates (PEM) instead of the default ones')
    .option('--insecure', 'accept any certificate')
    .option('--cert <file>', CERT)
    .option('--key <file>', KEY);
  withControlFlags(withProxyFlag(command));
  withReportFlags(command, { hasExchanges: false })
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
  const { upstream, host, port, failOn, timeout, insecure, quiet = false } = flags;
  if (upstream === undefined) throw invalidOption('--upstream is missing: pass the base URL of the provider');
  const reports = await prepareReports(flags, io, { hasExchanges: false });
  const ca = await caFrom(flags, io);
  if (flags.ui !== true) rejectIdle(flags, ['controlPort', 'controlHost', 'controlToken'], 'needs --ui');
  const control = controlOptionsFrom(flags, io);
  const { exchangeLines, failedLine } = await import('../proxy/traffic-lines.js');
  const { SeenSecrets } = await import('../proxy/seen-secrets.js');
  const secrets = new SeenSecrets(control?.token === undefined ? [] : [control.token]);
  const stopped = io.untilStopped();
  const color = wantsColor(io.stderr, io.env);
  const options: ProxyOptions = {
    upstream,
    host,
    port,
    failOn,
    ...(timeout !== undefined && { timeoutMs: timeout }),
    ...(ca !== undefined && { ca }),
    ...(insecure !== undefined && { insecure }),
    ...(await clientCertificateFrom(flags, io)),
    ...proxyFrom(flags, upstream, io),
    ...(!quiet && {
      onJudged: (judged) => void io.stderr.write(exchangeLines(judged, secrets, color)),
      onFailed: (failed) => void io.stderr.write(failedLine(failed, secrets, color)),
    }),
  };
  const { proxy: running, page } = await start(options, control, secrets);
  io.stderr.write(`forwarding ${running.url} to ${upstream}\n`);
  if (page !== undefined) io.stderr.write(`page on ${page.url}/\n`);
  await stopped;
  void page?.close();
  return await reports.write(await running.close(STOP_MS));
}

/** Starts the proxy, and the page beside it if there is a control interface. */
async function start(
  options: ProxyOptions,
  control: ControlOptions | undefined,
  secrets: SeenSecrets,
): Promise<{ readonly proxy: RunningProxy; readonly page?: RunningControl }> {
  if (control === undefined) {
    const { startWatchedProxy } = await import('../proxy/proxy.js');
    return await startWatchedProxy(options, secrets, {});
  }
  const { startControl } = await import('../server/control/start-control.js');
  const { PAGE_PATHS } = await import('../server/page/page-files.js');
  const { watchProxy } = await import('../server/page/watch-proxy.js');
  const { proxy, routes } = await watchProxy(options, secrets);
  try {
    return { proxy, page: await startControl(routes, { ...control, openPaths: PAGE_PATHS }) };
  } catch (cause) {
    await proxy.close();
    throw cause;
  }
}
