import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { counted, folded } from '../../report/wording.js';
import { invalidOption, ToolkitError } from '../../toolkit-error.js';
import { elementsAt, readJsonText, replacedAt, spanAt } from '../../validation/json.js';
import { isObject, objectOf } from '../../validation/json-value.js';
import { readPact } from '../pacts.js';

/** How a run of tests went. */
export interface RunOutcome {
  /**
   * `complete`: all tests ran and passed, so the pact is replaced. `partial`: the pact keeps its other interactions.
   * `failed`: the pact is not changed.
   */
  readonly result: 'complete' | 'partial' | 'failed';
  /** Why it is not complete: a clause without "because". */
  readonly why: string;
}

/** Names the folder of the collection. The workers of Vitest inherit it. */
const VARIABLE = 'PLANT_STORE_PACT_PARTS';

/** The file in a part that names the pact of the part. */
const TARGET = 'target';

/**
 * The interactions of a run of Vitest, until its end. Each that passes is a part in a folder of its own, because Pact lets
 * processes that write one pact overwrite each other.
 */
export class Collection {
  private readonly folder = mkdtempSync(join(tmpdir(), 'plant-store-parts-'));

  constructor() {
    process.env[VARIABLE] = this.folder;
    process.once('exit', this.close);
  }

  /**
   * Merges what was collected into its pacts, and removes the parts.
   *
   * @returns what a person must know; empty if the run was complete
   * @throws ToolkitError `conflicting-interactions`, or `invalid-pact` if a file to add to is not a pact; then no pact is
   *   changed
   */
  finish({ result, why }: RunOutcome): string {
    try {
      const parts = [...this.parts()].sort(([a], [b]) => (a < b ? -1 : 1));
      if (result === 'failed') return parts.map(([file]) => unchanged(file, why)).join('');
      const passed = parts.filter(([, texts]) => texts.length > 0);
      // All are merged before any is written: after a conflict, no file has changed.
      const merged = passed.map(([file, texts]) => mergedPact(file, texts, result));
      return merged.map((pact) => write(pact, why)).join('');
    } finally {
      this.close();
    }
  }

  private parts(): ReadonlyMap<string, string[]> {
    const parts = new Map<string, string[]>();
    for (const name of readdirSync(this.folder)) {
      const part = join(this.folder, name);
      const file = readFileSync(join(part, TARGET), 'utf8');
      const written = readdirSync(part).filter((entry) => entry.endsWith('.json'));
      const texts = written.map((entry) => readFileSync(join(part, entry), 'utf8'));
      parts.set(file, [...(parts.get(file) ?? []), ...texts]);
    }
    return parts;
  }

  private readonly close = (): void => {
    process.off('exit', this.close);
    if (process.env[VARIABLE] === this.folder) delete process.env[VARIABLE];
    rmSync(this.folder, { recursive: true, force: true });
  };
}

/**
 * The folder where Pact writes an interaction that passes: a new part of the collection, or the folder of the pact itself,
 * where Pact merges.
 *
 * @param file the pact that it is for
 * @throws ToolkitError `invalid-option` in a worker of a test runner, where interactions would be lost
 */
export function folderFor(file: string): string {
  const collection = process.env[VARIABLE];
  if (collection === undefined) {
    const setting = settingFor(process.env, file);
    if (setting === undefined) return dirname(file);
    throw invalidOption(`several processes would write one pact, and interactions would be lost: ${setting}`);
  }
  const part = mkdtempSync(join(collection, 'part-'));
  writeFileSync(join(part, TARGET), file);
  return part;
}

/** What to do if this process may be one of several that run tests. */
function settingFor(env: NodeJS.ProcessEnv, file: string): string | undefined {
  if (env.VITEST_POOL_ID !== undefined)
    return "add globalSetup: ['plant-store-contract/pact/global-setup'] to the configuration of Vitest";
  // Jest counts its workers from 1, Mocha from 0.
  if (Number(env.JEST_WORKER_ID ?? 1) > 1) return 'run the tests of pacts with jest --runInBand';
  if (Number(env.MOCHA_WORKER_ID ?? 0) > 0) return 'run the tests of pacts with mocha --no-parallel';
  // A process of node:test cannot see how many run at once: as a flag, or as an option of `run`.
  if (env.NODE_TEST_CONTEXT?.startsWith('child') === true && !isAlone(file))
    return 'run the tests of pacts with node --test --test-concurrency=1, or run({ concurrency: 1 })';
  return undefined;
}

