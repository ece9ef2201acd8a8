import { type Fields, headerValues, secretsOf } from '../../http/fields.js';
import { isOperation } from '../../spec/operation.js';
import {
  type Head,
  lineAt,
  nextMessage,
  type RequestLine,
  readFields,
  readHead,
  type StartLine,
  startLineAt,
  startOfNext,
} from './raw-head.js';
import { nothingToJudge, type Source, unreadable } from './source.js';
import {
  codingsIn,
  contentOf,
  isPlainText,
  type JudgeableMessage,
  type MessageKind,
  type StoredBody,
  type StoredMessage,
  shownUrl,
  storedMistake,
} from './stored-message.js';

interface RawMessage {
  readonly head: Head;
  readonly stored: RawBody;
}

/**
 * Reads the messages of one kind in a text with one message or several: what `curl -i` saves, what HTTPie prints, a stream
 * that Wireshark follows. If it contains several requests, those that are no creation are left out, with their
 * responses. A single message is always judged.
 *
 * @param take is given each message
 * @returns the secrets in them
 * @throws ToolkitError `invalid-message` if any part of it cannot be read, `no-message` if there is none of that kind
 */
export function readRaw(source: Source, kind: MessageKind, take: (message: StoredMessage) => void): string[] {
  // First all start lines: which messages belong together depends on what follows.
  const starts: StartLine[] = [];
  const secrets = new Set<string>();
  for (const { head } of conversationIn(source)) {
    starts.push(head.start);
    // A head is read as Latin-1. The same bytes in a body are UTF-8.
    for (const secret of secretsOf(head.fields))
      secrets.add(secret).add(Buffer.from(secret, 'latin1').toString());
  }
  if (starts.every((start) => start.kind !== kind))
    throw nothingToJudge(
      source,
      kind === 'request' ? 'contains no request, only responses' : 'contains no response, only requests',
    );
  const requests = starts.filter((start) => start.kind === 'request');
  const isMixed = requests.length > 1 && !requests.every(isCreation);
  const pairs = matchInOrder(starts);
  const mistakes = new Map<StartLine | undefined, StoredMessage['mistake']>();
  let [index, keepsTokens] = [0, false];
  for (const message of conversationIn(source)) {
    const start = starts[index++] as StartLine;
    if (start.kind === kind)
      take({
        ...storedMessage(message, source),
        ...(isMixed && unjudged(start, pairs)),
        mistake: mistakes.get(pairs.get(start)),
      });
    if (start.kind === 'response') continue;
    const { head, stored } = message;
    const mistake = storedMistake({ headers: head.fields, body: stored.body }, stored.missing, keepsTokens);
    if (mistake !== undefined && isCreation(start)) mistakes.set(start, mistake);
    keepsTokens ||= headerValues(head.fields, 'authorization').length > 0;
  }
  return [...secrets];
}

const TUNNEL = 'the 200 without a body before it is read as the response of a proxy to CONNECT';

/** Reads one message after the other: all at once would take 20 times the memory of their text. */
function* conversationIn(source: Source): Iterable<RawMessage> {
  // The requests in a row before a response.
  let asked = { any: false, head: false };
  let last: StartLine | undefined;
  let interim: Head | undefined;
  let notes: readonly string[] = [];
  let at = nextMessage(source, source.start) ?? source.start;
  do {
    const head = readHead(source, at);
    const isTunnel = !asked.any && opensTunnel(source, head);
    if (isTunnel || isInterim(head.start)) {
      interim = head;
      if (isTunnel) notes = [TUNNEL];
      at = nextMessage(source, head.to) ?? head.to;
      continue;
    }
    interim = undefined;
    if (head.start.kind === 'request') {
      const isFirst = last?.kind !== 'request';
      asked = { any: true, head: head.start.method === 'HEAD' || (asked.head && !isFirst) };
    }
    const stored = readBody(source, head, asked.head);
    yield { head, stored: { ...stored, notes: [...notes, ...stored.notes] } };
    last = head.start;
    notes = [];
    at = nextMessage(source, stored.to) ?? stored.to;
  } while (at < source.bytes.length);
  if (interim !== undefined)
    throw unreadable(source, interim.from, 'no final response follows the interim response');
}

