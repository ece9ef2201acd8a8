import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, relative } from 'node:path';
import { listed } from '../../report/wording.js';
import { invalidOption, reasonOf, ToolkitError } from '../../toolkit-error.js';
import { type CollectedPact, type RunResult, unwritten, writePacts, writtenText } from './write-pacts.js';

/**
 * Ends a collection: merges the interactions into their pacts, and removes temporary files. Further calls do nothing. What
 * a pact keeps from before, what a new one may lack, and why a pact is unchanged go to standard error.
 *
 * @param run how the run went; default `partial`, which removes nothing from a pact
 * @returns each pact that the run made interactions for
 * @throws ToolkitError `conflicting-interactions`; then no pact is changed
 */
export type FinishCollection = (run?: RunResult) => CollectedPact[];

/** Names the folder of the collection. Child processes and worker threads inherit it. */
const VARIABLE = 'PLANT_STORE_PACT_PARTS';

/** Set in the workers of Vitest, Jest and Mocha. No process would merge what a worker collects by itself. */
const WORKER_VARIABLES = ['VITEST_POOL_ID', 'VITEST_WORKER_ID', 'JEST_WORKER_ID', 'MOCHA_WORKER_ID'];

/** The file in a part that names the pact of the part. */
const TARGET = 'target';

const STOPPING: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM'];

/** Why a run that says no more is not complete. */
const WHY: Readonly<Record<RunResult, string>> = {
  complete: '',
  partial: 'some tests may not have run',
  failed: 'the run failed',
};

/** The collection that {@link ensureCollection} opened, and that this process merges when it exits. */
let ensured: Collection | undefined;

/** The collections that this process has opened. */
const open = new Set<Collection>();

/**
 * Collects interactions without the set-up of a test runner. From now on every interaction that passes is stored separately, in whichever process
 * or thread of this run, and merged into its pact at the end. Pact itself lets processes that write one pact overwrite
 * each other, and rounds ids when it merges.
 *
 * Vitest, Jest, Mocha and `node --test` need a line of configuration instead: see `src/pact/runners/README.md`. With another
 * runner, call this function in the process that starts the workers. A plain process needs it only if interactions that the
 * tests no longer make must leave the pact. Then it calls `finish('complete')` after all tests have passed.
 *
 * @returns a function that ends the collection
 * @example
 * import assert from 'node:assert/strict';
 * import { tmpdir } from 'node:os';
 * import { join } from 'node:path';
 * import { createPlantClient } from 'plant-store-contract/client';
 * import { collectPacts, plantStorePact } from 'plant-store-contract/pact';
 *
 * const finish = collectPacts();
 * const pact = plantStorePact({ consumer: 'collected-app', dir: join(tmpdir(), 'collected-pacts') });
 * await pact.createsPlantWithoutTag(({ url, token, plant }) =>
 *   createPlantClient({ baseUrl: url, token }).createPlant(plant),
 * );
 * const [written] = finish('complete');
 * assert.equal(written?.file, join(tmpdir(), 'collected-pacts', 'collected-app-plant-store.json'));
 * assert.equal(written?.interactions, 1);
 */
export function collectPacts(): FinishCollection {
  const collection = new Collection();
  return (run = 'partial') => {
    const pacts = collection.finish(run);
    process.stderr.write(writtenText(pacts, WHY[run]));
    return pacts;
  };
}

/**
 * Makes sure that passing interactions are collected. If the process that started this one does not collect them, this
 * process does, and merges them when it exits. It cannot know whether all tests ran, and `node --test` starts a process
 * for each file. So the pact keeps the interactions that it has.
 *
 * @throws ToolkitError `invalid-option` in a worker of a test runner, where the interactions would be lost
 */
export function ensureCollection(): void {
  if (process.env[VARIABLE] !== undefined) return;
  if (WORKER_VARIABLES.some((name) => process.env[name] !== undefined))
    throw invalidOption(
      "nothing collects the interactions of the test runner's workers, so they would be lost; add to the configuration: " +
        "globalSetup: ['plant-store-contract/pact/global-setup'] for Vitest, " +
        "reporters: ['default', 'plant-store-contract/pact/jest'] for Jest, " +
        "require: ['plant-store-contract/pact/mocha'] for Mocha; " +
        'for another runner, call collectPacts() in the process that starts the workers',
    );
  ensured = new Collection((collection) => {
    try {
      const failed = Number(process.exitCode ?? 0) !== 0;
      const pacts = collection.finish(failed ? 'failed' : 'partial');
      // Each process of `node --test` would report the interactions of the others as kept.
      if (process.env.NODE_TEST_CONTEXT === undefined || failed)
        process.stderr.write(writtenText(pacts, failed ? 'the process failed' : WHY.partial));
    } catch (problem) {
      process.stderr.write(`${reasonOf(problem)}\n`);
      process.exitCode = 1;
    }
  });
}

