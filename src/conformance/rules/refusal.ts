import { type Exchange, inWords, isAccepted, isUnanswered } from '../exchange.js';
import type { Context, Judgement } from '../rule.js';
import { whyTakenForRepeated } from './repetition.js';

/** Why a rule about certain requests was not judged. */
export const NOT_SENT = 'the probe could not be sent';

/**
 * That an invalid request is not accepted. How it is refused (a 4xx, and not a 5xx, a redirect, a reset or
 * silence) is for `failure/refusal-is-4xx` to judge.
 */
export function judgeRefusal(exchange: Exchange, { evidence }: Context): Judgement {
  if (exchange.expectation !== 'refused' || isUnanswered(exchange)) return 'nothing-to-judge';
  return isAccepted(exchange)
    ? { expected: 'a refusal: a 4xx with an Error', actual: inWords(exchange) }
    : whyTakenForRepeated(exchange, evidence);
}

/** That a valid creation is accepted: with any 2xx, since which one it is is for `success/status-is-200` to judge. */
export function judgeAcceptance(exchange: Exchange): Judgement {
  if (exchange.expectation !== 'created' || isUnanswered(exchange)) return 'nothing-to-judge';
  return isAccepted(exchange) ? undefined : { expected: '200', actual: inWords(exchange) };
}
