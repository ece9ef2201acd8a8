import { existsSync, mkdirSync, readFileSync, rmdirSync } from 'node:fs';
import { dirname, relative } from 'node:path';
import { counted } from '../../report/wording.js';
import { writeWholeSync } from '../../whole-file.js';
import { combined, type Interactions, joinedWith, pactTextOf } from './merge.js';

/**
 * How the run that made the interactions went.
 *
 * - `complete`: all tests ran and passed. The pact is replaced, so old interactions leave it.
 * - `partial`: not all tests ran. The pact keeps its other interactions.
 * - `failed`: the pact is not changed.
 */
export type RunResult = 'complete' | 'partial' | 'failed';

/** A pact that a run made interactions for. */
export interface CollectedPact {
  /** Its absolute path. */
  readonly file: string;
  /** Whether it was written: false if the run failed. */
  readonly written: boolean;
  /** Whether there was no such pact before, and it was written. */
  readonly created: boolean;
  /** How many interactions it has now, if it was written. */
  readonly interactions: number;
  /** The descriptions of the interactions that it kept from before. */
  readonly kept: readonly string[];
}

/**
 * Merges parts of pacts into their files.
 *
 * @param parts for each file, the texts of its parts
 * @throws ToolkitError `conflicting-interactions`, or `invalid-pact` if a file to add to is not a pact
 */
export function writePacts(parts: ReadonlyMap<string, readonly string[]>, run: RunResult): CollectedPact[] {
  const files = [...parts].sort(([a], [b]) => (a < b ? -1 : 1));
  if (run === 'failed') return unwritten(files.map(([file]) => file));
  const passed = files.filter(([, texts]) => texts.length > 0);
  // All are merged before any is written: after a conflict, no file has changed.
  const merged = passed.map(([file, texts]) => [file, combined(file, texts)] as const);
  return merged.map(([file, interactions]) => {
    mkdirSync(dirname(file), { recursive: true });
    if (run === 'complete') return write(file, interactions);
    return locked(file, () => {
      if (!existsSync(file)) return write(file, interactions);
      const { all, kept } = joinedWith(interactions, readFileSync(file, 'utf8'), file);
      return { ...write(file, all), kept };
    });
  });
}

function write(file: string, interactions: Interactions): CollectedPact {
  const created = !existsSync(file);
  writeWholeSync(file, pactTextOf(interactions));
  return { file, written: true, created, interactions: interactions.byKey.size, kept: [] };
}

/** Pacts that were not written. */
export function unwritten(files: readonly string[]): CollectedPact[] {
  return files.map((file) => ({ file, written: false, created: false, interactions: 0, kept: [] }));
}

/** Merging takes milliseconds. A process that holds a lock for so long has ended. */
const LOCK_HELD_MS = 5_000;
const LOCK_POLL_MS = 10;

/** Lets processes that end at the same time change a file in turn. Synchronous, because the process is exiting. */
function locked<T>(file: string, work: () => T): T {
  const lock = `${file}.lock`;
  const clock = new Int32Array(new SharedArrayBuffer(4));
  for (let waited = 0; !madeFolder(lock) && waited < LOCK_HELD_MS; waited += LOCK_POLL_MS)
    Atomics.wait(clock, 0, 0, LOCK_POLL_MS);
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

const MOST_NAMED = 3;

/**
 * What a person must know about pacts after a run that was not complete.
 *
 * @param why a clause that says why it was not, without "because"; empty if it was
 */
export function writtenText(pacts: readonly CollectedPact[], why: string): string {
  const lines = pacts.map(({ file, written, created, interactions, kept }) => {
    const name = relative('', file);
    if (!written) return `${name} ${existsSync(file) ? 'is unchanged' : 'was not written'}, because ${why}\n`;
    if (created && why !== '') {
      const few = counted(interactions, 'interaction');
      return `${name} is new and has ${few}. It may lack others, because ${why}.\n`;
    }
    if (kept.length === 0) return '';
    const named = kept.slice(0, MOST_NAMED).map((description) => JSON.stringify(description));
    const more = kept.length > MOST_NAMED ? ` and ${kept.length - MOST_NAMED} more` : '';
    return (
      `${name} keeps ${counted(kept.length, 'earlier interaction')}, because ${why}: ${named.join(', ')}${more}. ` +
      'To remove outdated ones, delete the file and run all tests.\n'
    );
  });
  return lines.join('');
}
