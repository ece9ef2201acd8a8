import type * as FastCheck from 'fast-check';
import { isPlainTag } from '../../oracle.js';
import type { DrawnRow } from '../../row.js';
import { plantJson, wordRow } from './rows.js';

/** The items of a list that is written with spaces between them. */
function items(list: string): readonly string[] {
  return list.trim().split(/ +|\n */);
}

/** Every mark of ASCII. */
const MARKS = [...'!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~'];

/** White space, and characters that some programs take for it. */
const SPACES = [
  ...[' ', '  ', '\r\n'],
  ...'\t\n\r\u000b\u000c\u0085\u00a0\u1680\u2003\u2009\u2028\u2029\u202f\u205f\u3000\u180e\u200b\ufeff',
];

/** Strings that look like values of other types. */
const LOOK_ALIKES = items(`
  0 007 -0 +1 1.0 3.10 .5 5. 1e3 1E400 0x1F 0b11 0o17 1_000 1,000 1,5 9007199254740993 99999999999999999999
  12:30 190:20:30 1/2 50% $5 true True TRUE false yes no on off y n null NULL None nil ~ NaN nan Infinity -inf
  undefined [] [1] {} {"a":1} "" "a" 'a' \\N 2026-01-02 2026-02-30 2026-01-02T03:04:05Z 20260102
  2026-01-02T03:04:05.100+01:00 P1D 1h 192.0.2.1 ::1 a@b.example https://example.org/?a=b&c SGVsbG8= YQ==
  00000000-0000-0000-0000-000000000000 ٣ １２ ² Ⅷ ½ 1st`);

/** Placeholders of templates, formats, shells, paths and query languages. */
const PLACEHOLDERS = items(`
  $1 $& $$ $x \${x} $(x) #{x} {x} {0} {} {{x}} {{{x}}} {%x%} <%=x%> %s %d %n %% %(x)s %1$s %x% %20 %2B %00 %zz
  + :x ? @x [[x]] \\n \\t \\\\ \\0 \\x41 \\u0041 \\1 \\' \\" \\/ &amp; &lt; &#65; &copy <b> </b> <br/> <!-- -->
  <![CDATA[x]]> <script> javascript:x ](x) *x* _x_ \`x\` 'OR'1'='1 '' "; /* */ // -- ../ ./ ~/ C:\\x |x && $ne
  =1+1 @SUM(1) :) (c) (tm) ... -> x.y #x x;y x,y x|y`);

/** Letters and sequences that change under a normalisation form or a mapping of case. */
const FORMS = [
  ...items('é Å 한 ﬁ ﬀ Ａ ｱ ℌ 𝒜 ① ² ½ ™ ㎏ … ª ſ ǆ ﷺ ß ẞ İ ı ς Σ ŉ ΐ Ǆ ᾳ æ ø ł đ Ⱥ'),
  ...['e\u0301', '\u212b', 'A\u030a', '\u2126', '\u1112\u1161\u11ab', '\ufa19', '\u0958', '\u0344'],
];

/** Ranges of code points that programs remove, replace or reject: the first, and the last. */
const RANGES: readonly (readonly [first: number, last: number])[] = [
  // Controls, and letters of Latin-1; combining marks; letters and marks from right to left.
  ...ranges('0-1f 7f-9f a0-ff 300-36f 5b0-5ea 61c-64f'),
  // Directions and invisible characters; currencies; private ones; noncharacters; selectors; specials.
  ...ranges('200b-200f 2028-202e 2060-206f 20a0-20bf e000-e00f fdd0-fdef fe00-fe0f fff0-ffff'),
  // Above U+FFFF: scripts, letters of mathematics, emoji, ideographs, tags, and the last ones.
  ...ranges('10000-100ff 1d400-1d4ff 1f300-1f6ff 1f3fb-1f3ff 20000-200ff e0000-e007f 10fff0-10ffff'),
];

/** Hexadecimal ranges. */
function ranges(list: string): readonly (readonly [number, number])[] {
  return items(list).map((range) => {
    const [first = 0, last = 0] = range.split('-').map((digits) => Number.parseInt(digits, 16));
    return [first, last] as const;
  });
}

/** ASCII words that mean something to a program. All are plain names, and in lower case plain tags. */
const WORDS = items(`
  null nil none undefined nan infinity inf true false yes no on off void select insert update delete drop union
  where table script iframe alert eval exec constructor prototype toString valueOf hasOwnProperty length class
  self this id name tag error message type value key token password admin root system test example default all
  any new con nul aux com bin etc passwd plant plants aloe fern a x i ss fi E e NULL TRUE None NaN ALOE McIntosh`);

const LETTERS = [...'aelnorstABXYZbcdfghijkmpquvwxyzCDEFGHIJKLMNOPQRSTUVW'];
/** Characters of one to four bytes in UTF-8. */
const UNITS = ['a', 'é', '龍', '🌵'];
/** The longest string has 2^15 + 1 characters. */
const MOST_BITS = 15;

