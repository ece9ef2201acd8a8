import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { dirname, relative } from 'node:path';
import { counted } from '../../report/wording.js';
import { ToolkitError } from '../../toolkit-error.js';
import { readJsonText } from '../../validation/json.js';
import { JsonSpans } from '../../validation/json-spans.js';
import { isObject, objectOf } from '../../validation/json-value.js';
import { readPact } from '../pact-file.js';

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
  writeFileSync(file, pactTextOf(interactions));
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

interface WrittenInteraction {
  readonly description: string;
  readonly states: readonly string[];
  /** Its exact JSON: no number in it is converted to a double. */
  readonly text: string;
}

/** The interactions of one pact, each once, and the text of a pact to put them into. */
interface Interactions {
  readonly frame: string;
  readonly byKey: ReadonlyMap<string, WrittenInteraction>;
}

/**
 * Merges parts of one pact.
 *
 * @param where names the pact in an error
 * @throws ToolkitError `conflicting-interactions` if two interactions have the same description and states, but differ.
 *   Pact identifies an interaction by these and would keep the last one.
 */
function combined(where: string, parts: readonly string[]): Interactions {
  // Parts come in any order. The result must not depend on it.
  const sorted = [...parts].sort();
  const byKey = new Map<string, WrittenInteraction>();
  for (const interaction of sorted.flatMap(interactionsIn)) {
    const key = keyOf(interaction);
    const other = byKey.get(key);
    if (other !== undefined && other.text !== interaction.text) throw conflict(where, other, interaction);
    byKey.set(key, interaction);
  }
  return { frame: sorted[0] ?? '', byKey };
}

/**
 * Adds the interactions that a pact had before and that this run did not make.
 *
 * @throws ToolkitError `invalid-pact` if `before` is not a pact of version 4
 */
function joinedWith(
  interactions: Interactions,
  before: string,
  where: string,
): { readonly all: Interactions; readonly kept: string[] } {
  const { specification } = readPact(before, where);
  if (specification === undefined || !specification.startsWith('4'))
    throw new ToolkitError(
      'invalid-pact',
      `${where} is a pact of specification ${specification ?? 'unknown'}; interactions of version 4 cannot be added to it. Delete it.`,
    );
  const earlier = interactionsIn(before).filter((old) => !interactions.byKey.has(keyOf(old)));
  const byKey = new Map([...interactions.byKey, ...earlier.map((old) => [keyOf(old), old] as const)]);
  return { all: { ...interactions, byKey }, kept: earlier.map(({ description }) => description).sort() };
}

/** The text of a pact. The same interactions give the same text, in whichever order the tests made them. */
function pactTextOf({ frame, byKey }: Interactions): string {
  const sorted = [...byKey].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, { text }]) => `    ${text}`);
  const text = new JsonSpans(frame).replacedAt(['interactions'], `[\n${sorted.join(',\n')}\n  ]`);
  return text === undefined ? frame : `${text}\n`;
}

function interactionsIn(pact: string): WrittenInteraction[] {
  return new JsonSpans(pact).elementsAt(['interactions']).map((text) => {
    const read = readJsonText(text);
    const interaction = objectOf(read.ok ? read.value : undefined);
    const states = Array.isArray(interaction.providerStates) ? interaction.providerStates : [];
    return {
      description: String(interaction.description),
      states: states.filter(isObject).map(({ name }) => String(name)),
      text,
    };
  });
}

/** Identifies an interaction. It sorts by description, then by states. */
function keyOf({ description, states }: WrittenInteraction): string {
  return [description, ...states].join('\0');
}

function conflict(where: string, one: WrittenInteraction, other: WrittenInteraction): ToolkitError {
  const lines = one.text.split('\n');
  const others = other.text.split('\n');
  const at = lines.findIndex((line, index) => line !== others[index]);
  const shown = (line = ''): string => line.trim().replace(/,$/, '') || 'nothing';
  const given =
    one.states.length === 0 ? '' : ` (given ${one.states.map((name) => `"${name}"`).join(' and ')})`;
  return new ToolkitError(
    'conflicting-interactions',
    `${where}: two interactions have the description "${one.description}"${given} and differ: one has ` +
      `${shown(lines[at])}, the other ${shown(others[at])}. Give one of them another description.`,
  );
}
