import { headerValues } from '../../http/fields.js';
import type { Behaviour } from '../../report/profile.js';
import { isOfLimit } from '../../validation/response.js';
import type { Violation } from '../../validation/violation.js';
import {
  type Exchange,
  failureBodies,
  framingProblem,
  isAccepted,
  isDescribed,
  isFromOperation,
  isOverloaded,
  isRejected,
  isThrottled,
  isTooLong,
  isUnprocessed,
  isValidPlant,
  type Judgement,
  judgeRead,
  knowsNoSuchHttp,
  OVERSIZED,
  type Problem,
  problemIn,
  responseInWords,
} from '../exchange.js';
import { type Facts, isFailed } from '../judge/facts.js';
import type { Probe } from '../row.js';
import {
  type Broken,
  type Context,
  type Demand,
  demands,
  describes,
  ERROR,
  factOfMediaType,
  factOfRequest,
  RESPONSE_400,
  RESPONSES,
  type Topic,
} from '../rule.js';
import { FORGED_FIELD } from './strings.js';

const describesFailure = describes(() => true, {
  hurts: 'errors',
  nothingToJudge: 'no response was a failure',
});

/**
 * Whether a response is a failure that the interface describes: a 4xx that the provider itself sends. A 5xx has a rule of its own,
 * and what a limit responds is not shown.
 */
function isFailure(exchange: Exchange): boolean {
  const { response } = exchange;
  if (response === undefined || !isRejected(exchange) || !isFromOperation(exchange)) return false;
  // `failure/rare-input-is-answered` judges these.
  if (exchange.sent.isMalformed) return false;
  return !isOfLimit(response.status) && !isThrottled(exchange);
}

/** Whether a response is a failure of which something can be judged: one that broke off is incomplete. */
function isRead(exchange: Exchange): boolean {
  return isFailure(exchange) && (exchange.response?.complete === true || isTooLong(exchange));
}

/** Judges a 400, or another 4xx with a body, by the violations that one rule is about. */
function judge4xx(
  exchange: Exchange,
  which: '400' | 'other',
  isMeant: (violation: Violation) => boolean,
): Judgement {
  if (!isRead(exchange) || exchange.response === undefined) return 'nothing-to-judge';
  const { status, received } = exchange.response;
  if (which === '400' && status !== 400) return { notApplicable: 'no failure has the status 400' };
  if (which === 'other' && status === 400) return { notApplicable: 'every failure has the status 400' };
  if (which === 'other' && received === 0) return { notApplicable: 'no other 4xx has a body' };
  return judgeRead(exchange, isMeant);
}

/** Judges a field of an Error in a 400, if it is present. That it is present is the subject of another rule. */
function judgeField(exchange: Exchange, field: 'error' | 'message'): Judgement {
  const is400 = exchange.response?.status === 400;
  if (is400 && !Object.hasOwn(failureBodies([exchange])[0] ?? {}, field)) return 'nothing-to-judge';
  return judge4xx(exchange, '400', ({ pointer }) => pointer === `/${field}`);
}

/** The violations of an Error as a whole: it is JSON, an object, and has both fields. */
function isAboutShape({ part, pointer, keyword }: Violation): boolean {
  return part === 'body' && (pointer === '' || keyword === 'required');
}

/** Only the probe of a body that may be too large has a body of this size. */
const LARGE_BODY = 2 ** 20;

/** Whether a request is an earlier one of the same sequence, with the same id. */
function isBefore({ step, request: { id } }: Exchange, { step: at, request }: Exchange): boolean {
  return step < at && id !== undefined && id === request.id;
}

