import { isUtf8 } from 'node:buffer';
import { limits } from '../../http/limits.js';
import { readJson } from '../../validation/json.js';
import { MAX_DEPTH, parseExactly } from '../../validation/json-parser.js';
import { isObject, type JsonValue } from '../../validation/json-value.js';
import { nothingToJudge, type Source, unreadable } from '../source.js';
import { type EntryPlace, type EntryPlaces, findEntries, MOST_ENTRIES } from './find-entries.js';
import { Fragment } from './fragment.js';

/** A HAR whose entries are read one by one: all at once, their values may take ten times the memory of their text. */
export interface HarOutline {
  /** The document without its entries. */
  readonly log: Fragment;
  /** How many entries there are. */
  readonly length: number;
  /** Reads the entries, or those with these indexes. */
  entries(indexes?: Iterable<number>): Iterable<Fragment>;
}

/** Each value takes much more memory than its text. */
const MOST_VALUES = 1_000_000;

const NO_HAR =
  'is JSON but not a HAR file, which has /log/entries; for a body alone, name its schema: --as plant, new-plant or error';

/**
 * Reads everything in a HAR except for its entries.
 *
 * @param onRead is called for each entry that is read, with its last byte
 * @throws ToolkitError `invalid-message` if it is not JSON there, `no-message` if it is not a HAR
 */
export function outlineOf(source: Source, onRead: (byte: number) => void): HarOutline {
  const { bytes, start } = source;
  const found = findEntries(bytes, start);
  if (found === 'too-many-entries')
    throw nothingToJudge(source, `is a HAR file with more than ${MOST_ENTRIES} entries`);
  if (found?.brokenAt !== undefined) throw whyBroken(source, found.places, found.brokenAt);
  const root = readShell(source, found);
  if (!isObject(root) || !isObject(root.log)) throw nothingToJudge(source, NO_HAR);
  const log = new Fragment(source, '', undefined, root).member('log');
  // Their names may be written with escapes, or there are none.
  if (found === undefined) return withEntries(log, onRead, bytes.length);
  const { places } = found;
  return {
    log,
    length: places.length,
    *entries(indexes = places.keys()) {
      for (const index of indexes) {
        const place = places[index] as EntryPlace;
        yield new Fragment(source, '/log/entries', index, readEntry(source, place));
        onRead(place.end);
      }
    },
  };
}

/**
 * A HAR that was read whole.
 *
 * @throws ToolkitError `invalid-message` if the entries are something else than an array
 */
function withEntries(log: Fragment, onRead: (byte: number) => void, length: number): HarOutline {
  const all = log.member('entries').elements();
  return {
    log,
    length: all.length,
    *entries(indexes = all.keys()) {
      for (const index of indexes) {
        yield all[index] as Fragment;
        onRead(length);
      }
    },
  };
}

/** The document, with an empty array for its entries. */
function readShell(source: Source, found: EntryPlaces | undefined): JsonValue {
  const { bytes, start } = source;
  const [open, close] = found === undefined ? [bytes.length, bytes.length] : [found.open, found.close];
  const [before, after] = [bytes.subarray(start, open), bytes.subarray(close)];
  if (before.length + after.length > limits.harShell)
    throw nothingToJudge(source, `has more than ${limits.harShell} bytes outside of /log/entries`);
  const read = readJson(Buffer.concat([before, after]));
  if (!read.ok) {
    const at = start + read.offset;
    throw unreadable(source, at < open ? at : at + close - open, notJson(read.message));
  }
  // The last of two members would count, and the entries are those of the first.
  const twice = found && read.duplicateKeys.find((key) => key === '/log' || key === '/log/entries');
  if (twice !== undefined) throw unreadable(source, twice, 'it occurs twice');
  return read.value;
}

/** Why there is no end of the entries. An entry may be malformed before that. */
function whyBroken(source: Source, places: readonly EntryPlace[], at: number): Error {
  for (const place of places) readEntry(source, place);
  const read = parseExactly(Buffer.concat([Buffer.from('[null'), source.bytes.subarray(at, at + 4)]));
  return unreadable(source, at, notJson(read.ok ? 'the entries do not end' : read.message));
}

function readEntry(source: Source, { start, end, depth, values }: EntryPlace): JsonValue {
  const bytes = source.bytes.subarray(start, end);
  if (bytes.length > limits.harEntry)
    throw unreadable(source, start, `an entry has more than ${limits.harEntry} bytes`);
  if (values > MOST_VALUES) throw unreadable(source, start, `an entry has more than ${MOST_VALUES} values`);
  try {
    // Every HAR has times with fractions. They are not needed, so they may be rounded.
    if (depth <= MAX_DEPTH && isUtf8(bytes)) return JSON.parse(bytes.toString());
  } catch {
    // The parser below says why.
  }
  // With the next byte: if the entry ends early, that is what was found instead.
  const read = parseExactly(source.bytes.subarray(start, end + 1));
  if (read.ok) throw unreadable(source, start, 'it is not JSON');
  throw unreadable(source, start + read.offset, notJson(read.message));
}

/** Why a HAR cannot be read. JSON that is nested too deeply is JSON. */
function notJson(problem: string): string {
  const isDeep = problem.includes(`deeper than ${MAX_DEPTH} levels`);
  return isDeep ? `it is nested too deeply: ${problem}` : `it is not JSON: ${problem}`;
}
