import { decodeContent } from '../validation/content-coding.js';
import { headerValues } from '../validation/message.js';
import type { Prism } from '../validation/prism.js';
import { validateRequest } from '../validation/request.js';
import { validateResponse } from '../validation/response.js';
import type { Violation } from '../validation/violation.js';
import type { JudgedPart, JudgedRequest, JudgedResponse, TrafficViolation } from './judged.js';

/** What is wrong with a request; `undefined` and a note where nothing can be said of it. */
export function requestViolations(
  request: JudgedRequest,
  prism: Prism | undefined,
  notes: string[],
): TrafficViolation[] | undefined {
  if (!request.complete) {
    notes.push(brokenOff('request', request.bodyLength));
    return undefined;
  }
  const body = bodyOf(request, 'request', notes);
  if (body === undefined) return undefined;
  const { method, target: url, headers } = request;
  const message = { method, url, headers, body };
  const ours = named('request', 'interface', validateRequest(message));
  return prism === undefined ? ours : [...ours, ...named('request', 'prism', prism.judgeRequest(message))];
}

/** What is wrong with a response; `undefined` and a note where nothing can be said of it. */
export function responseViolations(
  response: JudgedResponse,
  request: JudgedRequest,
  prism: Prism | undefined,
  notes: string[],
): TrafficViolation[] | undefined {
  const { status, headers, complete, bodyLength, surplus } = response;
  if (!complete) {
    // Who stops reading a body that is too large may break off the answer with it.
    if (!request.complete || (status >= 400 && request.bodyLength > LARGE_BODY)) {
      notes.push(brokenOff('response', bodyLength));
      return undefined;
    }
    const others = validateResponse({ status, headers }).filter(({ part }) => part !== 'body');
    return named('response', 'interface', [...others, notAsLong(`it broke off after ${bodyLength} bytes`)]);
  }
  const body = bodyOf(response, 'response', notes);
  if (body === undefined) return undefined;
  const message = { status, headers, body };
  const framing = surplus === true ? [notAsLong(`more came after its ${bodyLength} bytes`)] : [];
  const ours = named('response', 'interface', [...validateResponse(message), ...framing]);
  return prism === undefined ? ours : [...ours, ...named('response', 'prism', prism.judgeResponse(message))];
}

const LARGE_BODY = 2 ** 20;

function brokenOff(side: TrafficViolation['side'], bodyLength: number): string {
  return `the ${side} broke off after ${bodyLength} bytes of its body: it was not judged`;
}

/** A response that is shorter or longer than its framing says (RFC 9112, section 8). */
function notAsLong(actual: string): Violation {
  const message = `the body must be as long as its Content-Length or its chunks say; ${actual}`;
  const expected = 'a body as long as it is said to be';
  return { part: 'body', pointer: '', keyword: 'framing', message, expected, actual };
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
