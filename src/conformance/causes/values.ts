import { isDeepStrictEqual } from 'node:util';
import { listed } from '../../report/wording.js';
import { readJson } from '../../validation/json.js';
import { isObject, JsonNumber, type JsonObject, type JsonValue } from '../../validation/json-value.js';
import { jsonOf, membersOf } from '../body.js';
import { type Exchange, isAccepted, objectIn, plantIn } from '../exchange.js';
import type { Facts } from '../judge/facts.js';
import { whyStoreIsHidden } from '../topics/state/duplicates.js';
import type { BrokenRule, Cause } from './cause.js';

type Field = 'name' | 'id' | 'tag';

const FIELDS: readonly Field[] = ['name', 'id', 'tag'];

/** Keys that are taken for others. */
export const keyCauses: readonly Cause[] = [
  {
    id: 'keys-ignore-case',
    fix: 'Compare keys exactly: "Name" is another key than "name".',
    cause: 'Keys are compared without their case: "Name" is read as "name".',
    explains: ({ rule, exchange }, facts) => {
      if (rule !== 'request/keys-are-exact' || !facts.find(isCaseIgnored)) return false;
      // Of a sequence, another request has the key.
      const sequence = facts.of(exchange.probe);
      return [exchange, ...(exchange.step > 0 ? sequence : [])].some((one) => otherCase(one).length > 0);
    },
  },
];

/** Whether a value came back that was sent under a key in another case. */
function isCaseIgnored({ exchanges }: Facts): boolean {
  return exchanges.some((exchange) => {
    if (!isAccepted(exchange) || exchange.response === undefined) return false;
    const sent = membersOf(readJson(exchange.request.body)) ?? {};
    const received = membersOf(jsonOf(exchange.response)) ?? {};
    return otherCase(exchange).some((key) => {
      const field = key.toLowerCase();
      return received[field] === sent[key] && received[field] !== sent[field];
    });
  });
}

/** The keys of a request that differ from a field only in their case. */
function otherCase({ request: { body } }: Exchange): string[] {
  const fields: readonly string[] = FIELDS;
  return Object.keys(membersOf(readJson(body)) ?? {}).filter(
    (key) => !fields.includes(key) && fields.includes(key.toLowerCase()),
  );
}

const UINT32_END = 2n ** 32n;
const DOUBLE_END = 2n ** 53n;

/** Ids in too few bits, in too many, or in a double. */
export const idCauses: readonly Cause[] = [
  {
    id: 'id-in-32-bits',
    fix: 'Use a 64-bit integer everywhere, from the JSON parser to the database column.',
    cause: 'The id is stored in 32 bits.',
    explains: (broken, facts) =>
      isRefusedAbove(UINT32_END, broken, facts) ||
      areAlike(broken, facts, alikeIn32Bits) ||
      mayBeTakenFor('ids-alike-in-32-bits', broken, facts),
  },
  {
    id: 'id-through-a-double',
    fix: 'Read ids as 64-bit integers, from the text of the number: BigInt in JavaScript, int64 in Go, long in Java and C#.',
    cause: 'The id is converted to a double, which is exact only up to 2^53.',
    explains: (broken, facts) =>
      isRefusedAbove(DOUBLE_END, broken, facts) ||
      areAlike(broken, facts, alikeAsDoubles) ||
      mayBeTakenFor('ids-alike-as-doubles', broken, facts) ||
      (broken.rule === 'request/id-is-within-int64' && exactnessOf(facts) === 'rounded'),
  },
  {
    id: 'id-is-unsigned',
    fix: 'Use a signed 64-bit integer, or reject an id above 2^63 - 1.',
    cause: 'The id is an unsigned 64-bit integer: ids from 2^63 to 2^64 - 1 are accepted.',
    explains: ({ rule }, facts) => rule === 'request/id-is-within-int64' && isUnsigned(facts),
  },
  {
    id: 'id-is-unbounded',
    fix: 'Reject an id that is not between -2^63 and 2^63 - 1.',
    cause: 'The range of ids is not checked: integers of more than 64 bits are accepted.',
    explains: ({ rule }, facts) =>
      rule === 'request/id-is-within-int64' &&
      exactnessOf(facts) === 'exact' &&
      (facts.accepted('id-past-64-bits') || facts.accepted('id-of-30-digits')),
  },
];

