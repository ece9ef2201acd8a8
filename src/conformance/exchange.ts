import type { Fields } from '../header-fields.js';
import type { NewPlant } from '../spec/types.js';
import { decodeContent } from '../validation/content-coding.js';
import { type JsonRead, readJson } from '../validation/json.js';

export type { Fields };

/**
 * What a request is meant to meet with. `created`: it is valid, and nothing that the interface leaves open stands
 * in its way; `refused`: it is not valid, or not authorised; `open`: the interface does not say.
 */
export type Expectation = 'created' | 'refused' | 'open';

/** A request to `POST {base}/plants` before it is sent: nothing in it is changed on the way. */
export interface ProbeRequest {
  readonly headers: Fields;
  readonly body: Uint8Array;
  /** The plant that a creation means: what is accepted has to come back like it. */
  readonly plant?: NewPlant;
  /** The id that stands in the body as text, where one does. */
  readonly id?: number | bigint;
  /** Where it differs from the expectation of its probe. */
  readonly expectation?: Expectation;
  /** Whether its id may be one that the provider has, so that any answer will do. */
  readonly mayBeTaken?: boolean;
  /** Appended to the path, with its `?`. */
  readonly query?: string;
  /** Another method than POST, or another path than `/plants`: such an exchange is observed, never judged. */
  readonly elsewhere?: { readonly method: string; readonly path: string };
  /** Whether the body goes out in chunks, without a Content-Length. */
  readonly chunked?: boolean;
  readonly shell?: ShellRecipe;
  /** What was made of the token and stands in it: as secret as the token. */
  readonly secrets?: readonly Secret[];
}

/** A text that tells the token, and how a shell makes it: that stands for it wherever it would be shown. */
export interface Secret {
  readonly value: string;
  readonly shell: string;
}

/** How a shell makes the request anew, where that is not plain from its bytes. */
export interface ShellRecipe {
  /** An arithmetic expression for a new id in the same range, `RANDOM` standing for 32 random bits. */
  readonly newId?: string;
  /** A command that writes the body, for bodies too long for a command line. */
  readonly body?: string;
}

/** What came back. */
export interface ProviderResponse {
  readonly status: number;
  readonly reason: string;
  readonly headers: Fields;
  /** The body as received, before any decoding. */
  readonly body: Uint8Array;
  /** How many bytes of a body came; of one that seems to have no end, not all are kept. */
  readonly received: number;
  /** Whether the body came to its end. */
  readonly complete: boolean;
  /** How many bytes followed the body that the framing of the message announced. */
  readonly surplus: number;
}

/** Why nothing came back. */
export interface NoResponse {
  readonly kind:
    | 'time-out'
    | 'not-connected'
    | 'reset'
    | 'unreachable'
    | 'tls'
    | 'malformed'
    | 'not-sent'
    | 'stopped';
  readonly message: string;
}

/** One request and what became of it. */
export interface Exchange {
  /** Its place in the run, from 0. */
  readonly index: number;
  /** The name of the probe that it belongs to. */
  readonly probe: string;
  /** Which request of the probe, from 0. */
  readonly step: number;
  readonly request: ProbeRequest;
  readonly expectation: Expectation;
  readonly response: ProviderResponse | undefined;
  readonly failure: NoResponse | undefined;
  /** Whether it went over a connection that an earlier request had used. */
  readonly reusedConnection: boolean;
  /** Whether other requests were under way when it ended. */
  readonly shared: boolean;
  /**
   * `judged`; `superseded`: the probe was sent again with new ids, since it proved nothing (see the run);
   * `confirmation`: sent after all others, to see whether a failure shows again.
   */
  readonly role: 'judged' | 'superseded' | 'confirmation';
  /** When it was sent, in milliseconds since the start of the run, and how long it took. */
  readonly startMs: number;
  readonly durationMs: number;
}

/** The target of a request (RFC 9112, section 3.2.1): the path of the operation unless it goes elsewhere, and a query. */
export function requestTarget({ pathname }: URL, { elsewhere, query = '' }: ProbeRequest): string {
  return (elsewhere === undefined ? pathname : pathname.replace(/\/plants$/, elsewhere.path)) + query;
}

/** Whether the provider took the request: any 2xx. */
export function isAccepted({ response }: Exchange): boolean {
  return response !== undefined && response.status >= 200 && response.status < 300;
}

/** Whether the provider refused the request, as it should: any 4xx. */
export function isRefused({ response }: Exchange): boolean {
  return response !== undefined && response.status >= 400 && response.status < 500;
}

/**
 * Whether the answer is about how many requests there are, and not about this one: 429 (RFC 6585, section 4), or
 * a 503 that says when to come again (RFC 9110, section 15.6.4).
 */
export function isThrottled({ response }: Exchange): boolean {
  if (response === undefined) return false;
  return response.status === 429 || (response.status === 503 && valuesOf(response, 'retry-after').length > 0);
}

/** Whether an exchange says nothing of what it was meant to show: nobody looked at the request. */
export function isUnanswered(exchange: Exchange): boolean {
  const kind = exchange.failure?.kind;
  return kind === 'not-sent' || kind === 'stopped' || kind === 'not-connected' || isThrottled(exchange);
}

/** The values of one header field of a response, in order. `name` is in lower case. */
export function valuesOf({ headers }: ProviderResponse, name: string): string[] {
  return headers.filter(([field]) => field.toLowerCase() === name).map(([, value]) => value);
}

/** Longer than any answer that a probe asks for; a small body is not unpacked beyond this either. */
export const LONGEST_ANSWER = 2 * 2 ** 20;

// Every rule asks the same of a response: it is answered once.
const decoded = new WeakMap<ProviderResponse, Uint8Array | string>();
const read = new WeakMap<ProviderResponse, JsonRead>();

function once<T>(
  known: WeakMap<ProviderResponse, T>,
  response: ProviderResponse,
  find: (response: ProviderResponse) => T,
): T {
  const before = known.get(response);
  if (before !== undefined) return before;
  const found = find(response);
  known.set(response, found);
  return found;
}

/** The body of a response with its content codings undone, or why that cannot be done. */
export function decodedBody(response: ProviderResponse): Uint8Array | string {
  return once(decoded, response, () =>
    decodeContent(response.body, valuesOf(response, 'content-encoding'), LONGEST_ANSWER),
  );
}

/** The body of a response as JSON, read exactly; a body that cannot be decoded is no JSON. */
export function jsonOf(response: ProviderResponse): JsonRead {
  return once(read, response, () => {
    const bytes = decodedBody(response);
    return typeof bytes === 'string' ? { ok: false, offset: 0, message: bytes } : readJson(bytes);
  });
}

/** What came back, in a few words: the status and the beginning of the body, or why there is none. */
export function inWords({ response, failure }: Exchange): string {
  if (response === undefined) return failure?.message ?? 'nothing';
  const bytes = decodedBody(response);
  if (typeof bytes === 'string') return `${response.status}; ${bytes}`;
  const text = Buffer.from(bytes).toString();
  const mediaType = valuesOf(response, 'content-type').join(', ') || 'no Content-Type';
  return `${response.status} (${mediaType}) ${text === '' ? 'with no body' : shortened(text)}`;
}

const LONGEST_SHOWN = 160;

function shortened(text: string): string {
  const line = text
    .slice(0, 4 * LONGEST_SHOWN)
    .replace(/\s+/g, ' ')
    .trim();
  return line.length <= LONGEST_SHOWN ? line : `${line.slice(0, LONGEST_SHOWN).toWellFormed()}…`;
}
