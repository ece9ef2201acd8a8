import type { Fields, Transfer } from '../exchange.js';

const LAST_CHUNK = '0\r\n';

/**
 * The bytes of a request in the pieces in which they go out.
 *
 * @param head the request line and the header fields, without the empty line
 */
export function piecesOf(
  head: string,
  body: Uint8Array,
  isChunked: boolean,
  transfer: Transfer,
): readonly Buffer[] {
  const framed = isChunked ? inChunks(body, transfer) : Buffer.from(body);
  const headPieces = cut(Buffer.from(`${head}\r\n\r\n`, 'latin1'), transfer.headCuts);
  const bodyPieces = cut(framed, transfer.endsTogether === true ? [-1] : transfer.bodyCuts);
  // Without a cut between them, the end of the head and the beginning of the body share a segment.
  if (transfer.cutAfterHead === true || transfer.awaitContinue === true)
    return [...headPieces, ...bodyPieces];
  const [first, ...rest] = bodyPieces;
  return first === undefined
    ? headPieces
    : [...headPieces.slice(0, -1), Buffer.concat([headPieces.at(-1) ?? Buffer.of(), first]), ...rest];
}

/** A body in chunks (RFC 9112, section 7.1). */
function inChunks(body: Uint8Array, { chunks = [], chunkExtension = '', trailers = [] }: Transfer): Buffer {
  const parts: (Buffer | string)[] = [];
  for (let at = 0, index = 0; at < body.length; index++) {
    const size = Math.max(1, Math.min(chunks[index] ?? chunks.at(-1) ?? body.length, body.length - at));
    parts.push(
      `${size.toString(16)}${chunkExtension}\r\n`,
      Buffer.from(body.subarray(at, at + size)),
      '\r\n',
    );
    at += size;
  }
  return Buffer.concat(
    [...parts, LAST_CHUNK, linesOf(trailers), '\r\n'].map((part) => Buffer.from(part as string)),
  );
}

/** Cuts bytes at positions. Those below 0 count from the end, and those outside the bytes are ignored. */
function cut(bytes: Buffer, cuts: readonly number[] = []): readonly Buffer[] {
  const places = cuts
    .map((at) => (at < 0 ? bytes.length + at : at))
    .filter((at) => at > 0 && at < bytes.length);
  const edges = [0, ...new Set(places.sort((a, b) => a - b)), bytes.length];
  return edges
    .slice(1)
    .map((end, at) => bytes.subarray(edges[at], end))
    .filter(({ length }) => length > 0);
}

/** Fields as lines of a message. */
export function linesOf(fields: Fields): string {
  return fields.map(([name, value]) => `${name}: ${value}\r\n`).join('');
}