/** A 1xx (RFC 9110, section 15.2), or what a proxy sends to curl before the response. */
function isInterim(start: StartLine): boolean {
  if (start.kind === 'request') return false;
  return start.status < 200 || (start.status === 200 && /^connection established$/i.test(start.reason));
}

const OF_A_BODY = ['content-type', 'content-length', 'content-encoding', 'transfer-encoding'];

/** Proxies respond to CONNECT in many ways. In each, no field describes a body, and another response follows. */
function opensTunnel(source: Source, { start, fields, to }: Head): boolean {
  return (
    start.kind === 'response' &&
    start.status === 200 &&
    startLineAt(source, to)?.kind === 'response' &&
    OF_A_BODY.every((name) => headerValues(fields, name).length === 0)
  );
}

function storedMessage({ head, stored }: RawMessage, source: Source): StoredMessage {
  const { start, fields: headers, from } = head;
  const { body, missing, notes } = stored;
  const place = { line: source.lineOf(from), byte: from };
  if (start.kind === 'request') {
    const { method, target, version } = start;
    const message: JudgeableMessage = { kind: 'request', method, url: target, headers, body };
    return { title: `${method} ${shownUrl(target)} ${version}`, place, message, missing, notes };
  }
  const { version, status, reason } = start;
  const message: JudgeableMessage = { kind: 'response', status, headers, body };
  return { title: `${version} ${status} ${reason}`.trimEnd(), place, message, missing, notes };
}

/** Requests in a row, and the responses in a row after them. */
interface Turn {
  readonly requests: RequestLine[];
  readonly responses: StartLine[];
}

/**
 * Matches responses with requests in order (RFC 9112, section 9.3.2). A pair is certain if as many responses follow as
 * there are requests, and if no earlier request is without a response. Responses without a certain request have none
 * here.
 */
function matchInOrder(starts: readonly StartLine[]): ReadonlyMap<StartLine, RequestLine> {
  const pairs = new Map<StartLine, RequestLine>();
  for (const { requests, responses } of turnsOf(starts)) {
    if (requests.length === responses.length)
      for (const [at, response] of responses.entries()) pairs.set(response, requests[at] as RequestLine);
    if (requests.length > responses.length) break;
  }
  return pairs;
}

function turnsOf(starts: readonly StartLine[]): Turn[] {
  const turns: Turn[] = [];
  for (const start of starts) {
    const last = turns.at(-1);
    if (start.kind === 'response' && last !== undefined) last.responses.push(start);
    else if (start.kind === 'response') turns.push({ requests: [], responses: [start] });
    else if (last !== undefined && last.responses.length === 0) last.requests.push(start);
    else turns.push({ requests: [start], responses: [] });
  }
  return turns;
}

const UNPAIRED =
  'it is not certain which request it belongs to; save each request with its response in a file of its own';
const ONE_OPERATION = 'the interface has only POST …/plants';

/** Why one of several messages is not judged. */
function unjudged(
  start: StartLine,
  pairs: ReadonlyMap<StartLine, RequestLine>,
): Pick<StoredMessage, 'leftOut' | 'unclear'> {
  const request = start.kind === 'request' ? start : pairs.get(start);
  if (request === undefined) return { unclear: UNPAIRED };
  if (isCreation(request)) return {};
  if (start === request) return { leftOut: ONE_OPERATION };
  const title = `${request.method} ${shownUrl(request.target)}`;
  return { leftOut: `it is the response to ${title}, and ${ONE_OPERATION}` };
}

function isCreation({ method, target }: RequestLine): boolean {
  return isOperation(method, target);
}

/** A body, and where the next message begins. */
interface RawBody extends StoredBody {
  readonly to: number;
  /** What was assumed about it, as sentences. */
  readonly notes: readonly string[];
}

/** The bytes between two messages, before content codings are undone. */
interface Framed {
  readonly stored: Uint8Array;
  readonly to: number;
  /** Whether these are the bytes that were sent. */
  readonly exact: boolean;
  readonly note?: string;
  /** Why the bytes are not there. */
  readonly lost?: string;
}

const UNCHUNKED = 'the tool that saved it joined its chunks; the body is judged as it was saved';
const UNANNOUNCED = 'it has neither a Content-Length nor chunks; a server over HTTP/1.1 would see no body';
const UNSAVED = 'its body was not saved: another message follows its header';
const UNSENT = 'its body was not sent: the response came first';

const NOTHING = Buffer.alloc(0);

