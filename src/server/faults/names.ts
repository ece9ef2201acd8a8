import type { Settings } from '../options.js';
import type { Steps } from '../steps.js';
import type { PlantMap } from '../store.js';

/** The names of all faults, by their files. A server without faults loads these only. */
const NAMES = [
  // authentication
  'accepts-missing-token accepts-any-token accepts-empty-authorization accepts-empty-token',
  'accepts-any-scheme accepts-bare-token compares-token-start ignores-token-case accepts-token-in-query',
  'accepts-token-in-body authenticates-the-connection',
  // tokens
  'compares-token-end finds-token-end compares-eight-characters compares-both-ends reads-last-word',
  'finds-bearer-anywhere reads-token-lists removes-quotes reads-scheme-token compares-scheme-start',
  'reads-basic-password cuts-scheme-off accepts-undefined looks-token-up-with-like puts-token-into-sql',
  'accepts-unsigned-jwt compares-sorted-tokens decodes-tokens decodes-percent-signs-in-tokens accepts-api-key accepts-session-cookie',
  'caches-by-body keeps-plants-of-unknown-tokens',
  'trusts-user-header trusts-local-clients trusts-original-path trusts-original-url trusts-overridden-method',
  'trusts-preflights trusts-open-paths trusts-private-networks trusts-switches-in-query',
  'trusts-scripts-of-pages',
  // reading
  'refuses-media-type-parameters compares-media-type-case accepts-empty-body accepts-single-quotes',
  'accepts-text-as-plant closes-cut-off-plants ignores-trailing-text reads-json-by-pattern wraps-ids',
  'rounds-ids',
  // fields
  'compares-field-names-in-case refuses-other-media-types trips-over-cookies refuses-trace-state',
  'refuses-quality-values refuses-many-fields refuses-long-fields compares-charset-case',
  'answers-pages-to-browsers redirects-browsers-to-login answers-xml-if-asked answers-latin-1-if-asked',
  'fills-in-from-query fills-in-from-headers prefers-query adds-tag-from-cookies reads-plants-from-query',
  'reads-multipart',
  // validation
  'accepts-missing-name accepts-missing-id turns-name-into-text accepts-null-name turns-id-into-number',
  'cuts-fractions-off turns-tag-into-text accepts-null-tag requires-tag unwraps-arrays refuses-large-ids',
  'accepts-ids-beyond-int64 refuses-name-null refuses-tag-null refuses-long-names',
  // keys
  'ignores-case-of-keys trims-keys cuts-keys-at-nul normalises-keys merges-prototypes finds-nested-fields',
  'prefers-other-ids reads-type-as-tag refuses-escapes-in-keys returns-messages calls-members-as-methods',
  'fails-on-operators overflows-on-deep-nesting fails-on-empty-keys searches-for-keys-in-strings',
  'needs-the-tag-after-the-id reads-name-under-other-keys',
  // JSON texts
  'ignores-line-comments accepts-line-breaks-in-strings accepts-any-escape accepts-keys-without-quotes',
  'accepts-other-numbers reads-digits-of-other-scripts skips-unknown-members takes-controls-for-space',
  'removes-prefixes ignores-case-of-literals stops-at-nul needs-the-name-before-the-tag',
  'splits-surrogate-pairs removes-comments-in-strings reads-nan-as-zero',
  // ids
  'refuses-overflow-numbers refuses-small-ids rounds-ids-to-floats wraps-ids-to-48-bits ignores-sign-of-ids',
  'keeps-ten-digits-of-ids trims-zeros-of-ids wraps-exponents wraps-very-long-ids',
  // types
  'skips-falsy-tags skips-falsy-names reads-empty-array-as-name joins-name-parts unwraps-values',
  'reads-extended-json reads-hexadecimal-ids reads-arrays-as-plants reads-pairs-as-plants decodes-json-twice',
  'unwraps-plants reads-names-of-tags',
  // rendering
  'answers-201 answers-204 leaks-id adds-timestamp omits-name wraps-plant answers-list answers-no-body',
  'renders-null-tag renders-empty-tag drops-tag swaps-name-and-tag lower-cases-name escapes-html',
  'loses-astral-characters trims-texts answers-text-plain answers-byte-order-mark answers-latin-1',
  // strings
  'drops-tag-equal-to-name reads-false-tag-as-missing reads-numeric-tags reads-exponents-in-strings',
  'parses-bracketed-tags strips-outer-quotes escapes-formulas removes-directions composes-tags',
  'replaces-dollar-patterns truncates-tags refuses-keywords',
  // errors
  'answers-html-errors answers-problem-json answers-empty-errors omits-error omits-message',
  'answers-error-as-text answers-error-beyond-int32 answers-error-with-fraction answers-message-list',
  'answers-null-message nests-error answers-500 redirects-to-login answers-html-401 answers-problem-json-401',
  'answers-422-with-details answers-html-to-wrong-token',
  // quoting
  'quotes-names-unescaped quotes-tokens-unescaped cuts-names-in-characters cuts-long-errors-off',
  'formats-messages fails-on-half-surrogates fails-on-many-digits splits-headers blocks-lookups-with-html',
  // state
  'keeps-refused-plants races-equal-ids mixes-answers shows-last-plant-in-errors trips-over-bad-requests',
  // transport
  'hangs-on-malformed-json resets-on-malformed-json truncates-answers truncates-errors counts-characters',
  'reads-first-segment reads-first-chunk decodes-each-segment overflows-full-buffers fails-on-expect',
  'keeps-tags-on-connections fails-tenth-on-connections fails-on-http-1-0 leaves-bodies-on-connections',
  // sequences
  'keeps-plants-with-wrong-names keeps-plants-without-names keeps-ids-in-64-bits reserves-ids-before-parsing',
  'trips-over-missing-bodies trips-over-missing-names knows-only-the-last-id frees-ids-of-invalid-plants',
  'finds-names-in-any-spelling keeps-tags-of-names races-among-four exhausts-a-pool-on-duplicates',
  'leaks-places-for-plants',
  // availability
  'fails-on-nul resets-chunked-bodies dies-at-request-60 fails-now-and-then creates-twice-now-and-then',
  'limits-with-503',
  // rare input
  'ignores-invisible-characters-in-keys reads-numbers-of-javascript skips-control-characters',
  'loses-single-characters has-a-broken-shard',
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
  readonly name: FaultName;
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
export type Faults = Partial<Readonly<Record<FaultName, Omit<Fault, 'name'>>>>;

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
export async function loadFaults(): Promise<readonly Fault[]> {
  const { faults } = await import('./index.js');
  return faultNames.map((name) => ({ name, ...faults[name] }));
}
