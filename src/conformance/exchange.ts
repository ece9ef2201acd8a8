import type { ResponseHead } from '../http/exchange.js';
import { type Fields, headerValues } from '../http/fields.js';
import type { Secret } from '../report/redaction.js';
import { operation } from '../spec/operation.js';
import type { NewPlant } from '../spec/types.js';
import type { JsonRead } from '../validation/json-value.js';
import type { Violation } from '../validation/violation.js';

export type { Fields, Secret };

/**
 * What a conforming provider does with a request.
 *
 * - `created`: the request is valid, and a conforming provider accepts it.
 * - `rejected`: the request is invalid, or not authorised.
 * - `open`: the interface does not say.
 */
export type Expectation = 'created' | 'rejected' | 'open';

/** A request to `POST {base}/plants`. It is sent exactly as it is here. */
export interface ProbeRequest {
  readonly headers: Fields;
  readonly body: Uint8Array;
  /** The plant that the request creates: an accepted plant must come back like it. */
  readonly plant?: NewPlant;
  /** The id in the body, if its digits are there as text. */
  readonly id?: number | bigint;
  /** Left out if it is the expectation of the probe. */
  readonly expectation?: Expectation;
  /** Whether the provider may already have a plant with this id. Any response is then right. */
  readonly idMayExist?: boolean;
  /** Appended to the path, with its `?`. */
  readonly query?: string;
  /** Another method or path than those of the operation. Such an exchange is observed, never judged. */
  readonly otherOperation?: { readonly method: string; readonly path: string };
  /**
   * Whether no client, library, proxy or gateway in wide use sends such a message, or whether it is not well-formed HTTP. A server
   * may then respond before the provider sees it, so it is observed, and no demand is judged.
   */
  readonly isUnusual?: true;
  /** Whether the body goes out in chunks, without a Content-Length. */
  readonly chunked?: boolean;
  /** Whether it has no User-Agent, which the transport adds otherwise unless the request has its own. */
  readonly withoutUserAgent?: boolean;
  /** How the bytes of the message go out, if not at once. */
  readonly transfer?: Transfer;
  readonly shell?: ShellRecipe;
  /** Texts in the request that were derived from the token, each with the shell expression that is shown instead. */
  readonly secrets?: readonly Required<Secret>[];
}

/** How the bytes of a message go out. None of this changes what the message means. */
export interface Transfer {
  /** Where the head is cut into segments. Positions below 0 count from its end, which is after the empty line. */
  readonly headCuts?: readonly number[];
  /** Where the body is cut, after its division into chunks. Positions below 0 count from its end. */
  readonly bodyCuts?: readonly number[];
  /** Whether the head and the body are in different segments. */
  readonly cutAfterHead?: boolean;
  /** The sizes of the chunks. The last size repeats. Default: one chunk. */
  readonly chunks?: readonly number[];
  /** What follows the size of each chunk: `;name=value` (RFC 9112, section 7.1.1). */
  readonly chunkExtension?: string;
  /** Fields after the last chunk. */
  readonly trailers?: Fields;
  /** Whether its last byte waits for those of the other requests that are sent together: then all end at one moment. */
  readonly endsTogether?: boolean;
  /** Whether the body waits for a 100, as the header `Expect: 100-continue` says. */
  readonly awaitContinue?: boolean;
  /** Whether the version is HTTP/1.0, which nginx sends to a provider by default. */
  readonly http10?: boolean;
}

/** How a shell makes the request, if its bytes alone do not say it. */
export interface ShellRecipe {
  /** An arithmetic expression for a new id in the same range. `RANDOM` stands for 30 random bits. */
  readonly newId?: string;
  /** A command that writes the body, if the body is too long for a command line. */
  readonly body?: string;
}

/** A response, or its beginning. */
export interface ProviderResponse extends ResponseHead {
  /** The body as received, before any decoding; of one that is too long, the beginning. */
  readonly body: Uint8Array;
  /** How many bytes of the body were received. */
  readonly received: number;
  /** What the body contains: it was read when it came. */
  readonly content?: BodyContent;
  /** Whether the whole body was received. */
  readonly complete: boolean;
  /** How many bytes followed the body, beyond its announced length. */
  readonly surplus: number;
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

/** What a body contains. */
export interface BodyContent {
  /** The body without its content codings, or why it cannot be decoded. Of one that is too long, the beginning. */
  readonly decoded: Uint8Array | string;
  /** Read as exact JSON. Of a long object, the fields that the interface names. */
  readonly json: JsonRead;
  /** How the response differs from the interface. */
  readonly violations: readonly Violation[];
  /** Whether it is too long, as it came or decoded. Then only its status and its headers are judged. */
  readonly isTooLong: boolean;
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
  readonly expectation: Expectation;
  readonly response: ProviderResponse | undefined;
  readonly failure: NoResponse | undefined;
  /** Whether a limit of the rate rejected it with a status of its own: a plain plant got the same right after it. */
  readonly limited?: true;
  /** Whether an earlier request used the same connection. */
  readonly reusedConnection: boolean;
  /** Whether other requests were under way at the same time. */
  readonly shared: boolean;
  /**
   * - `judged`: the rules judge it.
   * - `superseded`: it proved nothing, and its probe was sent again with new ids.
   * - `confirmation`: sent after all others, to see whether a failure repeats.
   * - `split`: it carried several values, and its parts were sent alone, to see which of them its response is about.
   */
  readonly role: 'judged' | 'superseded' | 'confirmation' | 'split';
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

/**
 * Whether the provider rejected the request because there were too many requests: 429 (RFC 6585, section 4), 503 with
 * Retry-After (RFC 9110, section 15.6.4), or a status of its own. To a request that no client sends, 503 is the response to this
 * request: Varnish says so, with Retry-After, if the server behind it does not read a trailer.
 */
export function isThrottled({
  request,
  response,
  limited,
}: Pick<Exchange, 'response' | 'limited'> & Partial<Pick<Exchange, 'request'>>): boolean {
  if (response === undefined) return false;
  const { status, headers } = response;
  const isBusy = status === 503 && headerValues(headers, 'retry-after').length > 0;
  return limited === true || status === 429 || (isBusy && request?.isUnusual !== true);
}

/**
 * Whether the provider says that it is overloaded: 503, or 504 from a gateway in front of it. It says so of any request,
 * so this says nothing about the content of the request.
 */
export function isOverloaded({ response }: Exchange): boolean {
  return response?.status === 503 || response?.status === 504;
}

const WITHOUT_CONNECTION: ReadonlySet<NoResponse['kind'] | undefined> = new Set<NoResponse['kind']>([
  'not-sent',
  'stopped',
  'not-connected',
  'unreachable',
  'tls',
]);

/** Whether a request was not sent, or its response was not waited for. */
export function isUnsent({ failure }: Exchange): boolean {
  return failure?.kind === 'not-sent' || failure?.kind === 'stopped';
}

/** Whether the provider did not process the request, so that the exchange says nothing about the provider. */
export function isUnprocessed(exchange: Exchange): boolean {
  return WITHOUT_CONNECTION.has(exchange.failure?.kind) || isThrottled(exchange);
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
