import { isCollecting, openCollection, refuseInWorker } from './collection.js';
import { outcomeText } from './outcome-text.js';

/**
 * Makes sure that what passes is collected: by the process that started this one, or else by this one, which then
 * merges it when it exits. Nobody can tell here whether all tests ran, and `node --test` starts a process for each
 * file: so what the pact holds already stays in it.
 *
 * @throws ToolkitError `invalid-option` in a worker of a test runner
 */
export function ensureCollection(): void {
  if (isCollecting()) return;
  refuseInWorker();
  openCollection((finish) => {
    try {
      const failed = Number(process.exitCode ?? 0) !== 0;
      const pacts = finish(failed ? 'failed' : 'partial');
      // Of the others that `node --test` has started, each would name what the rest has made.
      const told = process.env.NODE_TEST_CONTEXT === undefined || failed;
      if (told)
        process.stderr.write(
          outcomeText(pacts, failed ? 'the process failed' : 'it may have run only some tests'),
        );
    } catch (problem) {
      process.stderr.write(`${problem instanceof Error ? problem.message : String(problem)}\n`);
      process.exitCode = 1;
    }
  });
}
