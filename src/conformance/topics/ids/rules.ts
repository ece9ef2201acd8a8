import {
  type Blocked,
  type Exchange,
  isAccepted,
  isOverloaded,
  isRejected,
  isUnprocessed,
  type NotApplicable,
  responseInWords,
} from '../../exchange.js';
import type { Facts } from '../../judge/facts.js';
import { defineRule } from '../../rule.js';
import { accepts, judgeAcceptance, NEW_PLANT, RESOURCES, rejects } from '../../rules/define.js';
import { isLikeDuplicate, whyStoreIsHidden } from '../duplicates.js';

const FORMAT = { section: RESOURCES, pointer: `${NEW_PLANT}/properties/id/format` };

/** Probes with one id of each size, the largest first. */
const IDS_OF_EVERY_SIZE: readonly {
  readonly above: bigint;
  readonly inWords: string;
  readonly probe: string;
}[] = [
  { above: 2n ** 62n, inWords: '2^62', probe: 'id-near-upper-end' },
  { above: 2n ** 53n, inWords: '2^53', probe: 'id-beyond-doubles' },
  { above: 2n ** 32n, inWords: '2^32', probe: 'id-above-uint32' },
  { above: 2n ** 31n, inWords: '2^31', probe: 'id-above-int32' },
  { above: 0n, inWords: '0', probe: 'plain-plant' },
  { above: -(2n ** 31n), inWords: '-2^31', probe: 'id-negative' },
  { above: -(2n ** 63n), inWords: '-2^63', probe: 'id-near-lower-end' },
];

/** What the interface demands of ids. */
export const idRules = [
  accepts({
    id: 'request/int64-ids-are-accepted',
    severity: 'error',
    title: 'Positive ids up to just below the upper end of int64 are accepted.',
    level: 'implied',
    source: FORMAT,
    why: 'The format of "id" is int64. A provider that accepts only 32 bits, or only what a double holds exactly, has another format. The interface shows no smaller range.',
    usualCause: 'The id is a 32-bit integer or a double in the code or in the database.',
    fix: 'Use a 64-bit integer everywhere, from the JSON parser to the database column.',
    dependsOn: ['repeated-id'],
    judge(exchange, { facts }) {
      if (exchange.request.idMayExist !== true) return judgeAcceptance(exchange);
      if (isUnprocessed(exchange)) return 'nothing-to-judge';
      if (isAccepted(exchange)) return undefined;
      if (!isRejected(exchange)) return 'nothing-to-judge';
      return isLikeDuplicate(exchange, facts)
        ? { notApplicable: 'this id may exist already, and it was rejected like a duplicate' }
        : { expected: '200', actual: responseInWords(exchange) };
    },
  }),
  rejects({
    id: 'request/id-is-within-int64',
    severity: 'warning',
    title: 'An integer outside int64 is rejected.',
    level: 'implied',
    source: FORMAT,
    why: 'The format of "id" is int64: -2^63 to 2^63 - 1. "Ranges: not shown" is about further constraints, and this one is shown. A provider cannot store any other integer as an int64, so the accepted plant would have another id.',
    usualCause: 'A number that does not fit overflows, is clamped, or becomes a double.',
    fix: 'Reject a number that does not fit into 64 bits before you convert it.',
  }),
  defineRule({
    id: 'request/ids-are-exact',
    severity: 'error',
    title: 'Ids that differ in one digit are different ids, even above 2^53.',
    level: 'implied',
    source: FORMAT,
    why: 'All 64 bits of an int64 count: 2^53 + 1 is not 2^53. A provider that rejects one of them because it has the other has not stored the id that it received.',
    usualCause: 'The id is read as a double, or cut to 32 bits.',
    fix: 'Read ids as 64-bit integers, from the text of the number: BigInt in JavaScript, int64 in Go, long in Java and C#.',
    dependsOn: IDS_OF_EVERY_SIZE.map(({ probe }) => probe),
    control: 'none',
    nothingToJudge: 'the first of the plants was not accepted',
    judge(exchange, { sequence, facts }) {
      const [first] = sequence;
      const again = sequence.at(-1);
      if (exchange === first || exchange === again || isUnprocessed(exchange)) return 'nothing-to-judge';
      if (first === undefined || again === undefined || !isAccepted(first)) return 'nothing-to-judge';
      if (isAccepted(exchange)) {
        // If the provider accepts the first id again, it would also accept two ids that it takes for one.
        return whyStoreIsHidden(again);
      }
      const why = whyOutOfReach(exchange, facts);
      if (why !== undefined) return why;
      const isFailure = !isRejected(exchange);
      // A 5xx may have another reason. It is the response to a duplicate if a plain one gets it too.
      const duplicate = facts.of('repeated-id')[1] ?? again;
      const isLikeAgain = [again, duplicate].every(
        ({ response }) => response?.status === exchange.response?.status,
      );
      if (isOverloaded(exchange) || (isFailure && !isLikeAgain))
        return { blocked: `the response is ${exchange.response?.status}` };
      const [before, sent] = [first.request.plant?.id, exchange.request.plant?.id];
      return {
        expected: `200 for the id ${sent}, because ${before} is another id`,
        actual: `${responseInWords(exchange)}, after ${before} was accepted`,
      };
    },
  }),
];

/** Why the rejection of an id says nothing about the ids before it: the provider rejects every id of this size. */
function whyOutOfReach({ request }: Exchange, facts: Facts): NotApplicable | Blocked | undefined {
  const id = BigInt(request.plant?.id ?? 0);
  const size = IDS_OF_EVERY_SIZE.find(({ above }) => id >= above);
  if (size === undefined || facts.of(size.probe).length === 0 || facts.accepted(size.probe)) return undefined;
  return id < 0n
    ? { notApplicable: 'the interface allows the provider to reject negative ids, and it does' }
    : { blocked: `the provider accepts no id above ${size.inWords}` };
}
