import { isUtf8 } from 'node:buffer';
import { headerValues } from '../http/fields.js';
import type { ForwardedRequest, ForwardedResponse } from '../proxy/message.js';
import { decodeContent } from '../validation/content-coding.js';
import type { ShownBody } from './browser/wire.js';
import type { Hider } from './hide-secrets.js';

/** A body as the page shows it: content codings are undone, since a token could be inside. */
export function shownBody(message: ForwardedRequest | ForwardedResponse, hider: Hider): ShownBody {
  const { body, bodyLength, headers } = message;
  const codings = headerValues(headers, 'content-encoding').filter((value) => value !== 'identity');
  if (codings.length > 0 && bodyLength > 0) {
    const decoded = body.length < bodyLength ? 'it is too long' : decodeContent(body, codings);
    if (typeof decoded === 'string')
      return { missing: `it is encoded, and not decoded here: ${decoded}`, bytes: bodyLength };
    return { ...shownBytes(decoded, hider), bytes: bodyLength, note: `decoded from ${codings.join(', ')}` };
  }
  const shown = { ...shownBytes(body, hider), bytes: bodyLength };
  return body.length === bodyLength ? shown : { ...shown, note: `the first ${body.length} bytes` };
}

function shownBytes(bytes: Uint8Array, hider: Hider): Pick<ShownBody, 'text' | 'base64'> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  // Latin-1 keeps bytes apart, and a token is ASCII.
  if (!isUtf8(buffer))
    return { base64: Buffer.from(hidden(buffer.toString('latin1'), hider), 'latin1').toString('base64') };
  return { text: hidden(buffer.toString(), hider) };
}

function hidden(text: string, hider: Hider): string {
  const shown = hider.text(text);
  if (!text.includes('\0')) return shown;
  // In UTF-16, ASCII has a NUL beside each character.
  const without = text.replaceAll('\0', '');
  const hiddenWithout = hider.text(without);
  return hiddenWithout === without ? shown : hiddenWithout;
}

/** The beginning of a body for the list. It is cut after secrets are taken out of more of it. */
export function excerptOf({ body }: { readonly body: Uint8Array }, longest: number, hider: Hider): string {
  const bytes = body.subarray(0, 2 * longest + 64);
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString();
  return hidden(text, hider).slice(0, longest).toWellFormed();
}