/** Requires that a request that must be rejected, and is not accepted, gets a 4xx. */
function judgeRefusal(exchange: Exchange, { facts, sequence }: Context): Judgement {
  if (exchange.expectation !== 'rejected') return 'nothing-to-judge';
  if (isAccepted(exchange) || isUnprocessed(exchange)) return 'nothing-to-judge';
  // An earlier attempt counts if it failed, unless valid plants fail now and then as well.
  const isEarlier = exchange.role === 'superseded';
  if (isEarlier && (!isFailed(exchange) || facts.intermittent.failed.size > 0)) return 'nothing-to-judge';
  // The response to a duplicate id is not shown, and a provider may look for one before it checks the token.
  const isDuplicate = sequence.some((other) => isBefore(other, exchange) && isAccepted(other));
  const { plant, idMayExist = false } = exchange.request;
  if (isDuplicate || (plant !== undefined && idMayExist)) return 'nothing-to-judge';
  // An overloaded provider says the same of valid plants, and a rule of its own judges that.
  if (isOverloaded(exchange) && facts.isOverloaded) return 'nothing-to-judge';
  return isRejected(exchange) ? undefined : { expected: 'a 4xx', actual: responseInWords(exchange) };
}

/** How the body of a 200 or a 400 is wrong. */
function bodyProblem(exchange: Exchange): Problem | undefined {
  const { response, expectation } = exchange;
  const isJudged = response?.status === 400 || (response?.status === 200 && expectation !== 'rejected');
  return isJudged && response.complete ? problemIn(exchange, ({ part }) => part === 'body') : undefined;
}

/**
 * How malformed text makes a response wrong that is right otherwise. If it is wrong otherwise as well, other rules say so.
 */
function malformedTextProblem(exchange: Exchange, { exchanges }: Facts): Problem | undefined {
  const problem = bodyProblem(exchange);
  if (problem === undefined || isUnprocessed(exchange)) return undefined;
  const isAlsoWrong = exchanges.some(
    (other) =>
      other.response?.status === exchange.response?.status &&
      !other.sent.isMalformed &&
      bodyProblem(other) !== undefined,
  );
  return isAlsoWrong ? undefined : problem;
}

/** The body of a rejection, in words. */
function notAnError({ exchange: { response } }: Broken): string {
  return `The body of a ${response?.status} is not an Error.`;
}

/** Rare input may also get a 200 or a 400 that nobody can read. */
function factOfRare(broken: Broken, facts: Facts): string {
  const { exchange } = broken;
  const status = exchange.response?.status;
  return status === 200 || status === 400
    ? `The body of the ${status} to ${facts.titleOf(exchange)} is wrong.`
    : factOfRequest(broken, facts);
}

/** A request to which the interface leaves the response open, and to which the provider failed, or gave none. */
function judgeOpen(exchange: Exchange, { facts, probe }: Context): Judgement {
  const { expectation, role, request, response } = exchange;
  if (expectation !== 'open' || role === 'superseded' || isUnprocessed(exchange)) return 'nothing-to-judge';
  if (!isDescribed(exchange) || request.body.length > OVERSIZED) return 'nothing-to-judge';
  // A provider may accept fewer connections at once.
  if (probe.together === true && exchange.failure?.kind === 'reset') return 'nothing-to-judge';
  if (isOverloaded(exchange) && facts.isOverloaded) return 'nothing-to-judge';
  if (knowsNoSuchHttp(exchange) || (response !== undefined && response.status < 500)) return undefined;
  return { expected: 'a response that is no 5xx', actual: responseInWords(exchange) };
}

/** The rule about what clients send every day, although the interface leaves the response open. The rows that are sent for it name it. */
export const EVERYDAY_REQUEST = 'failure/everyday-request-is-answered';

/**
 * The rules about what a rejection is. The others are about its body.
 *
 * @param everyday the ids of the rules that clients break by everyday mistakes
 */
