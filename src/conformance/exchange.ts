import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import type { NewPlant } from '../spec/types.js';
import { type JsonRead, readJson } from '../validation/json.js';

/** Header fields in order, names as written. */
export type Fields = readonly (readonly [name: string, value: string])[];

/** A request to `POST {base}/plants` before it is sent: nothing in it is changed on the way. */
export interface ProbeRequest {
  readonly headers: Fields;
  readonly body: Uint8Array;
  /** The plant that the body means, where it means one. */
  readonly plant?: NewPlant;
  /** The id that stands in the body, where one does. */
  readonly id?: number | bigint;
  /** Appended to the path, with its `?`. */
  readonly query?: string;
}

/** What came back. */
export interface ProviderResponse {
  readonly status: number;
  readonly reason: string;
  readonly headers: Fields;
  /** The body as received, before any decoding. */
  readonly body: Uint8Array;
  /** Whether the body came to its end. */
  readonly complete: boolean;
}

/** Why nothing came back. */
export interface NoResponse {
  readonly kind: 'time-out' | 'reset' | 'unreachable' | 'tls' | 'not-sent' | 'malformed';
  readonly message: string;
}

/** One request and what became of it. */
export interface Exchange {
  /** Its place in the run, from 0. */
  readonly index: number;
  /** The name of the probe that it belongs to. */
  readonly probe: string;
  readonly request: ProbeRequest;
  readonly response: ProviderResponse | undefined;
  readonly failure: NoResponse | undefined;
  /** Whether it is a control that was refused and was then tried once more with another id. */
  readonly retried: boolean;
  /** When it was sent, in milliseconds since the start of the run, and how long it took. */
  readonly startMs: number;
  readonly durationMs: number;
}

/** Whether the provider took the request: any 2xx. */
export function isAccepted({ response }: Exchange): boolean {
  return response !== undefined && response.status >= 200 && response.status < 300;
}

/** Whether the provider refused the request, as it should: any 4xx. */
export function isRefused({ response }: Exchange): boolean {
  return response !== undefined && response.status >= 400 && response.status < 500;
}

/** The values of one header field of a response, in order. `name` is in lower case. */
export function valuesOf({ headers }: ProviderResponse, name: string): string[] {
  return headers.filter(([field]) => field.toLowerCase() === name).map(([, value]) => value);
}

const DECODERS: Readonly<Record<string, (bytes: Uint8Array) => Uint8Array>> = {
  gzip: gunzipSync,
  'x-gzip': gunzipSync,
  deflate: inflateSync,
  br: brotliDecompressSync,
  identity: (bytes) => bytes,
};

/** The body of a response with its content codings undone, or why that cannot be done. */
export function decodedBody(response: ProviderResponse): Uint8Array | string {
  const codings = valuesOf(response, 'content-encoding').flatMap((value) => value.split(','));
  let bytes = response.body;
  for (const coding of codings.reverse()) {
    const name = coding.trim().toLowerCase();
    const decode = DECODERS[name];
    if (decode === undefined) return `the Content-Encoding "${name}" is not known here`;
    try {
      bytes = decode(bytes);
    } catch {
      return `the body is not what its Content-Encoding "${name}" says`;
    }
  }
  return bytes;
}

/** The body of a response as JSON, read exactly; a body that cannot be decoded is no JSON. */
export function jsonOf(response: ProviderResponse): JsonRead {
  const bytes = decodedBody(response);
  return typeof bytes === 'string' ? { ok: false, offset: 0, message: bytes } : readJson(bytes);
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
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length <= LONGEST_SHOWN ? line : `${line.slice(0, LONGEST_SHOWN).toWellFormed()}…`;
}
