import { type Source, unreadable } from '../source.js';
import { lineAt, readFields } from './head.js';

/** RFC 9112, section 7.1: a size in hexadecimal digits, and extensions. */
const SIZE_LINE = /^([0-9a-fA-F]+)[ \t]*(?:;.*)?$/;
/** More digits than any body has bytes for. */
const LONGEST_SIZE = 12;

/** Whether a chunk begins here. */
export function isChunk(source: Source, from: number): boolean {
  return SIZE_LINE.test(lineAt(source, from).text);
}

/**
 * Puts a body in chunks together; trailers are read, and left where they are.
 *
 * @throws ToolkitError `invalid-message` where a chunk is malformed or cut short
 */
export function readChunks(source: Source, from: number): { readonly body: Buffer; readonly to: number } {
  const { bytes } = source;
  const parts: Buffer[] = [];
  let at = from;
  for (;;) {
    const { text, next, complete } = lineAt(source, at);
    const digits = SIZE_LINE.exec(text)?.[1]?.replace(/^0+(?=.)/, '');
    if (digits === undefined && at < bytes.length)
      throw unreadable(source, at, 'a chunk begins with its size in hexadecimal digits');
    if (digits === undefined || !complete)
      throw unreadable(source, bytes.length, 'it ends before the last chunk of the body');
    const size = digits.length > LONGEST_SIZE ? Number.POSITIVE_INFINITY : Number.parseInt(digits, 16);
    if (size === 0) return { body: Buffer.concat(parts), to: readFields(source, next).to };
    const end = next + size;
    if (end > bytes.length)
      throw unreadable(
        source,
        at,
        `the chunk has a size of 0x${digits.slice(0, LONGEST_SIZE)}${digits.length > LONGEST_SIZE ? '…' : ''}, and ${bytesThere(bytes.length - next)}`,
      );
    parts.push(bytes.subarray(next, end));
    at = lineEndAfter(source, end, bytes.subarray(at + text.length, next));
  }
}

/** `1 byte follows`, `3 bytes follow`. */
export function bytesThere(count: number): string {
  return count === 1 ? '1 byte follows' : `${count === 0 ? 'no' : count} bytes follow`;
}

/**
 * Steps over the line end behind a chunk. It has to be that of the line of its size: behind a chunk whose size is one
 * too large, an LF is left of CRLF.
 */
function lineEndAfter(source: Source, end: number, lineEnd: Buffer): number {
  const next = end + lineEnd.length;
  const there = source.bytes.subarray(end, next);
  if (there.equals(lineEnd)) return next;
  if (next > source.bytes.length && there.equals(lineEnd.subarray(0, there.length)))
    throw unreadable(source, source.bytes.length, 'it ends before the last chunk of the body');
  throw unreadable(source, end, 'the chunk does not end where its size says');
}
