import { decodeEscapes } from './decode-escapes.js';

/** Part of a text, from `start` up to `end`. */
export interface Place {
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
/** Fewer bytes are no telling part of a secret. */
const LEAST_BYTES = 4;

/** What may be base64, if need be in lines, or hexadecimal digits. */
const BASE64 = /[A-Za-z0-9+/_-]{6,}(?:(?<=[A-Za-z0-9+/_-]{60})\r?\n[A-Za-z0-9+/_-]+)*={0,2}/g;
const SPACED_HEX = /(?<![0-9a-f])(?:[0-9a-f]{2}[ :-]){3,}[0-9a-f]{2}(?![0-9a-f])/gi;
const HEX = /^[0-9a-f]+$/i;
const TEXT_INSIDE = /[\x20-\x7e]{4}/;

/**
 * Everything that a text may say: as it is, with its escapes decoded, and with base64 and hexadecimal digits decoded,
 * wherever they begin. Who looks for a text in all of them finds it in every spelling that these can be mixed to.
 */
export function readingsOf(text: string): Reading[] {
  const found: Reading[] = [];
  collect(text, 0, (part) => part, found);
  return found;
}

function collect(text: string, depth: number, placeOf: Reading['placeOf'], found: Reading[]): void {
  const isEncoded = depth > 0;
  const reading = { text, isEncoded, placeOf };
  found.push(reading);
  if (isEncoded && !TEXT_INSIDE.test(text)) return;
  let last: Reading = reading;
  for (const { text: decoded, starts } of decodeEscapes(text)) {
    last = {
      text: decoded,
      isEncoded,
      placeOf: ({ start, end }) =>
        placeOf({ start: starts[start] ?? text.length, end: starts[end] ?? text.length }),
    };
    found.push(last);
  }
  if (depth === DEEPEST) return;
  for (const { 0: run, index: start } of last.text.matchAll(BASE64)) {
    const place = { start, end: start + run.length };
    // Such a run is taken out whole: a part of it could be decoded as well.
    for (const inner of decodedRun(run)) collect(inner, depth + 1, () => last.placeOf(place), found);
  }
  for (const { 0: run, index: start } of last.text.matchAll(SPACED_HEX)) {
    const place = { start, end: start + run.length };
    collect(fromHex(run.replace(/[ :-]/g, '')), depth + 1, () => last.placeOf(place), found);
  }
}

/** What a run of characters says as base64 from any of its first four characters, and as hexadecimal digits. */
function decodedRun(run: string): string[] {
  const texts = [0, 1, 2, 3].map((from) =>
    withoutNulls(Buffer.from(run.slice(from), 'base64').toString('latin1')),
  );
  const digits = run.replace(/^0x/i, '');
  if (digits.length >= 2 * LEAST_BYTES && HEX.test(digits))
    texts.push(fromHex(digits), fromHex(digits.slice(1)));
  return texts;
}

function fromHex(digits: string): string {
  return withoutNulls(Buffer.from(digits, 'hex').toString('latin1'));
}

/** UTF-16 has one after each ASCII character. */
function withoutNulls(text: string): string {
  return text.includes('\0') ? text.replaceAll('\0', '') : text;
}
