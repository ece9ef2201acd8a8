import { MAX_DEPTH, readJson } from '../validation/json.js';
import type { JsonValue } from '../validation/json-value.js';

/** The body of a request as JSON. */
export interface ParsedBody {
  /**
   * The body as JSON, read exactly: an integer beyond 2^53 is a `bigint`. `undefined` if the body is not JSON. Of equal
   * keys, the last one counts.
   */
  readonly json: JsonValue | undefined;
}

/** Adds the body as JSON. It is parsed when it is read first: most log entries are never read so closely. */
export function withJson<Request extends { readonly body: Uint8Array }>(
  request: Request,
): Request & ParsedBody {
  return Object.defineProperty(request, 'json', {
    enumerable: true,
    configurable: true,
    get() {
      const read = readJson(request.body);
      const value = read.ok ? read.value : undefined;
      Object.defineProperty(request, 'json', { value, enumerable: true });
      return value;
    },
  }) as Request & ParsedBody;
}

const [QUOTE, BACKSLASH] = [0x22, 0x5c];

/** The place after the closing quote of the string that begins here, or after the end of the text. */
function endOfString(bytes: Uint8Array, start: number): number {
  let at = start + 1;
  while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
  return at + 1;
}

const opens = (byte: number | undefined): boolean => byte === 0x5b || byte === 0x7b;
const closes = (byte: number | undefined): boolean => byte === 0x5d || byte === 0x7d;

/** Where a JSON text nests deeper than so many levels of arrays and objects. */
export function tooDeepAt(bytes: Uint8Array, levels: number): number | undefined {
  // Each level takes a byte.
  if (bytes.length <= levels) return undefined;
  let depth = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === QUOTE) at = endOfString(bytes, at) - 1;
    else if (opens(byte) && ++depth > levels) return at;
    else if (closes(byte)) depth--;
  }
  return undefined;
}

/**
 * Reads JSON however deep it nests. The exact reader has a limit, so it gets the text without what is deeper: `JSON.parse`
 * has accepted that, and no field of a plant is there.
 */
export function readDeepJson(bytes: Uint8Array): ReturnType<typeof readJson> {
  if (tooDeepAt(bytes, MAX_DEPTH) === undefined) return readJson(bytes);
  try {
    JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes));
  } catch {
    return { ok: false, offset: 0, message: 'it nests deeply, and a part of it is malformed' };
  }
  return readJson(shallow(bytes));
}

/** The same JSON text, with null for every array and object that the exact reader would not read. */
function shallow(bytes: Uint8Array): Uint8Array {
  const parts: Uint8Array[] = [];
  let depth = 0;
  let from = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === QUOTE) at = endOfString(bytes, at) - 1;
    else if (opens(byte) && ++depth === MAX_DEPTH + 1)
      parts.push(bytes.subarray(from, at), Buffer.from('null'));
    else if (closes(byte) && depth-- === MAX_DEPTH + 1) from = at + 1;
  }
  return Buffer.concat([...parts, bytes.subarray(from)]);
}
