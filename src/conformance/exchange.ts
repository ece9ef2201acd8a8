import { isUtf8 } from 'node:buffer';
import { type Fields, headerValues } from '../http/fields.js';
import { excerpt } from '../report/exchange.js';
import type { Secret } from '../report/redaction.js';
import { operation } from '../spec/operation.js';
import type { NewPlant } from '../spec/types.js';
import { fieldsLikeKeysOf } from '../validation/acceptance.js';
import { parseMediaType } from '../validation/header-values.js';
import { readJson } from '../validation/json.js';
import {
  isObject,
  isWellFormedThroughout,
  type JsonObject,
  type JsonRead,
  type JsonValue,
  keysIn,
} from '../validation/json-value.js';
import type { Violation } from '../validation/violation.js';
import { contentOf, decodedBody, jsonOf, LONGEST_BODY, membersOf, type ProviderResponse } from './body.js';
import { type Expectation, plantMeantBy } from './oracle.js';

export type { Expectation, Fields, ProviderResponse };

/** How a request differs from an ordinary one. */
export interface RequestShape {
  /** Default: the expectation of its row. */
  readonly expectation?: Expectation | undefined;
  /** Whether the provider may already have a plant with this id. Any response is then right. */
  readonly idMayExist?: boolean | undefined;
  /** Appended to the path, with its `?`. */
  readonly query?: string | undefined;
  /** Another method or path than those of the operation. Such an exchange is observed, never judged. */
  readonly otherOperation?: { readonly method: string; readonly path: string } | undefined;
  /**
   * Whether no client, library, proxy or gateway in wide use sends such a message, or whether it is not well-formed HTTP. A server
   * may then respond before the provider sees it, so it is observed, and no demand is judged.
   */
  readonly isUnusual?: true | undefined;
  /** Whether the body goes out in chunks, without a Content-Length. */
  readonly chunked?: boolean | undefined;
  /** Whether it has no User-Agent, which the transport adds otherwise unless the request has its own. */
  readonly withoutUserAgent?: true | undefined;
  /** How the bytes of the message go out, if not at once. */
  readonly transfer?: Transfer | undefined;
}

/** A request to `POST {base}/plants`. It is sent exactly as it is here. */
export interface ProbeRequest extends RequestShape {
  readonly headers: Fields;
  readonly body: Uint8Array;
  /** The plant that the request creates: an accepted plant must come back like it. */
  readonly plant?: NewPlant;
  /** The id in the body, if its digits are there as text. */
  readonly id?: number | bigint;
  /** Whether any other id that is positive and below 2^31 would do as well. */
  readonly hasPlainId?: true;
  /** Whether its header fields have numbers that belong to this request alone. */
  readonly hasNumbers?: true;
  /** Texts in the request that were derived from the token, each with what is shown instead. */
  readonly secrets?: readonly Required<Secret>[];
}

/** How the bytes of a message go out. None of this changes what the message means. */
export interface Transfer {
  /** Where the body is cut, after its division into chunks: 0 is between head and body. Positions below 0 count from its end. */
  readonly bodyCuts?: readonly number[];
  /** The sizes of the chunks. The last size repeats. Default: one chunk. */
  readonly chunks?: readonly number[];
  /** Whether the body waits for a 100, as the header `Expect: 100-continue` says. */
  readonly awaitContinue?: boolean;
  /** Whether the version is HTTP/1.0, which nginx sends to a provider by default. */
  readonly http10?: boolean;
}

/** Why there is no response. */
export interface NoResponse {
  readonly kind:
    | 'timeout'
    | 'not-connected'
    | 'reset'
    | 'unreachable'
    | 'tls'
    | 'malformed'
    | 'not-sent'
    | 'stopped';
  readonly message: string;
}

