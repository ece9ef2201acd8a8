import { inWords, isAccepted, isUnanswered } from '../exchange.js';
import { ALIKE_AS_DOUBLES, ALIKE_IN_32_BITS, NEAR_UPPER_END, PAST_THE_ENDS } from '../probes/ids.js';
import { defineRule } from '../rule.js';
import { whyNothingShows } from './answers.js';
import { judgeAcceptance, judgeRefusal, NOT_SENT } from './refusal.js';
import { ASKED_ABOUT_REPETITION } from './repetition.js';

const RESOURCES = 'Resources and their fields';
const ID = '/components/schemas/NewPlant/allOf/1/properties/id';

/** What the interface demands of ids. */
export const idRules = [
  defineRule({
    id: 'request/int64-ids-are-accepted',
    title: 'Positive ids up to the end of int64 are accepted.',
    level: 'implied',
    source: { section: RESOURCES, pointer: `${ID}/format` },
    why: 'The format of "id" is int64. A provider that takes 32 bits, or what a double holds, has another format; that ranges are not shown allows none of the one that is.',
    judges: ['id-above-int32', 'id-above-uint32', 'id-beyond-doubles', NEAR_UPPER_END],
    control: 'for-any-verdict',
    nothingToJudge: NOT_SENT,
    judge: judgeAcceptance,
  }),
  defineRule({
    id: 'request/id-is-within-int64',
    title: 'An integer past either end of int64 is refused.',
    level: 'documented',
    source: { section: RESOURCES, pointer: `${ID}/format` },
    why: 'The format of "id" is int64: -2^63 to 2^63 - 1. What is accepted beyond cannot be the id that was sent.',
    judges: PAST_THE_ENDS,
    asks: ASKED_ABOUT_REPETITION,
    control: 'for-a-pass',
    nothingToJudge: NOT_SENT,
    judge: judgeRefusal,
  }),
  defineRule({
    id: 'request/ids-are-exact',
    title: 'Ids that differ in one digit, beyond 2^53 as well, are different ids.',
    level: 'implied',
    source: { section: RESOURCES, pointer: `${ID}/format` },
    why: 'An int64 has 64 bits, and each of them counts: 2^53 + 1 is not 2^53. Who refuses the one because there is the other has kept neither.',
    judges: [ALIKE_AS_DOUBLES, ALIKE_IN_32_BITS],
    asks: ['id-above-uint32'],
    control: 'none',
    nothingToJudge: 'the first of two such plants was not accepted',
    judge(exchange, { sequence, probe, evidence }) {
      const [first, second, again] = sequence;
      if (exchange !== second || isUnanswered(exchange)) return 'nothing-to-judge';
      if (first === undefined || again === undefined || !isAccepted(first)) return 'nothing-to-judge';
      if (probe.name === ALIKE_IN_32_BITS && !evidence.accepted('id-above-uint32'))
        return { blocked: 'ids above 2^32 are not accepted at all' };
      if (!isAccepted(second)) {
        return {
          expected: `200, since ${first.request.id} is another id`,
          actual: `${inWords(second)}, after ${first.request.id} was accepted`,
        };
      }
      // Who takes the first id a second time as well would have taken the other one in any case.
      return whyNothingShows(again);
    },
  }),
];