/** Whether a valid id is rejected, and no id above a bound is accepted. */
function isRefusedAbove(bound: bigint, { rule, exchange }: BrokenRule, facts: Facts): boolean {
  const id = sentId(exchange);
  // A database may fail on an id that its column cannot hold.
  const isJudged =
    rule === 'request/int64-ids-are-accepted' ||
    (rule === 'success/valid-plant-is-processed' && bound === UINT32_END);
  if (!isJudged || id === undefined) return false;
  const accepted = facts.exchanges.filter(
    (other) => other.request.plant !== undefined && isAccepted(other) && BigInt(other.request.plant.id) > 0,
  );
  // A 32-bit integer without a sign ends at 2^32, one with a sign already at 2^31.
  return (
    id >= (bound === UINT32_END ? bound / 2n : bound) &&
    accepted.every(({ request }) => BigInt(request.plant?.id ?? 0) < bound)
  );
}

/** Whether a provider takes the second of two ids for the first. */
function areAlike(
  { rule, exchange }: BrokenRule,
  facts: Facts,
  alike: (one: bigint, other: bigint) => boolean,
): boolean {
  if (rule !== 'request/ids-are-exact') return false;
  const [first] = facts.of(exchange.probe);
  const one = first === undefined ? undefined : sentId(first);
  const other = sentId(exchange);
  return one !== undefined && other !== undefined && one !== other && alike(one, other);
}

/** Whether a valid id may be rejected because the provider takes it for another one, as it does in a probe of two ids. */
function mayBeTakenFor(probe: string, { rule }: BrokenRule, facts: Facts): boolean {
  return rule === 'request/int64-ids-are-accepted' && facts.rejected(probe, 1);
}

function sentId({ request: { plant, id } }: Exchange): bigint | undefined {
  const sent = plant?.id ?? id;
  return sent === undefined ? undefined : BigInt(sent);
}

function alikeIn32Bits(one: bigint, other: bigint): boolean {
  return BigInt.asUintN(32, one) === BigInt.asUintN(32, other);
}

function alikeAsDoubles(one: bigint, other: bigint): boolean {
  return Number(one) === Number(other);
}

function isUnsigned(facts: Facts): boolean {
  return (
    facts.accepted('id-past-upper-end') &&
    !facts.accepted('id-past-64-bits') &&
    !facts.accepted('id-of-30-digits') &&
    !facts.accepted('id-past-lower-end') &&
    !facts.accepted('id-negative')
  );
}

/** Whether ids above 2^53 are kept as they are: if duplicates are rejected or the id comes back, this shows. */
function exactnessOf(facts: Facts): 'exact' | 'rounded' | 'unknown' {
  const [first, second, again] = facts.of('ids-alike-as-doubles');
  if (first !== undefined && second !== undefined && isAccepted(first)) {
    if (facts.rejected('ids-alike-as-doubles', 1)) return 'rounded';
    if (isAccepted(second) && again !== undefined && whyStoreIsHidden(again) === undefined) return 'exact';
  }
  const returned = facts.exchanges.flatMap(returnedExactly);
  if (returned.length === 0) return 'unknown';
  return returned.every((isExact) => isExact) ? 'exact' : 'rounded';
}

/** Whether an id that no double holds comes back as it was sent, if it comes back at all. */
function returnedExactly(exchange: Exchange): boolean[] {
  const sent = exchange.request.plant?.id;
  if (exchange.response === undefined || !isAccepted(exchange) || sent === undefined) return [];
  if (BigInt(Number(sent)) === BigInt(sent)) return [];
  const id = membersOf(jsonOf(exchange.response))?.id;
  return id === undefined ? [] : [String(id) === String(sent)];
}

type Mistake = 'null' | 'not-checked' | 'converted' | 'boolean' | 'fraction';

/** A value of another type in an accepted request, and what the provider did with it. */
interface WrongValue {
  readonly field: Field;
  readonly sent: JsonValue;
  /** Whether the same value came back, another one, or none. The response never has to have the id. */
  readonly fate: 'untouched' | 'changed' | 'unseen';
}

/** Fields whose type is not what it should be. */
export const typeCauses: readonly Cause[] = [
  {
    id: 'types-are-not-checked',
    fix: 'Check the type of each field, and reject every other type.',
    cause: (_, facts) => `The types of fields are not checked: ${fieldsWith('not-checked', facts)}.`,
    explains: hasMistake('not-checked'),
  },
  {
    id: 'types-are-converted',
    fix: "Disable the framework's type conversion, or check the types before the fields are bound.",
    cause: 'Values of another type are converted instead of rejected.',
    explains: hasMistake('converted'),
  },
  {
    id: 'booleans-count-as-integers',
    fix: 'Reject true and false as ids. Check for the type itself: a boolean may be a subtype of the integers.',
    cause: 'Booleans count as integers: true is 1, and false is 0.',
    explains: hasMistake('boolean'),
  },
  {
    id: 'fractions-are-accepted',
    fix: 'Reject a number that is not an integer.',
    cause: 'An id with a fraction is accepted: it is read as any number.',
    explains: hasMistake('fraction'),
  },
  {
    id: 'null-counts-as-missing',
    fix: 'Reject null. A field that is null is not missing.',
    cause: (_, facts) => `A field that is null counts as missing: ${fieldsWith('null', facts)}.`,
    explains: hasMistake('null'),
  },
];