/** What rules ask often about a request. It is found out once, when the exchange is made: see {@link sentIn}. */
export interface SentContent {
  /** Whether its token, its headers and its body are as every client writes them: every parser reads the same NewPlant. */
  readonly isPlain: boolean;
  /**
   * Whether its body is text that no client of the interface writes: bytes that are not UTF-8, half a surrogate pair, or another
   * charset. A provider may fail to write such a text into its response.
   */
  readonly isMalformed: boolean;
  /**
   * Whether it has a key that is nearly the name of a field. A provider that reads it as that field may change every field, so only
   * the rule about keys judges what comes back.
   */
  readonly hasLikeKey: boolean;
}

/** One request with its response, or with the reason why there is none. */
export interface Exchange {
  /** Its place in the run, from 0. */
  readonly index: number;
  /** The name of its probe. */
  readonly probe: string;
  /** The place of the request in its probe, from 0. */
  readonly step: number;
  readonly request: ProbeRequest;
  readonly sent: SentContent;
  readonly expectation: Expectation;
  readonly response: ProviderResponse | undefined;
  readonly failure: NoResponse | undefined;
  /** Whether a limit turned it away, with 429 or 503: it was not processed. If its content was the reason, it is a response like others. */
  readonly turnedAway?: true;
  /** Whether an earlier request used the same connection. */
  readonly reusedConnection: boolean;
  /** Whether other requests were under way at the same time. */
  readonly shared: boolean;
  /**
   * - `judged`: the rules judge it.
   * - `superseded`: it proved nothing, and its probe was sent again with new ids, or in parts.
   * - `confirmation`: sent after all others, to see whether a failure repeats.
   */
  readonly role: 'judged' | 'superseded' | 'confirmation';
  /** Milliseconds from the start of the run until it was sent. */
  readonly startMs: number;
  /** Milliseconds from sending to the end of the response. */
  readonly durationMs: number;
}

/** The request target (RFC 9112, section 3.2.1): the path of the operation, or another path, with the query. */
export function requestTarget({ pathname }: URL, { otherOperation, query = '' }: ProbeRequest): string {
  const path =
    otherOperation === undefined ? pathname : pathname.slice(0, -operation.path.length) + otherOperation.path;
  return path + query;
}

/** Whether the provider accepted the request: any 2xx. */
export function isAccepted({ response }: Pick<Exchange, 'response'>): boolean {
  return response !== undefined && response.status >= 200 && response.status < 300;
}

/** Whether the provider rejected the request with a 4xx. */
export function isRejected({ response }: Pick<Exchange, 'response'>): boolean {
  return response !== undefined && response.status >= 400 && response.status < 500;
}

/** Whether the provider says that there are too many requests: 429 (RFC 6585, section 4) or 503 (RFC 9110, section 15.6.4). */
export function isBusy({ response }: Pick<Exchange, 'response'>): boolean {
  return response?.status === 429 || response?.status === 503;
}

/** Whether a limit turned the request away, and not its content. `send/limit.ts` finds that out. */
export function isThrottled({ turnedAway }: Pick<Exchange, 'turnedAway'>): boolean {
  return turnedAway === true;
}

/**
 * Whether the provider says that it is overloaded: 503, or 504 from a gateway in front of it. It says so of any request,
 * so this says nothing about the content of the request.
 */
export function isOverloaded({ response }: Exchange): boolean {
  return response?.status === 503 || response?.status === 504;
}

/** Whether a request was not sent, or its response was not waited for. */
export function isUnsent({ failure }: Exchange): boolean {
  return failure?.kind === 'not-sent' || failure?.kind === 'stopped';
}

/** Whether there was no connection for a request. */
export function isWithoutConnection({ failure }: Exchange): boolean {
  return failure !== undefined && ['not-connected', 'unreachable', 'tls'].includes(failure.kind);
}

/** Whether a request was sent, and the provider did not respond. */
export function isSilence(exchange: Exchange): boolean {
  return exchange.failure !== undefined && !isUnsent(exchange);
}

/** Whether the provider did not process the request, so that the exchange says nothing about the provider. */
export function isUnprocessed(exchange: Exchange): boolean {
  return isUnsent(exchange) || isWithoutConnection(exchange) || isThrottled(exchange);
}

