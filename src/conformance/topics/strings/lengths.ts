import type { Template } from '../../template.js';

/** A fresh name has so many letters. */
const FRESH = 10;
/** The longest text has so many bytes, or one more. */
const MOST_BYTES = 2 ** 16;

/** Lengths at which buffers, columns and forms end, the most usual first. */
const SHORT = [
  255, 64, 32, 128, 100, 50, 256, 191, 80, 140, 200, 250, 150, 160, 127, 63, 31, 129, 65, 33, 40, 30, 25, 20,
];
const MIDDLE = [
  1_000, 1_024, 500, 512, 4_000, 4_096, 2_048, 2_000, 5_000, 300, 750, 1_023, 511, 2_047, 4_095, 3_000,
];
const LONG = [65_535, 8_192, 16_384, 32_768, 65_536, 10_000, 8_191, 16_383, 32_767, 20_000, 50_000];

/** Characters of one to four bytes in UTF-8, and one of two code points. */
const UNITS = ['🌵', 'é', '龍', 'e\u0301', 'a'];

function repeated(times: number, unit: string): Template {
  return times > 0 ? `<REPEAT ${times} ${unit}>` : '';
}

/** A text that a limit in bytes or in UTF-16 cuts within its last character, and one that a limit in characters cuts. */
function cutBy(limit: number, at: number): readonly Template[] {
  const [unit = 'a', other = 'a'] = [UNITS[at % UNITS.length], UNITS[(at + 2) % UNITS.length]];
  const filling = limit * Buffer.byteLength(other) > MOST_BYTES ? 'b' : other;
  return [`<NAME>${repeated(limit - 1 - FRESH, 'a')}${unit}z`, `<NAME>${repeated(limit - FRESH, filling)}z`];
}

/** Texts that are longer than a limit by a little, and then texts of ASCII that end at it or exceed it by one. */
function around(limits: readonly number[]): readonly Template[] {
  const ascii = limits.flatMap((limit) => [limit, limit + 1]).map((length) => repeated(length - FRESH, 'b'));
  return [...new Set([...limits.flatMap(cutBy), ...ascii.map((letters) => `<NAME>${letters}`)])];
}

/** Texts of up to 256 characters. */
export function shortLengths(): readonly Template[] {
  return around(SHORT);
}

/** Texts of 300 to 5,000 characters. */
export function middleLengths(): readonly Template[] {
  return around(MIDDLE);
}

/** Texts of up to 64 Ki characters, and texts in which a naive search takes long. */
export function longLengths(): readonly Template[] {
  return [
    ...around(LONG),
    ...[' ', '(', '-', '\n'].map((mark) => `<NAME>${repeated(30_000, mark)}z`),
    `<NAME>${repeated(8_000, 'medicinal ')}z`,
  ];
}
