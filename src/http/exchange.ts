import type { Fields } from './fields.js';

/** The head of a request: everything but its body. */
export interface RequestHead {
  readonly method: string;
  /** The request target: path and query, as written. */
  readonly target: string;
  readonly headers: Fields;
}

/** A body as it was forwarded. */
export interface ForwardedBody {
  /** Its bytes before any decoding; only its beginning if it is long. */
  readonly body: Uint8Array;
  /** The length of the whole body in bytes, or of what came of it. */
  readonly bodyLength: number;
  /** Fields that came after it. */
  readonly trailers: Fields;
  /** Whether all of it came, and was forwarded. */
  readonly complete: boolean;
}

/** A request as it was forwarded. */
export type ForwardedRequest = RequestHead & ForwardedBody;

/** The head of a response. */
export interface ResponseHead {
  readonly status: number;
  readonly reason: string;
  readonly headers: Fields;
}

/** A response as it came. */
export type ForwardedResponse = ResponseHead &
  ForwardedBody & {
    /** Set if bytes came after its end: it is longer than its framing says. They are not forwarded. */
    readonly surplus?: true;
  };

/** One request that was forwarded, and its response. */
export interface ForwardedExchange {
  readonly request: ForwardedRequest;
  /** The response, complete or not. */
  readonly response?: ForwardedResponse;
  /** Why there is no response, as a sentence. Also why a response is incomplete, if that is known. */
  readonly failure?: string;
  /** From the head of the request to the end of the response. */
  readonly durationMs: number;
}

/** What a field of a head takes in memory besides its characters. */
const FIELD_BYTES = 150;

/** How much memory a head takes, in bytes: with many short fields, it is many times its length. */
export function memoryOfHead(headers: Fields, target = ''): number {
  let bytes = target.length;
  for (const [name, value] of headers) bytes += name.length + value.length + FIELD_BYTES;
  return bytes;
}

/** How much memory an exchange takes, in bytes. */
export function memoryOf({ request, response }: ForwardedExchange): number {
  const ofRequest = memoryOfHead(request.headers, request.target) + request.body.length;
  return response === undefined
    ? ofRequest
    : ofRequest + memoryOfHead(response.headers) + response.body.length;
}
