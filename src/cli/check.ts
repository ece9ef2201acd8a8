import type { UpdatedFailures } from '../conformance/expected-failures.js';
import type { ExpectedFailure } from '../conformance/options.js';
import type { PreparedCheck } from '../conformance/prepare.js';
import type { CheckReport } from '../conformance/report/check-report.js';
import { visibleInLine } from '../report/escape.js';
import { counted } from '../report/wording.js';
import { type CheckFlags, checkFlags, optionsFrom } from './check-options.js';
import { BASE_URL, defineCommand, type Given, neededBaseUrl } from './command.js';
import type { CommandIo } from './io.js';
import { Progress } from './progress.js';
import { type FurtherFile, prepareReports } from './reports.js';
import { withProvider } from './start.js';
import { tokenFrom } from './token.js';

/** Says what a check will do. It goes to standard error: standard output holds the report alone. */
function announce({ settings, plan }: PreparedCheck, io: CommandIo): void {
  const { requests, again, plants, more } = plan;
  const { url, explore } = settings;
  const most = plants + more;
  const then = explore === undefined ? '' : `; then explores with --seed ${explore.seed}`;
  io.stderr.write(
    `checking ${url.href} with ${requests} requests (up to ${again} retries); creates ${most === plants ? '' : `${plants} to `}${most} plants, more if bad requests are accepted${then}\n`,
  );
}

/** What an update has changed in a list of expected failures: `known.json: added success/status-is-200; removed nothing`. */
function updateInWords(file: string, { added, removed, renewed }: UpdatedFailures): string {
  const ids = (all: readonly string[]): string => (all.length === 0 ? 'nothing' : all.join(', '));
  const over = renewed.length === 0 ? '' : `; without a last day now: ${ids(renewed)}`;
  return visibleInLine(`${file}: added ${ids(added)}; removed ${ids(removed)}${over}`);
}

/** `plant-store-contract check <base-url>`: judges a provider. */
export const command = defineCommand({
  description:
    'Checks a provider of POST /plants against the rules of the interface. A check creates plants and cannot delete ' +
    'them: it prints first how many, and the JSON report lists their ids.',
  args: [{ form: BASE_URL, help: 'the base URL of the provider; /plants is appended' }],
  flags: checkFlags,
  examples: `Examples:
  plant-store-contract check http://localhost:3000 --token secret
  plant-store-contract check http://localhost:3000 --start "npm start" --only auth,failure --reporter junit=report.xml`,
  async run(given, io) {
    return await checkProvider(neededBaseUrl(given), () => tokenFrom(given, io), given, io);
  },
});

/** Checks a provider, and writes every report that was asked for. */
export async function checkProvider(
  baseUrl: string,
  tokenOf: () => string,
  given: Given<CheckFlags>,
  io: CommandIo,
): Promise<number> {
  const { dryRun = false, profile, reporter, expectFailures, updateExpectedFailures } = given.flags;
  const options = await optionsFrom(given, baseUrl, io);
  if (dryRun) {
    const { dryRun: planned } = await import('../conformance/prepare.js');
    io.stdout.write(planned(options));
    return 0;
  }
  const updated = updateExpectedFailures === true ? expectFailures : undefined;
  const files = [profile, updated].filter((file) => file !== undefined);
  const reports = await prepareReports(given, io, files);
  const [{ runCheck }, { updatedFailures }, { prepareCheck }, { Tokens }] = await Promise.all([
    import('../conformance/check.js'),
    import('../conformance/expected-failures.js'),
    import('../conformance/prepare.js'),
    import('../conformance/send/tokens.js'),
  ]);
  let [sent, created] = [0, 0];
  const stop = new AbortController();
  void io.untilStopped().then(() => {
    // On a busy machine the process may have to end before there is a report.
    const known = `${counted(sent, 'request')} sent, ${counted(created, 'plant')} created`;
    io.stderr.write(`stopping: ${known}\n`);
    stop.abort();
  });
  let progress: Progress | undefined;
  const prepared = prepareCheck({
    ...options,
    signal: stop.signal,
    onExchange(exchange) {
      sent = exchange.index + 1;
      if (exchange.response?.status === 200) created++;
      progress?.saw(exchange);
    },
  });
  const token = tokenOf();
  return await withProvider(given, { ...options, baseUrl, token }, io, async (startAgain) => {
    announce(prepared, io);
    const tokens = await Tokens.from(token);
    let update: UpdatedFailures | undefined;
    // The report has what is expected from now on, as the next check will.
    const expectAnew = (found: CheckReport): readonly ExpectedFailure[] => {
      update = updatedFailures(options.expectedFailures ?? [], found);
      return update.list;
    };
    progress = new Progress(prepared.plan.requests, io.stderr);
    const report = await runCheck(
      prepared,
      tokens,
      startAgain,
      updated === undefined ? undefined : expectAnew,
    ).finally(() => progress?.end());
    // Not before JSON, for example.
    const isText = (reporter ?? []).every(({ name, file }) => name === 'text' || file !== undefined);
    if (prepared.row !== undefined && isText) {
      const { rowText } = await import('../report/exchange-text.js');
      io.stdout.write(`${rowText(report.exchanges, prepared.row)}\n`);
    }
    const further: FurtherFile[] = [];
    if (profile !== undefined)
      further.push({ file: profile, text: `${JSON.stringify(report.profile, null, 2)}\n` });
    if (updated !== undefined && update !== undefined)
      further.push({ file: updated, text: `${JSON.stringify(update.list, null, 2)}\n` });
    const status = await reports.write(report, further);
    if (updated !== undefined && update !== undefined) io.stderr.write(`${updateInWords(updated, update)}\n`);
    return status;
  });
}
