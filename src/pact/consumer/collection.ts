import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { invalidOption, reasonOf } from '../../toolkit-error.js';
import { type CollectedPact, type RunResult, writePacts, writtenText } from './write-pacts.js';

/**
 * Ends a collection: merges the interactions into their pacts, and removes temporary files. Further calls do nothing.
 *
 * @param run how the run went; default `complete`
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

/** The collections that this process has opened, as functions that end them without a merge. */
const open = new Set<() => void>();

/**
 * Starts to collect interactions. From now on every interaction that passes is stored separately, in whichever process
 * or thread of this run, and merged into its pact at the end. Pact itself lets processes that write one pact overwrite
 * each other, and rounds ids when it merges.
 *
 * A Vitest configuration does not need this call: use `globalSetup: ['plant-store-contract/pact/global-setup']`. With
 * another runner, call it in the process that starts the workers. A plain process needs it only if interactions that
 * the tests no longer make must leave the pact.
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
 * const [written] = finish();
 * assert.equal(written?.file, join(tmpdir(), 'collected-pacts', 'collected-app-plant-store.json'));
 * assert.equal(written?.interactions, 1);
 */
export function collectPacts(): FinishCollection {
  return openCollection();
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
      "nothing collects the interactions of the test runner's workers, so they would be lost; for Vitest, add " +
        "globalSetup: ['plant-store-contract/pact/global-setup'] to the configuration; for another runner, call " +
        'collectPacts() in the process that starts the workers',
    );
  openCollection((finish) => {
    try {
      const failed = Number(process.exitCode ?? 0) !== 0;
      const pacts = finish(failed ? 'failed' : 'partial');
      // Each process of `node --test` would report the interactions of the others as kept.
      if (process.env.NODE_TEST_CONTEXT === undefined || failed)
        process.stderr.write(
          writtenText(pacts, failed ? 'the process failed' : 'some tests may not have run'),
        );
    } catch (problem) {
      process.stderr.write(`${reasonOf(problem)}\n`);
      process.exitCode = 1;
    }
  });
}

/**
 * Opens a collection.
 *
 * @param atExit called if the process exits before the collection is finished; the parts are removed afterwards
 */
function openCollection(atExit?: (finish: FinishCollection) => void): FinishCollection {
  const folder = mkdtempSync(join(tmpdir(), `plant-store-parts-${process.pid}-`));
  const outer = process.env[VARIABLE];
  process.env[VARIABLE] = folder;
  const close = (): void => {
    open.delete(close);
    process.off('exit', onExit);
    for (const signal of STOPPING) process.off(signal, onSignal);
    if (outer === undefined) delete process.env[VARIABLE];
    else process.env[VARIABLE] = outer;
    rmSync(folder, { recursive: true, force: true });
  };
  const finish: FinishCollection = (run = 'complete') => {
    if (!open.has(close)) return [];
    try {
      return writePacts(partsIn(folder), run);
    } finally {
      close();
    }
  };
  const onExit = (): void => {
    atExit?.(finish);
    if (open.has(close)) close();
  };
  const onSignal = (signal: NodeJS.Signals): void => {
    // If another listener exists, it decides whether the process ends.
    if (process.listenerCount(signal) > 0) return;
    for (const closeOne of [...open]) closeOne();
    process.kill(process.pid, signal);
  };
  open.add(close);
  process.once('exit', onExit);
  for (const signal of STOPPING) process.once(signal, onSignal);
  // Some runners, Mocha among them, set the exit status in their own `exit` listener. Ours must run after theirs.
  if (atExit !== undefined)
    process.once('beforeExit', () => {
      if (open.has(close)) process.off('exit', onExit).once('exit', onExit);
    });
  return finish;
}

/** Whether this process has opened the current collection. */
export function hasOpenCollection(): boolean {
  return basename(process.env[VARIABLE] ?? '').startsWith(`plant-store-parts-${process.pid}-`);
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
