import { existsSync } from 'node:fs';
import { relative } from 'node:path';
import { listed } from '../../report/wording.js';
import { ToolkitError } from '../../toolkit-error.js';
import { type Collection, openForRunner } from '../consumer/collection.js';
import { type RunResult, unwritten, writtenText } from '../consumer/write-pacts.js';

/** How a run of tests went, as its runner tells it. */
export interface Outcome {
  readonly failed: boolean;
  /** Whether there may be test files that did not run. */
  readonly filesLeftOut: boolean;
  /** Whether tests of the files that ran were skipped, by a filter or by the tests themselves. */
  readonly testsSkipped: boolean;
  /** Whether tests of the files that ran were chosen by their names, so that others are known to be left out. */
  readonly testsChosen: boolean;
}

/** Collects the interactions of all workers of one run. Each test runner has a thin adapter that starts and ends it. */
export class PactRun {
  readonly #watching: string | undefined;
  readonly #collection: Collection;

  private constructor(watching: string | undefined, collection: Collection) {
    this.#watching = watching;
    this.#collection = collection;
  }

  /**
   * Starts a run, before its workers start.
   *
   * @param watching a clause that says that the runner watches files, and how the pacts are written; undefined if it runs
   *   the tests once. Watch mode never changes a pact: it runs the tests that a change affects.
   * @returns undefined if this process has started a run already
   */
  static start(watching?: string): PactRun | undefined {
    const collection = openForRunner();
    return collection && new PactRun(watching, collection);
  }

  /**
   * Ends the run, and merges its interactions into their pacts. Only a run of all tests that passes removes interactions.
   *
   * @returns which pacts are unchanged, new or keep earlier interactions, and why; empty if there is nothing to say
   * @throws ToolkitError `conflicting-interactions` or `invalid-pact`; `no-pact` if tests were chosen by their names, and there
   *   is no pact that has the interactions of the others. Then no pact is changed
   */
  end(outcome: Outcome): string {
    const { run, why } = this.#resultOf(outcome);
    const isPart = run === 'partial' && outcome.testsChosen;
    const missing = isPart ? this.#collection.files().filter((file) => !existsSync(file)) : [];
    if (missing.length === 0) return writtenText(this.#collection.finish(run), why);
    this.#collection.finish('failed');
    const names = listed(missing.map((file) => relative('', file)));
    throw new ToolkitError(
      'no-pact',
      `${names} cannot be written: interactions would be missing, because ${why}. Run all tests first.`,
    );
  }

  /** What a person must know while the runner watches files. */
  unchanged(): string {
    return writtenText(unwritten(this.#collection.files()), this.#watching ?? 'the tests are still running');
  }

  #resultOf({ failed, filesLeftOut, testsSkipped }: Outcome): {
    readonly run: RunResult;
    readonly why: string;
  } {
    if (this.#watching !== undefined) return { run: 'failed', why: this.#watching };
    if (failed) return { run: 'failed', why: 'the run failed' };
    if (filesLeftOut) return { run: 'partial', why: 'not all test files ran' };
    if (testsSkipped) return { run: 'partial', why: 'some tests were skipped' };
    return { run: 'complete', why: '' };
  }
}

/**
 * Whether a runner was started by its own command. A program that starts it may choose tests in ways that its adapter cannot
 * see.
 */
export function startedByCommand(runner: string): boolean {
  return (process.argv[1] ?? '').includes(runner);
}
