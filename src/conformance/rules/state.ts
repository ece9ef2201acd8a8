import { isAccepted, isOverloaded, isUnprocessed, responseInWords } from '../exchange.js';
import { defineRule } from '../rule.js';
import { accepts, judgeAcceptance } from './acceptance.js';
import { intermittencyRule, keepsRespondingRule } from './availability.js';
import { duplicateIn, whyStoreIsHidden } from './duplicates.js';
import { whyNotConcurrent } from './responses.js';
import { RESPONSE_200, RESPONSE_400 } from './sources.js';

/** What the interface demands of requests that follow each other, or that are sent at the same time. */
export const stateRules = [
  keepsRespondingRule,
  intermittencyRule,
  accepts({
    id: 'state/bad-request-spoils-nothing',
    title: 'A valid request after an invalid one returns 200.',
    level: 'implied',
    source: { section: 'Endpoints', rule: 1, pointer: RESPONSE_200 },
    why: 'When the request is valid and authorised, the service responds with 200. An invalid request before it, perhaps from another client, does not make it less valid.',
    usualCause: 'An exception leaves a parser, a transaction or a database connection in a bad state.',
    fix: 'Clean up after each request, even if it fails.',
    judges: ['good-after-malformed-json', 'good-after-wrong-type'],
    nothingToJudge: 'no valid request could be sent after an invalid one',
    judge(exchange, { sequence }) {
      if (exchange !== sequence.at(-1) || isUnprocessed(exchange)) return 'nothing-to-judge';
      const { status } = exchange.response ?? {};
      if (isOverloaded(exchange) || (isAccepted(exchange) && status !== 200))
        return { blocked: `the response is ${status}` };
      return isAccepted(exchange) ? undefined : { expected: '200', actual: responseInWords(exchange) };
    },
  }),
  accepts({
    id: 'state/refused-plant-is-not-stored',
    title: 'A rejected plant is not stored: its id can still be used.',
    level: 'implied',
    source: { section: 'Endpoints', rule: 1, pointer: RESPONSE_400 },
    why: 'A failure does not create a plant. A client that learns that its request failed corrects it and sends it again. If the provider then reports a duplicate id, it stored the plant although it rejected the request.',
    usualCause: 'The plant is stored, or its id is reserved, before everything has been checked.',
    fix: 'Check everything first, and then store the plant in one transaction.',
    judges: ['created-after-wrong-tag', 'created-after-missing-token'],
    asks: ['repeated-id'],
    nothingToJudge: 'no plant was rejected',
    judge(exchange, { sequence, record }) {
      const [rejected, ...later] = sequence;
      if (rejected === undefined || isAccepted(rejected)) return 'nothing-to-judge';
      const at = later.findIndex(({ request }) => request.id === rejected.request.id);
      if (exchange !== later[at]) return 'nothing-to-judge';
      // Another plant in between shows whether the provider locks the client out.
      if (!later.slice(0, at).every(isAccepted))
        return { notApplicable: 'the provider also rejects other plants after this one' };
      const judgement = judgeAcceptance({ ...exchange, expectation: 'created' });
      if (judgement === 'nothing-to-judge') return judgement;
      return judgement ?? whyStoreIsHidden(duplicateIn(record));
    },
  }),
  defineRule({
    id: 'state/equal-ids-side-by-side',
    title: 'A provider that rejects a duplicate id also rejects it in concurrent requests.',
    level: 'implied',
    source: { section: 'Endpoints', rule: 3, pointer: RESPONSE_200 },
    why: 'The interface does not show what happens to a duplicate id. But a provider that rejects it has decided that an id belongs to one plant. That decision cannot depend on when two requests arrive.',
    usualCause: 'The provider first looks for the id, and then stores the plant in a separate step.',
    fix: 'Let the store decide: use a unique index, or an insert that fails if the id exists.',
    judges: ['equal-ids-side-by-side'],
    asks: ['repeated-id'],
    control: 'none',
    nothingToJudge: 'none of the plants was accepted',
    judge(exchange, { sequence, record }) {
      if (exchange !== sequence.at(-1)) return 'nothing-to-judge';
      const why = whyStoreIsHidden(duplicateIn(record)) ?? whyNotConcurrent(sequence);
      if (why !== undefined) return why;
      const accepted = sequence.filter(isAccepted).length;
      if (accepted === 0) return 'nothing-to-judge';
      if (accepted === 1) return undefined;
      return {
        expected: `1 of ${sequence.length} concurrent plants with the same id accepted, as in sequential requests`,
        actual: `${accepted} of ${sequence.length} accepted`,
      };
    },
  }),
  defineRule({
    id: 'state/answers-do-not-mix',
    title: 'Each request gets the response to itself, and not to another request.',
    level: 'implied',
    source: { section: 'Endpoints', rule: 1, pointer: RESPONSE_200 },
    why: 'The response to a request describes the plant of that request. The plant of another client is the wrong one, and this client must not see it.',
    usualCause: 'Data of one request is kept in a variable that all requests share.',
    fix: 'Keep the data of a request in that request.',
    judges: () => true,
    sends: ['different-ids-side-by-side'],
    control: 'none',
    everyAttempt: true,
    nothingToJudge: 'no response had the name of a plant',
    judge(exchange, { record }) {
      const mixed = record.mixed.of(exchange);
      if (mixed === undefined) return record.mixed.isOwn(exchange) ? undefined : 'nothing-to-judge';
      const name = JSON.stringify(mixed.name);
      return {
        expected: 'the response to this request',
        actual: `a ${exchange.response?.status} with ${name}, the name in another request`,
      };
    },
  }),
];
