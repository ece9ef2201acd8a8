import { isUtf8 } from 'node:buffer';
import { decodeContent } from '../../validation/content-coding.js';

/** A body as it is meant, or why it cannot be had. */
export type Content = { readonly body: Uint8Array; readonly note?: string } | { readonly lost: string };

/** Unpacking ends here: a body of this interface is small. */
const LONGEST_UNPACKED = 64 * 2 ** 20;

/** What tools leave behind that undo a coding and keep the header which names it: `curl --compressed`, HTTPie. */
export const SAVED_DECODED =
  'its Content-Encoding was undone before it was stored, and the body is taken as it stands';

/** The codings that a body is packed in, in order. */
export function codingsIn(values: readonly string[]): string[] {
  return values
    .flatMap((value) => value.split(','))
    .map((value) => value.trim().toLowerCase())
    .filter((name) => name !== '' && name !== 'identity');
}

/**
 * Undoes content codings.
 *
 * @param exact whether the body is known to be as it was sent, so that readable text is not taken for unpacked
 */
export function contentOf(stored: Uint8Array, codings: readonly string[], exact: boolean): Content {
  if (codings.length === 0 || stored.length === 0) return { body: stored };
  if (!exact && isPlainText(stored)) return { body: stored, note: SAVED_DECODED };
  const decoded = decodeContent(stored, codings, LONGEST_UNPACKED);
  return typeof decoded === 'string' ? { lost: decoded } : { body: decoded };
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const CONTROL = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f]/;

/** Whether bytes are readable as they are, as nothing that is packed is. */
export function isPlainText(bytes: Uint8Array): boolean {
  return isUtf8(bytes) && !CONTROL.test(Buffer.from(bytes).toString('latin1'));
}
