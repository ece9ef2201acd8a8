import type { Command } from 'commander';
import type { CheckOptions } from '../conformance/options.js';
import type { Plan } from '../conformance/prepare.js';
import { type CheckFlags, optionsFrom, withCheckOptions } from './check-options.js';
import { tokenFrom } from './flags.js';
import type { CommandIo } from './io.js';
import { type Progress, startProgress } from './progress.js';
import { prepareReports } from './reports.js';

/** `plant-store check <base-url>`: judges a provider. */
export function addCheckCommand(program: Command, io: CommandIo, conclude: (status: number) => void): void {
  withCheckOptions(program.command('check'))
    .argument('<base-url>', 'the base URL of the provider; /plants is appended')
    .summary('check a provider against the rules of the interface')
    .description(
      'Checks a provider of POST /plants against the rules of the interface. A check creates plants and cannot delete ' +
        'them: it prints first how many, and the JSON report lists their ids.',
    )
    .addHelpText('after', EXAMPLES)
    .action(async (baseUrl: string, flags: CheckFlags) => {
      conclude(await check(baseUrl, () => tokenFrom(flags, io), flags, io));
    });
}

const EXAMPLES = `
Examples:
  plant-store check http://localhost:3000 --token secret
  plant-store check https://plants.example --only auth,failure --reporter junit=report.xml
  plant-store check http://localhost:3000 --level documented --expect-failures known.json
  plant-store check http://localhost:3000 --dry-run

Exit status: 0: the provider conforms. 1: it breaks a rule, or an expected failure now passes. 2: usage
error, or the provider could not be tested completely.`;

/** Checks a provider, and writes every report that was asked for. */
export async function check(
  baseUrl: string,
  token: () => string,
  flags: CheckFlags,
  io: CommandIo,
): Promise<number> {
  const given = { ...(await optionsFrom(flags, io)), baseUrl };
  if (flags.dryRun === true) return printRequests(given, io);
  const { profile } = flags;
  const reports = await prepareReports(flags, io, profile === undefined ? [] : [profile]);
  const [{ runCheck }, { prepareCheck }, { tokenOf }] = await Promise.all([
    import('../conformance/check.js'),
    import('../conformance/prepare.js'),
    import('../http/token.js'),
  ]);
  const stop = new AbortController();
  let progress: Progress | undefined;
  const prepared = prepareCheck({
    ...given,
    signal: stop.signal,
    onExchange: ({ index }, planned) => progress?.advance(index + 1, planned),
  });
  const ownToken = await tokenOf(token());
  announce(prepared.settings.url, prepared.plan, io);
  void io.untilStopped().then(() => stop.abort());
  progress = await startProgress(io, prepared.plan.requests);
  const report = await runCheck(prepared, ownToken).finally(() => progress?.end());
  const text = `${JSON.stringify(report.profile, null, 2)}\n`;
  return reports.write(report, profile === undefined ? [] : [{ file: profile, text }]);
}

/** Prints what a check would send, as commands for a shell. */
async function printRequests(options: Omit<CheckOptions, 'token'>, io: CommandIo): Promise<number> {
  const { dryRun } = await import('../conformance/prepare.js');
  for (const { title, expectation, curl } of dryRun(options))
    io.stdout.write(`# ${title} (${expectation})\n${curl.join('\n')}\n\n`);
  return 0;
}

/** Says what a check will do. It goes to standard error: standard output holds the report alone. */
export function announce(url: URL, { requests, plants, more }: Plan, io: CommandIo): void {
  io.stderr.write(
    `checking ${url.href} with ${requests} requests; they create ${plants} to ${plants + more} plants, and more if bad requests are accepted\n`,
  );
}