function refusalRules(everyday: ReadonlySet<string>): readonly Demand[] {
  /** Whether a probe sends an everyday mistake, or has one in a sequence with valid requests. */
  const isEveryday = ({ rules = [], phase, rare = false }: Probe): boolean => {
    const isMistake = rules.some((id) => everyday.has(id)) || phase === 'recovery' || phase === 'state';
    return isMistake && !rare;
  };
  return [
    describesFailure({
      id: 'failure/refusal-is-4xx',
      level: 'implied',
      about: 'rejection',
      title:
        'The rejection of an everyday mistake is a 4xx, and not a 5xx, a redirect, a reset or no response.',
      fact: factOfRequest,
      source: RESPONSE_400,
      why: 'The documented failure is a 400, and any other 4xx is not shown. A 5xx says that the server is at fault (RFC 9110, section 15.6), and a redirect says that the resource is elsewhere. Neither is true here. Without a response, the client learns nothing.',
      usualCause: 'Invalid input causes an exception that is not caught.',
      fix: 'Validate the input before you use it, and return 400 if it is invalid.',
      judges: isEveryday,
      control: 'for-any-verdict',
      nothingToJudge: 'no invalid request was rejected',
      everyAttempt: true,
      onNoResponse: 'judge',
      judge: judgeRefusal,
    }),
    describesFailure({
      id: EVERYDAY_REQUEST,
      level: 'implied',
      title:
        'A duplicate id, a missing or another media type, and "bearer" in lower case never get a 5xx, a reset or no response.',
      fact: factOfRequest,
      source: RESPONSES,
      why: 'The interface leaves open whether such a request is accepted, and which status its rejection has. It documents two responses, and each is an answer that a client understands. Clients send these requests every day: they try again, forget a header, or write a scheme in lower case. A 5xx says that the server is at fault (RFC 9110, section 15.6), and without a response the client learns nothing.',
      usualCause:
        'The database reports a duplicate key, or the code reads a header or a body that is not there, because the framework reads no body without the usual Content-Type. The exception is not caught.',
      fix: 'Catch what the store throws for a duplicate, and ask whether a header or the body is there before you read it. Return 400, or accept the plant.',
      judges: ({ rules = [] }) => rules.includes(EVERYDAY_REQUEST),
      nothingToJudge: 'no such request got a response',
      onNoResponse: 'judge',
      judge(exchange, context) {
        // The first plant of a sequence with duplicates is valid beyond doubt, and other rules judge it.
        const isDuplicate = exchange.request.idMayExist === true;
        return isDuplicate || !isValidPlant(exchange) ? judgeOpen(exchange, context) : 'nothing-to-judge';
      },
    }),
    describesFailure({
      id: 'failure/rare-input-is-answered',
      level: 'implied',
      severity: 'warning',
      about: 'rejection',
      title: 'Input that hardly any client sends gets a 200 with a Plant or a 4xx, too, and nothing else.',
      fact: factOfRare,
      source: RESPONSE_400,
      why: 'The interface documents two responses, and neither depends on how odd a request is. A 5xx says that the server is at fault (RFC 9110, section 15.6), a body that is not JSON cannot be read, and without a response the client learns nothing. Only a client that sends such input notices, so this is a warning.',
      usualCause:
        'An exception is not caught: a text is not UTF-8, a pattern or a parser gives up, or a message quotes what it cannot write.',
      fix: 'Catch what reading and validating may throw, and return 400. Replace what is no text before you write it into a message.',
      judges: (probe) => !isEveryday(probe) && probe.rules?.includes(EVERYDAY_REQUEST) !== true,
      control: 'for-any-verdict',
      nothingToJudge: 'no such request got a response',
      everyAttempt: true,
      onNoResponse: 'judge',
      judge(exchange, context) {
        if (exchange.sent.isMalformed) {
          const problem = malformedTextProblem(exchange, context.facts);
          if (problem !== undefined) return problem;
        }
        if (exchange.expectation === 'rejected') return judgeRefusal(exchange, context);
        if (!isValidPlant(exchange)) return judgeOpen(exchange, context);
        if (context.probe.rare !== true || exchange.role === 'superseded') return 'nothing-to-judge';
        if (isUnprocessed(exchange)) return 'nothing-to-judge';
        if (isAccepted(exchange) || isRejected(exchange) || isOverloaded(exchange)) return undefined;
        return { expected: '200, or a 4xx', actual: responseInWords(exchange) };
      },
    }),
  ];
}

