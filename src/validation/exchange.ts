import type { ForwardedExchange, ForwardedRequest, ForwardedResponse } from '../http/exchange.js';
import { headerValues } from '../http/fields.js';
import { limits } from '../http/limits.js';
import { acceptanceOf, mistakeIn, severityOfFailing } from './acceptance.js';
import { decodeContent, isWrongCoding } from './content-coding.js';
import type { Body, PlainResponse } from './message.js';
import type { Prism } from './prism.js';
import { validateRequest } from './request.js';
import { type ResponseOptions, severityOfBody, validateResponse } from './response.js';
import { judgeReturnedPlant } from './returned-plant.js';
import { errorIn, redactedViolation, type Severity, strictly, type Violation } from './violation.js';

/** The side of an exchange. */
export type Side = 'request' | 'response';

/** One way in which a message does not conform. */
export interface TrafficViolation extends Violation {
  readonly side: Side;
  /** Who found it: the validators of this package, or Prism, whose opinion never counts. */
  readonly judge: 'interface' | 'prism';
}

/** What was found in an exchange. */
export interface Judgement {
  /**
   * Empty if both sides conform. A response that is shorter or longer than its framing says has one with the keyword
   * `framing`.
   */
  readonly violations: readonly TrafficViolation[];
  /** What could not be judged, as sentences. */
  readonly notes: readonly string[];
  /** The sides that were judged. A response may be missing, a request incomplete, a body too long. */
  readonly sides: readonly Side[];
}

/** An exchange and what was found in it. */
export interface JudgedExchange extends Judgement {
  readonly exchange: ForwardedExchange;
}

/** What is judged of an exchange. */
export type JudgedSides = Partial<
  Pick<ForwardedExchange, 'request' | 'response' | 'failure' | 'isUnanswered'>
>;

/** How an exchange is judged. */
interface JudgingOptions extends RequestFacts, ResponseOptions {
  readonly prism?: Prism | undefined;
}

/** What else is known of an exchange. */
export interface RequestFacts {
  /** Why its request must be rejected, if that is certain; its severity is how much it matters that it is accepted. */
  readonly mistake?: Violation | undefined;
  /** How much it matters that its request gets a 5xx or a redirect. Default: as the mistake. */
  readonly failing?: Severity | undefined;
  /** The body of its request, if the id in it is certainly new: the plant then comes back as it was sent. */
  readonly newPlant?: Body | undefined;
}

/**
 * Judges an exchange as it was received, by the interface and, if it is given, by Prism. The texts may quote tokens. Pure.
 *
 * @param facts `mistake` and `failing` are found in the request, if that is given
 */
export function judgeExchange(
  { request, response, failure, isUnanswered }: JudgedSides,
  { prism, strict, ...facts }: JudgingOptions = {},
): Judgement {
  const notes: string[] = [];
  const violations: TrafficViolation[] = [];
  const sides: Side[] = [];
  const sent = request && plainRequest(request, notes, violations);
  let isWrong = false;
  if (sent !== undefined) {
    sides.push('request');
    const wrong = validateRequest(sent);
    isWrong = wrong.length > 0;
    violations.push(...ofSide('request', 'interface', wrong));
    if (isUnanswered && !isWrong) {
      sides.push('response');
      violations.push(...ofSide('response', 'interface', [unanswered(failure)]));
    }
    if (prism !== undefined) violations.push(...ofSide('request', 'prism', prism.judgeRequest(sent)));
  }
  if (response !== undefined) {
    const before = notes.length;
    const known =
      sent === undefined
        ? facts
        : { ...facts, mistake: mistakeIn(sent), failing: severityOfFailing(sent, isWrong) };
    const found = responseViolations(response, request, known, prism, notes);
    violations.push(...found);
    if (found.length > 0 || notes.length === before) sides.push('response');
  }
  return { violations: strict === true ? violations.map(strictly) : violations, notes, sides };
}

/** Judges a whole response without content codings, with what is known of its request. */
function judgeResponse(
  response: PlainResponse,
  { mistake, failing = mistake?.severity, newPlant, ...options }: RequestFacts & ResponseOptions,
): Violation[] {
  const { status, body } = response;
  const isFailing = failing !== undefined && (status >= 500 || (status >= 300 && status < 400));
  return [
    ...acceptanceOf(mistake, status),
    ...validateResponse(response, options).map((violation) =>
      isFailing && violation.keyword === 'status' ? { ...violation, severity: failing } : violation,
    ),
    ...(newPlant === undefined || status !== 200 ? [] : judgeReturnedPlant(newPlant, body)),
  ];
}

