import type { Fields } from '../header-fields.js';
import { headerValues } from '../validation/message.js';

/** The head of a request: all but its body. */
export interface RequestHead {
  readonly method: string;
  /** The request target: path and query, as written. */
  readonly target: string;
  readonly headers: Fields;
}

/** A body as it passed. */
export interface ForwardedBody {
  /** Its bytes before any decoding; of a long one, its beginning. */
  readonly body: Uint8Array;
  /** How many bytes it had, or had until it broke off. */
  readonly bodyLength: number;
  /** Fields that came after it. */
  readonly trailers: Fields;
  /** Whether it came to its end. */
  readonly complete: boolean;
}

/** A request as it was sent on. */
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
    /** There where bytes came after its end: it is longer than it says. They do not pass. */
    readonly surplus?: true;
  };

/** One request that was forwarded, and what became of it. */
export interface ForwardedExchange {
  readonly request: ForwardedRequest;
  /** What came back, also where it broke off. */
  readonly response?: ForwardedResponse;
  /** Why there is no response, or not all of it, as a sentence; of one that broke off it is not always known. */
  readonly failure?: string;
  /** From the head of the request to the end of the response. */
  readonly durationMs: number;
}

/** Fields about one connection, which end with it (RFC 9110, section 7.6.1). */
const HOP_BY_HOP = new Set([
  ...['connection', 'keep-alive', 'proxy-connection', 'proxy-authorization', 'proxy-authenticate'],
  ...['te', 'transfer-encoding', 'upgrade'],
]);

/** The fields that go on to the next hop, in their order and as they are written. */
export function endToEnd(headers: Fields): Fields {
  const named = new Set(
    headerValues(headers, 'connection').flatMap((value) => value.toLowerCase().split(/\s*,\s*/)),
  );
  return headers.filter(([name]) => {
    const field = name.toLowerCase();
    return !HOP_BY_HOP.has(field) && !named.has(field);
  });
}
