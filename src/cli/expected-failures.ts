import type { ExpectedFailure } from '../conformance/options.js';
import { contentOf, jsonIn } from './command.js';
import type { CommandIo } from './io.js';

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
