import { type Fields, headerValues } from '../../http/fields.js';
import { limits } from '../../http/limits.js';
import { isOperation } from '../../spec/operation.js';
import { mistakeIn } from '../../validation/acceptance.js';
import { decodeContent } from '../../validation/content-coding.js';
import { parseJsonFile } from '../../validation/json-file.js';
import { pointerTo, valueAt } from '../../validation/json-value.js';
import type { PlainRequest } from '../../validation/message.js';
import type { Violation } from '../../validation/violation.js';
import {
  isAbout,
  isText,
  type MessageKind,
  type MissingPart,
  nothingToJudge,
  type StoredMessage,
  type StoredMessages,
  shownUrl,
  unreadable,
  withoutCodings,
} from './stored-message.js';

/** A report lists every message. */
const MOST_MESSAGES = 20_000;

const NO_HAR =
  'is JSON but not a HAR file, which has /log/entries; for a body alone, name its schema: --as plant, new-plant or error';

/**
 * Reads the requests or the responses of every `POST …/plants` in a HAR (versions 1.1 and 1.2). Bodies are strings in it,
 * so `JSON.parse` rounds nothing that is judged. An entry that cannot be read is a message that cannot be read: the others
 * are judged.
 *
 * @param name of the file, for errors
 * @throws ToolkitError `invalid-message` if it is not JSON, `no-message` if it is no HAR, or has no such entry
 */
export function readHar(text: string, name: string, kind: MessageKind): StoredMessages {
  const entries = valueAt(parsed(text, name), ['log', 'entries']);
  if (!Array.isArray(entries)) throw nothingToJudge(name, NO_HAR);
  const creations = entries.flatMap((entry, at) => (isOther(entry) ? [] : [{ entry, at }]));
  if (creations.length === 0) throw nothingToJudge(name, noCreationIn(entries.length));
  if (creations.length > MOST_MESSAGES)
    throw nothingToJudge(
      name,
      `has more than ${MOST_MESSAGES} entries of POST …/plants; export fewer of them`,
    );
  const keepsTokens = creations.some(({ entry }) =>
    headerValues(anyFields(entry), 'authorization').some(isCredentials),
  );
  return {
    messages: messagesIn(creations, kind, keepsTokens),
    others: entries.length - creations.length,
  };
}

function parsed(text: string, name: string): unknown {
  try {
    return parseJsonFile(text);
  } catch (cause) {
    throw unreadable(name, `it is not JSON: ${(cause as Error).message}`);
  }
}

function noCreationIn(entries: number): string {
  if (entries === 0) return 'is a HAR file without entries';
  return `is a HAR file with ${entries === 1 ? '1 entry' : `${entries} entries`}, but none is a POST …/plants`;
}

/** Whether an entry is certainly about another request. */
function isOther(entry: unknown): boolean {
  const method = valueAt(entry, ['request', 'method']);
  const url = valueAt(entry, ['request', 'url']);
  return typeof method === 'string' && typeof url === 'string' && !isOperation(method, url);
}

interface Creation {
  readonly entry: unknown;
  readonly at: number;
}

/** One by one: their bodies together may be as long as the file. */
function* messagesIn(creations: readonly Creation[], kind: MessageKind, keepsTokens: boolean) {
  for (const { entry, at } of creations)
    yield { ...messageIn(entry, at, kind, keepsTokens), credentials: anyFields(entry) };
}

/** @param keepsTokens whether there are tokens in the file: many tools leave them out */
function messageIn(entry: unknown, at: number, kind: MessageKind, keepsTokens: boolean): StoredMessage {
  const place = { pointer: pointerTo(['log', 'entries', at, kind]) };
  try {
    const url = textAt(entry, 'request', 'url');
    if (kind === 'request')
      return { title: `POST ${shownUrl(url)}`, place, ...requestIn(entry, keepsTokens) };
    const status = valueAt(entry, ['response', 'status']);
    if (typeof status !== 'number') throw new Malformed(['response', 'status'], 'must be a number');
    // Browsers write 0 if the request was aborted, blocked by CORS, or never got a response.
    if (status <= 0)
      return { title: `no response to POST ${shownUrl(url)}`, place, leftOut: 'there is no response' };
    const mistake = mistakeBefore(entry, keepsTokens);
    return { title: `${status} to POST ${shownUrl(url)}`, place, ...responseIn(entry, status), mistake };
  } catch (cause) {
    if (!(cause instanceof Malformed)) throw cause;
    return { title: `entry ${at + 1}`, place, unreadable: cause.message };
  }
}

/** What is wrong in an entry, and where. Thrown and caught in this file. */
class Malformed extends Error {
  constructor(keys: readonly (string | number)[], problem: string) {
    super(`${pointerTo(keys)} of the entry ${problem}`);
  }
}

function textAt(entry: unknown, ...keys: (string | number)[]): string {
  const value = valueAt(entry, keys.map(String));
  if (typeof value !== 'string') throw new Malformed(keys, 'must be a string');
  return value;
}

function requestIn(entry: unknown, keepsTokens: boolean) {
  const headers = fieldsOf(entry, 'request');
  const { body, missing } = bodyIn(entry, 'request', headers);
  const url = textAt(entry, 'request', 'url');
  const message = { kind: 'request', method: 'POST', url, headers: withoutCodings(headers), body } as const;
  return { message, missing: [...missing, ...missingToken(headers, keepsTokens)] };
}

function responseIn(entry: unknown, status: number) {
  const headers = fieldsOf(entry, 'response');
  const { body, missing } = bodyIn(entry, 'response', headers);
  const message = { kind: 'response', status, headers: withoutCodings(headers), body } as const;
  return { message, missing };
}

