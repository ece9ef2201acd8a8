import type { ServerResponse } from 'node:http';
import { setImmediate as turn } from 'node:timers/promises';
import { brotliCompressSync } from 'node:zlib';

/** A response before it is written. */
export interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  /** The members of its JSON. Without them and without a page, it has no body. */
  readonly body?: Readonly<Record<string, unknown>>;
  /** HTML instead of JSON. */
  readonly page?: string;
}

/** How responses are written. None of this changes what they say. */
export interface Writing {
  readonly mediaType?: string;
  readonly json?: (members: Readonly<Record<string, unknown>>) => string;
  /** Whether it is compressed. */
  readonly coding?: 'br';
  readonly headers?: Answer['headers'];
  /** Added to an Error, which may have more than its two fields. */
  readonly errorMembers?: Readonly<Record<string, unknown>>;
  /**
   * The size of chunks in bytes. Each of the first 100 is in its own packet. Later ones are longer, because a chunk of one byte
   * costs as much as one of 100. A trailer follows. Default: a Content-Length.
   */
  readonly chunkBytes?: number;
  /** Without chunks and Content-Length: the body ends with the connection. */
  readonly untilClose?: boolean;
  readonly close?: boolean;
  /** Whether interim responses come before the final one. */
  readonly interim?: boolean;
}

export async function write(response: ServerResponse, answer: Answer, writing: Writing): Promise<void> {
  const { mediaType = 'application/json', json = JSON.stringify, coding, chunkBytes, untilClose } = writing;
  if (writing.interim) {
    response.writeContinue();
    response.writeProcessing();
    response.writeEarlyHints({ link: '</plants.css>; rel=preload' });
  }
  for (const [name, value] of Object.entries({ ...writing.headers, ...answer.headers }))
    response.setHeader(name, value as string | string[]);
  response.statusCode = answer.status;
  if (writing.close || untilClose) response.shouldKeepAlive = false;
  if (answer.page !== undefined) {
    response.setHeader('Content-Type', 'text/html; charset=utf-8');
    response.end(answer.page);
    return;
  }
  if (answer.body === undefined) {
    response.end();
    return;
  }
  const members = answer.status < 400 ? answer.body : { ...answer.body, ...writing.errorMembers };
  const text = Buffer.from(json(members));
  const body = coding === undefined ? text : brotliCompressSync(text);
  response.setHeader('Content-Type', mediaType);
  if (coding !== undefined) response.setHeader('Content-Encoding', coding);
  // HTTP/1.0 has no chunks.
  const hasTrailers = chunkBytes !== undefined && response.req.httpVersion !== '1.0';
  if (untilClose) response.useChunkedEncodingByDefault = false;
  else if (chunkBytes === undefined) response.setHeader('Content-Length', body.length);
  else if (hasTrailers) response.setHeader('Trailer', 'X-Length');
  const size = chunkBytes ?? body.length;
  for (let at = 0; at < body.length; ) {
    const isEarly = at < 100 * size;
    const end = at + (isEarly ? size : 100 * size);
    response.write(body.subarray(at, end));
    if (chunkBytes !== undefined && isEarly) await turn();
    at = end;
  }
  if (hasTrailers) response.addTrailers({ 'X-Length': String(body.length) });
  response.end();
}

/** JSON in ASCII, with escapes and slashes as PHP writes them, indented, and with its members in the reverse order. */
export function spelledInAnotherWay(members: Readonly<Record<string, unknown>>): string {
  const reversed = Object.fromEntries(Object.entries(members).reverse());
  return `\r\n${JSON.stringify(reversed, null, '\t')}\n`
    .replace(
      /[\u007f-\uffff]/g,
      (unit) => `\\u${unit.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`,
    )
    .replaceAll('/', '\\/');
}
