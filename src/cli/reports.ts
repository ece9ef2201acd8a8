import type { Report } from '../conformance/report.js';
import type { Reporter } from '../reporters/reporter.js';
import { ToolkitError } from '../toolkit-error.js';
import type { CheckFlags, ReporterFlag } from './check-options.js';
import { type CommandIo, isCi, wantsColor } from './io.js';

type Reporters = Readonly<Record<string, Reporter>>;

/** The reporters that were asked for; text where none was. */
export function chosenReporters(flags: CheckFlags, reporters: Reporters): readonly ReporterFlag[] {
  const chosen = flags.reporter ?? [{ name: 'text', file: undefined }];
  const unknown = chosen.find(({ name }) => !Object.hasOwn(reporters, name));
  if (unknown !== undefined) {
    const names = Object.keys(reporters).join(', ');
    throw new ToolkitError('invalid-option', `there is no reporter "${unknown.name}"; there are: ${names}`);
  }
  const toScreen = chosen.filter(({ name, file }) => file === undefined && name !== 'github');
  if (toScreen.length > 1) {
    const names = toScreen.map(({ name }) => name).join(' and ');
    throw new ToolkitError(
      'invalid-option',
      `${names} would both go to standard output; name a file for one`,
    );
  }
  return chosen;
}

/**
 * Writes every report that was asked for, and the profile.
 *
 * @throws ToolkitError `invalid-option` where a file cannot be written; all others are written all the same
 */
export async function writeReports(
  report: Report,
  chosen: readonly ReporterFlag[],
  reporters: Reporters,
  flags: CheckFlags,
  io: CommandIo,
): Promise<void> {
  const problems: string[] = [];
  const attempt = async (file: string, write: () => Promise<void>): Promise<void> => {
    try {
      await write();
    } catch (cause) {
      problems.push(`${file}: ${cause instanceof Error ? cause.message : String(cause)}`);
    }
  };
  const quiet = flags.quiet ?? isCi(io.env);
  for (const { name, file } of chosen) {
    const reporter = reporters[name] as Reporter;
    if (file !== undefined) await attempt(file, () => io.writeFile(file, reporter(report, { quiet })));
    else io.stdout.write(reporter(report, { color: wantsColor(io.stdout, io.env), quiet }));
    const summary = io.env.GITHUB_STEP_SUMMARY;
    if (name === 'github' && summary !== undefined && summary !== '')
      await attempt(summary, () => io.appendFile(summary, reporters.markdown?.(report) ?? ''));
  }
  const { profile } = flags;
  if (profile !== undefined)
    await attempt(profile, () => io.writeFile(profile, `${JSON.stringify(report.profile, null, 2)}\n`));
  if (problems.length > 0)
    throw new ToolkitError('invalid-option', `a report cannot be written to ${problems.join('; ')}`);
}
