import { JsonNumber, type JsonObject, type JsonValue } from '../../validation/json.js';
import { validateResponse } from '../../validation/response.js';
import type { Violation } from '../../validation/violation.js';
import {
  decodedBody,
  type Exchange,
  isAccepted,
  isUnanswered,
  jsonOf,
  LONGEST_ANSWER,
  type ProviderResponse,
  valuesOf,
} from '../exchange.js';
import type { Evidence } from '../judging/evidence.js';
import { REPEATED_ID, REPEATED_NAME } from '../probes/state.js';
import type { Blocked, Judgement, NotApplicable, Problem } from '../rule.js';

/** Whether an answer is one that the interface speaks of: to `POST /plants`. */
export function isFromPlants({ request }: Exchange): boolean {
  return request.elsewhere === undefined;
}

/** Whether a response came as long as its framing says, which must be so before its body is looked at. */
export function isWhole(exchange: Exchange): boolean {
  return exchange.response !== undefined && framingProblem(exchange) === undefined;
}

/** How a response departs from its framing, where it does. */
export function framingProblem({ response }: Exchange): Problem | undefined {
  if (response === undefined || (response.complete && response.surplus === 0)) return undefined;
  const { received, complete, surplus, body } = response;
  const expected = 'a body as long as it is said to be';
  if (complete) return { expected, actual: `${surplus} more bytes after its ${body.length}` };
  return received > LONGEST_ANSWER
    ? { expected, actual: `more than ${LONGEST_ANSWER} bytes, and the rest was not read` }
    : { expected, actual: `the connection ended after ${received} bytes of it` };
}

/** Whether the answer to a creation is a 200 whose body can be judged. Bad requests ought to have none. */
export function isJudged200(exchange: Exchange): boolean {
  return (
    exchange.response?.status === 200 &&
    exchange.expectation !== 'refused' &&
    isFromPlants(exchange) &&
    isWhole(exchange)
  );
}

/** The violations of a response that one rule is about, as one problem. */
export function problemIn(exchange: Exchange, about: (violation: Violation) => boolean): Problem | undefined {
  const { response } = exchange;
  if (response === undefined) return undefined;
  const body = decodedBody(response);
  const found = (
    typeof body === 'string' ? undecodable(response, body) : violationsOf(exchange, body)
  ).filter(about);
  if (found.length === 0) return undefined;
  return {
    expected: [...new Set(found.map(({ expected }) => expected))].join('; '),
    actual: `${response.status === 200 ? '' : `${response.status}: `}${found.map(({ message }) => message).join('; ')}`,
  };
}

/** What is wrong with a body that is not what its Content-Encoding says: its media type is judged all the same. */
function undecodable({ status, headers }: ProviderResponse, actual: string): readonly Violation[] {
  const expected = 'a body that is what its Content-Encoding says';
  const other = validateResponse({ status, headers }).filter(({ part }) => part === 'header');
  return [...other, { part: 'body', pointer: '', keyword: 'json', message: actual, expected, actual }];
}

const judgedBefore = new WeakMap<Exchange, readonly Violation[]>();

/** Every rule about bodies asks the same of an exchange; it is answered once. */
function violationsOf(exchange: Exchange, body: Uint8Array): readonly Violation[] {
  const before = judgedBefore.get(exchange);
  if (before !== undefined) return before;
  const { status = 0, headers = [] } = exchange.response ?? {};
  const violations = validateResponse({ status, headers, body });
  judgedBefore.set(exchange, violations);
  return violations;
}

/** What a rule about the body of a 200 finds. */
export function judge200(exchange: Exchange, about: (violation: Violation) => boolean): Judgement {
  return isJudged200(exchange) ? problemIn(exchange, about) : 'nothing-to-judge';
}

/** The JSON of a 200, read; undefined where there is none. */
export function jsonIn(exchange: Exchange): { readonly value: JsonValue } | undefined {
  if (!isJudged200(exchange) || exchange.response === undefined) return undefined;
  const read = jsonOf(exchange.response);
  return read.ok ? read : undefined;
}

/** The members of the JSON object in a 200; undefined where there is none. */
export function objectIn(exchange: Exchange): JsonObject | undefined {
  const value = jsonIn(exchange)?.value;
  return isObject(value) ? value : undefined;
}

/** The members of the plant in a 200; undefined where it has no name, and so is no Plant at all. */
export function plantIn(exchange: Exchange): (JsonObject & { readonly name: string }) | undefined {
  const members = objectIn(exchange);
  return typeof members?.name === 'string' ? (members as JsonObject & { name: string }) : undefined;
}

/** Whether a JSON value is an object. */
export function isObject(value: JsonValue | undefined): value is JsonObject {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof JsonNumber)
  );
}

/**
 * Whether an answer is the one to another request that was under way at the same time: it has a name of that one,
 * which is not its own. What an answer says of its plant proves nothing then.
 */
export function isAnswerToAnother(exchange: Exchange, { exchanges }: Evidence): boolean {
  const sent = exchange.request.plant?.name;
  const name = plantIn(exchange)?.name;
  if (sent === undefined || name === undefined || name === sent) return false;
  const written = JSON.stringify(name);
  return exchanges.some(
    (other) =>
      other !== exchange &&
      // In the bytes it may stand with escapes; where there is no plant, they are all there is.
      (other.request.plant?.name === name || bytesOf(other.request.body).includes(written)) &&
      areUnderWayTogether(exchange, other),
  );
}

/** The same bytes, not copied. */
function bytesOf({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

/** Whether two requests were under way at the same time. */
function areUnderWayTogether(one: Exchange, other: Exchange): boolean {
  return one.startMs <= other.startMs + other.durationMs && other.startMs <= one.startMs + one.durationMs;
}

/** Why nothing is known of requests that meet, where none met: only so many are sent at once. */
export function neverMet(sequence: readonly Exchange[]): NotApplicable | undefined {
  const met = sequence.some((one, at) =>
    sequence.slice(at + 1).some((other) => areUnderWayTogether(one, other)),
  );
  return met ? undefined : { notApplicable: 'requests were sent one at a time, as was asked for' };
}

/**
 * Why nothing shows what a provider keeps: only where it does not take an id that it has, for another plant, does a
 * repetition tell. (The very same plant once more may be taken, or not, for other reasons.)
 *
 * @param repeated the creation of another plant with an id that the provider has
 */
export function whyNothingShows(repeated: Exchange | undefined): NotApplicable | Blocked | undefined {
  if (repeated === undefined || isUnanswered(repeated))
    return { blocked: 'what a repeated id gets was not seen' };
  return isAccepted(repeated)
    ? { notApplicable: 'the provider accepts a repeated id, as it is free to, so that nothing shows' }
    : undefined;
}

/** The creation of another plant with an id that the provider has, where it was sent. */
export function repetitionIn(evidence: Evidence): Exchange | undefined {
  return evidence.of(REPEATED_ID)[2];
}

/** Whether the provider refuses a name that it has, which is not shown. */
export function namesAreUnique(evidence: Evidence): boolean {
  return evidence.refused(REPEATED_NAME);
}

/** The first value of a header field of an answer. */
export function headerOf({ response }: Exchange, name: string): string | undefined {
  return response === undefined ? undefined : valuesOf(response, name)[0];
}
