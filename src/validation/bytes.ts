import { isUtf8 } from 'node:buffer';

// Text and bytes, as fast as Node converts them. Where there is no Node API, bytes-portable.ts takes the place of this file.

export { isUtf8 };

/** Bytes from which texts can be taken: those given, not copied. */
export function readable(bytes: Uint8Array): Uint8Array {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** @param bytes readable and well-formed UTF-8 */
export function textIn(bytes: Uint8Array, start = 0, end = bytes.length): string {
  return (bytes as Buffer).toString('utf8', start, end);
}

/** @param bytes readable and ASCII */
export function asciiIn(bytes: Uint8Array, start = 0, end = bytes.length): string {
  return (bytes as Buffer).toString('latin1', start, end);
}

/** The UTF-8 form of a text; a lone surrogate becomes U+FFFD. */
export function utf8Of(text: string): Uint8Array {
  return Buffer.from(text);
}