/**
 * Finds the body after a head (RFC 9112, section 6.3). Tools that save messages join chunks and undo content codings,
 * but keep the header fields that announce them; such bodies are read as they were saved.
 *
 * @param toHead whether the response may be to a HEAD request
 * @throws ToolkitError `invalid-message` if the body is not what the head announces
 */
function readBody(source: Source, head: Head, toHead: boolean): RawBody {
  const waits = head.start.kind === 'request' && headerValues(head.fields, 'expect').length > 0;
  const from = waits ? afterInterim(source, head.to) : head.to;
  if (waits && startLineAt(source, from)?.kind === 'response') return lost(UNSENT, from);
  const codings = codingsIn(head.fields);
  const framing = hasNoBody(source, head, toHead) ? none(from) : framed(source, head, from, codings);
  if (framing.lost !== undefined) return lost(framing.lost, framing.to);
  const notes = framing.note === undefined ? [] : [framing.note];
  const content = contentOf(framing.stored, codings, framing.exact);
  if ('lost' in content) return { ...lost(content.lost, framing.to), notes };
  if (content.note !== undefined) notes.push(content.note);
  return { body: content.body, to: framing.to, notes, missing: [] };
}

function lost(why: string, to: number): RawBody {
  return { body: NOTHING, to, notes: [], missing: [{ part: 'body', why }] };
}

function none(to: number): Framed {
  return { stored: NOTHING, to, exact: true };
}

/** A request that waits for 100 (RFC 9110, section 10.1.1) has the interim response before its body. */
function afterInterim(source: Source, from: number): number {
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
  // The bytes that follow show whether it is the response to the HEAD request.
  return toHead && nextMessage(source, to) !== undefined;
}

function framed(source: Source, head: Head, from: number, codings: readonly string[]): Framed {
  const { start, fields } = head;
  const transfer = headerValues(fields, 'transfer-encoding').join(',').trim().toLowerCase();
  if (transfer === 'chunked') {
    if (isHeaderOnly(start) && startLineAt(source, from) !== undefined) return unsaved(from);
    if (SIZE_LINE.test(lineAt(source, from).text)) return readChunks(source, from);
    const joined = upToNext(source, from);
    return { ...joined, stored: withoutTrailers(joined.stored, fields), note: UNCHUNKED };
  }
  if (transfer !== '')
    throw unreadable(source, head.from, 'the only supported Transfer-Encoding is "chunked"');
  const announced = headerValues(fields, 'content-length');
  if (announced.length > 0) return ofLength(source, head, from, announced, codings);
  const rest = upToNext(source, from);
  if (start.kind === 'response') return { ...rest, stored: withoutTrailers(rest.stored, fields) };
  // Empty lines after a request are not its body.
  if (rest.stored.every((byte) => byte === 0x0a || byte === 0x0d)) return { ...rest, stored: NOTHING };
  return start.version.startsWith('HTTP/1') ? { ...rest, note: UNANNOUNCED } : rest;
}

/** Of a redirection that it follows, and of a challenge to which it responds, curl saves only the header. */
function isHeaderOnly(start: StartLine): boolean {
  if (start.kind === 'request') return false;
  return start.status === 401 || start.status === 407 || (start.status >= 300 && start.status < 400);
}

function unsaved(to: number): Framed {
  return { ...none(to), lost: UNSAVED };
}

/** A body as long as its Content-Length says, or what a tool saved in its place. */
function ofLength(
  source: Source,
  head: Head,
  from: number,
  announced: readonly string[],
  codings: readonly string[],
): Framed {
  const length = lengthIn(source, head, announced);
  const to = from + length;
  const isWhole = to <= source.bytes.length;
  if (isWhole && nextMessage(source, to) !== undefined)
    return { stored: source.bytes.subarray(from, to), to, exact: true };
  if (length > 0 && startLineAt(source, from) !== undefined) return unsaved(from);
  // The length may be that of the encoded body.
  const rest = codings.length === 0 ? undefined : upToNext(source, from);
  if (rest !== undefined && isPlainText(rest.stored)) return rest;
  const known = `its Content-Length is ${length}, but`;
  if (isWhole) throw surplus(source, to, known);
  const came = bytesFollow(source.bytes.length - from);
  throw unreadable(source, head.from, `its body is incomplete: ${known} ${came}`);
}