/** Interactions that are being collected. */
class Collection {
  private readonly folder = mkdtempSync(join(tmpdir(), `plant-store-parts-${process.pid}-`));
  private readonly outer = process.env[VARIABLE];

  /** @param atExit called if the process exits before the collection is finished; the parts are removed afterwards */
  constructor(private readonly atExit?: (collection: Collection) => void) {
    process.env[VARIABLE] = this.folder;
    open.add(this);
    process.once('exit', this.onExit);
    for (const signal of STOPPING) process.once(signal, this.onSignal);
    // Some runners, Mocha among them, set the exit status in their own `exit` listener. Ours must run after theirs.
    if (atExit !== undefined)
      process.once('beforeExit', () => {
        if (open.has(this)) process.off('exit', this.onExit).once('exit', this.onExit);
      });
  }

  /** The pacts that interactions have come for, as absolute paths. */
  files(): string[] {
    return [...partsIn(this.folder).keys()].sort();
  }

  /** Merges what was collected into its pacts. Further calls do nothing. Throws as {@link FinishCollection} does. */
  finish(run: RunResult): CollectedPact[] {
    if (!open.has(this)) return [];
    try {
      return writePacts(partsIn(this.folder), run);
    } finally {
      this.close();
    }
  }

  /** Ends it without a merge. */
  close(): void {
    open.delete(this);
    process.off('exit', this.onExit);
    for (const signal of STOPPING) process.off(signal, this.onSignal);
    if (this.outer === undefined) delete process.env[VARIABLE];
    else process.env[VARIABLE] = this.outer;
    rmSync(this.folder, { recursive: true, force: true });
  }

  private readonly onExit = (): void => {
    this.atExit?.(this);
    if (open.has(this)) this.close();
  };

  private readonly onSignal = (signal: NodeJS.Signals): void => {
    // If another listener exists, it decides whether the process ends.
    if (process.listenerCount(signal) > 0) return;
    for (const one of [...open]) one.close();
    process.kill(process.pid, signal);
  };
}

/**
 * Opens a collection for a test runner, or takes over the one of {@link ensureCollection}: Mocha loads the test files before
 * it tells anybody that the run starts.
 *
 * @returns undefined if this process has opened one for a runner already
 */
function openForRunner(): Collection | undefined {
  const isOpen = basename(process.env[VARIABLE] ?? '').startsWith(`plant-store-parts-${process.pid}-`);
  const taken = isOpen ? ensured : new Collection();
  ensured = undefined;
  return taken;
}

/**
 * Makes a folder for one interaction in the current collection. Pact writes the interaction there if it passes.
 *
 * @param file the pact that it is for
 */
export function newPart(file: string): string {
  const part = mkdtempSync(join(process.env[VARIABLE] ?? '', 'part-'));
  writeFileSync(join(part, TARGET), file);
  return part;
}

function partsIn(folder: string): Map<string, string[]> {
  const parts = new Map<string, string[]>();
  for (const name of readdirSync(folder)) {
    const part = join(folder, name);
    // A process that was killed may have left a part without this file.
    if (!existsSync(join(part, TARGET))) continue;
    const file = readFileSync(join(part, TARGET), 'utf8');
    const written = readdirSync(part).filter((entry) => entry.endsWith('.json'));
    const texts = written.map((entry) => readFileSync(join(part, entry), 'utf8'));
    parts.set(file, [...(parts.get(file) ?? []), ...texts]);
  }
  return parts;
}

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
  private constructor(
    private readonly watching: string | undefined,
    private readonly collection: Collection,
  ) {}

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
    const { run, why } = this.resultOf(outcome);
    const isPart = run === 'partial' && outcome.testsChosen;
    const missing = isPart ? this.collection.files().filter((file) => !existsSync(file)) : [];
    if (missing.length === 0) return writtenText(this.collection.finish(run), why);
    this.collection.finish('failed');
    const names = listed(missing.map((file) => relative('', file)));
    throw new ToolkitError(
      'no-pact',
      `${names} cannot be written: interactions would be missing, because ${why}. Run all tests first.`,
    );
  }

  /** What a person must know while the runner watches files. */
  unchanged(): string {
    return writtenText(unwritten(this.collection.files()), this.watching ?? 'the tests are still running');
  }

  private resultOf({ failed, filesLeftOut, testsSkipped }: Outcome): {
    readonly run: RunResult;
    readonly why: string;
  } {
    if (this.watching !== undefined) return { run: 'failed', why: this.watching };
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