const rules: readonly Demand[] = [
  describesFailure({
    id: 'failure/body-comes-whole',
    level: 'implied',
    title: 'The body of a failure is as long as its Content-Length or its chunks say.',
    fact: 'The body of a failure is not as long as its Content-Length or its chunks say.',
    source: RESPONSE_400,
    why: 'The body of an error response has both fields. A message that is shorter than its framing says is incomplete (RFC 9112, section 8), and a client that notices discards all of it.',
    usualCause:
      'The connection is closed before the error body is sent, or Content-Length belongs to another body.',
    fix: 'Let the HTTP server set Content-Length, and close the connection only after the body is sent.',
    judge(exchange) {
      // A provider may stop in the middle of its response to a body that is too large.
      if (!isFailure(exchange) || exchange.request.body.length > LARGE_BODY) return 'nothing-to-judge';
      // A server that does not know chunks, such as Python's http.server, takes them for further requests.
      if (exchange.request.chunked === true && exchange.response?.complete === true)
        return 'nothing-to-judge';
      // Pages of frameworks for developers are long.
      if (isTooLong(exchange)) return 'nothing-to-judge';
      return framingProblem(exchange);
    },
  }),
  describesFailure({
    id: 'failure/media-type-is-json',
    about: 'media type',
    title: 'The media type of a 400 is application/json.',
    fact: factOfMediaType,
    source: `${RESPONSE_400}/content/application~1json`,
    why: 'All bodies are JSON with the media type application/json. application/problem+json is another media type.',
    usualCause:
      "The framework's own error page or problem+json is returned instead of the application's Error.",
    fix: 'Register an error handler that returns application/json for every failure.',
    everyAttempt: true,
    judge: (exchange) => judge4xx(exchange, '400', ({ keyword }) => keyword === 'media-type'),
  }),
  describesFailure({
    id: 'failure/body-is-an-error',
    about: 'body',
    title: 'The body of a 400 is a JSON object with "error" and "message".',
    fact: notAnError,
    source: `${ERROR}/required`,
    why: 'When the request fails with status 400, then the body is an Error object with both fields present.',
    usualCause: "The framework's own error body is returned, or the application's own has other fields.",
    fix: 'Register an error handler that returns "error" and "message" for every failure.',
    everyAttempt: true,
    judge: (exchange) => judge4xx(exchange, '400', isAboutShape),
  }),
  describesFailure({
    id: 'failure/error-is-an-int32',
    about: 'body',
    title: 'The "error" of a 400 is an int32.',
    fact: 'The "error" of a 400 is not an int32.',
    source: `${ERROR}/properties/error`,
    why: '"error" is an integer with the format int32: -2147483648 to 2147483647.',
    usualCause:
      '"error" is a string, an object or a larger number: many frameworks use this word in another sense.',
    fix: 'Set "error" to a 32-bit integer.',
    everyAttempt: true,
    nothingToJudge: 'no 400 had an "error"',
    judge: (exchange) => judgeField(exchange, 'error'),
  }),
  describesFailure({
    id: 'failure/message-is-a-string',
    about: 'body',
    title: 'The "message" of a 400 is a string.',
    fact: 'The "message" of a 400 is not a string.',
    source: `${ERROR}/properties/message`,
    why: '"message" is a string.',
    usualCause: '"message" is a list of messages, another value of the framework, or null if there is none.',
    fix: 'Set "message" to one string.',
    everyAttempt: true,
    nothingToJudge: 'no 400 had a "message"',
    judge: (exchange) => judgeField(exchange, 'message'),
  }),
  describesFailure({
    id: 'failure/other-4xx-is-json',
    level: 'implied',
    severity: 'warning',
    about: 'media type',
    title: 'The media type of a 401, 404, 409, 415, 422 or another 4xx with a body is application/json.',
    fact: factOfMediaType,
    source: `${RESPONSE_400}/content/application~1json`,
    why: 'All bodies are JSON with the media type application/json, and the interface names no exception. Which statuses a provider uses is not shown, so it may use any 4xx, and may leave the body out. But a client that reads a body reads JSON.',
    usualCause:
      "The framework's own page or problem+json is returned before the application is asked, for example to a missing token.",
    fix: 'Register an error handler that returns application/json for every failure, or send no body.',
    everyAttempt: true,
    judge: (exchange) => judge4xx(exchange, 'other', ({ keyword }) => keyword === 'media-type'),
  }),
  describesFailure({
    id: 'failure/other-4xx-is-an-error',
    level: 'implied',
    severity: 'warning',
    about: 'body',
    title: 'The body of a 401, 404, 409, 415, 422 or another 4xx, if it has one, is an Error.',
    fact: notAnError,
    source: ERROR,
    why: 'An error response body always has both "error" and "message". "Always" leaves no status out: a body that is there is an Error, with an int32 and a string. Only a 4xx without a body has no such body. What a limit responds (408, 413, 414, 429, 431) is not judged, because limits are not shown.',
    usualCause:
      "The framework's own error body is returned, for example to a missing token, or the application's own has other fields.",
    fix: 'Register an error handler that returns "error" and "message" for every failure, or send no body.',
    everyAttempt: true,
    judge: (exchange) => judge4xx(exchange, 'other', ({ part }) => part === 'body'),
  }),
  demands({
    id: 'failure/text-stays-in-the-body',
    level: 'implied',
    title: 'Text of a request never becomes a header field of its response.',
    fact: 'Text of a request becomes a header field of its response.',
    hurts: 'errors',
    source: RESPONSE_400,
    why: 'The name of a plant is text, and so is the "message" of an Error. Both belong into the body. If a line break in a name begins a new header field, a client decides what the next client or a cache reads. HTTP allows no line break in a field (RFC 9110, section 5.5).',
    usualCause: 'A message or a name is put into a header field or into the status line as it is.',
    fix: 'Put text of a request only into the JSON body.',
    nothingToJudge: 'no request with a header field in a string got a response',
    everyAttempt: true,
    judge({ request, response }) {
      if (response === undefined || !Buffer.from(request.body).includes(FORGED_FIELD))
        return 'nothing-to-judge';
      const [value] = headerValues(response.headers, FORGED_FIELD.toLowerCase());
      return value === undefined
        ? undefined
        : {
            expected: 'no header field that a string of the request contains',
            actual: `${response.status} with the field "${FORGED_FIELD}: ${value}", which the request has in a string`,
          };
    },
    rows: [],
  }),
];