/** The fields with a mistake, as `"name" and "tag"`. */
function fieldsWith(mistake: Mistake, facts: Facts): string {
  return listed(fieldsOf(mistake, facts).map((field) => `"${field}"`));
}

function fieldsOf(mistake: Mistake, facts: Facts): readonly Field[] {
  const all = facts.find(wrongValuesIn);
  return FIELDS.filter((field) => all.some((one) => one.field === field && mistakeOf(one, all) === mistake));
}

/** Returns a function that says whether an accepted value of another type shows a mistake. */
function hasMistake(mistake: Mistake): Cause['explains'] {
  return ({ rule, exchange }, facts) => {
    if (!rule.startsWith('request/')) return false;
    const [wrong] = wrongValues(exchange);
    if (wrong !== undefined) return mistakeOf(wrong, facts.find(wrongValuesIn)) === mistake;
    const fields = mistake === 'not-checked' ? fieldsOf(mistake, facts) : [];
    return fields.some((field) => isMissingUnnoticed(field, rule, exchange));
  };
}

/** Whether a plant without a field was accepted, and has no such field in the response either: nobody looked at it. */
function isMissingUnnoticed(field: Field, rule: string, { request, response }: Exchange): boolean {
  if (rule !== `request/${field}-is-required` || response === undefined) return false;
  const sent = membersOf(readJson(request.body));
  const received = membersOf(jsonOf(response));
  return sent !== undefined && !Object.hasOwn(sent, field) && !Object.hasOwn(received ?? {}, field);
}

function mistakeOf(wrong: WrongValue, all: readonly WrongValue[]): Mistake {
  const ofField = all.filter(({ field }) => field === wrong.field);
  const others = ofField.filter(({ sent }) => sent !== null);
  if (wrong.sent === null) {
    if (others.length === 0) return 'null';
    const mistake = mistakeOf(others[0] as WrongValue, all);
    // A reader that converts other types may still read null as a missing field.
    return mistake === 'converted' && wrong.fate !== 'changed' && wrong.field !== 'id' ? 'null' : mistake;
  }
  if (wrong.fate !== 'unseen') return wrong.fate === 'untouched' ? 'not-checked' : 'converted';
  if (others.every(({ sent }) => typeof sent === 'boolean')) return 'boolean';
  if (others.every(({ sent }) => isNumber(sent))) return 'fraction';
  // No id can be made of an object. If a provider accepts one, it converts nothing.
  if (others.some(({ sent }) => isObject(sent))) return 'not-checked';
  const hasFate = (fate: WrongValue['fate']) => all.some((one) => one.sent !== null && one.fate === fate);
  return hasFate('untouched') && !hasFate('changed') ? 'not-checked' : 'converted';
}

function wrongValuesIn({ exchanges }: Facts): readonly WrongValue[] {
  return exchanges.flatMap(wrongValues);
}

/** The values of another type in a request that should have been rejected, and was accepted. */
function wrongValues(exchange: Exchange): readonly WrongValue[] {
  if (exchange.expectation !== 'rejected' || !isAccepted(exchange) || exchange.response === undefined)
    return [];
  const sent = membersOf(readJson(exchange.request.body));
  const received = membersOf(jsonOf(exchange.response)) ?? {};
  if (sent === undefined) return [];
  return FIELDS.filter((field) => Object.hasOwn(sent, field) && !isOfType(field, sent[field])).map(
    (field) => ({
      field,
      sent: sent[field] ?? null,
      fate: fateOf(field, sent[field] ?? null, received),
    }),
  );
}

function fateOf(field: Field, sent: JsonValue, received: JsonObject): WrongValue['fate'] {
  if (!Object.hasOwn(received, field)) return 'unseen';
  return isDeepStrictEqual(received[field], sent) ? 'untouched' : 'changed';
}

function isOfType(field: Field, value: JsonValue | undefined): boolean {
  if (field !== 'id') return typeof value === 'string';
  return (
    typeof value === 'bigint' || Number.isInteger(value) || (value instanceof JsonNumber && value.isInteger)
  );
}

function isNumber(value: JsonValue): boolean {
  return typeof value === 'number' || typeof value === 'bigint' || value instanceof JsonNumber;
}

/** A string as it was sent, and what came back instead. */
interface Change {
  readonly sent: string;
  readonly received: unknown;
}

