import { isUtf8 } from 'node:buffer';
import { headerValues } from '../../http/fields.js';
import { parseMediaType } from '../../validation/header-values.js';
import { readJson } from '../../validation/json.js';
import {
  isObject,
  isWellFormedThroughout,
  type JsonObject,
  type JsonValue,
  keysIn,
} from '../../validation/json-value.js';
import type { Violation } from '../../validation/violation.js';
import {
  type Exchange,
  isAccepted,
  isRejected,
  type Judgement,
  type NotApplicable,
  type ProbeRequest,
  type Problem,
} from '../exchange.js';
import { overlap } from '../facts/mixed-responses.js';
import { fieldsLikeKeysOf, newPlantIn } from '../oracle.js';
import { oncePer, type Probe } from '../probe.js';
import { contentOf, jsonOf, LONGEST_BODY, membersOf } from '../response-body.js';

/** Whether a request was sent to the operation of the interface, and not to another path or with another method. */
export function isFromOperation({ request }: Exchange): boolean {
  return request.otherOperation === undefined;
}

/** Whether a provider may accept the requests of a probe. An invalid request must not succeed at all. */
export function mayBeAccepted({ expectation }: Probe): boolean {
  return expectation !== 'rejected';
}

/** Whether a probe sends valid plants, perhaps beside other requests. */
export function sendsValidPlants({ phase, expectation }: Probe): boolean {
  return expectation !== 'rejected' || phase === 'recovery' || phase === 'state';
}

/** Whether a request is a valid creation with an id that the provider cannot have. */
export function isNewPlant({ request, expectation }: Exchange): boolean {
  return request.plant !== undefined && request.idMayExist !== true && expectation !== 'rejected';
}

/** How the body of a response differs from its framing, if it does. */
export function framingProblem({ response }: Exchange): Problem | undefined {
  if (response === undefined || (response.complete && response.surplus === 0)) return undefined;
  const { received, complete, surplus } = response;
  const expected = 'a body as long as its Content-Length or its chunks say';
  if (complete) return { expected, actual: `${surplus} more bytes after the ${received} of the body` };
  return received > LONGEST_BODY
    ? {
        expected,
        actual: `a body of more than ${LONGEST_BODY} bytes; the checker stopped reading it`,
      }
    : { expected, actual: `the connection ended after ${received} bytes of the body` };
}

/** How many times as long as a string its JSON can be: each character may be written as an escape. */
const LONGEST_ESCAPE = 6;

/** Whether the check stopped reading a response that may be as long as its request makes it. */
export function mayBeLonger({ request, response }: Exchange): boolean {
  return (response?.received ?? 0) > LONGEST_BODY && request.body.length * LONGEST_ESCAPE > LONGEST_BODY;
}

/**
 * Whether the response is a 200 to a request that may be accepted. Another 2xx with a body is judged like a 200: its
 * status is one mistake, and its body may have others. The response to a duplicate id may have any status but 200 and any
 * body.
 */
export function isSuccess(exchange: Exchange): boolean {
  const { response, request, expectation } = exchange;
  if (response === undefined || expectation === 'rejected' || !isFromOperation(exchange)) return false;
  // `failure/rare-input-is-answered` judges these.
  if (isMalformedText(request)) return false;
  if (response.status === 200) return true;
  return isAccepted(exchange) && request.idMayExist !== true && response.received > 0;
}

/** Whether the response is such a success, with a complete body. */
function isJudgedSuccess(exchange: Exchange): boolean {
  return isSuccess(exchange) && framingProblem(exchange) === undefined;
}

/** The violations of a response that one rule is about, as one problem. */
export function problemIn(
  exchange: Exchange,
  isMeant: (violation: Violation) => boolean,
): Problem | undefined {
  const { response } = exchange;
  if (response === undefined) return undefined;
  const found = contentOf(response).violations.filter(isMeant);
  if (found.length === 0) return undefined;
  return {
    expected: [...new Set(found.map(({ expected }) => expected))].join('; '),
    actual: `${response.status === 200 ? '' : `${response.status}: `}${found.map(violationInWords).join('; ')}`,
  };
}

/** What is wrong, without what was expected: `"id" is 7`. */
function violationInWords({ part, pointer, message, actual }: Violation): string {
  const [field] = keysIn(pointer);
  if (part !== 'body' || field === undefined) return message;
  return `${JSON.stringify(field)} is ${actual === 'nothing' ? 'missing' : actual}`;
}

/** Judges a success by the violations that one rule is about. */
export function judgeSuccess(exchange: Exchange, isMeant: (violation: Violation) => boolean): Judgement {
  if (!isSuccess(exchange)) return 'nothing-to-judge';
  return isTooLong(exchange) || framingProblem(exchange) === undefined
    ? judgeRead(exchange, isMeant)
    : 'nothing-to-judge';
}

/** Judges what was read of a response: of one with a body that is too long, only the header fields. */
export function judgeRead(exchange: Exchange, isMeant: (violation: Violation) => boolean): Judgement {
  return problemIn(exchange, isMeant) ?? (isTooLong(exchange) ? 'nothing-to-judge' : undefined);
}

/** Whether the body of a response is too long, as it came or decoded. Its status and its header fields are judged. */
export function isTooLong({ response }: Exchange): boolean {
  return response !== undefined && contentOf(response).isTooLong;
}

