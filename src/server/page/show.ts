import type { ForwardedRequest, ForwardedResponse } from '../../http/exchange.js';
import { isOperation, operationTitle } from '../../spec/operation.js';
import {
  type Judgement,
  judgeExchange,
  type Side,
  type TrafficViolation,
  violationInWords,
} from '../../validation/exchange.js';
import { placeOf } from '../../validation/violation.js';
import type { Problem, Row, ShownExchange, ShownMessage, Verdict } from './browser/wire.js';
import { curlLines } from './curl.js';
import type { KeptExchange } from './exchange-log.js';
import type { ExchangeRedactor } from './exchange-redactor.js';
import { excerptOf, shownBody } from './show-body.js';

const LONGEST_TARGET = 300;
const LONGEST_REQUEST = 400;
const LONGEST_RESPONSE = 200;
const LONGEST_PROBLEM = 300;

/** An exchange as a row of the list. */
export function rowOf(kept: KeptExchange, redactor: ExchangeRedactor): Row {
  const { number, at, exchange, failure, rejection } = kept;
  const { request, response, durationMs } = exchange;
  const { violations, verdict } = judged(kept);
  const counting = verdict === 'asked-for' ? [] : violations.filter(counts);
  const ofResponse = counting.filter(({ side }) => side === 'response');
  const ordered = [...ofResponse, ...counting.filter(({ side }) => side === 'request')].slice(0, 5);
  const why = failure ?? (response === undefined ? exchange.failure : undefined);
  return {
    number,
    at,
    method: cut(redactor.text(request.method), LONGEST_TARGET),
    target: cut(redactor.text(request.target), LONGEST_TARGET),
    status: response?.status ?? 0,
    verdict,
    problems: counting.length,
    ...(ordered.length > 0 && {
      problem: cut(redactor.text(ordered.map(violationInWords).join('; ')), LONGEST_PROBLEM),
    }),
    sent: isEncoded(request) ? '' : excerptOf(request, LONGEST_REQUEST, redactor),
    received:
      response === undefined || isEncoded(response) ? '' : excerptOf(response, LONGEST_RESPONSE, redactor),
    ...(why !== undefined && { failure: cut(redactor.text(why), LONGEST_PROBLEM) }),
    ...(rejection !== undefined && { rejection: cut(redactor.text(rejection), LONGEST_PROBLEM) }),
    ...(durationMs > 0 && { microseconds: Math.round(durationMs * 1_000) }),
  };
}

/** The whole of an exchange. */
export function exchangeOf(kept: KeptExchange, redactor: ExchangeRedactor, baseUrl: string): ShownExchange {
  const { exchange } = kept;
  const { request, response } = exchange;
  const { violations, notes } = judged(kept);
  const row = rowOf(kept, redactor);
  const method = redactor.text(request.method);
  const target = redactor.text(request.target);
  const shown = messageOf(request, redactor);
  const why = [
    ...(response === undefined || exchange.failure === undefined ? [] : [exchange.failure]),
    ...(isOperation(request.method, request.target) ? notes : [`Only ${operationTitle} is judged.`]),
  ];
  return {
    ...row,
    target,
    request: shown,
    ...(response !== undefined && {
      response: { reason: redactor.text(response.reason), ...messageOf(response, redactor) },
    }),
    all: violations.map((violation) => problemOf(violation, redactor)),
    notes: why.map(redactor.text),
    curl: curlLines({ method, target, ...shown }, baseUrl),
  };
}

/** The judgement of an exchange. It is made once: a page, or several, may ask for it many times. */
function judged(kept: KeptExchange): Judgement & { readonly verdict: Verdict } {
  const { exchange, failure } = kept;
  const { method, target } = exchange.request;
  kept.judgement ??= isOperation(method, target)
    ? judgeExchange(exchange)
    : { violations: [], notes: [], sides: [] };
  const { violations, sides } = kept.judgement;
  // A server that does what its user wants is not to blame.
  const verdict = failure === undefined ? verdictOf(violations.filter(counts), sides) : 'asked-for';
  return { ...kept.judgement, verdict };
}

function verdictOf(violations: readonly TrafficViolation[], sides: readonly Side[]): Verdict {
  const ofResponse = violations.filter(({ side }) => side === 'response');
  if (ofResponse.some(({ keyword }) => keyword !== 'accepted')) return 'response';
  if (ofResponse.length > 0) return 'accepted';
  if (violations.length > 0) return 'request';
  return sides.length === 2 ? 'conforms' : 'not-judged';
}

function counts({ judge }: TrafficViolation): boolean {
  return judge === 'interface';
}

/** A violation in words. */
export function problemOf(violation: TrafficViolation, redactor: ExchangeRedactor): Problem {
  const { side, judge, message, expected, actual } = violation;
  return {
    side,
    judge,
    where: redactor.text(placeOf(violation)),
    message: redactor.text(message),
    expected: redactor.text(expected),
    actual: redactor.text(actual),
  };
}

function messageOf(message: ForwardedRequest | ForwardedResponse, redactor: ExchangeRedactor): ShownMessage {
  const { headers, trailers, complete } = message;
  return {
    headers: redactor.fields(headers),
    body: shownBody(message, redactor),
    trailers: redactor.fields(trailers),
    complete,
  };
}

function isEncoded({ headers }: ForwardedRequest | ForwardedResponse): boolean {
  return headers.some(([name]) => name.toLowerCase() === 'content-encoding');
}

function cut(text: string, longest: number): string {
  return text.length <= longest ? text : `${text.slice(0, longest).toWellFormed()}…`;
}
