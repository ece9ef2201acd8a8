import { isUtf8 } from 'node:buffer';
import type { ForwardedRequest, ForwardedResponse } from '../../http/exchange.js';
import { headerValues } from '../../http/fields.js';
import { decodeContent } from '../../validation/content-coding.js';
import type { ShownBody } from './browser/wire.js';
import type { ExchangeRedactor } from './exchange-redactor.js';

/** Of a longer body, its beginning is shown. To look for secrets in it takes half a second at worst. In bytes. */
const LONGEST_SHOWN = 256 * 1024;

/** A body as the page shows it: content codings are undone, since a token could be inside. */
export function shownBody(
  message: ForwardedRequest | ForwardedResponse,
  redactor: ExchangeRedactor,
): ShownBody {
  const { body, bodyLength, headers } = message;
  const codings = headerValues(headers, 'content-encoding').filter((value) => value !== 'identity');
  if (codings.length > 0 && bodyLength > 0) {
    const decoded = body.length < bodyLength ? 'it is too long' : decodeContent(body, codings);
    if (typeof decoded === 'string')
      return { missing: `it is encoded, and not decoded here: ${decoded}`, bytes: bodyLength };
    return shownBytes(decoded, decoded.length, bodyLength, [`decoded from ${codings.join(', ')}`], redactor);
  }
  return shownBytes(body, bodyLength, bodyLength, [], redactor);
}

function shownBytes(
  kept: Uint8Array,
  whole: number,
  bytes: number,
  notes: readonly string[],
  redactor: ExchangeRedactor,
): ShownBody {
  const end = endOfShown(kept);
  const shown = Buffer.from(kept.buffer, kept.byteOffset, end);
  const isCut = end < whole;
  const note = [...notes, ...(isCut ? [`the first ${end} bytes`] : [])].join(', ');
  return {
    // Latin-1 keeps bytes apart, and a token is ASCII.
    ...(isUtf8(shown)
      ? { text: hidden(shown.toString(), redactor) }
      : { base64: Buffer.from(hidden(shown.toString('latin1'), redactor), 'latin1').toString('base64') }),
    bytes,
    ...(note !== '' && { note }),
    ...(isCut && { cut: true }),
  };
}

/** Not within a character. */
function endOfShown(bytes: Uint8Array): number {
  let end = Math.min(bytes.length, LONGEST_SHOWN);
  while (end < bytes.length && end > LONGEST_SHOWN - 4 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end--;
  return end;
}

function hidden(text: string, redactor: ExchangeRedactor): string {
  const shown = redactor.text(text);
  if (!text.includes('\0')) return shown;
  // In UTF-16, ASCII has a NUL beside each character.
  const without = text.replaceAll('\0', '');
  const hiddenWithout = redactor.text(without);
  return hiddenWithout === without ? shown : hiddenWithout;
}

/** The beginning of a body for the list. It is cut after secrets are taken out of more of it. */
export function excerptOf(
  { body }: { readonly body: Uint8Array },
  longest: number,
  redactor: ExchangeRedactor,
): string {
  const bytes = body.subarray(0, 2 * longest + 64);
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString();
  return hidden(text, redactor).slice(0, longest).toWellFormed();
}
