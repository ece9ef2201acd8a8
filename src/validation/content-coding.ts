import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';

type Decode = (bytes: Uint8Array, maxOutputLength: number) => Uint8Array;

const DECODERS: Readonly<Record<string, Decode>> = {
  gzip: (bytes, maxOutputLength) => gunzipSync(bytes, { maxOutputLength }),
  'x-gzip': (bytes, maxOutputLength) => gunzipSync(bytes, { maxOutputLength }),
  deflate: (bytes, maxOutputLength) => inflateSync(bytes, { maxOutputLength }),
  br: (bytes, maxOutputLength) => brotliDecompressSync(bytes, { maxOutputLength }),
  identity: (bytes) => bytes,
};

/**
 * Undoes the content codings of a body (RFC 9110, section 8.4).
 *
 * @param values the values of its `Content-Encoding` fields, in order
 * @param longest bytes beyond which nothing is unpacked
 * @returns the bytes, or a sentence that says why they cannot be had
 */
export function decodeContent(
  body: Uint8Array,
  values: readonly string[],
  longest: number,
): Uint8Array | string {
  const codings = values.flatMap((value) => value.split(','));
  let bytes = body;
  for (const coding of codings.reverse()) {
    const name = coding.trim().toLowerCase();
    const undo = Object.hasOwn(DECODERS, name) ? DECODERS[name] : undefined;
    if (undo === undefined) return `the Content-Encoding "${name}" is not known here`;
    try {
      bytes = undo(bytes, longest);
    } catch {
      return `the body is not what its Content-Encoding "${name}" says`;
    }
  }
  return bytes;
}
