import type { Report } from '../conformance/reporting/report.js';
import type { ReporterName } from '../reporters/index.js';
import type { Reporter } from '../reporters/reporter.js';
import { ToolkitError } from '../toolkit-error.js';
import type { CheckFlags } from './check-options.js';
import { type CommandIo, isCi, wantsColor } from './io.js';

/** Only what is asked for is loaded: that shows in the time of a check. */
const LOADERS: Readonly<Record<ReporterName, () => Promise<Reporter>>> = {
  text: async () => (await import('../reporters/text.js')).text,
  json: async () => (await import('../reporters/json.js')).json,
  junit: async () => (await import('../reporters/junit.js')).junit,
  github: async () => (await import('../reporters/github.js')).github,
  markdown: async () => (await import('../reporters/markdown.js')).markdown,
  html: async () => (await import('../reporters/html.js')).html,
};

/** A reporter that was asked for, and the file that it writes to; standard output without one. */
export interface ChosenReporter {
  readonly name: ReporterName;
  readonly file: string | undefined;
  readonly write: Reporter;
}

/** The reporters that were asked for; text where none was. */
export async function chosenReporters(flags: CheckFlags): Promise<readonly ChosenReporter[]> {
  const chosen = flags.reporter ?? [{ name: 'text', file: undefined }];
  const unknown = chosen.find(({ name }) => !Object.hasOwn(LOADERS, name));
  if (unknown !== undefined) {
    const names = Object.keys(LOADERS).join(', ');
    throw new ToolkitError('invalid-option', `there is no reporter "${unknown.name}"; there are: ${names}`);
  }
  // Annotations are read by the runner wherever they stand.
  const toScreen = chosen.filter(({ name, file }) => file === undefined && name !== 'github');
  if (toScreen.length > 1) {
    const names = toScreen.map(({ name }) => name).join(' and ');
    throw new ToolkitError(
      'invalid-option',
      `${names} would both go to standard output; name a file for one`,
    );
  }
  return await Promise.all(
    (chosen as readonly { name: ReporterName; file: string | undefined }[]).map(async ({ name, file }) => ({
      ...{ name, file },
      write: await LOADERS[name](),
    })),
  );
}

/**
 * Writes every report that was asked for, and the profile.
 *
 * @throws ToolkitError `invalid-option` where a file cannot be written; all others are written all the same
 */
export async function writeReports(
  report: Report,
  chosen: readonly ChosenReporter[],
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
  for (const { name, file, write } of chosen) {
    if (file !== undefined) await attempt(file, () => io.writeFile(file, write(report, { quiet })));
    else io.stdout.write(write(report, { color: wantsColor(io.stdout, io.env), quiet }));
    const summary = io.env.GITHUB_STEP_SUMMARY;
    if (name === 'github' && summary !== undefined && summary !== '')
      await attempt(summary, async () => io.appendFile(summary, (await LOADERS.markdown())(report)));
  }
  const { profile } = flags;
  if (profile !== undefined)
    await attempt(profile, () => io.writeFile(profile, `${JSON.stringify(report.profile, null, 2)}\n`));
  if (problems.length > 0)
    throw new ToolkitError('invalid-option', `a report cannot be written to ${problems.join('; ')}`);
}
