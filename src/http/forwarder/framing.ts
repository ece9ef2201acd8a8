import type { ClientRequest, ServerResponse } from 'node:http';
import type { RequestHead } from '../exchange.js';
import { type Fields, fieldsFrom, headerValues } from '../fields.js';
import { FRAMING, optionsOf } from './framing-problem.js';
import type { KeptBody } from './kept-body.js';

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
