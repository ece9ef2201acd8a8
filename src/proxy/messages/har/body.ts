import { type Fields, headerValues } from '../../../http/fields.js';
import { codingsIn, contentOf } from '../content.js';
import type { StoredBody } from '../stored-message.js';
import type { ReadAttached } from './attached.js';
import type { HarNode } from './log.js';

/** The body of a request: `postData`, which is missing if nothing was posted. */
export function requestBody(request: HarNode, headers: Fields, attached: ReadAttached): StoredBody {
  const postData = request.member('postData');
  const stored = storedIn(postData, attached);
  // Some tools count the header fields in `bodySize`.
  if (stored !== undefined) return decoded(stored, headers, Number(announcedLength(headers) ?? -1));
  const params = postData.member('params');
  if (params.isThere && params.elements().length > 0)
    return lost('its body is in the HAR file as form fields only');
  const size = request.member('bodySize').size();
  const isChunked = headerValues(headers, 'transfer-encoding').length > 0;
  const isNothingPosted = !postData.isThere || postData.member('text').isThere;
  return !isChunked && isEmpty(size, headers, isNothingPosted) ? EMPTY : lost(NOT_KEPT);
}

/** The body of a response: `content`, of which a browser may have kept only the size. */
export function responseBody(response: HarNode, headers: Fields, attached: ReadAttached): StoredBody {
  const content = response.member('content');
  const size = content.member('size').size();
  const stored = storedIn(content, attached);
  if (stored !== undefined) {
    const body = decoded(stored, headers, size);
    return stored.isText && !isUtf8(body, headers) ? lost(DECODED) : body;
  }
  const sent = size < 0 ? response.member('bodySize').size() : size;
  return isEmpty(sent, headers, false) ? EMPTY : lost(NOT_KEPT);
}

const EMPTY: StoredBody = { body: Buffer.alloc(0), missing: [] };
const NOT_KEPT = 'its body is not in the HAR file';
const DECODED = 'its body is in the HAR file as text, decoded from a charset other than UTF-8';

function lost(why: string): StoredBody {
  return { body: EMPTY.body, missing: [{ part: 'body', why }] };
}

/** Whether the bytes of a text are those that were sent: it was decoded by the charset that the header names. */
function isUtf8({ body }: StoredBody, headers: Fields): boolean {
  const [, charset] = /;\s*charset="?([^\s;"]+)/i.exec(headerValues(headers, 'content-type').join()) ?? [];
  if (charset === undefined || /^utf-?8$/i.test(charset)) return true;
  return !/^(?:utf|ucs)/i.test(charset) && body.every((byte) => byte < 0x80);
}

/** The length of an empty body in gzip. */
const GZIPPED_NOTHING = 20;

/**
 * Whether a missing body was empty. Chrome also writes the size 0 for a Blob that was posted, and for a response that no
 * script read, so the header must agree. If the size is -1, only the header shows it.
 */
function isEmpty(size: number, headers: Fields, otherwise: boolean): boolean {
  const length = announcedLength(headers);
  if (length === undefined) return size < 0 ? otherwise : size === 0;
  const isEncoded = codingsIn(headers).length > 0;
  return size <= 0 && Number(length) <= (isEncoded && size === 0 ? GZIPPED_NOTHING : 0);
}

function announcedLength(headers: Fields): string | undefined {
  return headerValues(headers, 'content-length')[0];
}

/** What a HAR has of a body. */
interface Stored {
  /** Its bytes, or why they are not there. */
  readonly kept: Uint8Array | string;
  /** Whether a tool decoded it, and wrote it as a text. */
  readonly isText: boolean;
}

/** The body in `text`, or in the file that `_file` names: Playwright attaches it so. */
function storedIn(holder: HarNode, attached: ReadAttached): Stored | undefined {
  const text = holder.member('text').optionalText() ?? '';
  if (text !== '')
    return isInBase64(holder)
      ? { kept: fromBase64(text, holder), isText: false }
      : { kept: Buffer.from(text), isText: true };
  const file = holder.member('_file').optionalText();
  return file === undefined ? undefined : { kept: attached(file), isText: false };
}

/**
 * A body, decoded whatever Content-Encoding, Content-Length and Transfer-Encoding say. In base64, some tools
 * keep the bytes as they were sent.
 *
 * @param size its length, encoded or not, if known
 */
function decoded({ kept, isText }: Stored, headers: Fields, size: number): StoredBody {
  if (typeof kept === 'string') return lost(kept);
  const codings = codingsIn(headers);
  const content = contentOf(kept, isText ? [] : codings, false);
  if ('lost' in content) return lost(content.lost);
  const longest = Math.max(kept.length, content.body.length) + (codings.length > 0 ? LONGEST_OVERHEAD : 0);
  if (size > longest) return lost(`the HAR file has ${content.body.length} of the ${size} bytes of its body`);
  return { body: content.body, missing: [] };
}

/** An encoded body may be longer by so many bytes; some tools write the size of the encoded body. */
const LONGEST_OVERHEAD = 64;

function isInBase64(holder: HarNode): boolean {
  const encoding = holder.member('encoding').optionalText() ?? '';
  if (/^(?:utf-?8)?$/i.test(encoding)) return false;
  if (encoding.toLowerCase() === 'base64') return true;
  throw holder.member('encoding').unreadable('the only encoding in a HAR is "base64"');
}

/** RFC 4648, section 4. Some encoders add line breaks. */
function fromBase64(text: string, holder: HarNode): Buffer {
  const digits = text.replace(/[\r\n]/g, '');
  // An expression that repeats a group of four overflows the stack after some megabytes.
  if (digits.length % 4 !== 0 || /[^A-Za-z0-9+/]/.test(digits.replace(/={1,2}$/, '')))
    throw holder.member('text').unreadable('it is not base64, which its encoding promises');
  return Buffer.from(digits, 'base64');
}
