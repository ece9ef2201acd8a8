import { headerValues } from '../http/fields.js';
import { limits } from '../http/limits.js';
import type { Redactor } from '../output/redaction.js';
import { judgeAcceptance } from '../validation/acceptance.js';
import { decodeContent } from '../validation/content-coding.js';
import type { Prism } from '../validation/prism.js';
import { validateRequest } from '../validation/request.js';
import { validateResponse } from '../validation/response.js';
import { redactedViolation, type Violation } from '../validation/violation.js';
import type { ForwardedExchange, ForwardedRequest, ForwardedResponse } from './message.js';

/** The side of an exchange. */
export type Side = 'request' | 'response';

/** One way in which a message does not conform. */
export interface TrafficViolation extends Violation {
  readonly side: Side;
  /** Who found it: the validators of this package, or Prism, whose opinion never counts. */
  readonly judge: 'interface' | 'prism';
}

/** An exchange and what is wrong with it. */
export interface JudgedExchange {
  readonly exchange: ForwardedExchange;
  /**
   * Empty if both sides conform. They contain no token. A response that is shorter or longer than its framing says has
   * one with the keyword `framing`.
   */
  readonly violations: readonly TrafficViolation[];
  /** What could not be judged, as sentences. */
  readonly notes: readonly string[];
  /** The sides that were judged. A response may be missing, a request incomplete, a body too long. */
  readonly sides: readonly Side[];
}

export type Judgement = Omit<JudgedExchange, 'exchange'>;

/** What is judged of an exchange. */
export type JudgedSides = Pick<ForwardedExchange, 'request' | 'response'>;

/** Judges an exchange by the interface and, if it is given, by Prism. The texts may quote tokens. Pure. */
export function judgeExchange({ request, response }: JudgedSides, prism: Prism | undefined): Judgement {
  const notes: string[] = [];
  const sent = plainRequest(request, notes);
  const ofRequest = sent && requestViolations(sent, prism);
  const ofResponse = response && responseViolations(response, request, prism, notes);
  if (sent !== undefined && response !== undefined)
    ofResponse?.unshift(...ofSide('response', 'interface', judgeAcceptance(sent, response.status)));
  const sides: Side[] = [];
  if (ofRequest !== undefined) sides.push('request');
  if (ofResponse !== undefined) sides.push('response');
  return { violations: [...(ofRequest ?? []), ...(ofResponse ?? [])], notes, sides };
}

/** A provider may send a token back, and a client may send it anywhere. */
export function redactedJudgement({ violations, notes, sides }: Judgement, redactor: Redactor): Judgement {
  return {
    violations: violations.map((violation) => redactedViolation(violation, redactor.message)),
    notes: notes.map(redactor.message),
    sides,
  };
}

/** `response /id: a 200 has only the fields of Plant` */
export function violationInWords({ side, pointer, message }: TrafficViolation): string {
  return `${side}${pointer === '' ? '' : ` ${pointer}`}: ${message}`;
}

type SentRequest = Pick<ForwardedRequest, 'method' | 'headers' | 'body'> & { readonly url: string };

/** A request as the validators take it; `undefined` and a note if it cannot be judged. */
function plainRequest(request: ForwardedRequest, notes: string[]): SentRequest | undefined {
  if (!request.complete) {
    notes.push(incomplete('request', request.bodyLength));
    return undefined;
  }
  const body = bodyOf(request, 'request', notes);
  const { method, target: url, headers } = request;
  return body && { method, url, headers, body };
}

function requestViolations(sent: SentRequest, prism: Prism | undefined): TrafficViolation[] {
  const ours = ofSide('request', 'interface', validateRequest(sent));
  return prism === undefined ? ours : [...ours, ...ofSide('request', 'prism', prism.judgeRequest(sent))];
}

/** The violations of a response; `undefined` and a note if it cannot be judged. */
function responseViolations(
  response: ForwardedResponse,
  request: ForwardedRequest,
  prism: Prism | undefined,
  notes: string[],
): TrafficViolation[] | undefined {
  const { status, headers, complete, bodyLength, surplus } = response;
  if (!complete) {
    // A provider that stops reading a body that is too large may break off its response as well.
    if (!request.complete || (status >= 400 && request.bodyLength > LARGE_BODY)) {
      notes.push(incomplete('response', bodyLength));
      return undefined;
    }
    const others = validateResponse({ status, headers }).filter(({ part }) => part !== 'body');
    return ofSide('response', 'interface', [
      ...others,
      wrongLength(`it is incomplete after ${bodyLength} bytes`),
    ]);
  }
  const body = bodyOf(response, 'response', notes);
  if (body === undefined) return undefined;
  const message = { status, headers, body };
  const framing = surplus === true ? [wrongLength(`more follows after its ${bodyLength} bytes`)] : [];
  const ours = ofSide('response', 'interface', [...validateResponse(message), ...framing]);
  return prism === undefined ? ours : [...ours, ...ofSide('response', 'prism', prism.judgeResponse(message))];
}

const LARGE_BODY = 2 ** 20;

function incomplete(side: Side, bodyLength: number): string {
  return `the ${side} was not judged: it is incomplete after ${bodyLength} bytes of its body`;
}

/** A response that is shorter or longer than its framing says (RFC 9112, section 8). */
function wrongLength(actual: string): Violation {
  const expected = 'a body of the length that its Content-Length or its chunks say';
  const message = `the response must have ${expected}; ${actual}`;
  return { part: 'body', pointer: '', keyword: 'framing', message, expected, actual };
}

function ofSide(
  side: Side,
  judge: TrafficViolation['judge'],
  violations: readonly Violation[],
): TrafficViolation[] {
  // Prism's have members of its own.
  return violations.map(({ part, pointer, keyword, message, expected, actual }) => {
    return { side, judge, part, pointer, keyword, message, expected, actual };
  });
}

/** The decoded body; `undefined` and a note if it is not all there, or cannot be decoded. */
function bodyOf(
  message: ForwardedRequest | ForwardedResponse,
  side: Side,
  notes: string[],
): Uint8Array | undefined {
  const { body, bodyLength, headers } = message;
  if (bodyLength > body.length) {
    notes.push(
      `the ${side} was forwarded, not judged: its body has ${bodyLength} bytes, and the proxy kept ${body.length}`,
    );
    return undefined;
  }
  const codings = headerValues(headers, 'content-encoding');
  const decoded = codings.length === 0 ? body : decodeContent(body, codings, limits.body);
  if (typeof decoded !== 'string') return decoded;
  notes.push(`the ${side} was not judged: ${decoded}`);
  return undefined;
}
