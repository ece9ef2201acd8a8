import { existsSync, mkdirSync, readFileSync, renameSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { combined, type Interactions, joinedWith, pactTextOf } from './merge.js';

/**
 * How the run that made the interactions went. `complete`: all tests ran and passed, so the pact is replaced, and what
 * is no longer made leaves it. `partial`: not all ran, so what it held beside stays. `failed`: it is left as it is.
 */
export type RunOutcome = 'complete' | 'partial' | 'failed';

/** A pact that a run made interactions for. */
export interface CollectedPact {
  /** Where it lies, as an absolute path. */
  readonly file: string;
  /** Whether it was written; false where the run failed. */
  readonly written: boolean;
  /** How many interactions it has now, where it was written. */
  readonly interactions: number;
  /** The descriptions of those that it held before and that this run did not make again. */
  readonly kept: readonly string[];
}

/**
 * Merges parts of pacts into their files.
 *
 * @param parts by file, the texts of the pacts that each interaction made
 * @throws ToolkitError `conflicting-interactions`; or `invalid-pact`, where a file that is to be added to is none
 */
export function writePacts(parts: ReadonlyMap<string, readonly string[]>, run: RunOutcome): CollectedPact[] {
  const files = [...parts].sort(([a], [b]) => (a < b ? -1 : 1));
  if (run === 'failed') return files.map(([file]) => ({ file, written: false, interactions: 0, kept: [] }));
  const passed = files.filter(([, texts]) => texts.length > 0);
  // All are merged before any is written: a conflict leaves all of them as they were.
  const merged = passed.map(([file, texts]) => [file, combined(file, texts)] as const);
  return merged.map(([file, interactions]) => {
    mkdirSync(dirname(file), { recursive: true });
    return run === 'complete' ? write(file, interactions) : locked(file, () => addTo(file, interactions));
  });
}

function addTo(file: string, interactions: Interactions): CollectedPact {
  if (!existsSync(file)) return write(file, interactions);
  const { all, kept } = joinedWith(interactions, readFileSync(file, 'utf8'), file);
  return { ...write(file, all), kept };
}

/** Under another name first, so that nobody ever reads half of it. */
function write(file: string, interactions: Interactions): CollectedPact {
  const unfinished = `${file}.${process.pid}.tmp`;
  try {
    writeFileSync(unfinished, pactTextOf(interactions));
    renameSync(unfinished, file);
  } finally {
    rmSync(unfinished, { force: true });
  }
  return { file, written: true, interactions: interactions.byKey.size, kept: [] };
}

/** Merging takes milliseconds: who holds a lock for so long is no more. */
const LOCK_HELD_MS = 5_000;
const LOCK_ASKED_EVERY_MS = 10;

/** Processes that end side by side add to a file one after the other. Synchronous, since a process exits meanwhile. */
function locked<T>(file: string, work: () => T): T {
  const lock = `${file}.lock`;
  const clock = new Int32Array(new SharedArrayBuffer(4));
  for (let waited = 0; !madeFolder(lock) && waited < LOCK_HELD_MS; waited += LOCK_ASKED_EVERY_MS)
    Atomics.wait(clock, 0, 0, LOCK_ASKED_EVERY_MS);
  try {
    return work();
  } finally {
    if (existsSync(lock)) rmdirSync(lock);
  }
}

function madeFolder(path: string): boolean {
  try {
    mkdirSync(path);
    return true;
  } catch (problem) {
    if ((problem as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw problem;
  }
}
