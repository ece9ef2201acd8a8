import type { ProxyOptions } from '../proxy/options.js';
import type { RunningProxy } from '../proxy/proxy.js';
import type { SeenSecrets } from '../proxy/seen-secrets.js';
import type { ControlOptions, RunningControl } from '../server/control/start-control.js';
import { invalidOption } from '../toolkit-error.js';
import { choice, defineCommand, flag, namesOf, rejectUnused, wholeNumber } from './command.js';
import { controlFlags, controlOptionsFrom } from './control-flags.js';
import { wantsColor } from './io.js';
import { prepareReports, reportFlagsWithoutExchanges } from './reports.js';
import { routeFlags, routeFrom } from './route-flags.js';

/** A command that is stopped ends within 2 s, and the report takes a moment. */
const STOP_MS = 1_200;

/** `plant-store proxy --upstream <url>`: judges the traffic of a provider. */
export const proxy = defineCommand({
  description:
    'Forwards all traffic to a provider unchanged, and judges each POST …/plants. Prints each violation and each ' +
    'missing response immediately, except with --quiet. Writes its report when you stop it with Ctrl+C or SIGTERM.',
  flags: [
    flag('--upstream <url>', 'the base URL of the provider; the path of each request is appended'),
    flag('--host <name>', 'address to listen on (default: 127.0.0.1)'),
    flag('--port <number>', 'port to listen on; 0 is a free port (default: 0)', wholeNumber),
    choice(
      '--fail-on <side>',
      'which violations count: those in responses, in requests, or both (default: response)',
      ['response', 'request', 'both'],
    ),
    flag('--timeout <ms>', 'time limit for a request and its response (default: none)', wholeNumber),
    ...routeFlags,
    ...controlFlags,
    ...reportFlagsWithoutExchanges,
  ],
  examples: `Examples:
  plant-store proxy --upstream http://localhost:3000 --port 4011
  plant-store proxy --upstream http://localhost:3000 --fail-on both --reporter text --reporter json=traffic.json

Exit status: 0: the traffic conforms. 1: it does not. 2: usage error, nothing that counts was
judged, or not all of it could be judged in time.`,
  async run(given, io) {
    const { upstream, host = '127.0.0.1', port = 0, failOn = 'response', quiet = false, ui } = given.flags;
    if (upstream === undefined)
      throw invalidOption('--upstream is missing: pass the base URL of the provider');
    const reports = await prepareReports(given, io, { hasExchanges: false });
    const route = await routeFrom(given, upstream, io);
    const ofControl = namesOf(controlFlags).filter((name) => name !== 'ui');
    const { flags } = rejectUnused(ui !== true, given, ofControl, 'needs --ui');
    const control = controlOptionsFrom(flags, io);
    const { exchangeLines, failedLine } = await import('./request-log.js');
    const { SeenSecrets } = await import('../proxy/seen-secrets.js');
    const secrets = new SeenSecrets(control?.token === undefined ? [] : [control.token]);
    const stopped = io.untilStopped();
    const color = wantsColor(io.stderr, io.env);
    const options: ProxyOptions = {
      upstream,
      host,
      port,
      failOn,
      ...route,
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
  },
});

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
