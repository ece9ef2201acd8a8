import { headerValues } from '../../validation/message.js';
import { type Source, unreadable } from '../source.js';
import type { Loss } from '../stored-message.js';
import { bytesThere, isChunk, readChunks } from './chunks.js';
import { codingsIn, contentOf, isPlainText } from './content.js';
import { type Head, readHead, type StartLine, startLineAt } from './head.js';
import { nextMessage, startOfNext } from './next-message.js';
import { withoutTrailers } from './saved-trailers.js';

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
  /** Why they are not there. */
  readonly lost?: string;
}

const UNCHUNKED = 'its chunks were put together before it was stored, and the body is taken as it stands';
const UNANNOUNCED = 'it has neither a Content-Length nor chunks: a server over HTTP/1.1 would see no body';
const UNSAVED = 'its body was not stored: another message follows its header';
const UNSENT = 'its body was not sent, since the answer came before';

const NOTHING = Buffer.alloc(0);

/**
 * Finds the body behind a head (RFC 9112, section 6.3), and allows for what tools do on the way to a file: they put
 * chunks together and undo content codings, and leave the header fields which say otherwise.
 *
 * @param toHead whether a request that a response can answer is a HEAD
 * @throws ToolkitError `invalid-message` where the body is not what the head announces
 */
export function readBody(source: Source, head: Head, toHead: boolean): StoredBody {
  const waits = head.start.kind === 'request' && headerValues(head.fields, 'expect').length > 0;
  const from = waits ? behindInterim(source, head.to) : head.to;
  if (waits && startLineAt(source, from)?.kind === 'response')
    return { body: NOTHING, to: from, notes: [], losses: [{ part: 'body', why: UNSENT }] };
  const codings = codingsIn(headerValues(head.fields, 'content-encoding'));
  const { stored, to, exact, note, lost } = hasNoBody(source, head, toHead)
    ? { stored: NOTHING, to: from, exact: true }
    : framed(source, head, from, codings);
  if (lost !== undefined) return { body: stored, to, notes: [], losses: [{ part: 'body', why: lost }] };
  const content = contentOf(stored, codings, exact);
  const notes = note === undefined ? [] : [note];
  if ('lost' in content) return { body: stored, to, notes, losses: [{ part: 'body', why: content.lost }] };
  if (content.note !== undefined) notes.push(content.note);
  return { body: content.body, to, notes, losses: [] };
}

/** Behind a request that waits for 100 (RFC 9110, section 10.1.1), a stream has the interim response before the body. */
function behindInterim(source: Source, from: number): number {
  let at = from;
  for (;;) {
    const start = startLineAt(source, at);
    if (start?.kind !== 'response' || start.status >= 200) return at;
    at = readHead(source, at).to;
  }
}

function hasNoBody(source: Source, { start, to }: Head, toHead: boolean): boolean {
  if (start.kind === 'request') return false;
  if (start.status === 204 || start.status === 304) return true;
  // Which of several requests it answers shows in what follows it.
  return toHead && nextMessage(source, to) !== undefined;
}

function framed(source: Source, head: Head, from: number, codings: readonly string[]): Framed {
  const transfer = headerValues(head.fields, 'transfer-encoding').join(',').trim().toLowerCase();
  if (transfer === 'chunked') {
    if (isPassedOver(head.start) && startLineAt(source, from) !== undefined) return unsaved(from);
    if (!isChunk(source, from)) return unchunked(upToNext(source, from), head);
    const { body, to } = readChunks(source, from);
    refuseSurplus(source, to, 'its last chunk has come');
    return { stored: body, to, exact: true };
  }
  if (transfer !== '')
    throw unreadable(source, head.from, 'a Transfer-Encoding other than "chunked" is not known here');
  const announced = headerValues(head.fields, 'content-length');
  if (announced.length > 0) return ofLength(source, head, from, announced, codings);
  const rest = upToNext(source, from);
  if (head.start.kind === 'response') return { ...rest, stored: withoutTrailers(rest.stored, head.fields) };
  // Empty lines behind a request are not its body.
  if (rest.stored.every((byte) => byte === 0x0a || byte === 0x0d)) return { ...rest, stored: NOTHING };
  return { ...rest, ...(head.start.version.startsWith('HTTP/1') && { note: UNANNOUNCED }) };
}

function unchunked(rest: Framed, { fields }: Head): Framed {
  return { ...rest, stored: withoutTrailers(rest.stored, fields), note: UNCHUNKED };
}

/** Of a redirection that it follows and of a challenge that it meets, curl saves the header alone. */
function isPassedOver(start: StartLine): boolean {
  if (start.kind === 'request') return false;
  return start.status === 401 || start.status === 407 || (start.status >= 300 && start.status < 400);
}

function unsaved(to: number): Framed {
  return { stored: NOTHING, to, exact: true, lost: UNSAVED };
}

function ofLength(
  source: Source,
  head: Head,
  from: number,
  announced: readonly string[],
  codings: readonly string[],
): Framed {
  const [length = '', ...others] = announced.flatMap((value) => value.split(',')).map((text) => text.trim());
  if (!/^\d{1,15}$/.test(length))
    throw unreadable(source, head.from, 'its Content-Length is no number of bytes');
  if (others.some((other) => other !== length))
    throw unreadable(source, head.from, 'it has two different values of Content-Length');
  const to = from + Number(length);
  const there = source.bytes.length - from;
  const fits = to <= source.bytes.length && nextMessage(source, to) !== undefined;
  if (!fits && Number(length) > 0 && startLineAt(source, from) !== undefined) return unsaved(from);
  if (codings.length > 0 && !fits) {
    // The length is that of the body while it was packed.
    const rest = upToNext(source, from);
    if (isPlainText(rest.stored)) return rest;
  }
  if (to > source.bytes.length)
    throw unreadable(
      source,
      head.from,
      `it is cut short, or was changed: its Content-Length is ${Number(length)}, and ${bytesThere(there)} its header`,
    );
  refuseSurplus(source, to, `its Content-Length is ${Number(length)}`);
  return { stored: source.bytes.subarray(from, to), to, exact: true };
}

function refuseSurplus(source: Source, to: number, ended: string): void {
  if (nextMessage(source, to) !== undefined) return;
  const count = source.bytes.length - to;
  const more = count === 1 ? '1 more byte follows that begins' : `${count} more bytes follow that begin`;
  throw unreadable(source, to, `${ended}, and ${more} no message`);
}

/** All bytes up to the next message. */
function upToNext(source: Source, from: number): Framed {
  const to = startOfNext(source, from);
  return { stored: source.bytes.subarray(from, to), to, exact: false };
}
