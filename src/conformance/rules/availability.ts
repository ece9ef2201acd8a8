import { counted } from '../../output/wording.js';
import { type Exchange, isAccepted, isOverloaded, isRejected, isUnprocessed } from '../exchange.js';
import type { Facts } from '../facts/facts.js';
import { responseInWords } from '../response-body.js';
import { defineRule } from '../rule.js';
import { RESPONSE_200 } from './sources.js';
import { isValidPlant, OVERSIZED } from './validity.js';

/**
 * Whether the response may be the one to a duplicate id, which is not shown. If the id only may exist, because it is the
 * same in every check, a true duplicate must have got the same status.
 */
function mayBeDuplicate({ request, response }: Exchange, facts: Facts): boolean {
  if (request.idMayExist !== true) return false;
  const [, ...duplicates] = facts.of('repeated-id');
  return request.id !== undefined || duplicates.some((one) => one.response?.status === response?.status);
}

/** Whether the provider may close the connection while the body is being sent. Behind a gateway, that is a 502. */
function mayBeCutOff({ request, response }: Exchange): boolean {
  return request.body.length > OVERSIZED && (response === undefined || response.status === 502);
}

/** Whether the provider knows no chunks, as a server of HTTP/1.0, and says so with a 501 (RFC 9112, section 6.1). */
function knowsNoChunks({ request, response }: Exchange): boolean {
  return request.chunked === true && response?.status === 501;
}

/** What the interface demands of a provider throughout a run. */
export const keepsRespondingRule = defineRule({
  id: 'state/provider-keeps-responding',
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
      actual: `${exchange.failure?.message}; nor was there a response to the ${others} after it`,
    };
  },
});

/** Judges what is not there any more when a request is sent again. */
export const intermittencyRule = defineRule({
  id: 'state/no-intermittent-failures',
  title: 'Valid plants do not fail now and then.',
  level: 'implied',
  source: { section: 'Endpoints', rule: 1, pointer: RESPONSE_200 },
  why: 'When the request is valid and authorised, the service responds with 200. It does not say "usually". What a slow provider does, or one that limits its rate, is no failure: a timeout, a 429, a 503, or a connection that is refused or closed.',
  usualCause:
    'Several workers or connections to a database are not in the same state, or a gateway sends a creation twice.',
  fix: 'Look in the log for the requests that failed. Do not let a gateway send a POST again.',
  judges: ({ phase, expectation }) => expectation !== 'rejected' || phase === 'recovery' || phase === 'state',
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
});

/** What the interface demands of a provider whatever valid plant it gets. */
export const availabilityRules = [
  defineRule({
    id: 'success/valid-plant-is-processed',
    title: 'A valid plant never gets a 5xx, a redirect, a reset or no response.',
    level: 'implied',
    source: { section: 'Endpoints', rule: 1, pointer: RESPONSE_200 },
    why: 'When the request is valid and authorised, the service responds with 200. Constraints on name, tag and id are not shown, so a provider may reject some plants, and a rejection is a 4xx. A 5xx says that the provider failed (RFC 9110, section 15.6), and no response says nothing. Neither tells the client what to change.',
    usualCause: 'The plant causes an exception that is not caught, for example in the database.',
    fix: 'Look for the exception in the log of the provider. Store the plant, or reject it with a 4xx.',
    judges: ({ phase, expectation }) =>
      expectation !== 'rejected' || phase === 'recovery' || phase === 'state',
    dependsOn: ['repeated-id'],
    control: 'none',
    nothingToJudge: 'there was no response to a valid plant',
    everyAttempt: true,
    onNoResponse: 'judge',
    judge(exchange, { probe, facts }) {
      if (!isValidPlant(exchange) || isUnprocessed(exchange)) return 'nothing-to-judge';
      if (isAccepted(exchange) || isRejected(exchange)) return undefined;
      // An overloaded provider says so now and then. Other failures count if they are still there in the last attempt.
      if (!isOverloaded(exchange)) {
        if (exchange.role === 'superseded') return 'nothing-to-judge';
        // Two rules judge these: the first requests of all, and those after an invalid request.
        if (probe.phase === 'control' || (probe.phase === 'recovery' && exchange.step > 0))
          return 'nothing-to-judge';
      }
      if (mayBeDuplicate(exchange, facts) || mayBeCutOff(exchange) || knowsNoChunks(exchange))
        return 'nothing-to-judge';
      const expected = exchange.expectation === 'created' ? '200' : '200, or a 4xx';
      return { expected, actual: responseInWords(exchange) };
    },
  }),
];