/** Whether no other process that still runs writes a pact. Others see that this one does, until it ends. */
function isAlone(file: string): boolean {
  const name = createHash('sha256').update(file).digest('hex').slice(0, 32);
  const lock = join(tmpdir(), `plant-store-pact-${name}.lock`);
  while (true) {
    try {
      writeFileSync(lock, String(process.pid), { flag: 'wx' });
      process.once('exit', () => rmSync(lock, { force: true }));
      return true;
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code !== 'EEXIST') throw cause;
    }
    const owner = existsSync(lock) ? Number(readFileSync(lock, 'utf8')) : undefined;
    if (owner === process.pid) return true;
    if (owner !== undefined && isRunning(owner)) return false;
    // Its process was killed.
    rmSync(lock, { force: true });
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (cause) {
    // It runs, for another user.
    return (cause as NodeJS.ErrnoException).code === 'EPERM';
  }
}

interface WrittenInteraction {
  readonly description: string;
  readonly states: readonly string[];
  /** Its exact JSON: no number in it is converted to a double. */
  readonly text: string;
}

/** Merges parts of one pact, and for a run of some tests also the interactions that the pact had before. */
function mergedPact(file: string, parts: readonly string[], result: RunOutcome['result']) {
  // Parts come in any order. The result must not depend on it.
  const sorted = [...parts].sort();
  const byKey = new Map<string, WrittenInteraction>();
  for (const interaction of sorted.flatMap(interactionsIn)) {
    const other = byKey.get(keyOf(interaction));
    // Pact identifies an interaction by its description and states, and would keep the last one.
    if (other !== undefined && other.text !== interaction.text) throw conflict(file, other, interaction);
    byKey.set(keyOf(interaction), interaction);
  }
  const before = result === 'partial' && existsSync(file) ? earlierIn(file) : [];
  const kept = before.filter((old) => !byKey.has(keyOf(old)));
  for (const old of kept) byKey.set(keyOf(old), old);
  const texts = [...byKey].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, { text }]) => `    ${text}`);
  const text = `${replacedAt(sorted[0] ?? '', ['interactions'], `[\n${texts.join(',\n')}\n  ]`)}\n`;
  return { file, text, count: byKey.size, kept: kept.map(({ description }) => description).sort() };
}

function earlierIn(file: string): WrittenInteraction[] {
  const text = readFileSync(file, 'utf8');
  readPact(text, file);
  const span = spanAt(text, ['metadata', 'pactSpecification', 'version']);
  const version = span === undefined ? 'unknown' : text.slice(span.start, span.end);
  if (version.startsWith('"4')) return interactionsIn(text);
  throw new ToolkitError(
    'invalid-pact',
    `${file} is a pact of specification ${version}; interactions of version 4 cannot be added to it. Delete it.`,
  );
}

function interactionsIn(pact: string): WrittenInteraction[] {
  return elementsAt(pact, ['interactions']).map((text) => {
    const read = readJsonText(text);
    const { description, providerStates } = objectOf(read.ok ? read.value : undefined);
    const states = Array.isArray(providerStates) ? providerStates.filter(isObject) : [];
    return { description: String(description), states: states.map(({ name }) => String(name)), text };
  });
}

/** Identifies an interaction. It sorts by description, then by states. */
function keyOf({ description, states }: WrittenInteraction): string {
  return [description, ...states].join('\0');
}

function conflict(file: string, one: WrittenInteraction, other: WrittenInteraction): ToolkitError {
  const [lines, others] = [one.text.split('\n'), other.text.split('\n')];
  const at = lines.findIndex((line, index) => line !== others[index]);
  const given = one.states.map((name) => `, given ${JSON.stringify(name)}`).join('');
  return new ToolkitError(
    'conflicting-interactions',
    `${file}: two interactions have the description ${JSON.stringify(one.description)}${given}, and differ: one has ` +
      `${lines[at]?.trim()}, the other ${others[at]?.trim()}. Give one of them another description.`,
  );
}

function write({ file, text, count, kept }: ReturnType<typeof mergedPact>, why: string): string {
  const isNew = !existsSync(file);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  const name = relative('', file);
  if (isNew && why !== '')
    return `${name} is new and has ${counted(count, 'interaction')}. It may lack others, because ${why}.\n`;
  if (kept.length === 0) return '';
  const named = kept.map((description) => JSON.stringify(description));
  return (
    `${name} keeps ${counted(kept.length, 'earlier interaction')}, because ${why}: ${folded(named, 3)}. ` +
    'To remove outdated ones, delete the file and run all tests.\n'
  );
}

function unchanged(file: string, why: string): string {
  return `${relative('', file)} ${existsSync(file) ? 'is unchanged' : 'was not written'}, because ${why}\n`;
}
