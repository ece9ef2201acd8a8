import { readJson } from '../../../validation/json.js';
import {
  type Ambiguous,
  type Blocked,
  type Exchange,
  isAccepted,
  isRejected,
  isUnprocessed,
  type NotApplicable,
  type Problem,
} from '../../exchange.js';
import type { Facts } from '../../facts/facts.js';
import { jsonOf, membersOf, responseInWords } from '../../response-body.js';

/** The creation of another plant with an id that the provider has, if it was sent. */
export function duplicateIn(facts: Facts): Exchange | undefined {
  return facts.of('repeated-id')[2];
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

/** The probes that {@link whyMaybeDuplicate} looks at: how duplicates and others are rejected, and which ids exist. */
export const DUPLICATE_PROBES: readonly string[] = [
  'repeated-id',
  'missing-name',
  'id-is-text',
  'id-zero',
  'id-at-upper-end',
  'id-at-lower-end',
];

/**
 * Why a provider may have rejected an invalid request only as a duplicate. A provider that converts `true` to 1, a
 * missing id to 0, or 2^63 to an id within int64, accepts such a request once. In every later check that id exists,
 * and the request is rejected as a duplicate.
 *
 * This is possible only if all of these are true:
 * - The request has no fresh id within int64.
 * - Its rejection has the same wording as the rejection of a duplicate, and no other invalid request has it.
 * - The ids exist to which it may have been converted. For `true` this is not asked, because no probe sends the id 1.
 *
 * If the rejection also names the id to which the invalid one was converted, as it does for a duplicate, that is proof.
 */
export function whyMaybeDuplicate(exchange: Exchange, facts: Facts): Ambiguous | Problem | undefined {
  const isOutside = isOutsideInt64(exchange, facts);
  if ((hasFreshId(exchange) && !isOutside) || !isRejected(exchange)) return undefined;
  const duplicate = duplicateIn(facts);
  if (duplicate === undefined || !isRejected(duplicate)) return undefined;
  const wording = wordingOf(duplicate);
  if (wordingOf(exchange) !== wording) return undefined;
  const others = facts.find(otherWordings);
  if (others.size === 0 || others.has(wording)) return undefined;
  const shown = shownId(exchange, duplicate);
  if (shown !== undefined) {
    return {
      expected: 'a rejection of the value that was sent',
      actual: `a duplicate of the id ${shown}, to which it was converted: ${responseInWords(exchange)}`,
    };
  }
  const { existing, id } = convertedId(exchange, isOutside);
  if (existing.length > 0 && existing.every((probe) => facts.accepted(probe))) return undefined;
  return {
    ambiguous: `${facts.titleOf(exchange)} was rejected like a duplicate id: the provider may have converted its id to ${id}, which exists already; check a provider without plants to find out`,
  };
}

/** What providers convert invalid ids to, if it is the same in every check. */
const CONVERSIONS = ['0', '1', '9223372036854775807', '-9223372036854775808'];

/** The id that a rejection names in the place where the rejection of a duplicate names its id. It was not sent so. */
function shownId(exchange: Exchange, duplicate: Exchange): string | undefined {
  const [said, repeated] = [exchange, duplicate].map(messageIn);
  const { id } = duplicate.request;
  if (said === undefined || repeated === undefined || id === undefined) return undefined;
  const parts = repeated.split(String(id));
  const sent = Buffer.from(exchange.request.body).toString();
  return CONVERSIONS.find(
    (one) => parts.length > 1 && parts.join(one) === said && !new RegExp(`(?<!\\d)${one}(?!\\d)`).test(sent),
  );
}

/** The message of an Error without the name in the request. */
function messageIn({ request, response }: Exchange): string | undefined {
  const message = membersOf(response && jsonOf(response))?.message;
  return typeof message === 'string' ? message.replaceAll(nameIn(request.body), '') : undefined;
}

/** How other invalid requests are rejected: those with a fresh id. */
function otherWordings(facts: Facts): ReadonlySet<string> {
  const others = facts.exchanges.filter(
    (other) => other.expectation === 'rejected' && hasFreshId(other) && !isOutsideInt64(other, facts),
  );
  return new Set(others.filter(isRejected).map(wordingOf));
}

/** Whether a request has a fresh id as its id, and not only under another key. */
function hasFreshId({ request: { id, body } }: Exchange): boolean {
  if (id === undefined) return false;
  const read = readJson(body);
  return !read.ok || Object.hasOwn(membersOf(read) ?? {}, 'id');
}

/** Whether the id of a request is an integer outside int64. */
function isOutsideInt64({ probe }: Exchange, { probes }: Facts): boolean {
  return probes.get(probe)?.rules?.includes('request/id-is-within-int64') === true;
}

/**
 * Whether a rejection may be that of a duplicate: a duplicate gets the same status, and an Error with the same code and
 * at least half of its words. The message may show the plant that exists, which may be any. A response that is not an
 * Error is like every other.
 *
 * @param probe the probe that sends duplicates: of an id, or of a name
 */
export function isLikeDuplicate(
  exchange: Exchange,
  facts: Facts,
  probe: 'repeated-id' | 'repeated-name' = 'repeated-id',
): boolean {
  const [, ...duplicates] = facts.of(probe);
  if (duplicates.length === 0 || duplicates.some(isUnprocessed)) return true;
  return duplicates.some((duplicate) => {
    if (!isRejected(duplicate) || duplicate.response?.status !== exchange.response?.status) return false;
    const [code, ...words] = (errorIn(duplicate, []) ?? '').split(' ');
    const [ownCode, ...ownWords] = (errorIn(exchange, []) ?? '').split(' ');
    if (code === '' || ownCode === '') return true;
    return code === ownCode && 2 * words.filter((word) => ownWords.includes(word)).length >= words.length;
  });
}

/** The id to which a provider may convert an invalid one, and the probes that send such an id as it is. */
function convertedId({ probe }: Exchange, isOutside: boolean): { existing: readonly string[]; id: string } {
  if (probe === 'id-is-boolean') return { existing: [], id: '1' };
  if (!isOutside) return { existing: ['id-zero'], id: '0' };
  return { existing: ['id-at-upper-end', 'id-at-lower-end'], id: 'one within int64' };
}

/**
 * Whether a rejection is like that of a duplicate: its status, the code of its Error and the message, apart from the two
 * names. A response that is not an Error is like every other.
 */
export function isRejectedAlike(one: Exchange, duplicate: Exchange): boolean {
  if (one.response?.status !== duplicate.response?.status) return false;
  const names = [one, duplicate].map(({ request }) => nameIn(request.body));
  const [said, repeated] = [one, duplicate].map((exchange) => errorIn(exchange, names));
  return said === undefined || repeated === undefined || said === repeated;
}

/** The Error in a response as a string, without names and values. The longest name is removed first. */
function errorIn({ response }: Exchange, names: readonly string[]): string | undefined {
  const { error, message } = membersOf(response && jsonOf(response)) ?? {};
  if (typeof message !== 'string') return undefined;
  const removed = names.toSorted((a, b) => b.length - a.length);
  return `${String(error)} ${withoutValues(removed.reduce((text, name) => text.replaceAll(name, ''), message))}`;
}

/** The status and body of a response, without the parts that differ from one plant or one moment to the next. */
function wordingOf({ request, response }: Exchange): string {
  const text = Buffer.from(response?.body ?? []).toString();
  return `${response?.status} ${withoutValues(text.replaceAll(nameIn(request.body), ''))}`;
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

/** The name in a request. Empty if it has none: taking that out of a text changes nothing. */
function nameIn(body: Uint8Array): string {
  const name = membersOf(readJson(body))?.name;
  return typeof name === 'string' ? name : '';
}
