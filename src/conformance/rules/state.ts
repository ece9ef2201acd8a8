import { isAccepted, isUnanswered } from '../exchange.js';
import { DIFFERENT_IDS, EQUAL_IDS, REPEATED_ID } from '../probes/state.js';
import { defineRule } from '../rule.js';
import {
  isAnswerToAnother,
  isJudged200,
  neverMet,
  plantIn,
  repetitionIn,
  whyNothingShows,
} from './answers.js';
import { judgeAcceptance } from './refusal.js';

const OPERATION = '/paths/~1plants/post';
const RESPONSE_200 = `${OPERATION}/responses/200`;

/** What the interface demands of requests that follow each other, or meet. */
export const stateRules = [
  defineRule({
    id: 'state/bad-request-spoils-nothing',
    title: 'After a bad request, the next good one is answered with 200.',
    level: 'implied',
    source: { section: 'Endpoints', rule: 1, pointer: RESPONSE_200 },
    why: 'When the request is valid and authorised, the service answers with 200; that another client sent nonsense before makes a request no less valid.',
    judges: ['good-after-malformed-json', 'good-after-wrong-type'],
    control: 'for-any-verdict',
    nothingToJudge: 'no good request could be sent after a bad one',
    judge: (exchange, { sequence }) =>
      exchange === sequence.at(-1) ? judgeAcceptance(exchange) : 'nothing-to-judge',
  }),
  defineRule({
    id: 'state/refused-plant-is-not-stored',
    title: 'A plant that was refused leaves nothing behind: its id can still be used.',
    level: 'implied',
    source: { section: 'Endpoints', rule: 1, pointer: `${OPERATION}/responses/400` },
    why: 'A failure is not a creation: a client that was told that its request failed mends it and sends it again. Where the id counts as taken by then, a plant was created that was said not to be.',
    asks: [REPEATED_ID],
    judges: ['created-after-wrong-tag', 'created-after-missing-token'],
    control: 'for-any-verdict',
    nothingToJudge: 'nothing was refused that could have been stored',
    judge(exchange, { sequence, evidence }) {
      const [refused] = sequence;
      if (exchange !== sequence.at(-1) || refused === undefined || isAccepted(refused))
        return 'nothing-to-judge';
      const judgement = judgeAcceptance(exchange);
      if (judgement === 'nothing-to-judge') return judgement;
      return judgement ?? whyNothingShows(repetitionIn(evidence));
    },
  }),
  defineRule({
    id: 'state/equal-ids-side-by-side',
    title: 'Where a repeated id is refused, it is refused side by side as well.',
    level: 'implied',
    source: { section: 'Endpoints', rule: 3, pointer: RESPONSE_200 },
    why: 'What happens to a repeated id is not shown. But a provider that refuses it has decided that an id names one plant, and two requests that meet would make it name two: which it is must not depend on time.',
    asks: [REPEATED_ID],
    judges: [EQUAL_IDS],
    control: 'none',
    nothingToJudge: 'none of the plants was accepted',
    judge(exchange, { sequence, evidence }) {
      if (exchange !== sequence.at(-1)) return 'nothing-to-judge';
      const why = whyNothingShows(repetitionIn(evidence)) ?? neverMet(sequence);
      if (why !== undefined) return why;
      const accepted = sequence.filter(isAccepted).length;
      if (accepted === 0) return 'nothing-to-judge';
      if (accepted === 1) return undefined;
      return {
        expected: `one of ${sequence.length} plants with one id accepted, as one after the other`,
        actual: `${accepted} of them accepted at once`,
      };
    },
  }),
  defineRule({
    id: 'state/answers-do-not-mix',
    title: 'Each of several creations at once gets the answer to itself.',
    level: 'implied',
    source: { section: 'Endpoints', rule: 1, pointer: RESPONSE_200 },
    why: "The answer to a request describes the plant of that request. The plant of another client is the wrong one, and none of this client's business.",
    judges: [DIFFERENT_IDS],
    control: 'none',
    nothingToJudge: 'no two plants were answered with 200 and a Plant at once',
    judge(exchange, { sequence, evidence }) {
      const alone = neverMet(sequence);
      if (alone !== undefined) return alone;
      if (isUnanswered(exchange) || !isJudged200(exchange)) return 'nothing-to-judge';
      const name = plantIn(exchange)?.name;
      if (name === undefined) return 'nothing-to-judge';
      return isAnswerToAnother(exchange, evidence)
        ? {
            expected: `"name" ${JSON.stringify(exchange.request.plant?.name)}, as sent`,
            actual: `"name" is ${JSON.stringify(name)}, which another request under way had`,
          }
        : undefined;
    },
  }),
];
