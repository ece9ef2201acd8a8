import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync } from 'node:zlib';
import { limits } from '../http/limits.js';
import { quoted } from './violation.js';

type Decode = (bytes: Uint8Array, options: { readonly maxOutputLength: number }) => Uint8Array;

const DECODERS: Readonly<Record<string, Decode>> = {
  gzip: gunzipSync,
  'x-gzip': gunzipSync,
  deflate(bytes, options) {
    // Some servers send the data without the zlib wrapper, and clients accept that (RFC 9110, section 8.4.1.2).
    const isWrapped = ((bytes[0] ?? 0) & 0x0f) === 8 && (((bytes[0] ?? 0) << 8) | (bytes[1] ?? 0)) % 31 === 0;
    return (isWrapped ? inflateSync : inflateRawSync)(bytes, options);
  },
  br: brotliDecompressSync,
  identity: (bytes) => bytes,
};

/** No server uses more than one or two. Each may cost as much as a body of the limit. */
const MOST_CODINGS = 4;

/**
 * Undoes the content codings of a body (RFC 9110, section 8.4).
 *
 * @param values the values of its `Content-Encoding` fields, in order
 * @param longest a body that decodes to more bytes is an error
 * @returns the decoded bytes, or a sentence that says why the body cannot be decoded
 */
export function decodeContent(
  body: Uint8Array,
  values: readonly string[],
  longest: number = limits.body,
): Uint8Array | string {
  const codings = values.flatMap((value) => value.split(',', MOST_CODINGS + 1));
  if (codings.length > MOST_CODINGS) return `the body has more than ${MOST_CODINGS} content codings`;
  let bytes = body;
  for (const coding of codings.reverse()) {
    const name = coding.trim().toLowerCase();
    const undo = Object.hasOwn(DECODERS, name) ? DECODERS[name] : undefined;
    if (undo === undefined) return `the Content-Encoding ${quoted(name)} is not supported`;
    try {
      bytes = undo(bytes, { maxOutputLength: longest });
    } catch (cause) {
      const isTooLong = (cause as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE';
      return isTooLong
        ? `the body has more than ${longest} bytes after its Content-Encoding "${name}" is undone`
        : `the body is not valid "${name}", its Content-Encoding`;
    }
  }
  return bytes;
}

/** Whether `decodeContent` says that the bytes are wrong, and not that the coding is unknown or the body too long. */
export function isWrongCoding(problem: string): boolean {
  return problem.startsWith('the body is not valid');
}
