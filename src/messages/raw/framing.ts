import { headerValues } from '../../validation/message.js';
import { type Source, unreadable } from '../source.js';
import type { Loss } from '../stored-message.js';
import { bytesThere, isChunk, readChunks } from './chunks.js';
import { codingsIn, contentOf, isPlainText } from './content.js';
import { type Head, lineAt, startLine } from './head.js';

/** A body, codings undone, and where what follows it begins. */
export interface StoredBody {
  readonly body: Uint8Array;
  readonly to: number;
  readonly losses: readonly Loss[];
  readonly notes: readonly string[];
}

/** The bytes between two messages, before their codings are looked at. */
interface Framed {
  readonly stored: Uint8Array;
  readonly to: number;
  /** Whether these are the bytes that were sent. */
  readonly exact: boolean;
  readonly note?: string;
}

const UNCHUNKED = 'its chunks were put together before it was stored, and the body is taken as it stands';
const UNANNOUNCED = 'it has neither a Content-Length nor chunks: a server over HTTP/1.1 would see no body';

/**
 * Finds the body behind a head (RFC 9112, section 6.3), and allows for what tools do on the way to a file: they put
 * chunks together and undo content codings, and leave the header fields which say otherwise.
 *
 * @param method of the request that a response answers, where that is known
 * @throws ToolkitError `invalid-message` where the body is not what the head announces
 */
export function readBody(source: Source, head: Head, method: string | undefined): StoredBody {
  const codings = codingsIn(headerValues(head.fields, 'content-encoding'));
  const { stored, to, exact, note } = hasNoBody(head, method)
    ? { stored: Buffer.alloc(0), to: head.to, exact: true }
    : framed(source, head, codings);
  const content = contentOf(stored, codings, exact);
  const notes = note === undefined ? [] : [note];
  if ('lost' in content) return { body: stored, to, notes, losses: [{ part: 'body', why: content.lost }] };
  if (content.note !== undefined) notes.push(content.note);
  return { body: content.body, to, notes, losses: [] };
}

function hasNoBody({ start }: Head, method: string | undefined): boolean {
  if (start.kind === 'request') return false;
  return method === 'HEAD' || start.status === 204 || start.status === 304;
}

function framed(source: Source, head: Head, codings: readonly string[]): Framed {
  const transfer = headerValues(head.fields, 'transfer-encoding').join(',').trim().toLowerCase();
  if (transfer === 'chunked') {
    if (!isChunk(source, head.to)) return { ...toNextMessage(source, head.to), note: UNCHUNKED };
    const { body, to } = readChunks(source, head.to);
    refuseSurplus(source, to, 'its last chunk has come');
    return { stored: body, to, exact: true };
  }
  if (transfer !== '')
    throw unreadable(source, head.from, 'a Transfer-Encoding other than "chunked" is not known here');
  const announced = headerValues(head.fields, 'content-length');
  if (announced.length > 0) return ofLength(source, head, announced, codings);
  const { start, to: from } = head;
  const rest = toNextMessage(source, from);
  if (start.kind === 'response') return rest;
  // Empty lines behind a request are not its body.
  if (rest.stored.every((byte) => byte === 0x0a || byte === 0x0d))
    return { ...rest, stored: Buffer.alloc(0) };
  return { ...rest, ...(start.version.startsWith('HTTP/1') && { note: UNANNOUNCED }) };
}

function ofLength(
  source: Source,
  head: Head,
  announced: readonly string[],
  codings: readonly string[],
): Framed {
  const [length = '', ...others] = announced.flatMap((value) => value.split(',')).map((text) => text.trim());
  if (!/^\d{1,15}$/.test(length))
    throw unreadable(source, head.from, 'its Content-Length is no number of bytes');
  if (others.some((other) => other !== length))
    throw unreadable(source, head.from, 'it has two different values of Content-Length');
  const to = head.to + Number(length);
  const there = source.bytes.length - head.to;
  const fits = to <= source.bytes.length && nextMessage(source, to) !== undefined;
  if (codings.length > 0 && !fits) {
    // The length is that of the body while it was packed.
    const rest = toNextMessage(source, head.to);
    if (isPlainText(rest.stored)) return rest;
  }
  if (to > source.bytes.length)
    throw unreadable(
      source,
      head.from,
      `it is cut short, or was changed: its Content-Length is ${Number(length)}, and ${bytesThere(there)} its header`,
    );
  refuseSurplus(source, to, `its Content-Length is ${Number(length)}`);
  return { stored: source.bytes.subarray(head.to, to), to, exact: true };
}

function refuseSurplus(source: Source, to: number, ended: string): void {
  if (nextMessage(source, to) !== undefined) return;
  const count = source.bytes.length - to;
  const more = count === 1 ? '1 more byte follows that begins' : `${count} more bytes follow that begin`;
  throw unreadable(source, to, `${ended}, and ${more} no message`);
}

/** Where the next message begins, or where the source ends; `undefined` where something else follows. */
export function nextMessage(source: Source, from: number): number | undefined {
  const { bytes } = source;
  let at = from;
  while (at < bytes.length && isSpace(bytes[at])) at++;
  if (at === bytes.length || startLine(lineAt(source, at).text) !== undefined) return at;
  return undefined;
}

function isSpace(byte: number | undefined): boolean {
  return byte === 0x0a || byte === 0x0d || byte === 0x20 || byte === 0x09;
}

/**
 * A status line with a header line or an empty line behind it, wherever it stands: what curl appends to a file has
 * no line break before it. No JSON text holds a line break in a string, so no body that conforms is cut here. A request
 * line has to begin a line.
 */
const START_LINE =
  /HTTP\/(?:1\.[01]|[23](?:\.0)?) [1-9]\d\d(?: [^\r\n]*)?\r?\n(?=[\w!#$%&'*+.^`|~-]+:|\r?\n)|(?<=\n)[A-Z]+ [^\s]+ HTTP\/(?:1\.[01]|[23](?:\.0)?)\r?\n/g;

/** All bytes up to the next message. */
function toNextMessage({ bytes, latin1 }: Source, from: number): Framed {
  START_LINE.lastIndex = from;
  const to = START_LINE.exec(latin1)?.index ?? bytes.length;
  return { stored: bytes.subarray(from, to), to, exact: false };
}
