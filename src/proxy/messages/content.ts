import { isUtf8 } from 'node:buffer';
import { headerValues } from '../../http/fields.js';
import { limits } from '../../http/limits.js';
import { decodeContent } from '../../validation/content-coding.js';
import type { HeaderFields } from '../../validation/index.js';

/** A decoded body, or why it cannot be decoded. */
export type Content = { readonly body: Uint8Array; readonly note?: string } | { readonly lost: string };

/** Tools such as `curl --compressed` and HTTPie decode a body, but save the header that names its coding. */
const SAVED_DECODED = 'the tool that saved it undid its Content-Encoding; the body is judged as it was saved';

/** The codings of a body, in order. */
export function codingsIn(headers: HeaderFields): string[] {
  return headerValues(headers, 'content-encoding')
    .flatMap((value) => value.split(','))
    .map((value) => value.trim().toLowerCase())
    .filter((name) => name !== '' && name !== 'identity');
}

/**
 * Undoes content codings.
 *
 * @param exact whether the body is known to be as it was sent; otherwise, readable text counts as decoded already
 */
export function contentOf(stored: Uint8Array, codings: readonly string[], exact: boolean): Content {
  if (stored.length > limits.savedBody) return { lost: `the body has more than ${limits.savedBody} bytes` };
  if (codings.length === 0 || stored.length === 0) return { body: stored };
  if (!exact && isPlainText(stored)) return { body: stored, note: SAVED_DECODED };
  const decoded = decodeContent(stored, codings, limits.savedBody);
  return typeof decoded === 'string' ? { lost: decoded } : { body: decoded };
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const CONTROL = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f]/;

/** Whether bytes are readable text. Compressed bytes never are. */
export function isPlainText(bytes: Uint8Array): boolean {
  return isUtf8(bytes) && !CONTROL.test(Buffer.from(bytes).toString('latin1'));
}
