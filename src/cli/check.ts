import type { Command } from 'commander';
import { HOUSE_PREFIX } from '../conformance/house/house-id.js';
import type { CheckOptions } from '../conformance/options.js';
import type { Plan } from '../conformance/prepare.js';
import { HOUSE_LEVEL } from '../report/conclusion.js';
import { logText, visibleInLine } from '../report/escape.js';
import { counted } from '../report/wording.js';
import { invalidOption } from '../toolkit-error.js';
import { type CheckFlags, optionsFrom, withCheckOptions } from './check-options.js';
import { updatedList, updateList } from './expected-failures.js';
import {
  type ExploreFlags,
  exploreOptionsFrom,
  FAILURES_FILE,
  withExploreOptions,
} from './explore-options.js';
import { contentOf, neededBaseUrl } from './flags.js';
import { type HelpGroups, withHelpGroups } from './help-groups.js';
import { rejectIdle } from './idle-flags.js';
import type { CommandIo } from './io.js';
import { explored, type ProgressLine, requestsSent, startProgress } from './progress.js';
import { proxyFrom } from './proxy-flag.js';
import { type FurtherFile, prepareReports } from './reports.js';
import { type StartFlags, withProvider, withStartOptions } from './start/with-provider.js';
import { stopSignal } from './stopping.js';
import { type GivenToken, tokenFrom } from './token.js';

/** `plant-store check <base-url>`: judges a provider. */
export function addCheckCommand(program: Command, io: CommandIo, conclude: (status: number) => void): void {
  withHelpGroups(withStartOptions(withExploreOptions(withCheckOptions(program.command('check')))), GROUPS)
    .argument('[base-url]', 'the base URL of the provider; /plants is appended')
    .summary('check a provider against the rules of the interface')
    .description(
      'Checks a provider of POST /plants against the rules of the interface. A check creates plants and cannot delete ' +
        'them: it prints first how many, and the JSON report lists their ids.',
    )
    .addHelpText('after', EXAMPLES)
    .allowExcessArguments()
    .action(async (baseUrl: string | undefined, flags: CheckFlags & ExploreFlags & StartFlags, { args }) => {
      if (args.length > 1)
        throw invalidOption(
          'a check has one base URL; to compare two providers, use plant-store compare; to check both, run two checks',
        );
      const work = flags.replay === undefined ? check : replay;
      conclude(await work(neededBaseUrl(baseUrl), () => tokenFrom(flags, io), flags, io));
    });
}

const GROUPS: HelpGroups = {
  'What to check': [
    ...['--only', '--skip', '--level', '--quick', '--expect-failures', '--update-expected-failures'],
    ...['--max-response-time', '--rules', '--dry-run'],
  ],
  'How to reach the provider': [
    ...['--token', '--token-command', '--start', '--wait', '--header', '--timeout', '--time-limit', '--rate'],
    ...['--ca', '--insecure', '--cert', '--key', '--proxy'],
  ],
  Reports: ['--reporter', '--quiet', '--verbose', '--profile'],
  Exploring: ['--explore', '--time', '--seed', '--replay', '--discover'],
};

const EXAMPLES = `
Examples:
  plant-store check http://localhost:3000 --token secret
  plant-store check https://plants.example --only auth,failure --reporter junit=report.xml
  plant-store check http://localhost:3000 --level documented --expect-failures known.json
  plant-store check http://localhost:3000 --start "npm start"
  plant-store check http://localhost:3000 --dry-run
  plant-store check http://localhost:3000 --discover --profile provider.json
  plant-store check http://localhost:3000 --explore --time 5m
  plant-store check http://localhost:3000 --replay plant-store-failures.json

Exit status: 0: the provider conforms. 1: it breaks a rule, or an expected failure now passes. 2: usage
error, or the provider could not be tested completely.`;