/** Whether two exchanges took place at the same time. */
export function overlap(one: Exchange, other: Exchange): boolean {
  return one.startMs <= other.startMs + other.durationMs && other.startMs <= one.startMs + one.durationMs;
}

/** The response in a few words: its status and the beginning of its body, or why there is none. */
export function responseInWords({ response, failure }: Exchange): string {
  if (response === undefined) return failure?.message ?? 'nothing';
  const bytes = decodedBody(response);
  if (typeof bytes === 'string') return `${response.status}; ${bytes}`;
  const text = Buffer.from(bytes).toString();
  const mediaType = excerpt(headerValues(response.headers, 'content-type').join(', ')) || 'no Content-Type';
  return `${response.status} (${mediaType}) ${text === '' ? 'without a body' : excerpt(text)}`;
}

/** Whether the interface describes a request: it was sent to the operation, and clients send such messages. */
export function isDescribed({ request }: Pick<Exchange, 'request'>): boolean {
  return request.otherOperation === undefined && request.isUnusual !== true;
}

/** Whether a request was sent to the operation of the interface, and not to another path or with another method. */
export function isFromOperation({ request }: Exchange): boolean {
  return request.otherOperation === undefined;
}

/** Whether a request is a valid creation with an id that the provider cannot have. */
export function isNewPlant({ request, expectation }: Exchange): boolean {
  return request.plant !== undefined && request.idMayExist !== true && expectation !== 'rejected';
}

/** Whether the server knows no chunks, or no HTTP/1.0, and says so (RFC 9112, section 6.1; RFC 9110, section 15.6.6). */
export function knowsNoSuchHttp({ request, response }: Exchange): boolean {
  if (request.chunked === true) return response?.status === 501;
  return request.transfer?.http10 === true && response?.status === 505;
}

