import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync, type ZlibOptions } from 'node:zlib';
import { limits } from '../http/limits.js';
import { quoted } from './violation.js';

/** @throws Error with `isSurplus` if bytes follow the encoded body */
type Decode = (bytes: Uint8Array, maxOutputLength: number) => Uint8Array;

/** Node ignores most of what follows the end of encoded data. Other readers reject it, and no coding allows it. */
function whole(undo: (bytes: Uint8Array, options: ZlibOptions) => unknown): Decode {
  return (bytes, maxOutputLength) => {
    const { buffer, engine } = undo(bytes, { maxOutputLength, info: true }) as Info;
    if (engine.bytesWritten < bytes.length) throw Object.assign(new Error('surplus'), { isSurplus: true });
    return buffer;
  };
}

/** What Node returns with the option `info`. Its types do not say so. */
interface Info {
  readonly buffer: Uint8Array;
  readonly engine: { readonly bytesWritten: number };
}

const wrapped = whole(inflateSync);
const unwrapped = whole(inflateRawSync);

const DECODERS: Readonly<Record<string, Decode>> = {
  gzip: whole(gunzipSync),
  'x-gzip': whole(gunzipSync),
  deflate: (bytes, maxOutputLength) => {
    // Some servers send the data without the zlib wrapper, and clients accept that (RFC 9110, section 8.4.1.2).
    const isWrapped = ((bytes[0] ?? 0) & 0x0f) === 8 && (((bytes[0] ?? 0) << 8) | (bytes[1] ?? 0)) % 31 === 0;
    return (isWrapped ? wrapped : unwrapped)(bytes, maxOutputLength);
  },
  br: whole(brotliDecompressSync),
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
      bytes = undo(bytes, longest);
    } catch (cause) {
      const { code, isSurplus } = cause as { readonly code?: string; readonly isSurplus?: true };
      if (isSurplus) return `the body goes on after the end of its Content-Encoding "${name}"`;
      const isTooLong = code === 'ERR_BUFFER_TOO_LARGE';
      return isTooLong
        ? `the body has more than ${longest} bytes after its Content-Encoding "${name}" is undone`
        : `the body is not valid "${name}", its Content-Encoding`;
    }
  }
  return bytes;
}

/** Whether `decodeContent` says that the bytes are wrong, and not that the coding is unknown or the body too long. */
export function isWrongCoding(problem: string): boolean {
  return /^the body (?:is not valid|goes on)/.test(problem);
}
