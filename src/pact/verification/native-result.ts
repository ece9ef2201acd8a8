import { readJsonText } from '../../validation/json.js';
import type { JsonObject, JsonValue } from '../../validation/json-value.js';
import { isObject } from '../pact-file.js';

/** One way in which a response departs from a pact, as Pact says it. */
export interface Mismatch {
  /** What differs: Pact's word for it in lower case, or `request` where there is no response at all. */
  readonly part: 'status' | 'header' | 'body' | 'request';
  /** Where in the body, as Pact writes it (`$.name`), or which header. */
  readonly path?: string;
  readonly expected?: string;
  readonly actual?: string;
  /** A sentence. */
  readonly message: string;
}

/** What Pact found of one interaction. */
export interface NativeInteraction {
  readonly description: string;
  readonly isOk: boolean;
  /** Whether a failure of it counts for nothing. */
  readonly isPending: boolean;
  readonly mismatches: readonly Mismatch[];
}

/** What Pact found. */
export interface NativeResult {
  readonly isOk: boolean;
  readonly interactions: readonly NativeInteraction[];
  /** What is wrong beside the interactions: a broker that cannot be asked. */
  readonly errors: readonly string[];
  /** What a broker has to say. */
  readonly notices: readonly string[];
}

/**
 * Reads the result of Pact's verifier.
 *
 * @param text JSON, or a sentence where there was no verification
 */
export function readNativeResult(text: string, pendingAt: readonly boolean[] = []): NativeResult {
  const read = readJsonText(text);
  if (!read.ok || !isObject(read.value) || !Array.isArray(read.value.interactionResults))
    return { isOk: false, interactions: [], errors: [text.trim() || 'Pact gave no result'], notices: [] };
  const { result, interactionResults, notices } = read.value;
  const errors = failuresIn(read.value.errors);
  const pending = failuresIn(read.value.pendingErrors);
  const interactions = interactionResults.filter(isObject).map(({ description, result: outcome }, index) => {
    const name = String(description);
    if (outcome === 'OK') return { description: name, isOk: true, isPending: false, mismatches: [] };
    // A failure names its interaction in a sentence that ends with the description; both are in the order of work.
    const known = pendingAt.length === interactionResults.length ? pendingAt[index] : undefined;
    const failure = known === true ? undefined : taken(errors, name);
    const isPending = known ?? (failure === undefined && pending.some(isAbout(name)));
    const mismatches = (failure ?? (isPending ? taken(pending, name) : undefined))?.mismatches ?? [];
    return { description: name, isOk: false, isPending, mismatches };
  });
  return {
    isOk: result === true,
    interactions,
    errors: errors.map(({ interaction, mismatches }) =>
      [interaction, ...mismatches.map(({ message }) => message)].filter((part) => part !== '').join(': '),
    ),
    notices: Array.isArray(notices) ? notices.map(noticeText).filter((notice) => notice !== '') : [],
  };
}

interface NativeFailure {
  readonly interaction: string;
  readonly mismatches: readonly Mismatch[];
}

function failuresIn(list: JsonValue | undefined): NativeFailure[] {
  if (!Array.isArray(list)) return [];
  return list.filter(isObject).map(({ interaction, mismatch }) => ({
    interaction: String(interaction ?? ''),
    mismatches: isObject(mismatch) ? mismatchesIn(mismatch) : [],
  }));
}

function isAbout(description: string): (failure: NativeFailure) => boolean {
  return ({ interaction }) => interaction.endsWith(` - ${description}`);
}

function taken(failures: NativeFailure[], description: string): NativeFailure | undefined {
  const at = failures.findIndex(isAbout(description));
  return at === -1 ? undefined : failures.splice(at, 1)[0];
}

function mismatchesIn({ mismatches, message }: JsonObject): Mismatch[] {
  if (!Array.isArray(mismatches)) return [{ part: 'request', message: String(message) }];
  const found = mismatches.filter(isObject).map((mismatch) => {
    const { type, mismatch: sentence, path, key, expected, actual } = mismatch;
    const where = path ?? key;
    const part = PARTS.find((name) => String(type).toLowerCase().startsWith(name)) ?? 'body';
    return {
      part,
      ...(where !== undefined && where !== null && { path: String(where) }),
      ...(expected !== undefined && { expected: String(expected) }),
      ...(actual !== undefined && { actual: String(actual) }),
      message: String(sentence ?? `${part} differs`),
    };
  });
  return found.sort((a, b) => PARTS.indexOf(a.part) - PARTS.indexOf(b.part));
}

/** In the order of an answer: what is told first is what a person looks at first. */
const PARTS = ['status', 'header', 'body'] as const;

function noticeText(notice: JsonValue): string {
  return isObject(notice) ? String(notice.text ?? '') : String(notice);
}
