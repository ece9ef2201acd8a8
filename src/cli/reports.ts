import type { ReporterOptions } from '../reporters/reporter.js';
import { reasonOf, ToolkitError } from '../toolkit-error.js';
import { type CommandIo, isCi, wantsColor } from './io.js';

/** Turns a report of some kind into text. */
export type ReportWriter<R> = (report: R, options?: ReporterOptions) => string;

/** The reporters of a command by their names. Only what is asked for is loaded: that shows in the time of a check. */
export type ReportLoaders<R> = Readonly<Record<string, () => Promise<ReportWriter<R>>>>;

/** A reporter that was asked for, and the file that it writes to; standard output without one. */
export interface ReporterFlag {
  readonly name: string;
  readonly file: string | undefined;
}

/** A reporter that was asked for, ready to write. */
export interface ChosenReporter<R> extends ReporterFlag {
  readonly write: ReportWriter<R>;
}

/** A further file that a command writes beside its reports. */
export interface FurtherFile {
  readonly file: string;
  write(): Promise<void>;
}

/** The reporters that were asked for; text where none was. */
export async function chosenReporters<R>(
  asked: readonly ReporterFlag[] | undefined,
  loaders: ReportLoaders<R>,
): Promise<readonly ChosenReporter<R>[]> {
  const chosen = asked ?? [{ name: 'text', file: undefined }];
  const unknown = chosen.find(({ name }) => !Object.hasOwn(loaders, name));
  if (unknown !== undefined) {
    const names = Object.keys(loaders).join(', ');
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
    chosen.map(async ({ name, file }) => ({
      ...{ name, file },
      write: await (loaders[name] as () => Promise<ReportWriter<R>>)(),
    })),
  );
}

/**
 * Looks whether files can be written, before anything is done that is told in them: plants cannot be deleted.
 *
 * @throws ToolkitError `invalid-option`
 */
export async function checkFiles(
  files: readonly { readonly file: string | undefined }[],
  io: CommandIo,
): Promise<void> {
  for (const { file } of files)
    if (file !== undefined)
      await io.mayWrite(file).catch((cause) => {
        throw new ToolkitError('invalid-option', `${file} cannot be written: ${reasonOf(cause)}`, { cause });
      });
}

/** Where every report went to a file, a line on standard error says what it came to. */
export function tellOutcome<R>(chosen: readonly ChosenReporter<R>[], outcome: string, io: CommandIo): void {
  if (chosen.every(({ file }) => file !== undefined)) io.stderr.write(`${outcome}\n`);
}

/**
 * Writes every report that was asked for, and further files.
 *
 * @throws ToolkitError `invalid-option` where a file cannot be written; all others are written all the same
 */
export async function writeReports<R>(
  report: R,
  chosen: readonly ChosenReporter<R>[],
  quiet: boolean | undefined,
  io: CommandIo,
  further: readonly FurtherFile[] = [],
): Promise<void> {
  const problems: string[] = [];
  const attempt = async ({ file, write }: FurtherFile): Promise<void> => {
    try {
      await write();
    } catch (cause) {
      problems.push(`${file}: ${reasonOf(cause)}`);
    }
  };
  const isQuiet = quiet ?? isCi(io.env);
  for (const { file, write } of chosen) {
    if (file === undefined)
      io.stdout.write(write(report, { color: wantsColor(io.stdout, io.env), quiet: isQuiet }));
    else await attempt({ file, write: () => io.writeFile(file, write(report, { quiet: isQuiet })) });
  }
  for (const one of further) await attempt(one);
  if (problems.length > 0)
    throw new ToolkitError('invalid-option', `a report cannot be written to ${problems.join('; ')}`);
}
