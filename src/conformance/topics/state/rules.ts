import { counted } from '../../../report/wording.js';
import {
  type Exchange,
  isAccepted,
  isOverloaded,
  isRejected,
  isUnprocessed,
  isValidPlant,
  responseInWords,
  whyNotConcurrent,
} from '../../exchange.js';
import { untilRestart } from '../../judge/facts.js';
import { sendsValidPlants } from '../../probe.js';
import { defineRule } from '../../rule.js';
import { accepts, judgeAcceptance, RESPONSE_200, RESPONSE_400 } from '../../rules/define.js';
import { duplicateIn, whyStoreIsHidden } from './duplicates.js';

/** The invalid request before a valid plant that has the same id or the same name. */
function invalidBefore(
  { request, step, expectation }: Exchange,
  sequence: readonly Exchange[],
): Exchange | undefined {
  if (expectation === 'rejected' || request.plant === undefined || request.idMayExist === true)
    return undefined;
  const { id, name } = request.plant;
  return sequence.find(
    (before) =>
      before.step < step &&
      before.expectation === 'rejected' &&
      (before.request.id === id || Buffer.from(before.request.body).includes(JSON.stringify(name))),
  );
}

/** What the interface demands of requests that follow each other, or that are sent at the same time. */
export const stateRules = [
  defineRule({
    id: 'state/provider-keeps-responding',
    severity: 'error',
    title: 'The provider still responds at the end of the check.',
    level: 'implied',
    source: { section: 'Endpoints', rule: 1, pointer: RESPONSE_200 },
    why: 'When the request is valid and authorised, the service responds. A provider that no longer does has failed for every client. No request, valid or not, may do that.',
    usualCause:
      'A request ends the process of the provider, or occupies its last thread or connection for ever.',
    fix: 'Look at the end of the log of the provider. Start it again, and check it with "--rate 10", so that few requests are under way at once, to see which is the last.',
    judges: () => true,
    sends: ['plain-plant', 'malformed-json'],
    control: 'none',
    nothingToJudge: 'there was no response',
    onNoResponse: 'judge-even-after-stop',
    judgesRun: true,
    judge(exchange, { facts: { stop } }) {
      if (stop === undefined || exchange !== stop.first)
        return exchange.response === undefined ? 'nothing-to-judge' : undefined;
      const others = counted(stop.lost.size - 1, 'request');
      return {
        expected: 'a response',
        actual: `${exchange.failure?.message}; nor was there a response to the ${others} after it${untilRestart(stop)}`,
      };
    },
  }),
  // It judges what is not there any more when a request is sent again.
  defineRule({
    id: 'state/no-intermittent-failures',
    severity: 'error',
    title: 'Valid plants do not fail now and then.',
    level: 'implied',
    source: { section: 'Endpoints', rule: 1, pointer: RESPONSE_200 },
    why: 'When the request is valid and authorised, the service responds with 200. It does not say "usually". What a slow provider does, or one that limits its rate, is no failure: a timeout, a 429, a 503, or a connection that is refused or closed.',
    usualCause:
      'Several workers or connections to a database are not in the same state, or a gateway sends a creation twice.',
    fix: 'Look in the log for the requests that failed. Do not let a gateway send a POST again.',
    judges: sendsValidPlants,
    sends: ['plain-plant', 'plain-plant-with-tag', 'different-ids-side-by-side'],
    dependsOn: ['repeated-id'],
    control: 'none',
    nothingToJudge: 'there was no response to a valid plant',
    everyAttempt: true,
    judgesRun: true,
    onNoResponse: 'judge',
    judge(exchange, { facts }) {
      if (!isValidPlant(exchange)) return 'nothing-to-judge';
      const { failed, of } = facts.intermittent;
      if (!failed.has(exchange)) return exchange.response === undefined ? 'nothing-to-judge' : undefined;
      return {
        expected: 'the same response as when the request was sent again',
        actual: `${responseInWords(exchange)}; intermittent (${failed.size} of ${of} valid requests)`,
      };
    },
  }),
  accepts({
    id: 'state/bad-request-spoils-nothing',
    severity: 'error',
    title: 'A valid request after an invalid one returns 200.',
    level: 'implied',
    source: { section: 'Endpoints', rule: 1, pointer: RESPONSE_200 },
    why: 'When the request is valid and authorised, the service responds with 200. An invalid request before it, perhaps from another client, does not make it less valid.',
    usualCause: 'An exception leaves a parser, a transaction or a database connection in a bad state.',
    fix: 'Clean up after each request, even if it fails.',
    nothingToJudge: 'no valid request could be sent after an invalid one',
    onNoResponse: 'judge',
    judge(exchange, { sequence }) {
      if (exchange.expectation !== 'created' || isUnprocessed(exchange)) return 'nothing-to-judge';
      // Another rule judges whether what was rejected is stored.
      if (isRejected(exchange) && invalidBefore(exchange, sequence) !== undefined) return 'nothing-to-judge';
      const { status } = exchange.response ?? {};
      if (isOverloaded(exchange) || (isAccepted(exchange) && status !== 200))
        return { blocked: `the response is ${status}` };
      return isAccepted(exchange) ? undefined : { expected: '200', actual: responseInWords(exchange) };
    },
  }),
  accepts({
    id: 'state/refused-plant-is-not-stored',
    severity: 'error',
    title: 'A rejected plant is not stored: its id can still be used.',
    level: 'implied',
    source: { section: 'Endpoints', rule: 1, pointer: RESPONSE_400 },
    why: 'A failure does not create a plant. A client that learns that its request failed corrects it and sends it again. If the provider then reports a duplicate id, it stored the plant although it rejected the request.',
    usualCause: 'The plant is stored, or its id is reserved, before everything has been checked.',
    fix: 'Check everything first, and then store the plant in one transaction.',
    dependsOn: ['repeated-id'],
    nothingToJudge: 'no plant was rejected',
    judge(exchange, { sequence, facts }) {
      const rejected = invalidBefore(exchange, sequence);
      if (rejected === undefined || isAccepted(rejected)) return 'nothing-to-judge';
      const between = sequence.filter(({ step }) => step > rejected.step && step < exchange.step);
      // Another plant in between shows whether the provider locks the client out.
      if (!between.every(isAccepted))
        return { notApplicable: 'the provider also rejects other plants after this one' };
      const judgement = judgeAcceptance({ ...exchange, expectation: 'created' });
      if (judgement === 'nothing-to-judge') return judgement;
      return judgement ?? whyStoreIsHidden(duplicateIn(facts));
    },
  }),
  defineRule({
    id: 'state/duplicates-are-treated-alike',
    severity: 'error',
    title: 'A provider that rejects a duplicate id rejects it every time.',
    level: 'implied',
    source: { section: 'Endpoints', rule: 3, pointer: RESPONSE_200 },
    why: 'The interface does not show what happens to a duplicate id. But a provider that rejects it has decided that an id belongs to one plant. A rejected request creates and deletes nothing, so the plant is still there, and so is the reason.',
    usualCause: 'Only the latest ids are known, or a rejected request changes the plant that has the id.',
    fix: 'Ask the store itself whether the id exists, and change nothing if the request is rejected.',
    dependsOn: ['repeated-id'],
    control: 'none',
    nothingToJudge: 'no plant was accepted whose id could be sent again',
    judge(exchange, { sequence, facts }) {
      const { id } = exchange.request;
      const isDuplicate = sequence.some(
        (before) =>
          before.step < exchange.step &&
          before.request.id === id &&
          before.expectation === 'created' &&
          isAccepted(before),
      );
      if (exchange.expectation !== 'open' || !isDuplicate || isUnprocessed(exchange))
        return 'nothing-to-judge';
      const why = whyStoreIsHidden(duplicateIn(facts));
      if (why !== undefined) return why;
      return isAccepted(exchange)
        ? { expected: 'a rejection, as for other duplicate ids', actual: responseInWords(exchange) }
        : undefined;
    },
  }),
  defineRule({
    id: 'state/equal-ids-side-by-side',
    severity: 'error',
    title: 'A provider that rejects a duplicate id also rejects it in concurrent requests.',
    level: 'implied',
    source: { section: 'Endpoints', rule: 3, pointer: RESPONSE_200 },
    why: 'The interface does not show what happens to a duplicate id. But a provider that rejects it has decided that an id belongs to one plant. That decision cannot depend on when two requests arrive.',
    usualCause: 'The provider first looks for the id, and then stores the plant in a separate step.',
    fix: 'Let the store decide: use a unique index, or an insert that fails if the id exists.',
    dependsOn: ['repeated-id'],
    control: 'none',
    nothingToJudge: 'none of the plants was accepted',
    judge(exchange, { sequence, facts }) {
      // A provider may accept fewer connections at once, so some may have no response.
      const answered = sequence.filter((one) => one.response !== undefined && !isUnprocessed(one));
      if (exchange !== answered.at(-1)) return 'nothing-to-judge';
      const why = whyStoreIsHidden(duplicateIn(facts)) ?? whyNotConcurrent(answered);
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
  accepts({
    id: 'state/concurrent-plants-are-accepted',
    severity: 'error',
    title: 'A valid plant is accepted beside other plants.',
    level: 'implied',
    source: { section: 'Endpoints', rule: 1, pointer: RESPONSE_200 },
    why: 'When the request is valid and authorised, the service responds with 200. The requests of other clients do not make it less valid. A provider may limit how many requests it serves, and then says so with 429, or with 503 and Retry-After.',
    usualCause:
      'Concurrent requests get in the way of each other: a locked file, a full queue, or a shared variable.',
    fix: 'Let requests wait for each other, or reject them with 429.',
    nothingToJudge: 'no plants were sent at the same time',
  }),
  defineRule({
    id: 'state/answers-do-not-mix',
    severity: 'error',
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
    judge(exchange, { facts }) {
      const mixed = facts.mixed.of(exchange);
      if (mixed === undefined) return facts.mixed.isOwn(exchange) ? undefined : 'nothing-to-judge';
      const name = JSON.stringify(mixed.name);
      return {
        expected: 'the response to this request',
        actual: `a ${exchange.response?.status} with ${name}, the name in another request`,
      };
    },
  }),
];
