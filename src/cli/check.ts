import type { Command } from 'commander';
import type { CheckOptions } from '../conformance/options.js';
import type { Plan } from '../conformance/plan.js';
import { ToolkitError } from '../toolkit-error.js';
import { type CheckFlags, optionsFrom, withCheckOptions } from './check-options.js';
import type { CommandIo } from './io.js';
import { startProgress } from './progress.js';
import { chosenReporters, writeReports } from './reports.js';

/** `plant-store check <base-url>`: judges a provider. */
export function addCheckCommand(program: Command, io: CommandIo, conclude: (status: number) => void): void {
  withCheckOptions(program.command('check'))
    .argument('<base-url>', 'where the provider is; /plants is appended')
    .summary('check a provider against the rules of the interface')
    .description(
      'Checks a provider of POST /plants against the rules of the interface. It says how many plants it creates; ' +
        'it cannot delete them, and the JSON report lists their ids.',
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

Exit status: 0 conforms; 1 the provider breaks a rule, or keeps one that is listed as a known
failure; 2 misuse, or it could not be tested, or not wholly.`;

/** @throws ToolkitError where neither a flag nor the environment gives a token */
export function tokenFrom(flags: CheckFlags, io: CommandIo): string {
  const token = flags.token ?? io.env.PLANT_STORE_TOKEN;
  if (token !== undefined && token !== '') return token;
  throw new ToolkitError(
    'invalid-option',
    'a token is needed that the provider accepts: --token or PLANT_STORE_TOKEN',
  );
}

/** Checks, and writes every report that was asked for. */
export async function check(
  baseUrl: string,
  token: () => string,
  flags: CheckFlags,
  io: CommandIo,
): Promise<number> {
  const given = { ...(await optionsFrom(flags, io)), baseUrl };
  if (flags.dryRun === true) return printRequests(given, io);
  const chosen = await chosenReporters(flags);
  const [{ checkConformance }, { checkSettings }, { planCheck }, { activeExpectations }, { exitCode }] =
    await Promise.all([
      import('../conformance/check.js'),
      import('../conformance/options.js'),
      import('../conformance/plan.js'),
      import('../conformance/expected-failures.js'),
      import('../conformance/exit-code.js'),
    ]);
  const options: CheckOptions = { ...given, token: token() };
  // A wrong option is told before anything else is.
  activeExpectations(options.expectedFailures ?? []);
  const plan = planCheck(options);
  announce((await checkSettings(options)).url, plan, io);
  const stop = new AbortController();
  void io.untilStopped().then(() => stop.abort());
  const progress = await startProgress(io, plan.requests);
  const report = await checkConformance({
    ...options,
    signal: stop.signal,
    onExchange: ({ index }, planned) => progress.advance(index + 1, planned),
  }).finally(() => progress.end());
  await writeReports(report, chosen, flags, io);
  return exitCode(report.conclusion);
}

/** What would be sent, for a shell. */
async function printRequests(options: Omit<CheckOptions, 'token'>, io: CommandIo): Promise<number> {
  const { dryRun } = await import('../conformance/plan.js');
  for (const { title, expectation, curl } of dryRun(options))
    io.stdout.write(`# ${title} (${expectation})\n${curl.join('\n')}\n\n`);
  return 0;
}

/** On standard error, so that a report on standard output stands alone. */
function announce(url: URL, { requests, plants, more }: Plan, io: CommandIo): void {
  io.stderr.write(
    `checking ${url.href} with ${requests} requests; they create ${plants} to ${plants + more} plants, more where bad requests are accepted\n`,
  );
}
