import { definedOnly } from '../../defined-only.js';
import { excerpt } from '../../report/body.js';
import { readJsonText } from '../../validation/json.js';
import { isObject, type JsonObject, type JsonValue } from '../../validation/json-value.js';

/** One difference between a response and a pact, in Pact's words. */
export interface Mismatch {
  /** The part that differs; `request` if there is no response. */
  readonly part: 'status' | 'header' | 'body' | 'request';
  /** The path in the body, as in `$.name`, or the name of the header. */
  readonly path?: string;
  readonly expected?: string;
  readonly actual?: string;
  /** A sentence. */
  readonly message: string;
}

/** Pact's result for one interaction. */
export interface NativeInteraction {
  readonly description: string;
  readonly isOk: boolean;
  /** Whether its failure does not count. */
  readonly isPending: boolean;
  readonly mismatches: readonly Mismatch[];
}

/** Pact's result. */
export interface NativeResult {
  readonly isOk: boolean;
  readonly interactions: readonly NativeInteraction[];
  /** Errors that belong to no interaction. */
  readonly errors: readonly string[];
}

/**
 * Reads the result of Pact's verifier.
 *
 * @param text JSON, or a sentence if there was no verification
 * @param pendingAt for each interaction of the pact, whether it is pending; empty if that is not known
 */
export function readNativeResult(text: string, pendingAt: readonly boolean[] = []): NativeResult {
  const read = readJsonText(text);
  if (!read.ok || !isObject(read.value) || !Array.isArray(read.value.interactionResults))
    return { isOk: false, interactions: [], errors: [text.trim() || 'Pact gave no result'] };
  const { result, interactionResults } = read.value;
  const errors = failuresIn(read.value.errors);
  const pending = failuresIn(read.value.pendingErrors);
  const interactions = interactionResults.filter(isObject).map(({ description, result: one }, index) => {
    const name = String(description);
    if (one === 'OK') return { description: name, isOk: true, isPending: false, mismatches: [] };
    // A failure names its interaction in a sentence that ends with the description. Both lists have the same order.
    const known = pendingAt.length === interactionResults.length ? pendingAt[index] : undefined;
    const failure = known === true ? undefined : take(errors, name);
    const isPending = known ?? (failure === undefined && pending.some(isAbout(name)));
    const mismatches = (failure ?? (isPending ? take(pending, name) : undefined))?.mismatches ?? [];
    return { description: name, isOk: false, isPending, mismatches };
  });
  return {
    isOk: result === true,
    interactions,
    errors: errors.map(({ interaction, mismatches }) =>
      [interaction, ...mismatches.map(({ message }) => message)].filter((part) => part !== '').join(': '),
    ),
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

function take(failures: NativeFailure[], description: string): NativeFailure | undefined {
  const at = failures.findIndex(isAbout(description));
  return at === -1 ? undefined : failures.splice(at, 1)[0];
}

function mismatchesIn({ mismatches, message }: JsonObject): Mismatch[] {
  if (!Array.isArray(mismatches))
    return [{ part: 'request', message: textOf(message) ?? 'Pact gave no reason' }];
  const found = mismatches.filter(isObject).map((mismatch) => {
    const { type, mismatch: sentence, path, key, expected, actual } = mismatch;
    const where = path ?? key;
    const part = PARTS.find((name) => String(type).toLowerCase().startsWith(name)) ?? 'body';
    return definedOnly({
      part,
      path: textOf(where ?? undefined),
      expected: textOf(expected),
      actual: textOf(actual),
      message: textOf(sentence ?? undefined) ?? `${part} differs`,
    });
  });
  return found.sort((a, b) => PARTS.indexOf(a.part) - PARTS.indexOf(b.part));
}

/** In the order of a response: a person looks at the status first. */
const PARTS = ['status', 'header', 'body'] as const;

/** Pact quotes whole bodies, and what was expected may have 16 MiB. */
const LONGEST_TEXT = 10_000;

function textOf(value: JsonValue | undefined): string | undefined {
  const text = value === undefined ? undefined : String(value);
  return text === undefined || text.length <= LONGEST_TEXT ? text : excerpt(text, LONGEST_TEXT);
}
