import type { ServerResponse } from 'node:http';
import { setImmediate as turn } from 'node:timers/promises';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';

/** An answer before it is written. */
export interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  /** The members of its JSON; without them it has no body. */
  readonly body?: Readonly<Record<string, unknown>>;
}

/** How answers are written; all of it says the same. */
export interface Writing {
  readonly mediaType?: string;
  readonly json?: (members: Readonly<Record<string, unknown>>) => string;
  readonly coding?: keyof typeof CODINGS;
  readonly headers?: Answer['headers'];
  /** Added to an Error, which may carry more than its two fields. */
  readonly errorMembers?: Readonly<Record<string, unknown>>;
  /** In chunks with a trailer, each of so many bytes and in a packet of its own, instead of with a Content-Length. */
  readonly chunkBytes?: number;
  /** Neither chunks nor Content-Length: the end of the connection is the end of the body. */
  readonly untilClose?: boolean;
  readonly close?: boolean;
  /** Interim answers before the final one. */
  readonly interim?: boolean;
}

const CODINGS = { gzip: gzipSync, deflate: deflateSync, br: brotliCompressSync };

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
  if (answer.body === undefined) {
    response.end();
    return;
  }
  const members = answer.status < 400 ? answer.body : { ...answer.body, ...writing.errorMembers };
  const text = Buffer.from(json(members));
  const body = coding === undefined ? text : CODINGS[coding](text);
  response.setHeader('Content-Type', mediaType);
  if (coding !== undefined) response.setHeader('Content-Encoding', coding);
  if (untilClose) response.useChunkedEncodingByDefault = false;
  else if (chunkBytes === undefined) response.setHeader('Content-Length', body.length);
  else response.setHeader('Trailer', 'X-Length');
  const size = chunkBytes ?? body.length;
  for (let at = 0; at < body.length; at += size) {
    response.write(body.subarray(at, at + size));
    if (chunkBytes !== undefined) await turn();
  }
  if (chunkBytes !== undefined) response.addTrailers({ 'X-Length': String(body.length) });
  response.end();
}

/** Everything but ASCII as an escape, and slashes as PHP writes them. */
export function escaped(members: unknown): string {
  return JSON.stringify(members)
    .replace(
      /[\u007f-\uffff]/g,
      (unit) => `\\u${unit.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`,
    )
    .replaceAll('/', '\\/');
}

export function indented(members: unknown): string {
  return `\r\n${JSON.stringify(members, null, '\t')}\n`;
}

export function reversed(members: Readonly<Record<string, unknown>>): string {
  return JSON.stringify(Object.fromEntries(Object.entries(members).reverse()));
}