function lengthIn(source: Source, head: Head, announced: readonly string[]): number {
  const [text = '', ...others] = announced.flatMap((value) => value.split(',')).map((part) => part.trim());
  if (!/^\d{1,15}$/.test(text)) throw unreadable(source, head.from, 'its Content-Length is not a number');
  if (others.some((other) => other !== text))
    throw unreadable(source, head.from, 'it has two different Content-Length values');
  return Number(text);
}

/** The error for bytes after a body with which no message begins. */
function surplus(source: Source, to: number, known: string): Error {
  const count = source.bytes.length - to;
  const more = count === 1 ? '1 more byte follows' : `${count} more bytes follow`;
  return unreadable(source, to, `${known} ${more}, and no message begins there`);
}

/** All bytes up to the next message. */
function upToNext(source: Source, from: number): Framed {
  const to = startOfNext(source, from);
  return { stored: source.bytes.subarray(from, to), to, exact: false };
}

/** RFC 9112, section 7.1: a size in hexadecimal digits, and extensions. */
const SIZE_LINE = /^([0-9a-fA-F]+)[ \t]*(?:;.*)?$/;
/** No body needs more digits. */
const LONGEST_SIZE = 12;
const NO_LAST_CHUNK = 'it ends before the last chunk of the body';

/** Joins chunks. Trailers are read and ignored. */
function readChunks(source: Source, from: number): Framed {
  const { bytes } = source;
  const parts: Buffer[] = [];
  let at = from;
  for (;;) {
    const { text, next, complete } = lineAt(source, at);
    const digits = SIZE_LINE.exec(text)?.[1]?.replace(/^0+(?=.)/, '');
    if (digits === undefined && at < bytes.length)
      throw unreadable(source, at, 'a chunk must begin with its size in hexadecimal digits');
    if (digits === undefined || !complete) throw unreadable(source, bytes.length, NO_LAST_CHUNK);
    const isTooLong = digits.length > LONGEST_SIZE;
    const size = isTooLong ? Number.POSITIVE_INFINITY : Number.parseInt(digits, 16);
    if (size === 0) {
      const { to } = readFields(source, next);
      if (nextMessage(source, to) === undefined) throw surplus(source, to, 'after the last chunk,');
      return { stored: Buffer.concat(parts), to, exact: true };
    }
    const end = next + size;
    if (end > bytes.length) {
      const shown = `0x${digits.slice(0, LONGEST_SIZE)}${isTooLong ? '…' : ''}`;
      throw unreadable(source, at, `the chunk size is ${shown}, but ${bytesFollow(bytes.length - next)}`);
    }
    parts.push(bytes.subarray(next, end));
    at = afterLineEnd(source, end, bytes.subarray(at + text.length, next));
  }
}

/** `1 byte follows`, `3 bytes follow`. */
function bytesFollow(count: number): string {
  return count === 1 ? '1 byte follows' : `${count === 0 ? 'no' : count} bytes follow`;
}

/**
 * Steps over the line end after a chunk. It must equal the line end after the size: if a size is one too large, an LF is
 * left of CRLF.
 */
function afterLineEnd(source: Source, end: number, lineEnd: Buffer): number {
  const next = end + lineEnd.length;
  const found = source.bytes.subarray(end, next);
  if (found.equals(lineEnd)) return next;
  if (next > source.bytes.length && found.equals(lineEnd.subarray(0, found.length)))
    throw unreadable(source, source.bytes.length, NO_LAST_CHUNK);
  throw unreadable(source, end, 'the chunk does not end where its size says');
}

/** Without the trailers that `curl -i` writes after a body. They were announced, and the body is an object. */
function withoutTrailers(stored: Uint8Array, fields: Fields): Uint8Array {
  const announced = headerValues(fields, 'trailer').flatMap((value) => value.toLowerCase().split(','));
  const names = new Set(announced.map((name) => name.trim()));
  if (names.size === 0) return stored;
  const to = stored.lastIndexOf(CLOSING_BRACE) + 1;
  const lines = Buffer.from(stored.subarray(to)).toString('latin1').split(/\r?\n/);
  const isTrailer = (line: string): boolean => names.has(line.slice(0, line.indexOf(':')).toLowerCase());
  return lines.every((line) => line === '' || isTrailer(line)) ? stored.subarray(0, to) : stored;
}

const CLOSING_BRACE = 0x7d;
