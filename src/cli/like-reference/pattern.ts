/** The characters of each group of the search for limits, inside brackets of a regular expression. */
const CLASSES: Readonly<Record<string, string>> = {
  digits: '0-9',
  space: ' ',
  punctuation: '!-\\/:-@\\[-`\\{-~',
  accents: '\\u00c0-\\u024f',
  scripts: '\\u0370-\\u1fff\\u3000-\\ud7ff',
  'combining-marks': '\\p{M}',
  astral: '\\u{10000}-\\u{10ffff}',
  'line-breaks': '\\t\\n\\r',
  controls: '\\u0001-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f-\\u009f',
  nul: '\\u0000',
  invisible: '\\p{Cf}\\u2028\\u2029\\u00a0',
};

/**
 * A pattern that rejects what a provider rejects in a name or a tag.
 *
 * @param value the rejected characters, as a profile has them
 * @returns `undefined` if some of them are not known exactly
 */
export function patternWithout(value: string): string | undefined {
  const words = value.split(' ');
  if (Object.keys(CLASSES).every((group) => words.includes(group))) return '^[A-Za-z]*$';
  const parts = words.map((word) => CLASSES[word] ?? characterIn(word));
  return parts.includes(undefined) ? undefined : `^[^${parts.join('')}]*$`;
}

/** `U+003C` as it is written inside brackets. */
function characterIn(word: string): string | undefined {
  const [, hex] = /^U\+([0-9A-F]{4,6})$/.exec(word) ?? [];
  if (hex === undefined) return undefined;
  const character = String.fromCodePoint(Number.parseInt(hex, 16));
  return /^[<>"'`~!@#$%&*()_+=:;,. ]$/.test(character) ? character : `\\u{${hex.toLowerCase()}}`;
}