/** A provider may send a token back, and a client may send it anywhere. */
export function redactedJudgement(
  { violations, notes, sides }: Judgement,
  redact: (text: string) => string,
): Judgement {
  return {
    violations: violations.map((violation) => redactedViolation(violation, redact)),
    notes: notes.map(redact),
    sides,
  };
}

/** `response /id: a 200 has only the fields of Plant` */
export function violationInWords({ side, pointer, message }: TrafficViolation): string {
  return `${side}${pointer === '' ? '' : ` ${pointer}`}: ${message}`;
}

/** A valid plant must be processed: what `check` says of the rule success/valid-plant-is-processed. */
function unanswered(failure = 'no response'): Violation {
  const message = `a valid plant never gets a reset or no response; got ${failure}`;
  return errorIn('status', '', 'response', { message, expected: '200, or a 4xx', actual: failure });
}

type SentRequest = Pick<ForwardedRequest, 'method' | 'headers' | 'body'> & { readonly url: string };

/** A request as the validators take it; `undefined`, and a note or a violation, if it cannot be judged. */
function plainRequest(
  request: ForwardedRequest,
  notes: string[],
  violations: TrafficViolation[],
): SentRequest | undefined {
  if (!request.complete) {
    notes.push(incomplete('request', request.bodyLength));
    return undefined;
  }
  const body = bodyOf(request, 'request', notes, violations);
  const { method, target: url, headers } = request;
  return body && { method, url, headers, body };
}

/** The violations of a response, and a note if not all of it can be judged. */
function responseViolations(
  response: ForwardedResponse,
  request: ForwardedRequest | undefined,
  facts: RequestFacts & ResponseOptions,
  prism: Prism | undefined,
  notes: string[],
): TrafficViolation[] {
  const { status, headers, complete, bodyLength, surplus } = response;
  const ofHead = (): TrafficViolation[] => {
    const all = judgeResponse({ status, headers }, facts);
    return ofSide(
      'response',
      'interface',
      all.filter(({ part }) => part !== 'body'),
    );
  };
  if (!complete) {
    // A provider that stops reading a body that is too large may break off its response as well.
    if (request?.complete === false || (status >= 400 && (request?.bodyLength ?? 0) > LARGE_BODY)) {
      notes.push(incomplete('response', bodyLength));
      return [];
    }
    return [
      ...ofHead(),
      ...ofSide('response', 'interface', [wrongLength(`it is incomplete after ${bodyLength} bytes`)]),
    ];
  }
  const found: TrafficViolation[] = [];
  const body = bodyOf(response, 'response', notes, found);
  // How a provider fails with a 5xx is not shown.
  if (body === undefined) return [...ofHead(), ...(status < 500 ? found : [])];
  const message = { status, headers, body };
  const framing = surplus === true ? [wrongLength(`more follows after its ${bodyLength} bytes`)] : [];
  const ours = ofSide('response', 'interface', [...judgeResponse(message, facts), ...framing]);
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
  return errorIn('body', '', 'framing', { message, expected, actual });
}

function ofSide(
  side: Side,
  judge: TrafficViolation['judge'],
  violations: readonly Violation[],
): TrafficViolation[] {
  return violations.map((violation) => ({ side, judge, ...violation }));
}

/**
 * The decoded body; `undefined` and a note if it is not all there, or if its coding is not supported. That it does not decode is a
 * violation: nobody can read it (RFC 9110, section 8.4).
 */
function bodyOf(
  message: ForwardedRequest | ForwardedResponse,
  side: Side,
  notes: string[],
  violations: TrafficViolation[],
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
  if (isWrongCoding(decoded)) violations.push(...ofSide(side, 'interface', [undecodable(decoded, message)]));
  else notes.push(`the ${side} was not judged: ${decoded}`);
  return undefined;
}

function undecodable(problem: string, of: ForwardedRequest | ForwardedResponse): Violation {
  const severity = 'status' in of ? severityOfBody(of.status) : 'error';
  const expected = 'a body that its Content-Encoding decodes';
  const message = `nobody can decode the body: ${problem}`;
  return { ...errorIn('body', '', 'content-encoding', { message, expected, actual: problem }), severity };
}