const isInvalid = ({ expectation }: Probe): boolean => expectation === 'rejected';

/** More codes than this, for fewer than twice as many failures, are numbers of incidents and not of reasons. */
const FEW_CODES = 15;

function errorCodes(exchanges: readonly Exchange[]): Behaviour | undefined {
  const rejections = exchanges.filter(isRejected);
  const all = failureBodies(rejections).flatMap(({ error }) => (typeof error === 'number' ? [error] : []));
  const codes = new Set(all);
  if (codes.size === 0) return undefined;
  if (codes.size > FEW_CODES && codes.size > all.length / 2)
    return { sentence: 'The "error" of each failure is another integer.', value: 'another each time' };
  const statuses = new Set(rejections.map(({ response }) => response?.status));
  if ([...codes].every((code) => statuses.has(code)))
    return { sentence: 'The "error" of a failure is its status.', value: 'status' };
  const value = [...codes].sort((a, b) => a - b).join(', ');
  return codes.size === 1
    ? { sentence: `The "error" of every failure is ${value}.`, value }
    : { sentence: `The "error" of a failure is one of ${value}.`, value };
}

/**
 * What the interface demands of failures, wherever in the provider they come from.
 *
 * @param others the rules about requests: those say which mistakes are everyday ones
 */
export function failureTopic(others: readonly Demand[]): Topic {
  const everyday = new Set(others.flatMap((rule) => (rule.everyday === true ? [rule.id] : [])));
  return {
    rules: [...refusalRules(everyday), ...rules],
    observations: [
      {
        level: 'unspecified',
        id: 'unspecified/error-codes',
        title: 'What is the "error" of a failure?',
        judges: isInvalid,
        observe: errorCodes,
        source: ERROR,
        why: 'The meaning of the integer in "error" is not shown.',
      },
    ],
  };
}
