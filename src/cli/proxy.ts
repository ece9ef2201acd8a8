import type { ProxyOptions } from '../proxy/options.js';
import { invalidOption } from '../toolkit-error.js';
import { choice, defineCommand, flag, wholeNumber } from './command.js';
import { wantsColor } from './io.js';
import { prepareReports, reportFlags, strictFlag } from './reports.js';
import { routeFlags, routeFrom } from './route-flags.js';

/** `plant-store-contract proxy --upstream <url>`: judges the traffic of a provider. */
export const command = defineCommand({
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
    strictFlag,
    ...routeFlags,
    ...reportFlags,
  ],
  examples: 'Example: plant-store-contract proxy --upstream http://localhost:3000 --port 4011 --fail-on both',
  async run(given, io) {
    const {
      upstream,
      host = '127.0.0.1',
      port = 0,
      failOn = 'response',
      strict,
      quiet = false,
    } = given.flags;
    if (upstream === undefined)
      throw invalidOption('--upstream is missing: pass the base URL of the provider');
    const reports = await prepareReports(given, io);
    const route = await routeFrom(given, io);
    const { exchangeLines, failedLine } = await import('./request-log.js');
    const { Redactor } = await import('../report/redaction.js');
    const secrets = new Redactor();
    const stopped = io.untilStopped();
    const color = wantsColor(io.stderr, io.env);
    const options: ProxyOptions = {
      upstream,
      host,
      port,
      failOn,
      ...(strict !== undefined && { strict }),
      ...route,
      ...(!quiet && {
        onJudged: (judged) => void io.stderr.write(exchangeLines(judged, secrets, color)),
        onFailed: (failed) => void io.stderr.write(failedLine(failed, secrets, color)),
      }),
    };
    const { startProxyWith } = await import('../proxy/proxy.js');
    const running = await startProxyWith(options, secrets);
    io.stderr.write(`forwarding ${running.url} to ${upstream}\n`);
    await stopped;
    return await reports.write(await running.close());
  },
});
