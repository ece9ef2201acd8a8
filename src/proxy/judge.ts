import { redactionWith } from '../conformance/reporting/redaction.js';
import type { Fields } from '../header-fields.js';
import { parseBearer } from '../validation/bearer.js';
import { decodeContent } from '../validation/content-coding.js';
import { headerValues } from '../validation/message.js';
import type { Prism } from '../validation/prism.js';
import { validateRequest } from '../validation/request.js';
import { validateResponse } from '../validation/response.js';
import type { Violation } from '../validation/violation.js';
import type { ForwardedBody, ForwardedExchange, RequestHead, ResponseHead } from './message.js';

/** One way in which traffic departs from the interface. */
export interface TrafficViolation extends Violation {
  readonly side: 'request' | 'response';
  /** Who says so: the validators of this package, or Prism, whose opinion is kept apart. */
  readonly judge: 'interface' | 'prism';
}

/** What is said of one exchange. */
export interface JudgedExchange {
  readonly exchange: ForwardedExchange;
  /** Empty where all is well. No token stands in it. */
  readonly violations: readonly TrafficViolation[];
  /** What could not be judged, as sentences. */
  readonly notes: readonly string[];
  /** The sides that could be judged: a request may have no answer, and a body may be too long. */
  readonly sides: readonly TrafficViolation['side'][];
}

/** The part of a message that is judged. */
type JudgedPart<Head> = Head & Pick<ForwardedBody, 'body' | 'bodyLength'> & { readonly headers: Fields };

/** What an exchange is judged by. */
export interface JudgedParts {
  readonly request: JudgedPart<Pick<RequestHead, 'method' | 'target'>>;
  readonly response?: JudgedPart<Pick<ResponseHead, 'status'>>;
}

/** What is said of an exchange. */
export type Judgement = Omit<JudgedExchange, 'exchange'>;

/** Whether the interface says anything of a request: there is one operation, `POST …/plants`. */
export function isJudged({ request: { method, target } }: ForwardedExchange): boolean {
  return method === 'POST' && /\/plants(?:\?|$)/.test(target);
}

/** Judges an exchange that passed, by the interface and, where it is loaded, by Prism. Pure. */
export function judgeExchange({ request, response }: JudgedParts, prism: Prism | undefined): Judgement {
  const notes: string[] = [];
  const violations: TrafficViolation[] = [];
  const sent = bodyOf(request, 'request', notes);
  const sides: TrafficViolation['side'][] = [];
  if (sent !== undefined) {
    sides.push('request');
    const { method, target: url, headers } = request;
    const message = { method, url, headers, body: sent };
    violations.push(...named('request', 'interface', validateRequest(message)));
    if (prism !== undefined) violations.push(...named('request', 'prism', prism.judgeRequest(message)));
  }
  const received = response && bodyOf(response, 'response', notes);
  if (response !== undefined && received !== undefined) {
    sides.push('response');
    const message = { status: response.status, headers: response.headers, body: received };
    violations.push(...named('response', 'interface', validateResponse(message)));
    if (prism !== undefined) violations.push(...named('response', 'prism', prism.judgeResponse(message)));
  }
  return { violations: withoutToken(violations, request.headers), notes, sides };
}

function named(
  side: TrafficViolation['side'],
  judge: TrafficViolation['judge'],
  violations: readonly Violation[],
): TrafficViolation[] {
  return violations.map(({ part, pointer, keyword, message, expected, actual }) => ({
    ...{ side, judge, part, pointer, keyword, message, expected, actual },
  }));
}

/** The body as it is meant, or `undefined` and a note where not all of it is there. */
function bodyOf(
  message: JudgedPart<unknown>,
  side: TrafficViolation['side'],
  notes: string[],
): Uint8Array | undefined {
  const { body, bodyLength, headers } = message;
  if (bodyLength > body.length) {
    notes.push(`the body of the ${side} has ${bodyLength} bytes: it passed, and was not judged`);
    return undefined;
  }
  const codings = headerValues(headers, 'content-encoding');
  if (codings.length === 0) return body;
  const decoded = decodeContent(body, codings, LONGEST_DECODED);
  if (typeof decoded !== 'string') return decoded;
  notes.push(`the ${side} was not judged: ${decoded}`);
  return undefined;
}

const LONGEST_DECODED = 16 * 2 ** 20;

/** A provider may say the token that it was sent; nobody is to read it here. */
function withoutToken(violations: TrafficViolation[], headers: Fields): TrafficViolation[] {
  if (violations.length === 0) return violations;
  const tokens = headerValues(headers, 'authorization').flatMap((value) => {
    const credentials = parseBearer(value);
    return credentials.ok ? [credentials.token] : [];
  });
  return tokens.reduce((rest, token) => redactionWith([], token).all(rest), violations);
}
