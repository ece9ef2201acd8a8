import { isObject } from '../../validation/json-value.js';
import { type Exchange, isAccepted } from '../exchange.js';
import type { RunRecord } from '../judging/run-record.js';
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
    explain: (broken, record) =>
      isRefusedAbove(UINT32_END, broken, record) || areAlike(broken, record, alikeIn32Bits)
        ? 'The id is stored in 32 bits.'
        : undefined,
  },
  {
    id: 'id-through-a-double',
    fix: 'Read ids as 64-bit integers, from the text of the number: BigInt in JavaScript, int64 in Go, long in Java and C#.',
    explain: (broken, record) =>
      isRefusedAbove(DOUBLE_END, broken, record) ||
      areAlike(broken, record, alikeAsDoubles) ||
      (broken.rule === 'request/id-is-within-int64' && exactnessOf(record) === 'rounded')
        ? 'The id is converted to a double, which is exact only up to 2^53.'
        : undefined,
  },
  {
    id: 'id-is-unsigned',
    fix: 'Use a signed 64-bit integer, or reject an id above 2^63 - 1.',
    explain: ({ rule }, record) =>
      rule === 'request/id-is-within-int64' && isUnsigned(record)
        ? 'The id is an unsigned 64-bit integer: ids from 2^63 to 2^64 - 1 are accepted.'
        : undefined,
  },
  {
    id: 'id-is-unbounded',
    fix: 'Reject an id that is not between -2^63 and 2^63 - 1.',
    explain: ({ rule }, record) =>
      rule === 'request/id-is-within-int64' &&
      exactnessOf(record) === 'exact' &&
      (record.accepted('id-past-64-bits') || record.accepted('id-of-30-digits'))
        ? 'The range of ids is not checked: integers of more than 64 bits are accepted.'
        : undefined,
  },
];

/** Whether a valid id is rejected, and no id above a bound is accepted. */
function isRefusedAbove(bound: bigint, { rule, exchange }: BrokenRule, record: RunRecord): boolean {
  const id = sentId(exchange);
  // A database may fail on an id that its column cannot hold.
  const isJudged =
    rule === 'request/int64-ids-are-accepted' ||
    (rule === 'success/valid-plant-is-processed' && bound === UINT32_END);
  if (!isJudged || id === undefined) return false;
  const accepted = record.exchanges.filter(
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
  record: RunRecord,
  alike: (one: bigint, other: bigint) => boolean,
): boolean {
  if (rule !== 'request/ids-are-exact') return false;
  const [first] = record.of(exchange.probe);
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

function isUnsigned(record: RunRecord): boolean {
  return (
    record.accepted('id-past-upper-end') &&
    !record.accepted('id-past-64-bits') &&
    !record.accepted('id-of-30-digits') &&
    !record.accepted('id-past-lower-end') &&
    !record.accepted('id-negative')
  );
}

/** Whether ids above 2^53 are kept as they are: if duplicates are rejected or the id comes back, this shows. */
function exactnessOf(record: RunRecord): 'exact' | 'rounded' | 'unknown' {
  const [first, second, again] = record.of('ids-alike-as-doubles');
  if (first !== undefined && second !== undefined && isAccepted(first)) {
    if (record.rejected('ids-alike-as-doubles', 1)) return 'rounded';
    if (isAccepted(second) && again !== undefined && whyStoreIsHidden(again) === undefined) return 'exact';
  }
  const returned = record.exchanges.flatMap(returnedExactly);
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
