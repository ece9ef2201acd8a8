import { isAccepted, isRejected, isUnprocessed, responseInWords } from '../exchange.js';
import { OUTSIDE_INT64 } from '../families/ids.js';
import { defineRule } from '../rule.js';
import { accepts, rejects } from './acceptance.js';
import { DUPLICATE_PROBES, whyStoreIsHidden } from './duplicates.js';
import { NEW_PLANT, RESOURCES } from './sources.js';

const FORMAT = { section: RESOURCES, pointer: `${NEW_PLANT}/properties/id/format` };

/** What the interface demands of ids. */
export const idRules = [
  accepts({
    id: 'request/int64-ids-are-accepted',
    title: 'Positive ids up to the upper end of int64 are accepted.',
    level: 'implied',
    source: FORMAT,
    why: 'The format of "id" is int64. A provider that accepts only 32 bits, or only what a double holds exactly, has another format. The interface shows no smaller range.',
    usualCause: 'The id is a 32-bit integer or a double in the code or in the database.',
    fix: 'Use a 64-bit integer everywhere, from the JSON parser to the database column.',
    judges: ['id-above-int32', 'id-above-uint32', 'id-beyond-doubles', 'id-near-upper-end'],
  }),
  rejects({
    id: 'request/id-is-within-int64',
    title: 'An integer outside int64 is rejected.',
    level: 'documented',
    source: FORMAT,
    why: 'The format of "id" is int64: -2^63 to 2^63 - 1. A provider cannot store any other integer as an int64, so the accepted plant would have another id.',
    usualCause: 'A number that does not fit overflows, is clamped, or becomes a double.',
    fix: 'Reject a number that does not fit into 64 bits before you convert it.',
    judges: OUTSIDE_INT64,
    asks: DUPLICATE_PROBES,
  }),
  defineRule({
    id: 'request/ids-are-exact',
    title: 'Ids that differ in one digit are different ids, even above 2^53.',
    level: 'implied',
    source: FORMAT,
    why: 'All 64 bits of an int64 count: 2^53 + 1 is not 2^53. A provider that rejects one of them because it has the other has not stored the id that it received.',
    usualCause: 'The id is read as a double (JSON.parse in JavaScript), or cut to 32 bits.',
    fix: 'Read ids as 64-bit integers. In JavaScript, make a BigInt from the text of the number.',
    judges: ['ids-alike-as-doubles', 'ids-alike-in-32-bits'],
    asks: ['id-above-uint32'],
    control: 'none',
    nothingToJudge: 'the first of the two plants was not accepted',
    judge(exchange, { sequence, probe, record }) {
      const [first, second, again] = sequence;
      if (exchange !== second || isUnprocessed(exchange)) return 'nothing-to-judge';
      if (first === undefined || again === undefined || !isAccepted(first)) return 'nothing-to-judge';
      if (probe.name === 'ids-alike-in-32-bits' && !record.accepted('id-above-uint32'))
        return { blocked: 'the provider accepts no id above 2^32' };
      const isFailure = !isAccepted(second) && !isRejected(second);
      const isLikeDuplicate = second.response?.status === again.response?.status;
      if (isFailure && !isLikeDuplicate) return { blocked: `the response is ${second.response?.status}` };
      if (!isAccepted(second)) {
        return {
          expected: `200, because ${first.request.id} is another id`,
          actual: `${responseInWords(second)}, after ${first.request.id} was accepted`,
        };
      }
      // If the provider accepts the first id again, it would also accept two ids that it takes for one.
      return whyStoreIsHidden(again);
    },
  }),
];
