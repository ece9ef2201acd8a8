import type { Fault } from './fault.js';

/**
 * The names of all faults, in the order of the registry. They stand apart from the faults, so that a server
 * without faults does not load them; a test holds the two together.
 */
export const faultNames = [
  // authentication
  'accepts-missing-token',
  'accepts-any-token',
  'accepts-empty-authorization',
  'accepts-empty-token',
  'accepts-any-scheme',
  'accepts-bare-token',
  'compares-token-start',
  'ignores-token-case',
  'accepts-token-in-query',
  'accepts-token-in-body',
  'authenticates-the-connection',
  // reading
  'refuses-media-type-parameters',
  'compares-media-type-case',
  'accepts-empty-body',
  'accepts-single-quotes',
  'accepts-text-as-plant',
  'ignores-trailing-text',
  'reads-json-by-pattern',
  'wraps-ids',
  'rounds-ids',
  // validation
  'accepts-missing-name',
  'accepts-missing-id',
  'turns-name-into-text',
  'accepts-null-name',
  'turns-id-into-number',
  'cuts-fractions-off',
  'turns-tag-into-text',
  'accepts-null-tag',
  'requires-tag',
  'unwraps-arrays',
  'refuses-large-ids',
  'accepts-ids-beyond-int64',
  'refuses-name-null',
  'refuses-tag-null',
  'refuses-long-names',
  // rendering
  'answers-201',
  'answers-204',
  'leaks-id',
  'adds-timestamp',
  'omits-name',
  'wraps-plant',
  'answers-list',
  'answers-no-body',
  'renders-null-tag',
  'renders-empty-tag',
  'drops-tag',
  'swaps-name-and-tag',
  'lower-cases-name',
  'escapes-html',
  'loses-astral-characters',
  'trims-texts',
  'answers-text-plain',
  'answers-byte-order-mark',
  'answers-latin-1',
  // errors
  'answers-html-errors',
  'answers-problem-json',
  'answers-empty-errors',
  'omits-error',
  'omits-message',
  'answers-error-as-text',
  'answers-error-beyond-int32',
  'answers-error-with-fraction',
  'answers-message-list',
  'answers-null-message',
  'nests-error',
  'answers-500',
  'redirects-to-login',
  'answers-html-to-wrong-token',
  // state
  'keeps-refused-plants',
  'races-equal-ids',
  'mixes-answers',
  'trips-over-bad-requests',
  // socket
  'hangs-on-malformed-json',
  'resets-on-malformed-json',
  'truncates-answers',
  'truncates-errors',
  'counts-characters',
] as const;

/** The name of a fault. */
export type FaultName = (typeof faultNames)[number];

/**
 * Every fault of the reference server: its name, what it does, and the rules that it breaks. They are loaded
 * only when asked for, because most servers have none.
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
  return (await import('./index.js')).faults;
}
