import type { UpdatedFailures } from '../conformance/expected-failures.js';
import type { ExpectedFailure } from '../conformance/options.js';
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

/** The file with the list as the check found it. A line on standard error says how it changed. */
export function updatedFile(
  file: string,
  { list, added, removed }: UpdatedFailures,
  io: CommandIo,
): FurtherFile {
  const changes = [
    ...added.map((rule) => `added ${rule}`),
    ...removed.map((rule) => `removed ${rule}, which passes`),
  ];
  io.stderr.write(`${file}: ${changes.length === 0 ? 'nothing changed' : changes.join('; ')}\n`);
  return { file, text: `${JSON.stringify(list, null, 2)}\n` };
}
