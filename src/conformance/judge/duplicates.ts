import { jsonOf, membersOf } from '../body.js';
import {
  type Blocked,
  type Exchange,
  isAccepted,
  isRejected,
  isUnprocessed,
  type NotApplicable,
} from '../exchange.js';
import type { Facts } from './facts.js';

/** The names of two rows: one sends a duplicate, and the other several, all for the same reason. */
export interface Duplicates {
  readonly once: string;
  readonly often: string;
}
export const OF_IDS: Duplicates = { once: 'repeated-id', often: 'sequences/duplicates' };
export const OF_NAMES: Duplicates = { once: 'repeated-name', often: 'volume/same-name-at-once' };

/** The creation of another plant with an id that the provider has, if it was sent. */
export function duplicateIn(facts: Facts): Exchange | undefined {
  return facts.of(OF_IDS.once)[2];
}

/**
 * Why the responses do not show which plants a provider has stored. Only a provider that rejects a duplicate id for
 * another plant shows that it has the id. A second creation of the same plant proves nothing: it may be accepted or
 * rejected for other reasons.
 *
 * @param duplicate the creation of another plant with an id that the provider has
 */
export function whyStoreIsHidden(duplicate: Exchange | undefined): NotApplicable | Blocked | undefined {
  if (duplicate === undefined || isUnprocessed(duplicate))
    return { blocked: 'there was no response to a duplicate id' };
  return isAccepted(duplicate)
    ? { notApplicable: 'the interface allows the provider to accept a duplicate id, and it does' }
    : undefined;
}

/**
 * Whether a rejection may be that of a duplicate: a duplicate gets the same status, and an Error with the same code and
 * at least half of its words. The message may show the plant that exists, which may be any. A response that is not an
 * Error is like every other.
 *
 * @param duplicates those of ids, or of names
 */
export function isLikeDuplicate(
  exchange: Exchange,
  facts: Facts,
  { once, often }: Duplicates = OF_IDS,
): boolean {
  const [, ...duplicates] = facts.of(once);
  if (duplicates.length === 0 || duplicates.some(isUnprocessed)) return true;
  return duplicates.some((duplicate) => {
    if (!isRejected(duplicate) || duplicate.response?.status !== exchange.response?.status) return false;
    const [code, ...words] = (errorIn(duplicate) ?? '').split(' ');
    const [ownCode, ...ownWords] = (errorIn(exchange) ?? '').split(' ');
    if (code === '' || ownCode === '') return true;
    const isSameReason = code === ownCode || numbersRejections(facts, often);
    return isSameReason && 2 * words.filter((word) => ownWords.includes(word)).length >= words.length;
  });
}

/** Whether the "error" of a rejection is the number of an incident, another each time: several duplicates have different ones. */
function numbersRejections(facts: Facts, often: string): boolean {
  const rejections = facts.of(often).filter((one) => one.expectation === 'open' && isRejected(one));
  return new Set(rejections.map((one) => errorIn(one)?.split(' ')[0])).size > 1;
}

/** The Error in a response as a string, without values. */
function errorIn({ response }: Exchange): string | undefined {
  const { error, message } = membersOf(response && jsonOf(response)) ?? {};
  return typeof message === 'string' ? `${String(error)} ${withoutValues(message)}` : undefined;
}

/** A text without ids, quotes and times, and without the words that programming languages have for a missing value. */
function withoutValues(text: string): string {
  // Word by word: a pattern that looks for a digit in a word takes quadratic time in a long one without digits.
  return text
    .replaceAll(/["'`\\[\]{}]/g, '')
    .replaceAll(/[\w-]+/g, (word) =>
      /\d/.test(word) ? '#' : word.replace(/\b(?:true|false|null|none|nil|undefined|nan)\b/gi, '#'),
    );
}
