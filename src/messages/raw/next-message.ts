import type { Source } from '../source.js';
import { lineAt, startLineAt } from './head.js';

/** Where the next message begins, or where the source ends; `undefined` where something else follows. */
export function nextMessage(source: Source, from: number): number | undefined {
  const { bytes } = source;
  for (let at = from; ; ) {
    while (at < bytes.length && isSpace(bytes[at])) at++;
    if (at === bytes.length || startLineAt(source, at) !== undefined) return at;
    const { text, next } = lineAt(source, at);
    if (!TIMING.test(text)) return undefined;
    at = next;
  }
}

/** What HTTPie prints behind a response that it is asked to tell more about. */
const TIMING = /^Elapsed time: [\d.e-]{1,20}s$/;

function isSpace(byte: number | undefined): boolean {
  return byte === 0x0a || byte === 0x0d || byte === 0x20 || byte === 0x09;
}

const REQUEST_LINE = /^[A-Z]+ \S+ HTTP\/(?:1\.[01]|[23](?:\.0)?)$/;
const STATUS = /HTTP\/(?:1\.[01]|[23](?:\.0)?) [1-9]\d\d(?= |$)/;
/** A field name and its colon, or an empty line. */
const HEAD_GOES_ON = /[\w!#$%&'*+.^`|~-]+:|\r?\n/y;

/**
 * Where the first message begins behind a body that nothing ends, or where the source ends. A status line is one with a
 * header line or an empty line behind it, wherever it stands: what curl appends to a file has no line break before it.
 * No JSON text holds a line break in a string, so no body that conforms is cut here. A request line has to begin a line.
 */
export function startOfNext({ bytes, latin1 }: Source, from: number): number {
  // Line by line: one expression for all of it tries a long line again from each of its bytes.
  let lineFeed: number;
  for (let at = from; ; at = lineFeed + 1) {
    lineFeed = bytes.indexOf(0x0a, at);
    if (lineFeed === -1) return bytes.length;
    const line = latin1.slice(at, bytes[lineFeed - 1] === 0x0d ? lineFeed - 1 : lineFeed);
    if (REQUEST_LINE.test(line) || TIMING.test(line)) return at;
    HEAD_GOES_ON.lastIndex = lineFeed + 1;
    if (!HEAD_GOES_ON.test(latin1)) continue;
    // No reason phrase has a CR.
    const behindReturn = line.lastIndexOf('\r') + 1;
    const found = line.slice(behindReturn).search(STATUS);
    if (found !== -1) return at + behindReturn + found;
  }
}
