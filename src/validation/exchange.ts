import type { ForwardedExchange, ForwardedRequest, ForwardedResponse } from '../http/exchange.js';
import { headerValues } from '../http/fields.js';
import { limits } from '../http/limits.js';
import { acceptanceOf, mistakeIn, severityOfFailing } from './acceptance.js';
import { decodeContent, isWrongCoding } from './content-coding.js';
import type { Body } from './message.js';
import { validateRequest } from './request.js';
import { type ResponseOptions, undecodable, validateResponse, validateUnreadable } from './response.js';
import { judgeReturnedPlant } from './returned-plant.js';
import { errorIn, redactedViolation, type Severity, strictly, type Violation } from './violation.js';

/** The side of an exchange. */
export type Side = 'request' | 'response';

/** One way in which a message does not conform. */
export interface TrafficViolation extends Violation {
  readonly side: Side;
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
interface JudgingOptions extends ResponseOptions {
  /** Why its request must be rejected, if that is certain; its severity is how much it matters that it is accepted. */
  readonly mistake?: Violation | undefined;
  /** How much it matters that its request gets a 5xx or a redirect. Default: as the mistake. */
  readonly failing?: Severity | undefined;
  /** The body of its request, if the id in it is certainly new: the plant then comes back as it was sent. */
  readonly newPlant?: Body | undefined;
}

/**
 * Judges an exchange as it was received. The texts may quote tokens. Pure.
 *
 * @param facts `mistake` and `failing` are found in the request, if that is given
 */
export function judgeExchange(
  { request, response, failure, isUnanswered }: JudgedSides,
  { strict, ...facts }: JudgingOptions = {},
): Judgement {
  const found = new Findings();
  const sent = request && sentRequest(request, found);
  let known = facts;
  if (sent !== undefined) {
    const wrong = validateRequest(sent);
    found.add('request', wrong);
    if (isUnanswered && wrong.length === 0) found.add('response', [unanswered(failure)]);
    const mistake = mistakeIn(sent);
    known = { ...facts, mistake, failing: severityOfFailing(sent.body, mistake, wrong.length > 0) };
  }
  if (response !== undefined) judgeResponse(response, request, known, found);
  const { violations, notes, sides } = found;
  return { violations: strict === true ? violations.map(strictly) : violations, notes, sides: [...sides] };
}

/** What has been found so far. */
class Findings {
  readonly violations: TrafficViolation[] = [];
  readonly notes: string[] = [];
  readonly sides = new Set<Side>();

  add(side: Side, violations: readonly Violation[]): void {
    this.sides.add(side);
    for (const violation of violations) this.violations.push({ side, ...violation });
  }

  /**
   * The decoded body of a message. `undefined`, and a note, if it is not all there or its coding is not supported. That it does not
   * decode is a violation: nobody can read it (RFC 9110, section 8.4).
   */
  bodyOf(side: Side, message: ForwardedRequest | ForwardedResponse): Uint8Array | undefined {
    const { body, bodyLength, headers } = message;
    if (bodyLength > body.length) {
      const lengths = `its body has ${bodyLength} bytes, and the proxy kept ${body.length}`;
      this.notes.push(`the ${side} was forwarded, not judged: ${lengths}`);
      return undefined;
    }
    const codings = headerValues(headers, 'content-encoding');
    const decoded = codings.length === 0 ? body : decodeContent(body, codings, limits.body);
    if (typeof decoded !== 'string') return decoded;
    const status = 'status' in message ? message.status : undefined;
    if (!isWrongCoding(decoded)) this.notes.push(`the ${side} was not judged: ${decoded}`);
    // How a provider fails with a 5xx is not shown.
    else this.add(side, status === undefined || status < 500 ? [undecodable(decoded, status)] : []);
    return undefined;
  }
}

/** A request as the validators take it; `undefined`, and a note or a violation, if it cannot be judged. */
function sentRequest(request: ForwardedRequest, found: Findings) {
  const { method, target: url, headers, complete, bodyLength } = request;
  if (!complete) found.notes.push(incomplete('request', bodyLength));
  const body = complete ? found.bodyOf('request', request) : undefined;
  return body && { method, url, headers, body };
}

/** @param request of the response, if it is known */
function judgeResponse(
  response: ForwardedResponse,
  request: ForwardedRequest | undefined,
  facts: JudgingOptions,
  found: Findings,
): void {
  const { status, complete, bodyLength, surplus } = response;
  // A provider that stops reading a body that is too large may break off its response as well.
  if (
    !complete &&
    (request?.complete === false || (status >= 400 && (request?.bodyLength ?? 0) > LARGE_BODY))
  ) {
    found.notes.push(incomplete('response', bodyLength));
    return;
  }
  const body = complete ? found.bodyOf('response', response) : undefined;
  const violations = violationsOf(response, body, facts);
  const hasNote = complete && body === undefined && !found.sides.has('response');
  if (!complete) violations.push(wrongLength(`it is incomplete after ${bodyLength} bytes`));
  if (surplus === true) violations.push(wrongLength(`more follows after its ${bodyLength} bytes`));
  if (violations.length > 0 || !hasNote) found.add('response', violations);
}

const LARGE_BODY = 2 ** 20;

/**
 * The violations of a response, with what is known of its request.
 *
 * @param body without content codings. `undefined`: it cannot be read
 */
function violationsOf(
  response: ForwardedResponse,
  body: Uint8Array | undefined,
  { mistake, failing = mistake?.severity, newPlant }: JudgingOptions,
): Violation[] {
  const { status, headers } = response;
  const isFailing = failing !== undefined && (status >= 500 || (status >= 300 && status < 400));
  const found =
    body === undefined ? validateUnreadable(response) : validateResponse({ status, headers, body });
  return [
    ...acceptanceOf(mistake, status),
    ...found.map((violation) =>
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

function incomplete(side: Side, bodyLength: number): string {
  return `the ${side} was not judged: it is incomplete after ${bodyLength} bytes of its body`;
}

/** A response that is shorter or longer than its framing says (RFC 9112, section 8). */
function wrongLength(actual: string): Violation {
  const expected = 'a body of the length that its Content-Length or its chunks say';
  const message = `the response must have ${expected}; ${actual}`;
  return errorIn('body', '', 'framing', { message, expected, actual });
}
