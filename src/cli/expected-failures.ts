import type { ExpectedFailure } from '../conformance/options.js';
import type { CheckReport } from '../conformance/report/check-report.js';
import { contentOf, jsonIn } from './command.js';
import type { CommandIo } from './io.js';
import type { FurtherFile } from './reports.js';

/**
 * Reads the list that `--expect-failures` names.
 *
 * @param mayBeMissing whether it is empty if there is no such file: the first update makes it
 */
export async function expectedFailures(
  file: string,
  { mayBeMissing }: { readonly mayBeMissing: boolean },
  io: CommandIo,
): Promise<readonly ExpectedFailure[]> {
  const text = await contentOf(file, 'the list of expected failures', io).catch((error) => {
    if (mayBeMissing && Object(Object(error).cause).code === 'ENOENT') return '[]';
    throw error;
  });
  const { readExpectedFailures } = await import('../conformance/expected-failures.js');
  return readExpectedFailures(jsonIn(text, file), file);
}

/** The list as the check found it, and a line that says how it changed. */
export async function updateList(
  file: string,
  listed: readonly ExpectedFailure[],
  report: CheckReport,
  io: CommandIo,
): Promise<readonly FurtherFile[]> {
  const { updatedFailures } = await import('../conformance/expected-failures.js');
  const { list, added, removed } = updatedFailures(listed, report);
  const changes = [
    ...added.map((rule) => `added ${rule}`),
    ...removed.map((rule) => `removed ${rule}, which passes`),
  ];
  io.stderr.write(`${file}: ${changes.length === 0 ? 'nothing changed' : changes.join('; ')}\n`);
  return [{ file, text: `${JSON.stringify(list, null, 2)}\n` }];
}
