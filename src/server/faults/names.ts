import type { Settings } from '../options.js';
import type { Steps } from '../steps.js';
import type { PlantMap } from '../store.js';

/** The names of all faults, by their files. The command line loads these only. */
const NAMES = [
  // tokens
  'accepts-missing-token accepts-any-token accepts-empty-authorization accepts-empty-token',
  'accepts-any-scheme accepts-bare-token compares-token-start ignores-token-case accepts-token-in-query',
  'accepts-token-in-body authenticates-the-connection decodes-percent-signs-in-tokens accepts-api-key',
  'accepts-session-cookie caches-by-body trusts-user-header',
  // requests
  'refuses-media-type-parameters compares-media-type-case accepts-empty-body accepts-single-quotes',
  'closes-cut-off-plants ignores-trailing-text reads-json-by-pattern rounds-ids',
  'compares-field-names-in-case refuses-trace-state accepts-missing-name accepts-missing-id',
  'turns-name-into-text turns-id-into-number cuts-fractions-off turns-tag-into-text accepts-null-tag',
  'requires-tag unwraps-arrays reads-arrays-as-plants refuses-large-ids accepts-ids-beyond-int64',
  'refuses-name-null refuses-tag-null refuses-long-names refuses-keywords ignores-case-of-keys',
  'prefers-other-ids overflows-on-deep-nesting',
  // responses to creations
  'answers-201 answers-204 leaks-id adds-timestamp omits-name wraps-plant answers-no-body renders-null-tag',
  'renders-empty-tag drops-tag swaps-name-and-tag lower-cases-name escapes-html loses-astral-characters',
  'trims-texts truncates-tags answers-text-plain answers-byte-order-mark answers-latin-1',
  'loses-single-characters',
  // errors
  'answers-html-errors answers-problem-json answers-empty-errors omits-error omits-message',
  'answers-error-as-text answers-error-beyond-int32 answers-message-list answers-null-message nests-error',
  'answers-500 redirects-to-login answers-html-401 answers-problem-json-401 answers-422-with-details',
  'quotes-names-unescaped splits-headers',
  // state, transfer and availability
  'keeps-refused-plants races-equal-ids mixes-answers trips-over-bad-requests knows-only-the-last-id',
  'leaks-places-for-plants hangs-on-malformed-json resets-on-malformed-json truncates-answers',
  'truncates-errors counts-characters reads-first-segment overflows-full-buffers fails-on-nul',
  'dies-at-request-60 fails-now-and-then has-a-broken-shard',
] as const;

type WordsIn<Line extends string> = Line extends `${infer Word} ${infer More}` ? Word | WordsIn<More> : Line;

/** The name of a fault. */
export type FaultName = WordsIn<(typeof NAMES)[number]>;

/** The names of all faults. */
export const faultNames = NAMES.flatMap((line) => line.split(' ')) as readonly FaultName[];

/** What a fault may use of its server. */
export interface FaultTools {
  readonly settings: Settings;
  readonly plants: PlantMap;
}

/** A named way to make the reference server nonconforming. */
export interface Fault {
  readonly name: string;
  /** What the server does wrong, as a sentence. */
  readonly title: string;
  /** The ids of all rules that this breaks. */
  readonly breaks: readonly string[];
  /** Whether it shows only for rare input: a check finds it by chance at most, and exploring does. */
  readonly needsExploring?: true;
  /** Returns the steps that replace the given steps. */
  replace(steps: Steps, tools: FaultTools): Partial<Steps>;
}

/** Faults by name. */
export type Faults = Readonly<Record<string, Omit<Fault, 'name'>>>;

/**
 * Loads every fault of the reference server: its name, what it does wrong, and the rules that it breaks.
 *
 * @example
 * import assert from 'node:assert/strict';
 * import { loadFaults, startPlantStore } from 'plant-store-contract/server';
 *
 * const leak = (await loadFaults()).find(({ name }) => name === 'leaks-id');
 * assert.deepEqual(leak?.breaks, ['success/plant-fields-only']);
 *
 * await using store = await startPlantStore({ token: 'secret', faults: ['leaks-id'] });
 * assert.ok(store.port > 0);
 */
export async function loadFaults(): Promise<readonly (Fault & { readonly name: FaultName })[]> {
  const { faults } = await import('./index.js');
  return faultNames.map((name) => ({ name, ...faults[name] }));
}
