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

const EMPTY = Buffer.alloc(0);

/** The body of a request: `postData`, which is left out where nothing was posted. */
export function requestBody(request: Fragment, headers: Fields): HarBody {
  const postData = request.member('postData');
  const stored = storedText(postData, headers);
  if (stored !== undefined) return stored;
  const params = postData.member('params');
  if (params.isThere && params.elements().length > 0)
    return lost('its body is in the HAR as form fields only');
  const size = request.member('bodySize').size();
  return isEmpty(size, headers, true) ? { body: EMPTY, losses: [] } : lost(NOT_KEPT);
}

/** The body of a response: `content`, of which a browser may have kept the size alone. */
export function responseBody(response: Fragment, headers: Fields): HarBody {
  const content = response.member('content');
  const stored = storedText(content, headers);
  if (stored !== undefined) return stored;
  const size = content.member('size').size();
  return isEmpty(size < 0 ? response.member('bodySize').size() : size, headers, size === 0)
    ? { body: EMPTY, losses: [] }
    : lost(NOT_KEPT);
}

const NOT_KEPT = 'its body is not in the HAR';

function lost(why: string): HarBody {
  return { body: EMPTY, losses: [{ part: 'body', why }] };
}

/** Whether a body that is not there was empty. A size of -1 says nothing, and then the header has to. */
function isEmpty(size: number, headers: Fields, otherwise: boolean): boolean {
  if (size >= 0) return size === 0;
  const [length] = headerValues(headers, 'content-length');
  return length === undefined ? otherwise : Number(length) === 0;
}

/** RFC 4648, section 4, with line breaks, which some encoders put in. */
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/**
 * What stands in `text`. It is there decoded, whatever Content-Encoding, Content-Length and Transfer-Encoding say of
 * what was sent; in base64, some tools keep the bytes as they were sent.
 */
function storedText(holder: Fragment, headers: Fields): HarBody | undefined {
  const text = holder.member('text').optionalText();
  if (text === undefined || text === '') return undefined;
  const encoding = holder.member('encoding').optionalText() ?? '';
  if (/^(?:utf-?8)?$/i.test(encoding)) return { body: Buffer.from(text), losses: [] };
  if (encoding.toLowerCase() !== 'base64')
    throw holder.member('encoding').unreadable('the only encoding of a text in a HAR is "base64"');
  const packed = text.replace(/[\r\n]/g, '');
  if (!BASE64.test(packed)) throw holder.member('text').unreadable('it is not base64, as its encoding says');
  const content = contentOf(
    Buffer.from(packed, 'base64'),
    codingsIn(headerValues(headers, 'content-encoding')),
    false,
  );
  return 'lost' in content ? lost(content.lost) : { body: content.body, losses: [] };
}