/** The JSON value in a 200. `undefined`: there is none. */
export function jsonIn(exchange: Exchange): { readonly value: JsonValue } | undefined {
  if (!isJudgedSuccess(exchange) || exchange.response === undefined) return undefined;
  const read = jsonOf(exchange.response);
  return read.ok ? read : undefined;
}

/** The members of the JSON object in a 200. `undefined`: there is none. */
export function objectIn(exchange: Exchange): JsonObject | undefined {
  const value = jsonIn(exchange)?.value;
  return isObject(value) ? value : undefined;
}

/** The members of the plant in a 200. `undefined`: it has no name, so it is not a Plant. */
export function plantIn(exchange: Exchange): (JsonObject & { readonly name: string }) | undefined {
  const members = objectIn(exchange);
  return typeof members?.name === 'string' ? (members as JsonObject & { name: string }) : undefined;
}

/** Why a sequence says nothing about concurrent requests: no two of its requests overlapped. */
export function whyNotConcurrent(sequence: readonly Exchange[]): NotApplicable | undefined {
  const isConcurrent = sequence.some((one, at) =>
    sequence.slice(at + 1).some((other) => overlap(one, other)),
  );
  return isConcurrent ? undefined : { notApplicable: 'no two of these requests were sent at the same time' };
}

/** The bodies of rejections, as far as they are objects. */
export function failureBodies(exchanges: readonly Exchange[]): Record<string, unknown>[] {
  return exchanges.flatMap((exchange) => {
    if (exchange.response === undefined || !isRejected(exchange) || !isFromOperation(exchange)) return [];
    const members = membersOf(jsonOf(exchange.response));
    return members === undefined ? [] : [members];
  });
}

/** Size limits are not shown: a provider may fail on a body that is larger than this, or close the connection. */
export const OVERSIZED = 2 ** 16;

/**
 * Whether a request is a NewPlant beyond doubt, with the right token: every JSON parser and every HTTP server reads the
 * same plant. A provider may still reject it, because constraints on name, tag and id are not shown. It is decided by what
 * was sent, so it also holds for probes that are drawn at random.
 */
export function isValidPlant({ request, expectation }: Exchange): boolean {
  if (expectation === 'rejected' || request.otherOperation !== undefined || request.isUnusual === true)
    return false;
  if (request.body.length > OVERSIZED) return false;
  return isPlain(request);
}

/** Many rules ask about each request: half of the time of judging would go here. */
const isPlain = oncePer(
  (request: ProbeRequest): boolean => hasPlainHeaders(request) && isPlainBody(request.body),
);

/**
 * Whether a request has a key that is nearly the name of a field. A provider that reads it as that field may change every field,
 * so only the rule about keys judges what comes back.
 */
export const hasKeyLikeAField: (request: ProbeRequest) => boolean = oncePer(
  ({ body }) => fieldsLikeKeysOf(membersOf(readJson(body)) ?? {}).length > 0,
);

/**
 * Whether the body of a request is text that no client of the interface writes: bytes that are not UTF-8, half a surrogate pair, or
 * another charset. A provider may fail to write such a text into its response.
 */
export const isMalformedText: (request: ProbeRequest) => boolean = oncePer(({ body, headers }) => {
  if (headerValues(headers, 'content-encoding').length > 0) return false;
  const [contentType = ''] = headerValues(headers, 'content-type');
  const charset = parseMediaType(contentType)?.parameters.get('charset') ?? 'utf-8';
  if (charset.toLowerCase() !== 'utf-8' || !isUtf8(body)) return true;
  const read = readJson(body);
  return read.ok && !isWellFormedThroughout(read.value);
});

/** One bearer token, and JSON in UTF-8 as it is. Servers and libraries differ about other forms. */
function hasPlainHeaders({ headers }: ProbeRequest): boolean {
  const [authorization, ...furtherTokens] = headerValues(headers, 'authorization');
  const [contentType, ...furtherTypes] = headerValues(headers, 'content-type');
  if (furtherTokens.length > 0 || furtherTypes.length > 0) return false;
  if (!/^Bearer [^ \t]+$/.test(authorization ?? '')) return false;
  const { essence, parameters } = parseMediaType(contentType ?? '') ?? {};
  const charset = parameters?.get('charset') ?? 'utf-8';
  if (essence !== 'application/json' || charset.toLowerCase() !== 'utf-8') return false;
  return headerValues(headers, 'content-encoding').length === 0;
}

/** A string, and a number with a fraction or an exponent, in JSON. */
const STRING = /"[^"\\]*(?:\\.[^"\\]*)*"/g;
const NOT_DIGITS_ONLY = /\d[.eE]/;
const BEYOND_DOUBLES = /[eE][+-]?\d{3}/;

/**
 * JSON parsers differ about duplicate keys, halves of surrogate pairs, integers written as 7.0 or 7e0, and nesting beyond
 * our own limit.
 */
function isPlainBody(body: Uint8Array): boolean {
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString();
  return newPlantIn(body) !== undefined && hasPlainNumbers(text);
}

/** Whether the id has digits only, and no number is beyond the range of a double. */
function hasPlainNumbers(text: string): boolean {
  const withoutStrings = text.replace(STRING, '');
  if (!NOT_DIGITS_ONLY.test(withoutStrings)) return true;
  // The key of the id may be written with escapes.
  return !BEYOND_DOUBLES.test(withoutStrings) && /"id"\s*:/.test(text) && !/"id"\s*:\s*-?\d+[.eE]/.test(text);
}