/** Checks a provider, and writes every report that was asked for. */
export async function check(
  baseUrl: string,
  token: () => GivenToken,
  flags: CheckFlags & ExploreFlags & StartFlags,
  io: CommandIo,
): Promise<number> {
  if (flags.dryRun === true) rejectIdle(flags, ['updateExpectedFailures'], 'cannot be used with --dry-run');
  const given = { ...(await optionsFrom(flags, io)), ...proxyFrom(flags, baseUrl, io), baseUrl };
  if (flags.dryRun === true) return printRequests(given, flags.rules ?? [], io);
  const { profile } = flags;
  const updated = updatedList(flags);
  let progress: ProgressLine | undefined;
  const explore = exploreOptionsFrom(flags, (now) =>
    progress?.show(explored(now, prepared.settings.explore?.timeMs ?? 0)),
  );
  const files = [profile, explore === undefined ? undefined : FAILURES_FILE, updated].filter(
    (file) => file !== undefined,
  );
  const reports = await prepareReports(flags, io, {
    furtherFiles: files,
  });
  const [{ runCheck }, { prepareCheck }, { Tokens }] = await Promise.all([
    import('../conformance/check.js'),
    import('../conformance/prepare.js'),
    import('../conformance/session/tokens.js'),
  ]);
  let [sent, created] = [0, 0];
  const prepared = prepareCheck({
    ...given,
    signal: stopSignal(io, () => `${counted(sent, 'request')} sent, ${counted(created, 'plant')} created`),
    ...(explore !== undefined && { explore }),
    onExchange: ({ index, response }, planned) => {
      sent = index + 1;
      if (response?.status === 200) created++;
      progress?.show(requestsSent(sent, planned));
    },
  });
  const { option, soFar } = token();
  return await withProvider(flags, { ...given, tokens: soFar }, io, async () => {
    const tokens = await Tokens.from(option);
    announce(prepared.settings.url, prepared.plan, io);
    progress = startProgress(io);
    progress.show(requestsSent(0, prepared.plan.requests));
    const report = await runCheck(prepared, tokens).finally(() => progress?.end());
    const further: FurtherFile[] = [];
    if (profile !== undefined)
      further.push({ file: profile, text: `${JSON.stringify(report.profile, null, 2)}\n` });
    if (updated !== undefined && report.conclusion !== 'not-testable')
      further.push(...(await updateList(updated, given.expectedFailures ?? [], report, io)));
    const { exploration } = report;
    if (exploration !== undefined && exploration.failures.length > 0) {
      const { failuresText } = await import('../conformance/exploring/failures-file.js');
      const said = `wrote ${FAILURES_FILE}; send these failures again with --replay ${FAILURES_FILE}\n`;
      further.push({ file: FAILURES_FILE, text: failuresText(exploration), said });
    }
    return reports.write(report, further);
  });
}

/** Saved failures say what is sent and judged. */
const NOT_FOR_REPLAY = [
  'explore',
  'time',
  'seed',
  'only',
  'skip',
  'level',
  'rules',
  'profile',
  'discover',
  'expectFailures',
  'updateExpectedFailures',
  'timeLimit',
  'maxResponseTime',
  'quick',
  'dryRun',
] as const satisfies readonly (keyof (CheckFlags & ExploreFlags))[];

/** Sends saved failures again, and writes every report that was asked for. */
async function replay(
  baseUrl: string,
  token: () => GivenToken,
  flags: CheckFlags & ExploreFlags & StartFlags,
  io: CommandIo,
): Promise<number> {
  const file = flags.replay ?? '';
  rejectIdle(flags, NOT_FOR_REPLAY, 'cannot be used with --replay');
  const [{ readFailures }, { replayFailures }] = await Promise.all([
    import('../conformance/exploring/failures-file.js'),
    import('../conformance/exploring/replay.js'),
  ]);
  const failures = readFailures(await contentOf(file, 'the failures', io), file);
  const options = await optionsFrom(flags, io);
  const reports = await prepareReports(flags, io);
  const { option, soFar } = token();
  const given = { ...options, ...proxyFrom(flags, baseUrl, io), baseUrl, token: option };
  return await withProvider(flags, { ...given, tokens: soFar }, io, async () => {
    const signal = stopSignal(io, () => 'not all failures were sent again');
    return reports.write(await replayFailures({ ...given, signal }, failures));
  });
}

/**
 * Prints what a check would send, as commands for a shell.
 *
 * @param modules those with house rules. They are not run, so nobody knows what they would send.
 */
async function printRequests(
  options: Omit<CheckOptions, 'token'>,
  modules: readonly string[],
  io: CommandIo,
): Promise<number> {
  const { dryRun } = await import('../conformance/prepare.js');
  const chosen = modules.length === 0 ? options : withoutHouse(options);
  for (const { title, expectation, curl } of chosen === undefined ? [] : dryRun(chosen))
    io.stdout.write(`# ${title} (${expectation})\n${curl.join('\n')}\n\n`);
  if (options.discover === true)
    io.stdout.write('# The requests that look for limits follow from the responses. They are not listed.\n');
  if (modules.length > 0)
    io.stdout.write(
      logText(
        `# --dry-run does not run ${visibleInLine(modules.join(', '))}. The requests of house rules are not listed.\n`,
      ),
    );
  return 0;
}

/** Options that name no house rule; `undefined` if they selected nothing else. */
function withoutHouse({
  expectedFailures: _,
  ...options
}: Omit<CheckOptions, 'token'>): Omit<CheckOptions, 'token'> | undefined {
  const ofInterface = <Word extends string>(words: readonly Word[] = []): readonly Word[] =>
    words.filter((word) => word !== HOUSE_LEVEL && !word.startsWith(HOUSE_PREFIX));
  const { only, levels } = options;
  for (const words of [only, levels])
    if (words !== undefined && words.length > 0 && ofInterface<string>(words).length === 0) return undefined;
  return {
    ...options,
    skip: ofInterface(options.skip),
    ...(only !== undefined && { only: ofInterface(only) }),
    ...(levels !== undefined && { levels: ofInterface(levels) }),
  };
}

/** Says what a check will do. It goes to standard error: standard output holds the report alone. */
export function announce(url: URL, { requests, again, plants, more }: Plan, io: CommandIo): void {
  io.stderr.write(
    `checking ${url.href} with ${requests} requests; they create ${plants} to ${plants + more} plants, and more if bad requests are accepted; up to ${again} retries\n`,
  );
}