/** How the body of a response differs from its framing, if it does. */
export function framingProblem({ response }: Exchange): Problem | undefined {
  if (response === undefined || (response.complete && response.surplus === 0)) return undefined;
  const { received, complete, surplus, isStalled } = response;
  const expected = 'a body as long as its Content-Length or its chunks say';
  if (complete) return { expected, actual: `${surplus} more bytes after the ${received} of the body` };
  const isCut = received > LONGEST_BODY;
  const ofLong = `a body of more than ${LONGEST_BODY} bytes; the checker stopped reading it`;
  const end = isStalled ? 'nothing more came' : 'the connection ended';
  return { expected, actual: isCut ? ofLong : `${end} after ${received} bytes of the body` };
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
  const { response, request, expectation, sent } = exchange;
  if (response === undefined || expectation === 'rejected' || !isFromOperation(exchange)) return false;
  // `failure/rare-input-is-answered` judges these.
  if (sent.isMalformed) return false;
  if (response.status === 200) return true;
  return isAccepted(exchange) && request.idMayExist !== true && response.received > 0;
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
  const { response } = exchange;
  if (response === undefined || !isSuccess(exchange) || framingProblem(exchange) !== undefined)
    return undefined;
  const read = jsonOf(response);
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

/** How deep in a response its plant is looked for. */
const DEEPEST = 3;

/** What the plant of a 200 is inside, if it is inside something: `"data"`, `an array`, `a string`. */
export function wrappingIn(exchange: Exchange): string | undefined {
  const name = exchange.request.plant?.name;
  const value = jsonIn(exchange)?.value;
  if (value === undefined || plantIn(exchange) !== undefined) return undefined;
  if (typeof value === 'string') {
    const read = readJson(Buffer.from(value));
    return isPlantOf(name, membersOf(read)) ? 'a string' : undefined;
  }
  const path = pathTo(name, value, DEEPEST);
  if (path === undefined) return undefined;
  const keys = path.filter((key) => key !== '');
  return keys.length === 0 ? 'an array' : `"${keys.join('.')}"`;
}

/** Whether a value has the name of a plant, or any if it is not known. */
function isPlantOf(name: string | undefined, value: JsonValue | undefined): boolean {
  return isObject(value) && typeof value.name === 'string' && (name === undefined || value.name === name);
}

/** The keys of the objects around a plant; an empty one for an array. */
function pathTo(
  name: string | undefined,
  value: JsonValue | undefined,
  depth: number,
): readonly string[] | undefined {
  if (depth === 0) return undefined;
  const members = Array.isArray(value)
    ? value.slice(0, 1).map((item) => ['', item] as const)
    : isObject(value)
      ? Object.entries(value)
      : [];
  for (const [key, inner] of members) {
    if (!/^\w{0,30}$/.test(key)) continue;
    if (isPlantOf(name, inner)) return [key];
    const path = pathTo(name, inner, depth - 1);
    if (path !== undefined) return [key, ...path];
  }
  return undefined;
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
export function isValidPlant({ request, expectation, sent }: Exchange): boolean {
  return expectation !== 'rejected' && isDescribed({ request }) && sent.isPlain;
}

/** Finds out what rules ask often about a request. */
export function sentIn(request: ProbeRequest): SentContent {
  const { headers, body } = request;
  const isEncoded = headerValues(headers, 'content-encoding').length > 0;
  const read = readJson(body);
  const isMalformed =
    charsetOf(headers) !== 'utf-8' || !isUtf8(body) || (read.ok && !isWellFormedThroughout(read.value));
  return {
    isPlain: body.length <= OVERSIZED && hasPlainHeaders(request) && isPlainBody(body, read),
    isMalformed: !isEncoded && isMalformed,
    hasLikeKey: fieldsLikeKeysOf(membersOf(read) ?? {}).length > 0,
  };
}

/** The charset that a Content-Type names, in lower case. Default: UTF-8. */
function charsetOf(headers: Fields): string {
  const [contentType = ''] = headerValues(headers, 'content-type');
  return (parseMediaType(contentType)?.parameters.get('charset') ?? 'utf-8').toLowerCase();
}

/** One bearer token, and JSON in UTF-8 as it is. Servers and libraries differ about other forms. */
function hasPlainHeaders({ headers }: ProbeRequest): boolean {
  const [authorization, ...furtherTokens] = headerValues(headers, 'authorization');
  const [contentType, ...furtherTypes] = headerValues(headers, 'content-type');
  if (furtherTokens.length > 0 || furtherTypes.length > 0) return false;
  if (!/^Bearer [^ \t]+$/.test(authorization ?? '')) return false;
  if (parseMediaType(contentType ?? '')?.essence !== 'application/json' || charsetOf(headers) !== 'utf-8')
    return false;
  return headerValues(headers, 'content-encoding').length === 0;
}

/** A string in JSON, and a number that may be beyond the range of a double. */
const STRING = /"[^"\\]*(?:\\.[^"\\]*)*"/g;
const BEYOND_DOUBLES = /[eE][+-]?\d{3}/;

/** JSON parsers differ about duplicate keys, halves of surrogate pairs, integers written as 7.0 or 7e0, and deep nesting. */
function isPlainBody(body: Uint8Array, read: JsonRead): boolean {
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString();
  return (
    isUtf8(body) && plantMeantBy(text, read) !== undefined && !BEYOND_DOUBLES.test(text.replace(STRING, ''))
  );
}

/** How an exchange breaks a rule. */
export interface Problem {
  readonly expected: string;
  readonly actual: string;
}

/** Why the interface allows the provider to behave so that there is nothing to judge. A clause without a full stop. */
export interface NotApplicable {
  readonly notApplicable: string;
}

/** What failed, so that an exchange proves nothing. A clause without a full stop. */
export interface Blocked {
  readonly blocked: string;
}

/** Why the rule itself could not judge. Its verdict is `error`, which never counts against the provider. */
export interface RuleError {
  /** A clause without a full stop. */
  readonly error: string;
}

/** `undefined`: the exchange satisfies the rule. `nothing-to-judge`: it says nothing about the rule. */
export type Judgement = Problem | undefined | NotApplicable | Blocked | RuleError | 'nothing-to-judge';
