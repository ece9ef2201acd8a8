import type { ClientRequest, ServerResponse } from 'node:http';
import type { RequestHead } from '../exchange.js';
import { type Fields, fieldsFrom, type HeaderFields, headerValues } from '../fields.js';
import type { KeptBody } from './kept-body.js';

/** What decides where a request begins and ends, and who gets it. */
const FRAMING: ReadonlySet<string> = new Set(['content-length', 'transfer-encoding', 'host']);

/** What is known of a message when its head has come. */
interface Framing {
  readonly httpVersion: string;
  readonly headers: HeaderFields;
}

/**
 * Why a request cannot be forwarded: another server might read it as another request, or as several (RFC 9112, sections
 * 6.3 and 11.2). Node's parser rejects most of these already, but not if NODE_OPTIONS makes it lenient.
 *
 * @returns a sentence; `undefined` if every server reads the same request
 */
export function framingProblem({ httpVersion, headers }: Framing): string | undefined {
  if (httpVersion !== '1.0' && httpVersion !== '1.1') return `the request is in HTTP/${httpVersion}`;
  // It belongs to one connection, and is not forwarded. The fields that it names are not forwarded either.
  const options = optionsOf(headerValues(headers, 'connection'));
  for (const name of FRAMING) if (options.includes(name)) return `Connection names ${name}`;
  if (headerValues(headers, 'host').length > 1) return 'there is more than one Host';
  const lengths = headerValues(headers, 'content-length');
  const codings = headerValues(headers, 'transfer-encoding');
  if (lengths.length > 1) return 'there is more than one Content-Length';
  if (lengths.some((length) => !/^\d+$/.test(length))) return 'Content-Length is not a number';
  if (codings.length === 0) return undefined;
  if (lengths.length > 0) return 'there are both Content-Length and Transfer-Encoding';
  if (httpVersion === '1.0') return NO_CODING_IN_1_0;
  return codings.join().toLowerCase() === 'chunked' ? undefined : WRONG_CODING;
}

/**
 * Why a response cannot be forwarded. Its transfer coding belongs to one connection, and nobody could read its body without
 * it. Old servers send "identity", which means none.
 *
 * @returns a sentence; `undefined` if it can be forwarded
 */
export function responseProblem({ httpVersion, headers }: Framing, status: number): string | undefined {
  // Node passes on a 101 as a final response if it names no protocol.
  if (status < 200) return `its status is ${status}`;
  const codings = headerValues(headers, 'transfer-encoding');
  if (codings.length === 0) return undefined;
  if (httpVersion === '1.0') return NO_CODING_IN_1_0;
  return /^(?:chunked|identity)$/i.test(codings.join()) ? undefined : WRONG_CODING;
}

const NO_CODING_IN_1_0 = 'Transfer-Encoding does not exist in HTTP/1.0';
const WRONG_CODING = 'Transfer-Encoding is not exactly "chunked"';

/** The options of `Connection`, in lower case. */
export function optionsOf(connection: readonly string[]): readonly string[] {
  // Most messages have no such field.
  if (connection.length === 0) return connection;
  return connection.flatMap((value) => value.toLowerCase().split(',')).map((option) => option.trim());
}

/** Fields about one connection (RFC 9110, section 7.6.1). */
const HOP_BY_HOP = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'proxy-authorization',
  'proxy-authenticate',
  'te',
  'transfer-encoding',
  'upgrade',
]);

/**
 * The fields that are forwarded, in order and as written. Fields about one connection are not. `Connection` never changes
 * where a message ends.
 */
export function endToEnd(headers: Fields): Fields {
  const named = new Set(optionsOf(headerValues(headers, 'connection')));
  return headers.filter(([name]) => {
    const field = name.toLowerCase();
    return !HOP_BY_HOP.has(field) && (!named.has(field) || FRAMING.has(field));
  });
}

/** The trailers that are forwarded: a server may merge them into the header (RFC 9110, section 6.5.1). */
export function trailersFrom(flat: readonly string[]): [string, string][] {
  return fieldsFrom(flat).flatMap(([name, value]) => {
    const field = name.toLowerCase();
    const isUnsafe = HOP_BY_HOP.has(field) || FRAMING.has(field) || field === 'trailer';
    return isUnsafe ? [] : [[name, value] as [string, string]];
  });
}

/**
 * Sends a head before its body if the body does not come at once, since the other side may wait for the head. Node's
 * `flushHeaders` would write it in UTF-8; with bytes after it, Node writes it in Latin-1, as it was read.
 */
export function flushHeadAlone(message: ClientRequest | ServerResponse, body: KeptBody): void {
  setImmediate(() => {
    if (body.isEmpty && !message.writableEnded && !message.destroyed) message.write(NO_BYTES);
  });
}

const NO_BYTES = new Uint8Array(0);

/** `Trailer` announces fields after chunks. Without chunks, Node throws if it is there. */
export function withTrailerField(headers: Fields, isChunked: boolean): Fields {
  return isChunked ? headers : headers.filter(([name]) => name.toLowerCase() !== 'trailer');
}

/** The headers with the length of a changed body, in the same place as before. */
export function withLength({ headers, body }: RequestHead & { readonly body: Uint8Array }): Fields {
  const length = String(body.length);
  const isLength = ([name]: Fields[number]): boolean => name.toLowerCase() === 'content-length';
  if (headers.some(isLength)) return headers.map((field) => (isLength(field) ? [field[0], length] : field));
  return body.length === 0 ? headers : [...headers, ['Content-Length', length]];
}