/** Draws plants with strings of every kind. */
export function drawStrings(fc: typeof FastCheck): FastCheck.Arbitrary<DrawnRow> {
  return fc.oneof({ weight: 5, arbitrary: drawAny(fc) }, { weight: 2, arbitrary: drawPlain(fc) });
}

/** A string of pieces that programs treat in a special way. Fewer pieces are simpler. */
export function drawString(fc: typeof FastCheck): FastCheck.Arbitrary<string> {
  const fragment = drawFragment(fc);
  return fc.oneof(
    { weight: 6, arbitrary: fragment },
    {
      weight: 8,
      arbitrary: fc.array(fragment, { minLength: 2, maxLength: 5 }).map((parts) => parts.join('')),
    },
    { weight: 2, arbitrary: fc.array(drawCodePoint(fc), { maxLength: 12 }).map((all) => all.join('')) },
    { weight: 2, arbitrary: drawLong(fc) },
  );
}

/** Any character. The unit `binary` of fast-check would need seconds and 100 MB to begin. */
function drawCodePoint(fc: typeof FastCheck): FastCheck.Arbitrary<string> {
  const point = fc.oneof(fc.integer({ min: 0, max: 0xd7ff }), fc.integer({ min: 0xe000, max: 0x10ffff }));
  return point.map((one) => String.fromCodePoint(one));
}

function drawFragment(fc: typeof FastCheck): FastCheck.Arbitrary<string> {
  const codePoint = fc
    .constantFrom(...RANGES)
    .chain(([first, last]) => fc.integer({ min: first, max: last }))
    .map((point) => String.fromCodePoint(point));
  return fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom('a', 'Aloe', 'vera') },
    { weight: 5, arbitrary: fc.constantFrom(...MARKS) },
    { weight: 3, arbitrary: fc.constantFrom(...SPACES) },
    { weight: 4, arbitrary: fc.constantFrom(...LOOK_ALIKES) },
    { weight: 3, arbitrary: fc.constantFrom(...PLACEHOLDERS) },
    { weight: 3, arbitrary: fc.constantFrom(...FORMS) },
    { weight: 3, arbitrary: codePoint },
    { weight: 1, arbitrary: fc.constantFrom(...WORDS) },
  );
}

/** A string whose length is at a power of two, where buffers and columns end. */
function drawLong(fc: typeof FastCheck): FastCheck.Arbitrary<string> {
  return fc
    .record({
      bits: fc.integer({ min: 4, max: MOST_BITS }),
      more: fc.constantFrom(0, 1, -1),
      unit: fc.constantFrom(...UNITS),
      isInBytes: fc.boolean(),
    })
    .map(({ bits, more, unit, isInBytes }) => {
      const length = 2 ** bits + more;
      if (!isInBytes) return unit.repeat(length);
      const count = Math.floor(length / Buffer.byteLength(unit));
      return unit.repeat(count) + 'b'.repeat(length - count * Buffer.byteLength(unit));
    });
}

/** A plant with any strings. Its name is often fresh, because names may have to be unique. */
function drawAny(fc: typeof FastCheck): FastCheck.Arbitrary<DrawnRow> {
  const text = drawString(fc);
  return fc
    .record({
      name: fc.oneof(
        fc.constant('<NAME>'),
        text,
        text.map((one) => `<NAME>${one}`),
        text.map((one) => `${one}<NAME>`),
      ),
      tag: fc.option(fc.oneof(text, fc.constant('<NAME>')), { nil: undefined }),
      isEqual: fc.integer({ min: 0, max: 9 }).map((one) => one === 9),
      isEscaped: fc.integer({ min: 0, max: 3 }).map((one) => one === 3),
    })
    .map(({ name, tag: drawn, isEqual, isEscaped }) => {
      const tag = isEqual ? name : drawn;
      const body = plantJson(name, tag, isEscaped ? inAscii : JSON.stringify);
      return { name: 'strings/drawn', title: 'a plant with other strings', requests: [{ body }] };
    });
}

/** A plant that every provider accepts. */
function drawPlain(fc: typeof FastCheck): FastCheck.Arbitrary<DrawnRow> {
  const letters = fc.string({ unit: fc.constantFrom(...LETTERS), minLength: 1, maxLength: 30 });
  const word = fc.constantFrom(...WORDS);
  const tag = fc.oneof(fc.constant('succulent'), word, letters);
  return fc.record({ name: fc.oneof(fc.constant('<NAME>'), word, letters), tag }).map((drawn) => {
    const lower = drawn.tag.toLowerCase();
    return { ...wordRow(drawn.name, isPlainTag(lower) ? lower : 'succulent'), name: 'strings/drawn-words' };
  });
}

/** JSON with an escape for every character that is not ASCII. */
function inAscii(text: string): string {
  return JSON.stringify(text).replace(
    /[\u007f-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
