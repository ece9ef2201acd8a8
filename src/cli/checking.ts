import type { ExploreProgress } from '../conformance/exploring/options.js';
import type { CheckOptions } from '../conformance/options.js';
import type { PreparedCheck } from '../conformance/prepare.js';
import type { CheckReport } from '../conformance/reporting/report.js';
import { counted } from '../output/wording.js';
import { type CheckFlags, optionsFrom } from './check-options.js';
import { updatedList, updateList } from './expected-failures.js';
import { type ExploreFlags, exploreOptionsFrom, FAILURES_FILE } from './explore-options.js';
import type { CommandIo } from './io.js';
import { proxyFrom } from './proxy-flag.js';
import type { FurtherFile } from './reports.js';
import { type StartFlags, withProvider } from './start/with-provider.js';
import { stopSignal } from './stopping.js';
import type { GivenToken } from './token.js';

/** A check of one provider that is ready to run. */
export interface Checking {
  readonly prepared: PreparedCheck;
  readonly given: Omit<CheckOptions, 'token'> & { readonly baseUrl: string };
  /** The files that it will write. */
  readonly files: readonly string[];
  /** What no output may have: the tokens so far, and the values of headers. */
  secrets(): readonly string[];
  /**
   * Starts the provider if the flags say so, and checks it.
   *
   * @param begin is called when the provider runs; what it returns, when the check has ended
   * @param finish gets the result while the provider still runs
   */
  run<T>(begin: () => Promise<() => void>, finish: (checked: Checked) => Promise<T>): Promise<T>;
}

/** A report, and the files to write beside it. */
interface Checked {
  readonly report: CheckReport;
  readonly further: readonly FurtherFile[];
}

/** How a check says how far it is. */
interface Watching {
  advance(sent: number, planned: number): void;
  explored(now: ExploreProgress): void;
}

/**
 * Prepares the check of one provider. It sends nothing.
 *
 * @throws ToolkitError `invalid-option` that says which flag is wrong
 */
export async function prepareChecking(
  baseUrl: string,
  token: () => GivenToken,
  flags: CheckFlags & ExploreFlags & StartFlags,
  io: CommandIo,
  watching: Watching,
): Promise<Checking> {
  const given = { ...(await optionsFrom(flags, io)), ...proxyFrom(flags, baseUrl, io), baseUrl };
  const { profile, failures = FAILURES_FILE } = flags;
  const updated = updatedList(flags);
  const explore = exploreOptionsFrom(flags, watching.explored);
  const [{ runCheck }, { prepareCheck }, { Tokens }] = await Promise.all([
    import('../conformance/check.js'),
    import('../conformance/prepare.js'),
    import('../conformance/sending/tokens.js'),
  ]);
  let [sent, created] = [0, 0];
  const prepared = prepareCheck({
    ...given,
    signal: stopSignal(io, () => `${counted(sent, 'request')} sent, ${counted(created, 'plant')} created`),
    ...(explore !== undefined && { explore }),
    onExchange: ({ index, response }, planned) => {
      sent = index + 1;
      if (response?.status === 200) created++;
      watching.advance(sent, planned);
    },
  });
  const { option, soFar } = token();
  const furtherOf = async (report: CheckReport): Promise<readonly FurtherFile[]> => {
    const further: FurtherFile[] = [];
    if (profile !== undefined)
      further.push({ file: profile, text: `${JSON.stringify(report.profile, null, 2)}\n` });
    if (updated !== undefined && report.conclusion !== 'not-testable')
      further.push(...(await updateList(updated, given.expectedFailures ?? [], report, io)));
    const { exploration } = report;
    if (exploration !== undefined && exploration.failures.length > 0) {
      const { failuresText } = await import('../conformance/exploring/failures-file.js');
      further.push({ file: failures, text: failuresText(exploration) });
      io.stderr.write(`the failures are in ${failures}; send them again with --replay ${failures}\n`);
    }
    return further;
  };
  return {
    prepared,
    given,
    files: [profile, explore === undefined ? undefined : failures, updated].filter(
      (file) => file !== undefined,
    ),
    secrets: () => [...soFar, ...(given.headers ?? []).map(([, value]) => value)],
    run: (begin, finish) =>
      withProvider(flags, { ...given, tokens: soFar }, io, async () => {
        const tokens = await Tokens.from(option);
        const end = await begin();
        const report = await runCheck(prepared, tokens).finally(end);
        return await finish({ report, further: await furtherOf(report) });
      }),
  };
}
