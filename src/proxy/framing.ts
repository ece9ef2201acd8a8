import type { ClientRequest, IncomingMessage, ServerResponse } from 'node:http';
import type { Fields } from '../header-fields.js';
import type { KeptBody } from './kept-body.js';
import type { RequestHead } from './message.js';

/**
 * Sends a head before its body, where that does not come at once: the other side may want to see it. Node's
 * `flushHeaders` writes it in UTF-8, and with bytes behind it in Latin-1, as it was read.
 */
export function flushHeadAlone(message: ClientRequest | ServerResponse, body: KeptBody): void {
  setImmediate(() => {
    if (body.isEmpty && !message.writableEnded && !message.destroyed) message.write(NO_BYTES);
  });
}

const NO_BYTES = new Uint8Array(0);

/** `Trailer` announces fields behind chunks; Node throws where it stands without them. */
export function withTrailerField(headers: Fields, isChunked: boolean): Fields {
  return isChunked ? headers : headers.filter(([name]) => name.toLowerCase() !== 'trailer');
}

/** A body whose length is not known beforehand comes in chunks, and so goes on in chunks. */
export function chunks({ headers }: IncomingMessage): Fields {
  return headers['transfer-encoding'] === undefined ? [] : [['Transfer-Encoding', 'chunked']];
}

/** The length in the place where it stood: a body that was changed may have another. */
export function withLength({ headers, body }: RequestHead & { readonly body: Uint8Array }): Fields {
  const length = String(body.length);
  const isLength = ([name]: Fields[number]): boolean => name.toLowerCase() === 'content-length';
  if (headers.some(isLength)) return headers.map((field) => (isLength(field) ? [field[0], length] : field));
  return body.length === 0 ? headers : [...headers, ['Content-Length', length]];
}
