import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { invalidOption } from '../../toolkit-error.js';
import { type CollectedPact, type RunOutcome, writePacts } from './write-pacts.js';

export type { CollectedPact, RunOutcome } from './write-pacts.js';

/**
 * Ends a collection: merges what was collected into the pacts, and removes what lay between. Further calls do nothing.
 *
 * @param run how the run went; default `complete`
 * @returns each pact that the run made interactions for
 * @throws ToolkitError `conflicting-interactions`; then no pact is touched
 */
export type FinishCollection = (run?: RunOutcome) => CollectedPact[];

/** Tells where the parts of the collection go; child processes and worker threads inherit it. */
const VARIABLE = 'PLANT_STORE_PACT_PARTS';

/** Set in the workers of Vitest, Jest and Mocha: what a worker collects by itself, nobody would merge. */
const WORKER_VARIABLES = ['VITEST_POOL_ID', 'VITEST_WORKER_ID', 'JEST_WORKER_ID', 'MOCHA_WORKER_ID'];

/** The file in a part that names the pact that it belongs to. */
const TARGET = 'target';

const STOPPING: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM'];

/** The collections that this process has opened, by what ends them without a merge. */
const open = new Set<() => void>();

/**
 * Starts to collect interactions: from now on every one that passes is kept apart, whichever process or thread of this
 * run it passes in, and merged into its pact at the end. Pact itself lets processes that write one pact overwrite each
 * other, and rounds ids when it merges.
 *
 * A Vitest configuration needs no call: `globalSetup: ['plant-store-contract/pact/global-setup']` does it. Elsewhere,
 * call it in the process that starts the workers; a single process needs it only where interactions that are no longer
 * made have to leave the pact.
 *
 * @returns what ends the collection
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
 * Opens a collection.
 *
 * @param atExit what is done where the process exits before the collection is finished; the parts are removed after it
 */
export function openCollection(atExit?: (finish: FinishCollection) => void): FinishCollection {
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
    // Where somebody else listens, the process goes on, and comes to its exit when they think fit.
    if (process.listenerCount(signal) > 0) return;
    for (const closeOne of [...open]) closeOne();
    process.kill(process.pid, signal);
  };
  open.add(close);
  process.once('exit', onExit);
  for (const signal of STOPPING) process.once(signal, onSignal);
  // Others may decide on the exit status only when the process exits, as Mocha does: our turn is after theirs.
  if (atExit !== undefined)
    process.once('beforeExit', () => {
      if (open.has(close)) process.off('exit', onExit).once('exit', onExit);
    });
  return finish;
}

/** Whether this process has opened the collection that is under way. */
export function hasOpenCollection(): boolean {
  return basename(process.env[VARIABLE] ?? '').startsWith(`plant-store-parts-${process.pid}-`);
}

/** Whether interactions are collected at all, here or in the process that started this one. */
export function isCollecting(): boolean {
  return process.env[VARIABLE] !== undefined;
}

/** @throws ToolkitError `invalid-option` in the worker of a test runner, where a collection would be lost */
export function refuseInWorker(): void {
  if (!WORKER_VARIABLES.some((name) => process.env[name] !== undefined)) return;
  throw invalidOption(
    "nothing collects the interactions of the test runner's workers, so they would be lost; for Vitest, add " +
      "globalSetup: ['plant-store-contract/pact/global-setup'] to the configuration; for another runner, call " +
      'collectPacts() in the process that starts the workers',
  );
}

/**
 * A folder of its own for one interaction, in the collection that is under way: Pact writes it there where it passes.
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
    // A process that was killed may have left one without.
    if (!existsSync(join(part, TARGET))) continue;
    const file = readFileSync(join(part, TARGET), 'utf8');
    const written = readdirSync(part).filter((entry) => entry.endsWith('.json'));
    const texts = written.map((entry) => readFileSync(join(part, entry), 'utf8'));
    parts.set(file, [...(parts.get(file) ?? []), ...texts]);
  }
  return parts;
}
