import { headerValues } from '../../http/fields.js';
import { type Exchange, isAccepted, isRejected } from '../exchange.js';
import type { Facts } from '../facts/facts.js';
import { REROUTED } from '../families/tokens/no-token.js';
import type { Context, Judgement, NotApplicable } from '../rule.js';
import { judgeRejection } from './acceptance.js';
import { plantIn } from './responses.js';

/** Requests with the right token, among and after the wrong ones: they show whether the provider locks the client out. */
const LOCKOUT_CONTROLS: readonly string[] = ['tokens/right-among-wrong', 'plain-plant-after-wrong-tokens'];

/**
 * A client that is locked out is rejected with every token. Then only a request before an accepted control proves something.
 * A lockout is a 4xx: a 5xx says that the provider failed, and excuses nothing.
 */
function mayBeLockedOut({ startMs, durationMs }: Exchange, facts: Facts): boolean {
  const controls = LOCKOUT_CONTROLS.flatMap((name) => facts.of(name));
  const isBeforeControl = controls.some(
    (control) => isAccepted(control) && startMs + durationMs <= control.startMs,
  );
  return controls.some(isRejected) && !isBeforeControl;
}

/** Why a rejection after wrong tokens proves nothing. */
export const LOCKED_OUT: NotApplicable = {
  notApplicable: 'the interface allows the provider to lock out clients after wrong tokens, and it does',
};

/** Requires a rejection that is not a lockout. */
export function judgeLate(exchange: Exchange, context: Context): Judgement {
  const judgement = judgeRejection(exchange, context);
  return judgement === undefined && mayBeLockedOut(exchange, context.facts) ? LOCKED_OUT : judgement;
}

/**
 * Requires that a request without a token is not accepted. If its body is long, the response may be lost, and a provider may
 * refuse chunks: then only that it is accepted is wrong.
 */
export function judgeMissingToken(exchange: Exchange, context: Context): Judgement {
  if (headerValues(exchange.request.headers, 'authorization').length > 0) return 'nothing-to-judge';
  if (exchange.probe === 'no-authorization') return judgeRejection(exchange, context);
  if (exchange.expectation === 'rejected') return judgeLate(exchange, context);
  return isAccepted(exchange)
    ? judgeRejection({ ...exchange, expectation: 'rejected' }, context)
    : 'nothing-to-judge';
}

/** If the provider accepts requests without any token, nothing shows that it reads a token from another place. */
export function judgeOtherPlace(exchange: Exchange, context: Context): Judgement {
  if (isAccepted(exchange) && context.facts.accepted('no-authorization'))
    return { blocked: 'the provider accepts a request without any token' };
  return judgeLate(exchange, context);
}

/** A list may be what a gateway makes of two headers, and the response to two headers is not shown. */
export function judgeNearMiss(exchange: Exchange, context: Context): Judgement {
  if (exchange.probe === 'tokens/in-a-list' && context.facts.accepted('two-authorizations'))
    return {
      notApplicable: 'the interface allows the provider to accept two Authorization headers, and it does',
    };
  return judgeLate(exchange, context);
}

/** With some fields, a provider may respond as another operation. Then only a plant shows that it created one. */
export function judgeNoToken(exchange: Exchange, context: Context): Judgement {
  const mayBeElsewhere = REROUTED.includes(exchange.probe);
  const isCreated = plantIn({ ...exchange, expectation: 'open' })?.name === exchange.request.plant?.name;
  if (mayBeElsewhere && isAccepted(exchange) && !isCreated)
    return { notApplicable: 'the provider responds as another operation, which is not shown' };
  return judgeOtherPlace(exchange, context);
}
