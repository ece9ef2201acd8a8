import { type Fields, headerValues } from '../../http/fields.js';
import { limits } from '../../http/limits.js';
import { counted } from '../../report/wording.js';
import { isOperation } from '../../spec/operation.js';
import { mistakeIn } from '../../validation/acceptance.js';
import { decodeContent } from '../../validation/content-coding.js';
import { parseJsonFile } from '../../validation/json-file.js';
import { pointerTo, valueAt } from '../../validation/json-value.js';
import type { Violation } from '../../validation/violation.js';
import {
  isText,
  type MessageKind,
  type MissingPart,
  type StoredMessage,
  shownUrl,
  unjudged,
  wholeRequest,
  wholeResponse,
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
 * @throws ToolkitError `invalid-message` if it is not JSON, is no HAR, or has no such entry
 */
export function readHar(text: string, name: string, kind: MessageKind): Iterable<StoredMessage> {
  const entries = valueAt(parsed(text, name), ['log', 'entries']);
  if (!Array.isArray(entries)) throw unjudged(name, NO_HAR);
  const creations = entries.flatMap((entry, at) => (isOther(entry) ? [] : [{ entry, at }]));
  if (creations.length === 0)
    throw unjudged(
      name,
      `is a HAR file without a POST …/plants: ${counted(entries.length, 'other request')}`,
    );
  if (creations.length > MOST_MESSAGES)
    throw unjudged(name, `has more than ${MOST_MESSAGES} entries of POST …/plants; export fewer of them`);
  return messagesIn(creations, kind);
}

function parsed(text: string, name: string): unknown {
  try {
    return parseJsonFile(text);
  } catch (cause) {
    throw unjudged(name, `is not JSON: ${(cause as Error).message}`);
  }
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
function* messagesIn(creations: readonly Creation[], kind: MessageKind): Iterable<StoredMessage> {
  for (const { entry, at } of creations) {
    const pointer = pointerTo(['log', 'entries', at, kind]);
    const credentials = unlessMalformed(
      () => fieldsOf(entry, 'request'),
      () => [],
    );
    yield unlessMalformed<StoredMessage>(
      () => ({ pointer, credentials, ...messageIn(entry, kind) }),
      (why) => ({ pointer, credentials, title: `entry ${at + 1}`, unjudged: ['blocked', why] }),
    );
  }
}

function messageIn(entry: unknown, kind: MessageKind): Omit<StoredMessage, 'pointer'> {
  const to = `POST ${shownUrl(textAt(entry, 'request', 'url'))}`;
  if (kind === 'request') return { title: to, ...requestIn(entry) };
  const status = valueAt(entry, ['response', 'status']);
  if (typeof status !== 'number') throw new Malformed(['response', 'status']);
  // Browsers write 0 if the request was aborted, blocked by CORS, or never got a response.
  if (status <= 0)
    return { title: `no response to ${to}`, unjudged: ['not-applicable', 'there is no response'] };
  const { headers, body, missing } = contentOf(entry, 'response');
  return {
    title: `${status} to ${to}`,
    message: wholeResponse(status, headers, body),
    missing,
    // If the request cannot be read, only the response is judged.
    mistake: unlessMalformed(
      () => mistakeBefore(entry),
      () => undefined,
    ),
  };
}

function requestIn(entry: unknown) {
  const { headers, body, missing } = contentOf(entry, 'request');
  return {
    message: wholeRequest('POST', textAt(entry, 'request', 'url'), headers, body),
    missing: [...missing, ...missingToken(headers)],
  };
}

/**
 * Why the request of a response must be rejected. Tools leave tokens out, so only its body counts, and only if nothing of it may have
 * been cut off.
 */
function mistakeBefore(entry: unknown): Violation | undefined {
  const { message, missing } = requestIn(entry);
  const { request } = message;
  if (missing.some(({ part }) => part === 'body')) return undefined;
  const isWhole = headerValues(request.headers, 'content-length').length > 0;
  return mistakeIn(request, ({ part, pointer }) => part === 'body' && (pointer !== '' || isWhole));
}

/** What tools write instead of a token. */
const PLACEHOLDER = /redact|sanitis|sanitiz|removed|hidden|filtered|scrubbed|\*{3}|…|•|\$[A-Z_]{4}/i;

const NO_TOKEN =
  'the HAR file has no token: the tool left it out, as Chrome does unless it exports "with sensitive data"';

function missingToken(headers: Fields): MissingPart[] {
  const values = headerValues(headers, 'authorization');
  if (values.some((value) => value !== '' && !PLACEHOLDER.test(value))) return [];
  return [{ part: 'header', pointer: '/authorization', why: NO_TOKEN }];
}

/** What is wrong in an entry, and where. Thrown and caught in this file. */
class Malformed extends Error {
  constructor(keys: readonly (string | number)[]) {
    super(`${pointerTo(keys)} of the entry is not as HAR 1.2 says`);
  }
}

function unlessMalformed<T>(read: () => T, otherwise: (why: string) => T): T {
  try {
    return read();
  } catch (cause) {
    if (!(cause instanceof Malformed)) throw cause;
    return otherwise(cause.message);
  }
}

function textAt(entry: unknown, ...keys: (string | number)[]): string {
  const value = valueAt(entry, keys.map(String));
  if (typeof value !== 'string') throw new Malformed(keys);
  return value;
}

/** The header fields of a message. Browsers write several fields of one name as lines of one value. */
function fieldsOf(entry: unknown, side: MessageKind): Fields {
  const headers = valueAt(entry, [side, 'headers']);
  if (!Array.isArray(headers)) throw new Malformed([side, 'headers']);
  return headers.flatMap((_, at) => {
    const name = textAt(entry, side, 'headers', at, 'name');
    const lines = textAt(entry, side, 'headers', at, 'value').split('\n');
    return lines.map((value) => [name, value] as const);
  });
}

/** The header fields and the body of a stored message, content codings undone. */
interface Content {
  readonly headers: Fields;
  readonly body: Uint8Array;
  readonly missing: readonly MissingPart[];
}

const NOTHING = Buffer.alloc(0);
const NOT_KEPT = 'its body is not in the HAR file, or not all of it';
/** An encoded body may be longer by so many bytes; some tools write the size of the encoded body. */
const LONGEST_OVERHEAD = 64;

/**
 * A body: `postData` of a request, `content` of a response. A browser may have kept only its size or its beginning. Most
 * tools decode it, whatever its header fields say; in base64, some keep the bytes as they were sent.
 */
function contentOf(entry: unknown, side: MessageKind): Content {
  const fields = fieldsOf(entry, side);
  const headers = withoutCodings(fields);
  const lost = (why: string): Content => ({ headers, body: NOTHING, missing: [{ part: 'body', why }] });
  const holder = side === 'request' ? 'postData' : 'content';
  const codings = headerValues(fields, 'content-encoding');
  const known = knownSize(entry, side, fields, codings.length > 0);
  // Tools write null, or an empty text, for what they do not know.
  if ((valueAt(entry, [side, holder, 'text']) ?? '') === '')
    return known === 0 ? { headers, body: NOTHING, missing: [] } : lost(NOT_KEPT);
  const text = textAt(entry, side, holder, 'text');
  const isInBase64 = /^base64$/i.test(String(valueAt(entry, [side, holder, 'encoding'])));
  const stored = isInBase64 ? fromBase64(text, [side, holder, 'text']) : Buffer.from(text);
  const body = !isInBase64 || isText(stored) ? stored : decodeContent(stored, codings, limits.savedBody);
  if (typeof body === 'string') return lost(body);
  if (known > Math.max(stored.length, body.length) + (codings.length > 0 ? LONGEST_OVERHEAD : 0))
    return lost(NOT_KEPT);
  return { headers, body, missing: [] };
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
  const bytes = Buffer.from(digits, 'base64');
  // Node leaves out what is no digit.
  if (bytes.toString('base64') !== digits) throw new Malformed(keys);
  return bytes;
}
