import type { Command } from 'commander';
import type { CheckOptions } from '../conformance/options.js';
import type { Plan } from '../conformance/plan.js';
import type { Report } from '../conformance/reporting/report.js';
import { type CheckFlags, optionsFrom, withCheckOptions } from './check-options.js';
import { tokenFrom } from './flags.js';
import type { CommandIo } from './io.js';
import { startProgress } from './progress.js';
import {
  type ChosenReporter,
  checkFiles,
  chosenReporters,
  type FurtherFile,
  type ReportLoaders,
  tellOutcome,
  writeReports,
} from './reports.js';

const REPORTERS: ReportLoaders<Report> = {
  text: async () => (await import('../reporters/text.js')).text,
  json: async () => (await import('../reporters/json.js')).json,
  junit: async () => (await import('../reporters/junit.js')).junit,
  github: async () => (await import('../reporters/github.js')).github,
  markdown: async () => (await import('../reporters/markdown.js')).markdown,
  html: async () => (await import('../reporters/html.js')).html,
};

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

/** Checks, and writes every report that was asked for. */
export async function check(
  baseUrl: string,
  token: () => string,
  flags: CheckFlags,
  io: CommandIo,
): Promise<number> {
  const given = { ...(await optionsFrom(flags, io)), baseUrl };
  if (flags.dryRun === true) return printRequests(given, io);
  const chosen = await chosenReporters(flags.reporter, REPORTERS);
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
  await checkFiles([...chosen, { file: flags.profile }], io);
  announce((await checkSettings(options)).url, plan, io);
  const stop = new AbortController();
  void io.untilStopped().then(() => stop.abort());
  const progress = await startProgress(io, plan.requests);
  const report = await checkConformance({
    ...options,
    signal: stop.signal,
    onExchange: ({ index }, planned) => progress.advance(index + 1, planned),
  }).finally(() => progress.end());
  await writeReports(report, chosen, flags.quiet, io, furtherFiles(report, chosen, flags, io));
  tellOutcome(chosen, report.summary, io);
  return exitCode(report.conclusion);
}

/** The profile, and the summary that GitHub shows of a step. */
function furtherFiles(
  report: Report,
  chosen: readonly ChosenReporter<Report>[],
  { profile }: CheckFlags,
  io: CommandIo,
): FurtherFile[] {
  const files: FurtherFile[] = [];
  const summary = io.env.GITHUB_STEP_SUMMARY;
  if (chosen.some(({ name }) => name === 'github') && summary !== undefined && summary !== '')
    files.push({
      file: summary,
      write: async () => io.appendFile(summary, (await import('../reporters/markdown.js')).markdown(report)),
    });
  if (profile !== undefined)
    files.push({
      file: profile,
      write: () => io.writeFile(profile, `${JSON.stringify(report.profile, null, 2)}\n`),
    });
  return files;
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
