import type { Fields } from '../../conformance/exchange.js';
import { headerValues } from '../../validation/message.js';
import { codingsIn, contentOf } from '../raw/content.js';
import type { Loss } from '../stored-message.js';
import type { Fragment } from './fragment.js';

/** A body as a HAR holds it. */
export interface HarBody {
  readonly body: Uint8Array;
  readonly losses: readonly Loss[];
}

/** The body of a request: `postData`, which is left out where nothing was posted. */
export function requestBody(request: Fragment, headers: Fields): HarBody {
  const postData = request.member('postData');
  // Some tools count header fields of an upload in `bodySize`.
  const stored = storedText(postData, headers, Number(announcedLength(headers) ?? -1));
  if (stored !== undefined) return stored;
  const params = postData.member('params');
  if (params.isThere && params.elements().length > 0)
    return lost('its body is in the HAR as form fields only');
  const size = request.member('bodySize').size();
  const isChunked = headerValues(headers, 'transfer-encoding').length > 0;
  const nothingWasPosted = !postData.isThere || postData.member('text').isThere;
  return !isChunked && isEmpty(size, headers, nothingWasPosted) ? EMPTY : lost(NOT_KEPT);
}

/** The body of a response: `content`, of which a browser may have kept the size alone. */
export function responseBody(response: Fragment, headers: Fields): HarBody {
  const content = response.member('content');
  const size = content.member('size').size();
  const stored = storedText(content, headers, size);
  if (stored !== undefined) return isInBase64(content) || isUtf8(stored, headers) ? stored : lost(DECODED);
  const sent = size < 0 ? response.member('bodySize').size() : size;
  return isEmpty(sent, headers, false) ? EMPTY : lost(NOT_KEPT);
}

const EMPTY: HarBody = { body: Buffer.alloc(0), losses: [] };
const NOT_KEPT = 'its body is not in the HAR';
const DECODED = 'its body is in the HAR as it was decoded from another charset than UTF-8';

function lost(why: string): HarBody {
  return { body: EMPTY.body, losses: [{ part: 'body', why }] };
}

/** Whether the bytes of a text are those that came: it was decoded by the charset that the header names. */
function isUtf8({ body }: HarBody, headers: Fields): boolean {
  const [, charset] = /;\s*charset="?([^\s;"]+)/i.exec(headerValues(headers, 'content-type').join()) ?? [];
  if (charset === undefined || /^utf-?8$/i.test(charset)) return true;
  return !/^(?:utf|ucs)/i.test(charset) && body.every((byte) => byte < 0x80);
}

/** What gzip makes of nothing. */
const PACKED_NOTHING = 20;

/**
 * Whether a body that is not there was empty. Chrome writes the size 0 of a Blob that was posted, and of an answer
 * that nobody read: the header has to agree. A size of -1 says nothing, and then the header alone does.
 */
function isEmpty(size: number, headers: Fields, otherwise: boolean): boolean {
  const length = announcedLength(headers);
  if (length === undefined) return size < 0 ? otherwise : size === 0;
  const isPacked = codingsIn(headerValues(headers, 'content-encoding')).length > 0;
  return size <= 0 && Number(length) <= (isPacked && size === 0 ? PACKED_NOTHING : 0);
}

function announcedLength(headers: Fields): string | undefined {
  return headerValues(headers, 'content-length')[0];
}

/**
 * What stands in `text`. It is there decoded, whatever Content-Encoding, Content-Length and Transfer-Encoding say of
 * what was sent; in base64, some tools keep the bytes as they were sent.
 *
 * @param size how long it was, packed or not, where that is known
 */
function storedText(holder: Fragment, headers: Fields, size: number): HarBody | undefined {
  const text = holder.member('text').optionalText();
  if (text === undefined || text === '') return undefined;
  const codings = codingsIn(headerValues(headers, 'content-encoding'));
  const isBase64 = isInBase64(holder);
  const held = isBase64 ? fromBase64(text, holder) : Buffer.from(text);
  const content = isBase64 ? contentOf(held, codings, false) : { body: held };
  if ('lost' in content) return lost(content.lost);
  const longest = Math.max(held.length, content.body.length) + (codings.length > 0 ? LONGEST_PACKING : 0);
  if (size > longest) return lost(`of the ${size} bytes of its body, the HAR has ${content.body.length}`);
  return { body: content.body, losses: [] };
}

/** By how many bytes a body may be longer packed: some tools write the size of what was sent. */
const LONGEST_PACKING = 64;

function isInBase64(holder: Fragment): boolean {
  const encoding = holder.member('encoding').optionalText() ?? '';
  if (/^(?:utf-?8)?$/i.test(encoding)) return false;
  if (encoding.toLowerCase() === 'base64') return true;
  throw holder.member('encoding').unreadable('the only encoding of a text in a HAR is "base64"');
}

/** RFC 4648, section 4, with line breaks, which some encoders put in. */
function fromBase64(text: string, holder: Fragment): Buffer {
  const packed = text.replace(/[\r\n]/g, '');
  // An expression that repeats a group of four runs out of stack over some megabytes.
  if (packed.length % 4 !== 0 || /[^A-Za-z0-9+/]/.test(packed.replace(/={1,2}$/, '')))
    throw holder.member('text').unreadable('it is not base64, as its encoding says');
  return Buffer.from(packed, 'base64');
}
