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
  /** Set if the upstream got the request, and gave no response: a reset, the end of the connection, or none in time. */
  readonly isUnanswered?: true;
  /** From the head of the request to the end of the response. */
  readonly durationMs: number;
}
