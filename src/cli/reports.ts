import { exitStatus } from '../report/conclusion.js';
import { visibleInLine } from '../report/escape.js';
import { type ReporterName, reporters } from '../report/formats/index.js';
import type { Report, ReporterOptions } from '../report/frame.js';
import { invalidOption, reasonOf } from '../toolkit-error.js';
import { type FlagsOf, flag, type Given, InvalidArgumentError, repeatable } from './command.js';
import { type CommandIo, isCi, wantsColor } from './io.js';

/** A reporter that a flag names, and the file that it writes to; without a file, standard output. */
type ReporterFlag = { readonly name: ReporterName; readonly file: string | undefined };

/** A further file that a command writes beside its reports. */
export interface FurtherFile {
  readonly file: string;
  readonly text: string;
}

const NAMES = Object.keys(reporters) as readonly ReporterName[];

/** Reads the name of a reporter, and after `=` the file that it writes to. The flag can be repeated. */
const reporter = repeatable<readonly ReporterFlag[]>((text, before = []) => {
  const [first, ...file] = text.split('=');
  const name = NAMES.find((one) => one === first);
  if (name === undefined) throw new InvalidArgumentError(`Allowed choices are ${NAMES.join(', ')}.`);
  if (text.endsWith('=')) throw new InvalidArgumentError('The name of the file is missing.');
  return [...before, { name, file: file.length === 0 ? undefined : file.join('=') }];
});

/** The flags that say how a report is written. Every command that has a report has these. */
export const reportFlags = [
  flag(
    '--reporter <name[=file]>',
    `${NAMES.join(', ')}; name=file writes to a file; can be repeated (default: text)`,
    reporter,
  ),
  flag('--quiet', 'print only the problems and the conclusion (default if CI is set)'),
  flag(
    '--verbose',
    'print also what passed and what was observed, and more of each problem; overrides --quiet',
  ),
] as const;

/** Every command that judges a provider or its messages has it. */
export const strictFlag = flag('--strict', 'count warnings as errors');

/** Writes the reports that were asked for. */
interface ReportWriter {
  /**
   * @param further files to write beside the reports
   * @returns the exit status
   * @throws ToolkitError `invalid-option` if a file cannot be written; all others are written
   */
  write(report: Report, further?: readonly FurtherFile[]): Promise<0 | 1 | 2>;
}

/**
 * Prepares the reports that the flags ask for. It happens before a command does anything, since a check cannot delete
 * the plants that it creates.
 *
 * @param furtherFiles files that the command will write besides
 * @throws ToolkitError `invalid-option` if there is no such reporter, two would go to standard output, or a file
 *   cannot be written
 */
export async function prepareReports(
  given: Given<FlagsOf<typeof reportFlags>>,
  io: CommandIo,
  furtherFiles: readonly string[] = [],
): Promise<ReportWriter> {
  const {
    reporter: asked = [{ name: 'text', file: undefined } as const],
    quiet,
    verbose = false,
  } = given.flags;
  checkReporters(asked);
  await checkFiles([...asked.flatMap(({ file }) => file ?? []), ...furtherFiles], io);
  const chosen = asked.map(({ name, file }) => ({ name, file, format: reporters[name] }));
  const summary = io.env.GITHUB_STEP_SUMMARY ?? '';
  // A workflow may name the summary itself.
  const isNamed = chosen.some(({ file }) => file === summary);
  const hasSummary = summary !== '' && !isNamed && chosen.some(({ name }) => name === 'github');
  const markdown = hasSummary ? reporters.markdown : undefined;
  const detail = { quiet: quiet ?? (isCi(io.env) && !verbose), verbose };
  return {
    async write(report, further = []) {
      const problems: string[] = [];
      const attempt = (file: string, work: Promise<void>): Promise<void> =>
        work.catch((cause) => void problems.push(`${file}: ${reasonOf(cause)}`));
      for (const { file, format } of chosen) {
        if (file === undefined) io.stdout.write(format(report, { ...detail, ...screenOptions(io) }));
        else await attempt(file, io.writeFile(file, format(report, detail)));
      }
      if (markdown !== undefined) await attempt(summary, io.appendFile(summary, markdown(report)));
      for (const { file, text } of further) await attempt(file, io.writeFile(file, text));
      if (problems.length > 0) throw invalidOption(`a report cannot be written to ${problems.join('; ')}`);
      // What a person sees if every report goes to a file.
      const files = [...chosen, ...further].flatMap(({ file }) => file ?? []);
      const isOnScreen = chosen.some(({ file }) => file === undefined);
      if (!isOnScreen) io.stderr.write(`${visibleInLine(report.summary)}\n`);
      if (files.length > 0) io.stderr.write(`wrote ${visibleInLine(files.join(', '))}\n`);
      return exitStatus(report.conclusion);
    },
  };
}

function screenOptions({ stdout, env }: CommandIo): ReporterOptions {
  const { isTTY, columns } = stdout;
  return {
    color: wantsColor(stdout, env),
    ...(isTTY === true && columns !== undefined && columns > 0 && { width: columns }),
  };
}

/** @throws ToolkitError `invalid-option` if two reports would be mixed, or one would replace another */
function checkReporters(asked: readonly ReporterFlag[]): void {
  const toScreen = asked.filter(({ file }) => file === undefined).map(({ name }) => name);
  // Annotations may be anywhere in a text, and nowhere else.
  const isAnnotatedText = toScreen.length === 2 && toScreen.includes('github') && toScreen.includes('text');
  if (toScreen.length > 1 && !isAnnotatedText)
    throw invalidOption(
      `${toScreen.join(' and ')} would both go to standard output; name a file for one: ${toScreen[1]}=FILE`,
    );
  const files = asked.flatMap(({ file }) => file ?? []);
  const twice = files.find((file, at) => files.indexOf(file) !== at);
  if (twice !== undefined) throw invalidOption(`two reports would be written to ${twice}; name another file`);
}

/** @throws ToolkitError `invalid-option` if a file cannot be written */
async function checkFiles(files: readonly string[], io: CommandIo): Promise<void> {
  for (const file of files)
    await io.mayWrite(file).catch((cause) => {
      throw invalidOption(`${file} cannot be written: ${reasonOf(cause)}`, { cause });
    });
}