/** Why the request of a response must be rejected; nothing if it cannot be read, since only the response is judged. */
function mistakeBefore(entry: unknown, keepsTokens: boolean): Violation | undefined {
  try {
    const { message, missing } = requestIn(entry, keepsTokens);
    return certainMistake(message, missing);
  } catch (cause) {
    if (!(cause instanceof Malformed)) throw cause;
    return undefined;
  }
}

/** Nothing shows that a tool replaced a token, or that it cut off a body whose length is not announced. */
function certainMistake(request: PlainRequest, missing: readonly MissingPart[]): Violation | undefined {
  const has = (name: string): boolean => headerValues(request.headers, name).length > 0;
  return mistakeIn(request, (mistake) => {
    if (missing.some((part) => isAbout(part, mistake))) return false;
    if (mistake.part === 'header') return !has('authorization');
    return mistake.pointer !== '' || has('content-length');
  });
}

/** What tools write instead of a token. */
const PLACEHOLDER = /redact|sanitis|sanitiz|removed|hidden|filtered|scrubbed|\*{3}|…|•|\$[A-Z_]{4}/i;

function isCredentials(value: string): boolean {
  return value !== '' && !PLACEHOLDER.test(value);
}

function missingToken(headers: Fields, keepsTokens: boolean): MissingPart[] {
  const values = headerValues(headers, 'authorization');
  const part = (why: string): MissingPart[] => [{ part: 'header', pointer: '/authorization', why }];
  if (values.length > 0 && !values.some(isCredentials))
    return part('the HAR file has a placeholder for the value of Authorization');
  if (values.length > 0 || keepsTokens) return [];
  return part(
    'no request of the HAR file has an Authorization header; Chrome leaves it out, unless it exports "with sensitive data"',
  );
}

/** The header fields of a message. Browsers write several fields of one name as lines of one value. */
function fieldsOf(entry: unknown, side: MessageKind): Fields {
  const headers = valueAt(entry, [side, 'headers']);
  if (!Array.isArray(headers)) throw new Malformed([side, 'headers'], 'must be an array');
  return headers.flatMap((_, at) => {
    const name = textAt(entry, side, 'headers', at, 'name');
    const lines = textAt(entry, side, 'headers', at, 'value').split('\n');
    return lines.map((value) => [name, value] as const);
  });
}

/** The header fields of a request; none if they are malformed. */
function anyFields(entry: unknown): Fields {
  try {
    return fieldsOf(entry, 'request');
  } catch {
    return [];
  }
}

/** The body of a stored message, content codings undone. */
interface StoredBody {
  readonly body: Uint8Array;
  readonly missing: readonly MissingPart[];
}

const NOTHING = Buffer.alloc(0);
const NOT_KEPT = 'its body is not in the HAR file';
/** An encoded body may be longer by so many bytes; some tools write the size of the encoded body. */
const LONGEST_OVERHEAD = 64;

/**
 * A body: `postData` of a request, `content` of a response. A browser may have kept only its size or its beginning. Most
 * tools decode it, whatever its header fields say; in base64, some keep the bytes as they were sent.
 */
function bodyIn(entry: unknown, side: MessageKind, headers: Fields): StoredBody {
  const holder = side === 'request' ? 'postData' : 'content';
  const codings = headerValues(headers, 'content-encoding');
  const known = knownSize(entry, side, headers, codings.length > 0);
  // Tools write null, or an empty text, for what they do not know.
  if ((valueAt(entry, [side, holder, 'text']) ?? '') === '')
    return known === 0 ? { body: NOTHING, missing: [] } : lost(NOT_KEPT);
  const text = textAt(entry, side, holder, 'text');
  const isInBase64 = /^base64$/i.test(String(valueAt(entry, [side, holder, 'encoding'])));
  const stored = isInBase64 ? fromBase64(text, [side, holder, 'text']) : Buffer.from(text);
  const body = !isInBase64 || isText(stored) ? stored : decodeContent(stored, codings, limits.savedBody);
  if (typeof body === 'string') return lost(body);
  if (known > Math.max(stored.length, body.length) + (codings.length > 0 ? LONGEST_OVERHEAD : 0))
    return lost(`the HAR file has ${body.length} of the ${known} bytes of its body`);
  return { body, missing: [] };
}

function lost(why: string): StoredBody {
  return { body: NOTHING, missing: [{ part: 'body', why }] };
}

/**
 * How long a body was, in bytes; -1 if it is not known. Chrome also writes 0 for a Blob that was posted, and for a response
 * that no script read, so the header field counts as well.
 */
function knownSize(entry: unknown, side: MessageKind, headers: Fields, isEncoded: boolean): number {
  const sizes = [
    side === 'response' ? valueAt(entry, [side, 'content', 'size']) : valueAt(entry, [side, 'bodySize']),
    isEncoded ? undefined : Number(headerValues(headers, 'content-length')[0] ?? -1),
  ];
  return Math.max(-1, ...sizes.filter((size): size is number => Number.isInteger(size)));
}

/** RFC 4648, section 4. Some encoders add line breaks. */
function fromBase64(text: string, keys: readonly string[]): Buffer {
  const digits = text.replace(/[\r\n]/g, '');
  // An expression that repeats a group of four overflows the stack after some megabytes.
  if (digits.length % 4 !== 0 || /[^A-Za-z0-9+/]/.test(digits.replace(/={1,2}$/, '')))
    throw new Malformed(keys, 'must be base64, as its encoding says');
  return Buffer.from(digits, 'base64');
}
