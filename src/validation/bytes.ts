import { codePointAt, lengthOf, malformedUtf8At } from './utf8.js';

// Text and bytes. The validators import nothing of Node, so that every bundler takes them as they are. And not everywhere is
// a TextDecoder: k6 has none, nor has a test in Jest's jsdom.

/** So many characters are joined at once. A call takes no more arguments than the stack has room for. */
const AT_ONCE = 4096;

export function isUtf8(bytes: Uint8Array): boolean {
  return malformedUtf8At(bytes) === -1;
}

/** @param bytes well-formed UTF-8 */
export function textIn(bytes: Uint8Array, start = 0, end = bytes.length): string {
  let text = '';
  let points: number[] = [];
  for (let at = start; at < end; at += lengthOf(bytes[at] as number)) {
    points.push(codePointAt(bytes, at));
    if (points.length < AT_ONCE) continue;
    text += String.fromCodePoint(...points);
    points = [];
  }
  return text + String.fromCodePoint(...points);
}

/** @param bytes ASCII */
export function asciiIn(bytes: Uint8Array, start = 0, end = bytes.length): string {
  let text = '';
  for (let at = start; at < end; at += AT_ONCE)
    text += String.fromCharCode(...bytes.subarray(at, Math.min(end, at + AT_ONCE)));
  return text;
}

/** The UTF-8 form of a text; a lone surrogate becomes U+FFFD. */
export function utf8Of(text: string): Uint8Array {
  const bytes: number[] = [];
  for (const character of text) {
    const point = character.codePointAt(0) as number;
    if (point < 0x80) bytes.push(point);
    else if (point < 0x800) bytes.push(0xc0 | (point >> 6), 0x80 | (point & 0x3f));
    else if (point >= 0xd800 && point <= 0xdfff) bytes.push(0xef, 0xbf, 0xbd);
    else if (point < 0x10000)
      bytes.push(0xe0 | (point >> 12), 0x80 | ((point >> 6) & 0x3f), 0x80 | (point & 0x3f));
    else
      bytes.push(
        0xf0 | (point >> 18),
        0x80 | ((point >> 12) & 0x3f),
        0x80 | ((point >> 6) & 0x3f),
        0x80 | (point & 0x3f),
      );
  }
  return Uint8Array.from(bytes);
}
