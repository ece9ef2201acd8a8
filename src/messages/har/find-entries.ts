/** One entry in the text. */
export interface EntryPlace {
  readonly start: number;
  readonly end: number;
  /** How deeply it nests. */
  readonly depth: number;
  /** How many values it has, roughly. */
  readonly values: number;
}

/** Where the entries of a HAR are. */
export interface EntryPlaces {
  /** After the opening bracket of the array. */
  readonly open: number;
  /** The closing bracket of the array. */
  readonly close: number;
  readonly places: readonly EntryPlace[];
  /** Where neither a comma nor the closing bracket follows an entry, if that is so. What is after it is not found. */
  readonly brokenAt?: number;
}

/** So many entries are found. Those of half a gigabyte are fewer, unless someone made them up. */
export const MOST_ENTRIES = 1_000_000;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const LOG = '"log"';
const ENTRIES = '"entries"';

/**
 * Finds the array at `/log/entries` in a JSON text without reading the text: only strings and brackets matter here. What
 * it skips may be malformed. The reader of that part finds out.
 *
 * @returns `undefined` if there is no such array
 */
export function findEntries(bytes: Buffer, start: number): EntryPlaces | 'too-many-entries' | undefined {
  let depth = 0;
  let isInLog = false;
  for (let at = start; at < bytes.length; at++) {
    const byte = bytes[at] as number;
    if (byte === QUOTE) {
      const end = endOfString(bytes, at);
      const isName = (name: string): boolean =>
        end - at === name.length && bytes.toString('latin1', at, end) === name;
      if (depth === 1 && isName(LOG)) isInLog = isMember(bytes, end, 0x7b);
      else if (depth === 2 && isInLog && isName(ENTRIES) && isMember(bytes, end, 0x5b))
        return placesIn(bytes, tokenAfter(bytes, tokenAfter(bytes, end) + 1) + 1);
      at = end - 1;
    } else if (byte === 0x7b || byte === 0x5b) depth++;
    else if (byte === 0x7d || byte === 0x5d) {
      depth--;
      if (depth < 2) isInLog = false;
    }
  }
  return undefined;
}

/** Whether a string that ends here is a key, and its value begins with a bracket. */
function isMember(bytes: Buffer, end: number, bracket: number): boolean {
  const colon = tokenAfter(bytes, end);
  return bytes[colon] === COLON && bytes[tokenAfter(bytes, colon + 1)] === bracket;
}

/** The places of the elements of an array. */
function placesIn(bytes: Buffer, open: number): EntryPlaces | 'too-many-entries' {
  const places: EntryPlace[] = [];
  let at = tokenAfter(bytes, open);
  if (bytes[at] === 0x5d) return { open, close: at, places };
  while (places.length < MOST_ENTRIES) {
    const place = placeOf(bytes, at);
    places.push(place);
    const next = tokenAfter(bytes, place.end);
    if (bytes[next] === 0x5d) return { open, close: next, places };
    if (bytes[next] !== COMMA) return { open, close: next, places, brokenAt: next };
    at = tokenAfter(bytes, next + 1);
  }
  return 'too-many-entries';
}

function placeOf(bytes: Buffer, start: number): EntryPlace {
  let depth = 0;
  let deepest = 0;
  let values = 1;
  let at = start;
  for (; at < bytes.length; at++) {
    const byte = bytes[at] as number;
    if (byte === QUOTE) at = endOfString(bytes, at) - 1;
    else if (byte === 0x7b || byte === 0x5b) {
      values++;
      if (++depth > deepest) deepest = depth;
    } else if (byte === 0x7d || byte === 0x5d) {
      if (depth === 0) break;
      if (--depth > 0) continue;
      at++;
      break;
    } else if (depth === 0 && (byte === COMMA || isSpace(byte))) break;
    else if (byte === COMMA) values++;
  }
  return { start, end: Math.min(at, bytes.length), depth: deepest, values };
}

/** After the closing quote of the string that begins here. */
function endOfString(bytes: Buffer, start: number): number {
  let at = start + 1;
  while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
  return Math.min(at + 1, bytes.length);
}

/** The first byte from here that is not white space. */
function tokenAfter(bytes: Buffer, from: number): number {
  let at = from;
  while (at < bytes.length && isSpace(bytes[at] as number)) at++;
  return at;
}

function isSpace(byte: number): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}
