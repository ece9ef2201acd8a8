import type { Template } from '../../template.js';

/** A fresh name has so many letters. */
const FRESH = 10;

/** Lengths at which buffers and columns end, the most usual first. Each is exceeded by one, too. */
const LIMITS = [
  ...[255, 64, 128, 32, 65_535, 100, 1_000, 4_096, 256, 50, 1_024, 191, 16_384, 512, 2_048, 8_192, 32_768],
  ...[200, 150, 80, 140, 160, 250, 500, 2_000, 4_000, 5_000, 10_000, 65_536, 127, 63, 31, 511, 1_023, 2_047],
  ...[4_095, 8_191, 16_383, 32_767],
];
/** The longest text has so many bytes. */
const MOST_BYTES = 2 ** 16 + 1;

/** Characters of one to four bytes in UTF-8, and one of two code points. */
const UNITS = ['🌵', 'é', '龍', 'a', 'e\u0301'];

function repeated(times: number, unit: string): Template {
  return times > 0 ? `<REPEAT ${times} ${unit}>` : '';
}

/** A text that ends at a limit, has one character more, or has a character that the limit cuts in two. */
function around(limit: number, unit: string): readonly Template[] {
  const isShort = limit * Buffer.byteLength(unit) <= MOST_BYTES;
  return [
    // The last character is cut if the limit is in bytes, or in units of UTF-16.
    `<NAME>${repeated(limit - 1 - FRESH, 'a')}${unit}z`,
    ...(isShort ? [`<NAME>${repeated(limit - FRESH, unit)}z`] : []),
    `<NAME>${repeated(limit - FRESH, 'b')}`,
  ];
}

/** Texts of many lengths: at first one for each limit, with another unit each time. */
export function lengths(): readonly Template[] {
  const all = LIMITS.map((limit, at) => around(limit, UNITS[at % UNITS.length] ?? 'a'));
  const most = Math.max(...all.map(({ length }) => length));
  return Array.from({ length: most }, (_, at) => all.flatMap((some) => some[at] ?? [])).flat();
}
