import { isObject } from '../../validation/json-value.js';
import { type Exchange, isAccepted } from '../exchange.js';
import type { Facts } from '../facts/facts.js';
import { jsonOf } from '../response-body.js';
import { whyStoreIsHidden } from '../rules/duplicates.js';
import type { BrokenRule, Cause } from './cause.js';

const UINT32_END = 2n ** 32n;
const DOUBLE_END = 2n ** 53n;

/** Ids in too few bits, in too many, or in a double. */
export const idCauses: readonly Cause[] = [
  {
    id: 'id-in-32-bits',
    fix: 'Use a 64-bit integer everywhere, from the JSON parser to the database column.',
    explain: (broken, facts) =>
      isRefusedAbove(UINT32_END, broken, facts) || areAlike(broken, facts, alikeIn32Bits)
        ? 'The id is stored in 32 bits.'
        : undefined,
  },
  {
    id: 'id-through-a-double',
    fix: 'Read ids as 64-bit integers, from the text of the number: BigInt in JavaScript, int64 in Go, long in Java and C#.',
    explain: (broken, facts) =>
      isRefusedAbove(DOUBLE_END, broken, facts) ||
      areAlike(broken, facts, alikeAsDoubles) ||
      (broken.rule === 'request/id-is-within-int64' && exactnessOf(facts) === 'rounded')
        ? 'The id is converted to a double, which is exact only up to 2^53.'
        : undefined,
  },
  {
    id: 'id-is-unsigned',
    fix: 'Use a signed 64-bit integer, or reject an id above 2^63 - 1.',
    explain: ({ rule }, facts) =>
      rule === 'request/id-is-within-int64' && isUnsigned(facts)
        ? 'The id is an unsigned 64-bit integer: ids from 2^63 to 2^64 - 1 are accepted.'
        : undefined,
  },
  {
    id: 'id-is-unbounded',
    fix: 'Reject an id that is not between -2^63 and 2^63 - 1.',
    explain: ({ rule }, facts) =>
      rule === 'request/id-is-within-int64' &&
      exactnessOf(facts) === 'exact' &&
      (facts.accepted('id-past-64-bits') || facts.accepted('id-of-30-digits'))
        ? 'The range of ids is not checked: integers of more than 64 bits are accepted.'
        : undefined,
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
  const read = jsonOf(exchange.response);
  const id = read.ok && isObject(read.value) ? read.value.id : undefined;
  return id === undefined ? [] : [String(id) === String(sent)];
}
