import type { Violation } from '../../validation/violation.js';
import { type Exchange, inWords, isAccepted, isRefused, isUnanswered, jsonOf } from '../exchange.js';
import type { Probe } from '../probe.js';
import { REPEATED_NAME } from '../probes/state.js';
import { defineRule, type Judgement } from '../rule.js';
import { framingProblem, isFromPlants, problemIn } from './answers.js';

const ERROR = '/components/schemas/Error';
const NO_FAILURE = 'no request was answered with a failure';

/** The violations of a failure that one rule is about; nothing to judge in a status below 400. */
function violationsOf(exchange: Exchange, about: (violation: Violation) => boolean): Judgement {
  const { response } = exchange;
  if (response === undefined || response.status < 400 || !isFromPlants(exchange)) return 'nothing-to-judge';
  if (!response.complete) return 'nothing-to-judge';
  return problemIn(exchange, about);
}

/** What a failure has in a field of Error; that it has the field is for another rule to judge. */
function fieldOf(exchange: Exchange, field: 'error' | 'message'): Judgement {
  const read = exchange.response && jsonOf(exchange.response);
  const members = read?.ok === true ? read.value : undefined;
  if (typeof members !== 'object' || members === null || !Object.hasOwn(members, field))
    return 'nothing-to-judge';
  return violationsOf(exchange, ({ pointer }) => pointer === `/${field}`);
}

/** An Error as a whole: JSON, an object, both fields. The types of the fields have rules of their own. */
function isAboutShape({ part, pointer, keyword }: Violation): boolean {
  return part === 'body' && (pointer === '' || keyword === 'required');
}

/** No body of a probe is so long but the one that tries what is too long. */
const LARGE_BODY = 2 ** 20;

/** Beside those among the valid ones: plants that a provider may refuse, and has no other choice. */
const PLANTS_AFTER_ALL = ['unknown-field', 'query', REPEATED_NAME];

/**
 * Whether a request is bad, or a plant that a provider may refuse: then as well it is refused with a 4xx. Of what
 * readers of JSON and HTTP may take or not (a byte-order mark, another charset, 7.0 for 7), any answer is observed;
 * so it is where an id may be taken.
 */
function isBadOrRefusable({ request, expectation }: Exchange, { name, phase }: Probe): boolean {
  if (expectation !== 'open') return expectation === 'refused';
  if (request.mayBeTaken === true || name === 'id-with-zero-fraction') return false;
  return phase === 'valid' || PLANTS_AFTER_ALL.includes(name);
}

/** What the interface demands of failures, wherever in the provider they come from. */
export const failureRules = [
  defineRule({
    id: 'failure/refusal-is-4xx',
    title: 'What is not accepted is refused with a 4xx, and not with a 5xx, a redirect, a reset or silence.',
    level: 'implied',
    source: { section: 'Errors', pointer: '/paths/~1plants/post/responses/400' },
    why: 'The documented failure is a 400, and another 4xx is not shown. A 5xx says that the server is at fault (RFC 9110, section 15.6) and a redirect that the resource is elsewhere; neither is so, and a client that is not answered learns nothing.',
    judges: () => true,
    control: 'for-any-verdict',
    nothingToJudge: 'no bad request was refused',
    judge(exchange, { probe }) {
      if (!isBadOrRefusable(exchange, probe) || isAccepted(exchange) || isUnanswered(exchange))
        return 'nothing-to-judge';
      return isRefused(exchange) ? undefined : { expected: 'a 4xx', actual: inWords(exchange) };
    },
  }),
  defineRule({
    id: 'failure/body-comes-whole',
    title: 'The body of a failure is as long as its Content-Length or its chunks say.',
    level: 'implied',
    source: { section: 'Errors', rule: 1, pointer: '/paths/~1plants/post/responses/400' },
    why: 'An error response has a body with both fields. A message that is shorter than its framing says is incomplete (RFC 9112, section 8), and clients that notice throw all of it away.',
    judges: () => true,
    control: 'none',
    nothingToJudge: NO_FAILURE,
    judge(exchange) {
      const { response, request } = exchange;
      if (response === undefined || response.status < 400 || !isFromPlants(exchange))
        return 'nothing-to-judge';
      // Who stops reading a body that is too large may break off its answer with it.
      return request.body.length > LARGE_BODY ? undefined : framingProblem(exchange);
    },
  }),
  defineRule({
    id: 'failure/media-type-is-json',
    title: 'A failure is application/json.',
    level: 'documented',
    source: {
      section: 'Resources and their fields',
      pointer: '/paths/~1plants/post/responses/400/content/application~1json',
    },
    why: 'All bodies are JSON, media type application/json; application/problem+json is another media type.',
    judges: () => true,
    everyAttempt: true,
    control: 'none',
    nothingToJudge: NO_FAILURE,
    judge: (exchange) => violationsOf(exchange, ({ keyword }) => keyword === 'media-type'),
  }),
  defineRule({
    id: 'failure/body-is-an-error',
    title: 'The body of a failure is a JSON object with both "error" and "message".',
    level: 'documented',
    source: { section: 'Errors', rule: 1, pointer: `${ERROR}/required` },
    why: 'An error response body always has both "error" and "message", whatever its status.',
    judges: () => true,
    everyAttempt: true,
    control: 'none',
    nothingToJudge: NO_FAILURE,
    judge: (exchange) => violationsOf(exchange, isAboutShape),
  }),
  defineRule({
    id: 'failure/error-is-an-int32',
    title: 'The "error" of a failure is an int32.',
    level: 'documented',
    source: { section: 'Resources and their fields', pointer: `${ERROR}/properties/error` },
    why: '"error" is an integer of the format int32: -2147483648 to 2147483647.',
    judges: () => true,
    everyAttempt: true,
    control: 'none',
    nothingToJudge: 'no failure had an "error"',
    judge: (exchange) => fieldOf(exchange, 'error'),
  }),
  defineRule({
    id: 'failure/message-is-a-string',
    title: 'The "message" of a failure is a string.',
    level: 'documented',
    source: { section: 'Resources and their fields', pointer: `${ERROR}/properties/message` },
    why: '"message" is a string.',
    judges: () => true,
    everyAttempt: true,
    control: 'none',
    nothingToJudge: 'no failure had a "message"',
    judge: (exchange) => fieldOf(exchange, 'message'),
  }),
];
