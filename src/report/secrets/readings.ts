import { decodeEscapes } from './decode-escapes.js';

/** Part of a text, from `start` up to `end`. */
interface Place {
  readonly start: number;
  readonly end: number;
}

/** A text as somebody may decode it. */
export interface Reading {
  readonly text: string;
  /** Whether it was in base64 or in hexadecimal digits. */
  readonly isEncoded: boolean;
  /** Where in the original text a part of this one is. */
  placeOf(part: Place): Place;
}

/** Encodings within encodings: base64 of a text with a secret in hexadecimal digits, and one more. */
const DEEPEST = 3;

/** What may be base64, if need be in lines, and what may be hexadecimal digits, also in the middle of a word. */
const RUNS = {
  4: {
    base64: /[A-Za-z0-9+/_-]{6,}(?:(?<=[A-Za-z0-9+/_-]{60})\r?\n[A-Za-z0-9+/_-]+)*={0,2}/g,
    hex: /(?:[0-9a-f]{2}[ :-]){3,}[0-9a-f]{2}|[0-9a-f]{8,}/gi,
  },
  6: {
    base64: /[A-Za-z0-9+/_-]{8,}(?:(?<=[A-Za-z0-9+/_-]{60})\r?\n[A-Za-z0-9+/_-]+)*={0,2}/g,
    hex: /(?:[0-9a-f]{2}[ :-]){5,}[0-9a-f]{2}|[0-9a-f]{12,}/gi,
  },
} as const;
const TEXT_INSIDE = /[\x20-\x7e]{4}/;

/**
 * Everything that a text may say: as it is, with its escapes decoded, and with base64 and hexadecimal digits decoded,
 * wherever they begin. Who looks for a text in all of them finds it in every spelling that these can be mixed to.
 *
 * @param least the fewest bytes that are worth decoding: words are base64 as well, and most are short
 */
export function readingsOf(text: string, least: keyof typeof RUNS): Reading[] {
  const found: Reading[] = [];
  collect(text, { depth: 0, least }, (part) => part, found);
  return found;
}

function collect(
  text: string,
  { depth, least }: { readonly depth: number; readonly least: keyof typeof RUNS },
  placeOf: Reading['placeOf'],
  found: Reading[],
): void {
  const isEncoded = depth > 0;
  const reading = { text, isEncoded, placeOf };
  found.push(reading);
  if (isEncoded && !TEXT_INSIDE.test(text)) return;
  let last: Reading = reading;
  for (const { text: unescaped, starts } of decodeEscapes(text)) {
    last = {
      text: unescaped,
      isEncoded,
      placeOf: ({ start, end }) =>
        placeOf({ start: starts[start] ?? text.length, end: starts[end] ?? text.length }),
    };
    found.push(last);
  }
  if (depth === DEEPEST) return;
  const deeper = { depth: depth + 1, least };
  for (const { 0: run, index: start } of last.text.matchAll(RUNS[least].base64)) {
    const place = { start, end: start + run.length };
    // Such a run is taken out whole: a part of it could be decoded as well.
    for (const inner of fromBase64(run)) collect(inner, deeper, () => last.placeOf(place), found);
  }
  for (const { 0: run, index: start } of last.text.matchAll(RUNS[least].hex)) {
    const place = { start, end: start + run.length };
    for (const inner of fromHex(run)) collect(inner, deeper, () => last.placeOf(place), found);
  }
}

/** What a run of characters says if it is decoded from any of its first four characters. */
function fromBase64(run: string): string[] {
  return [0, 1, 2, 3].map((from) => decoded(run.slice(from), 'base64'));
}

/** What digits say if they are decoded from the first or from the second one. */
function fromHex(run: string): string[] {
  const digits = run.replace(/[ :-]/g, '');
  return [0, 1].map((from) => decoded(digits.slice(from), 'hex'));
}

function decoded(run: string, encoding: 'base64' | 'hex'): string {
  const text = Buffer.from(run, encoding).toString('latin1');
  // UTF-16 has one after each ASCII character.
  return text.includes('\0') ? text.replaceAll('\0', '') : text;
}
