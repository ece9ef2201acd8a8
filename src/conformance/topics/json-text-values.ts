import { words } from '../row.js';

/** The letters as escapes, in turn with small and with capital digits. */
export function asEscapes(letters: string): string {
  return [...letters]
    .map((letter, at) => {
      const digits = letter.charCodeAt(0).toString(16).padStart(4, '0');
      return `\\u${at % 2 === 0 ? digits : digits.toUpperCase()}`;
    })
    .join('');
}

/** Values that are almost JSON, in an unknown member. Lenient parsers accept them, or skip them unread. */
export const BAD_VALUES: readonly string[] = [
  ...words(
    `True green [1,] .5 undefined None NULL nil yes tru 'a' "a"+"b" /a/ (1) <a/> [1} @a $a *a &a -a ~ [,1] [1,,2] [1;2] [ [[1]
     {,} {"a":1,} {a:1} {'a':1} {"a"} {"a":} {"a":,"b":1} {"a":1,,"b":2} {"a":1;"b":2} [1,2`,
  ),
  ...words(
    String.raw`01 +1 1. - -.5 0x1F 0b1 0o7 1_000 1e 1e+ --1 1.2.3 1n 1L 1f ½ ٣ "gr\x41y" "\u00g0" "\U0041" "\u{41}" "\u12" "\'" "\"`,
  ),
  ...['`a`', '"a" "b"', '[1 2]', '{"a" 1}', 'new Date()', '"\n"', '"\t"', '"\0"', '"\x1f"', ''],
];

/** Ids that are almost numbers of JSON. */
export const BAD_IDS: readonly string[] = [
  '0<ID>',
  '+<ID>',
  '<ID>٣',
  ...words("0x 00 -- 0b # . ' e ٣").map((before) => `${before}<ID>`),
  ...words(". L .e1 e n f _ _000 ,000 ' １ x").map((after) => `<ID>${after}`),
  ...['- <ID>', '<ID> 0'],
];

/** What is wrong within a string. */
export const IN_STRINGS: readonly string[] = [
  '\nvera',
  '\\x41',
  ...["\\'s", '\\u12G4', '\r', '\t', '\0', '\x01', '\x1f', '\\ ', '\\\n', '\\u 041', '"'],
  ...words(String.raw`\a \0 \v \e \1 \u \u12 \u{41} \U0041 \U00000041 \u+041 \N{DASH}`),
  '\\',
];

/** What lenient parsers take for white space, or for nothing. */
export const BETWEEN: readonly string[] = [
  ' // a name\n',
  '\f',
  ...[',', ' # a name\n', '/* a */', '/**/', '/* a', '//', ' and '],
  ...['\u00a0', '\u2002', '\u2029', '\u205f', '\u061c', '\u00ad', '\x01'],
  ...['/*/ */', '<!-- a -->', '-- a\n', '; a\n', '\\n', '()'],
  ...'\v\0\b\x1f\x7f\u0085\u1680\u2003\u2028\u3000\ufeff\u200b;\\_+',
];

/** What is wrong before the whole text. */
export const BEFORE_TEXT: readonly string[] = [
  ")]}'\n",
  ...[")]}',\n", 'var a = ', '---\n', '#!json\n', '// a\n', '# a\n', '/* a */', 'data: '],
  ...words('while(1); for(;;); callback( null {} 0 <!DOCTYPE> BOM ( {}&& <?xml?> a , " { ['),
  ...'\x1e\0\ufffe\u00a0',
];

/** What is wrong after the whole text. */
export const AFTER_TEXT: readonly string[] = [
  '}',
  '\0',
  ...words(', ] ) ); ; : " . a 0 null {} \\ &a=1 <br>'),
  ...['\n{}', ' []', '// a', '# a', '/* a */', '\r\n0\r\n\r\n'],
  ...'\x1a\x1e\u00a0\ufeff',
];

/** What stands instead of a token. */
export const INSTEAD: Readonly<Record<string, readonly string[]>> = {
  '"': ["'", '', '`', '“', '«', '\\"', '""', '"""', '&quot;'],
  ':': ['=', '=>', '', '::', ',', ' ', ':=', '->', '：'],
  ',': ['', ';', ',,', '\n', ' ', '&', ':', '|', '，', ',}'],
  '{': ['', '[', '(', '{{', '{,', '<', '{"a"}{'],
  '}': ['', ']', ')', '}}', ',}', '>', ';}', '}}}'],
};