/** Strings that come back changed. */
export const stringCauses: readonly Cause[] = [
  {
    id: 'wrong-charset',
    fix: 'Store strings in a charset that has every character (in MySQL, utf8mb4), and respond in UTF-8.',
    cause: ({ rule }) =>
      rule === 'success/body-is-json'
        ? 'The response is not in UTF-8.'
        : 'Strings are converted to a charset that does not have all of their characters.',
    explains: (broken, facts) =>
      broken.rule === 'success/body-is-json'
        ? isNotUtf8(broken.exchange, facts)
        : changesBy(isInOtherCharset)(broken),
  },
  {
    id: 'string-ends-at-nul',
    fix: 'Keep the length of a string, or reject U+0000.',
    cause: 'A string ends at its first U+0000: it is handled as a zero-terminated string.',
    explains: changesBy(isCutAtNul),
  },
  {
    id: 'strings-are-trimmed',
    fix: 'Store strings unchanged. If white space at the ends is not allowed, reject it.',
    cause: 'White space at the ends of strings is removed.',
    explains: changesBy(isTrimmed),
  },
  {
    id: 'strings-are-padded',
    fix: 'Use a column of variable length: VARCHAR or TEXT, not CHAR.',
    cause: 'Strings are padded to a fixed length.',
    explains: changesBy(isPadded),
  },
  {
    id: 'strings-become-values',
    fix: 'Keep a string a string, whatever it looks like. Do not convert it when you read or write it.',
    cause: 'Strings that look like a number, a boolean or null are converted to it.',
    explains: changesBy(isValueOf),
  },
  {
    id: 'strings-are-truncated',
    fix: 'Reject a string that is too long for its column, or use a longer column. Do not cut it off.',
    cause: 'Long strings are cut off.',
    explains: changesBy(isCutOff),
  },
];

/** Returns a function that says whether a string of the plant was changed in a certain way. */
function changesBy(isSo: (change: Change) => boolean): (broken: BrokenRule) => boolean {
  return ({ rule, exchange }) =>
    /^success\/(?:\w+-comes?-back|body-is-a-plant)$/.test(rule) && changesIn(exchange).some(isSo);
}

function changesIn(exchange: Exchange): Change[] {
  const plant = exchange.request.plant ?? {};
  const received = objectIn(exchange) ?? {};
  return Object.entries(plant).flatMap(([field, sent]) =>
    typeof sent === 'string' && received[field] !== sent ? [{ sent, received: received[field] }] : [],
  );
}

/** Whether characters were replaced by question marks, each of their bytes by a character, or all from the first astral one cut off. */
function isInOtherCharset({ sent, received }: Change): boolean {
  if (typeof received !== 'string') return false;
  if (sent.startsWith(received) && (sent.codePointAt(received.length) ?? 0) > 0xffff) return true;
  const marks = (text: string): number => text.match(/[?\ufffd]/g)?.length ?? 0;
  return marks(received) > marks(sent) || (/Ã.|Â.|â.|ð./u.test(received) && !/[ÃÂâð]/.test(sent));
}

function isValueOf({ sent, received }: Change): boolean {
  if (typeof received !== 'string')
    return (
      (typeof received === 'boolean' || typeof received === 'number' || received === null) &&
      (sent.toLowerCase() === String(received) || (sent !== '' && Number(sent) === received))
    );
  // A number that was written as a string again.
  return /^[-+]?[\d.]+(?:e[-+]?\d+)?$/i.test(sent) && received !== '' && Number(sent) === Number(received);
}

function isCutAtNul({ sent, received }: Change): boolean {
  return sent.includes('\0') && received === sent.slice(0, sent.indexOf('\0'));
}

function isTrimmed({ sent, received }: Change): boolean {
  if (typeof received !== 'string' || received.length >= sent.length) return false;
  return received.trim() === sent.trim();
}

/** Whether characters of one kind were added at one end. */
function isPadded({ sent, received }: Change): boolean {
  if (typeof received !== 'string' || received.length <= sent.length) return false;
  const added = received.startsWith(sent)
    ? received.slice(sent.length)
    : received.endsWith(sent)
      ? received.slice(0, -sent.length || undefined)
      : '';
  return /^(?:\s+|\0+|0+)$/.test(added);
}

/** Whether only the beginning came back. What was cut off is not only white space: that is trimmed. */
function isCutOff({ sent, received }: Change): boolean {
  return (
    typeof received === 'string' &&
    received.length < sent.length &&
    received !== '' &&
    sent.startsWith(received)
  );
}

/** If plain plants come back as JSON and other strings do not, the JSON is right and its bytes are wrong. */
function isNotUtf8({ request }: Exchange, facts: Facts): boolean {
  const plain = facts.of('plain-plant').at(-1);
  const isAscii = Buffer.from(request.body).every((byte) => byte < 0x80);
  return !isAscii && plain !== undefined && plantIn(plain) !== undefined;
}
