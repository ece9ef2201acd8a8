import { items, words } from '../row.js';
import type { Template } from '../template.js';

/** The characters of the hexadecimal numbers and ranges in a list. */
function charactersOf(list: string): readonly string[] {
  return words(list).flatMap((range) => {
    const [first = 0, last = first] = range.split('-').map((digits) => Number.parseInt(digits, 16));
    return Array.from({ length: last - first + 1 }, (_, at) => String.fromCodePoint(first + at));
  });
}

/** White space, and characters that some programs take for it. Line breaks are others. */
const SPACES = [' ', '\t', ...charactersOf('a0 3000 2000-200a 202f 205f 1680 180e 200b feff')];

const LINE_BREAKS = '\n|\r\n|\r|\u2028|\u2029|\u0085|\u000b|\u000c|\n\r'.split('|');

/** Texts of one kind, for the name and for the tag of a plant. */
export interface StringClass {
  readonly name: string;
  /** A noun, after "a plant whose name is". */
  readonly title: string;
  /** The most telling first. `<NAME>` and `<ID1>` stand for a fresh name and fresh digits, because names may have to be unique. */
  readonly texts: readonly Template[];
  /** Whether the texts are characters or short pieces that may stand side by side in one text. */
  readonly joins?: true;
}

/** A class: its name and its title in the first line of a text, and then its texts, with two spaces or more between them. */
function whole(text: string): StringClass {
  const [head = ''] = text.split('\n', 1);
  const [name = '', title = ''] = head.split(': ');
  return { name, title, texts: items(text.slice(head.length)) };
}

/** The same with the escapes of JSON in its texts. */
function escaped(text: string): StringClass {
  const { texts, ...named } = whole(text);
  return { ...named, texts: texts.map((item) => JSON.parse(`"${item}"`)) };
}

/** The same with texts between marks of a kind: `x` stands for the text. */
function enclosed(text: string): StringClass {
  const { texts, ...named } = whole(text);
  return { ...named, texts: texts.map((item) => item.replaceAll('x', '<NAME>')) };
}

/** A class of pieces that may stand side by side. */
function pieces(text: string): StringClass {
  return { ...whole(text), joins: true };
}

/** The same with one space between them. Other white space counts. */
function characters(text: string): StringClass {
  const { texts, ...named } = pieces(text);
  return { ...named, texts: texts.flatMap((line) => line.split(' ')) };
}

/** The same with pieces that are made. */
function joined(name: string, title: string, texts: readonly Template[]): StringClass {
  return { name, title, texts, joins: true };
}

/** Every class, the most telling first. A check sends the first texts of each class. */
export const stringClasses: readonly StringClass[] = [
  whole(`words: a word with a meaning for programs
    undefined  false  none  true  infinity  nil  nan  void  null  inf  undef  empty  missing  na  unknown  number  string  object  array  date
    select  delete  drop  insert  update  union  where  table  from  or  and  like  join  having  group  order  by  limit  between  exec`),
  // Each mark after a letter, doubled, and alone.
  joined(
    'marks',
    'a text with marks of ASCII',
    [...'"\'<&\\/%$`{}[]=;+-@#*~^|_:,.!?()>'].map((mark) => `a${mark}b${mark}${mark}c ${mark} `),
  ),
  characters(`scripts: a text in several scripts
    Édelweiß Łąka ñandú Cafe\u0301 Việt Vie\u0323\u0302t ẹ\u0301 i\u0307\u0301 Høyt Αλόη ᾠδή Алоэ и\u0306 龍舌蘭
    アロエ か\u3099 알로에 \u1112\u1161\u11ab ㅎㅏㄴ صبار مُحَمَّدٌ لا می\u200cخواهم אלוורה שָׁלוֹם ܐܠܦ ދިވެހި ߒߞߏ 𞤀𞤣
    घृतकुमारी क्ष क्\u200dष क्\u200cष ক্ষ ਗੁਰੂ ક્ષ ଓଡ଼ିଆ கற்றாழை ஸ்ரீ క్షా ಕ್ಷ ന്\u200d ൻ ක්\u200dෂ
    ว่านหางจระเข้ น้ำ ນ້ຳ རྐྱེན မြန်မာ ស្ត្រី ᠭ\u180b አልዎ Ալոե ალოე ᎠᎶᎡ 葛\u{e0100} 﨑 ⿰氵每 𠮷 㐀 々 ｱﾛｴ ー 𝒜𝓁𝑜ℯ 𐎠
    𓀀\u{13430}𓀁 𒀀 a\u0334\u0327\u035b \u0301 a\u20dd ⠁ 𝅘𝅥𝅮 ꦲꦏ꧀ꦱꦫ 𑄌𑄋𑄴𑄟𑄳𑄦 ⴰⵍⵓ ᚨᛚᚢ ꙮ ﷺ ꧁`),
  whole(`numbers: a number
    <ID1>e3  007  0<ID1>  1.50  <ID1>.50  +1  <ID1>  42  1.0  1e3  +<ID1>  -1.50  -<ID1>  -0  0x<ID1>  0x1F  <ID1>,000  1,000.50  99999999999999999999
    9007199254740993  1_000  0b11  1e400  0  1  .5  5.  3.10  1E+2  1.5e-7  0o17  ½  1/2  ١٢٣  ٣٤  １２  ²  Ⅷ  1 000  1'000  1.000,50`),
  whole(`data: a text of a data format
    {"name": "<NAME>", "id": 1.0}  [7, 1.50]  {"name":"<NAME>"}  [7]  ["<NAME>"]  N/A  {"a":1}  <NAME>,b,c  "a","b"  a=<NAME>&b=2  key=value  {}  []  ~  - <NAME>  name: <NAME>  1:20
    <plant><name><NAME></name></plant>  <a/>  [1,2]  ["a","b"]  {"$ne":1}  {"__proto__":1}  <?xml version="1.0"?><a/>  <!DOCTYPE html>`),
  escaped(String.raw`edges: a word with white space or invisible characters at its ends
    \u0020<NAME>\u0020  \ufeff\u0020a\u00a0\u0020  \u0020\u0020a\u0020\u0020  \t<NAME>\n  \na\t  \u00a0<NAME>\u00a0  \u3000a\u2003  \r\n<NAME>\r\n  \ra\r  \ufeff<NAME>
    \ufeffa\u2060  \u200b<NAME>\u200b  \u180ea\u200b  \u0085<NAME>\u0085  \u001ca\u001f  \u0001<NAME>\u0001  a\u007f  <NAME>\u0020  a\n`),
  escaped(String.raw`nul: a text with U+0000
    <NAME>\u0000x  a\u0000b  \u0000<NAME>  a\u0000  <NAME>\u0000\u0000  \u0000`),
  escaped(String.raw`blank: blank
    \u0020  \u0020\u0020  \u200b  \t  \n  \u00a0  \u3000  \ufeff  .  -  _  \r\n  \u2028  \u0001  \u00ad  \u200d  \u3164  \u2800  \u202e  \u034f`),
  pieces(`html: a text with pieces of HTML
    <b>x</b>  &amp;  &lt;  <script>1</script>  a<b  a>b  a & b  <br/>  &#65;  &#x41;  &copy;  &copy  <!-- x -->  <a href="x">y</a>  &quot;
    <img src=x onerror=y>  && < a >  &nbsp;  <![CDATA[x]]>  </p>  <svg/onload=x>  &apos;  &#0;  &#39;  &unknown;  <i>  <x:y/>  javascript:x
    onload=  <style>a{}</style>  &lt;b&gt;  &amp;amp;  <  >  &  <iframe>  <b >  < b>  style="x"  ]]>  -->  <!  <?x?>  expression(1)  <p>x`),
  pieces(`templates: a text with placeholders of templates, formats and shells
    {{x}}  \${x}  {x}  #{x}  %s  $1  $&  {0}  %(x)s  <%= x %>  [[x]]  $$  $x  $(x)  {{{x}}}  {%x%}  %d  %n  %%  %1$s  %x%  {}  $0  @{x}  :x
    *{x}  \${7*7}  {{7*7}}  {#x#}  <#if>  #set(x)  @x.y  %{x}  $[x]  \`x\`  $'x  $\`  ~{x}  [% x %]  {$x}  $x->y  @(x)  \\(x)  {x!r}  {x:d}  %-5s  %@
    \\1  $<x>  \\g<0>  $+  {0:N}  {1}  __x__  %x  ~x  $\{x:-y}  $\{jndi:x}  {{constructor}}  {{=x}}  <x>  *|x|*  [x]  ||x||  {{#x}}  {{/x}}  %.2f  %c`),
  characters(`forms: a text with characters that change under normalisation
    é e\u0301 \u00c5 A\u030a \u212b \u2126 \u212a ﬁ ﬀ Ａ ｱ ｶﾞ ℌ 𝒜 ① ² ½ ™ ㎏ … ª ſ ﷺ 한 \u1112\u1161\u11ab \ufa19
    \u0958 \u0344 \u0387 \u037e \u1fef \u2000 \u2329 \uf900 \u{2f800} q\u0323\u0307 q\u0307\u0323 ệ
    e\u0302\u0323 ê\u0323 \u01c4 \u0132 \u2164 \u3392 \u2100 \u00b4 \u00a8 \u{1d15e} \u{1109a} \u0cca \u304c
    \u304b\u3099 \u2260 =\u0338 \u0f73 \u2adc`),
  joined(
    'spaces',
    'a text with white space inside',
    [...SPACES, ...LINE_BREAKS].map((space) => `a${space}b${space}${space}c`),
  ),
  enclosed(`quotes: a word in quotes
    "x"  'x'  ‘x’  “x”  \`x\`  «x»  „x“  ""x""  '''x'''  ‹x›  「x」  ’x’  \\"x\\"  \\'x\\'  "x'  "x  x"  'x  x'  &quot;x&quot;`),
  whole(`capitals: a word with capitals
    ALOEVERA  NULL  SELECT  TRUE  McIntosh  NaN  None  aLOE  FALSE  True  Infinity  Undefined  toString  hasOwnProperty  iPhone  valueOf  WHERE`),
  whole(`dates: a date, a time or a duration
    2026-01-02  2026-01-02T03:04:05Z  12:30  01/02/2026  20260102  0000-00-00  2026-01-02T03:04:05.<ID1>Z  2025-12-31  03:04:05  2. 1. 2026
    2026-02-30  1767323045  P1D  PT1H30M  3 days  1h  2026-01-02 03:04:05  2026-01-02T03:04:05.100+01:00  Jan 2026  MARCH1  190:20:30  24:00`),
  pieces(String.raw`escapes: a text with escapes of programming languages and URLs
    \n  \t  \\  \0  \x41  \u0041  \'  \"  \/  %20  %2B  %00  %zz  %41  a+b  =41  =3D  \u{41}  \U0001F331  %u0041  \r\n  \b  \e[0m  \N{x}  \a  \z  \
    \/\/  %  %%  %E9  %C3%A9  ^M  ^[  &#10;  \ud83c  \uD83C\uDF35  \U41  \101  \xe9  ''  ""  \s+  \d  [a-z]+  .*  (?i)x  ^a$  (a|b)  a{2}  \Q  ${'\\u00e9'}`),
  characters(`emoji: a text with emoji
    🌵 👩🏽‍🌾 🇧🇷 1️⃣ ♥\ufe0f ☂\ufe0e 👨‍👩‍👧‍👦 🏳️‍🌈 👍🏿 🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f} ❤️‍🔥
    🧑🏻‍🤝‍🧑🏿 #\ufe0f\u20e3 🇦 🏿 \u200d ©\ufe0f 🫠 ☘ ♻ \u20e3 👁️‍🗨️ ⌚ 🀄`),
  pieces(`typography: a text with marks of typography
    "a" 'b'  a--b  a---b  a...b  (c)  (r)  (tm)  ->  =>  <-  :)  <3  1/2  10x10  +/-  !!  ??  ?!  ..  ,,  “a”  ‘b’  ’  „  «a»  –  —  …  ×  · • † ‡
    °  ′  ″  ‐  ‑  ‒  ―  ⁄  ½  ™  ®  ©  №  §  ¶  €  £  ¥  ¢  ‰  ª  º  ¿a?  ¡a!  − (1)  a , b  a ;b  a .b  ( a )  a/b  a / b  1 - 2  1–2  1st  H2O  x^2
    ,a  .a  a:b  a :b  !a  a ' b  '90s  rock 'n' roll  <<a>>  >=  !=  ~=  ...a  &c.  ¼  ⅓  №1  a* a†  ﹣  ，a  。  、  ・  ～  「a」  ！  ？  ：`),
  // Characters without a shape that are neither spaces nor directions: joiners, selectors, tags, fillers.
  joined(
    'invisible',
    'a text with invisible characters',
    charactersOf(
      `200b-200d feff ad 2060-2064 206a-206f 34f 115f 1160 17b4 17b5 180b-180f 3164 ffa0 fff9-fffd fe00-fe0f e0001 e0041 e007f
       e0100 1d173-1d17a`,
    ).map((one) => `a${one}b`),
  ),
  characters(`directions: a text with characters that change its direction
    \u200ea \u200fa \u061ca \u202aa\u202c \u202ba\u202c \u202da\u202c \u202ea\u202c \u2066a\u2069
    \u2067a\u2069 \u2068a\u2069 אa aا1 ١٢(א)`),
  characters(`cases: a text with letters that change under a mapping of case
    é É ß ẞ æ Æ ł ø İ ı i I ς σ Σ ŉ ǰ ΐ ΰ ǆ ǅ Ǆ ﬁ ﬅ և ᾳ ᾼ ᾧ ſ K Å Ω µ ə ŭ Ⱥ ⱥ ɐ ა Ა Ꭰ ꭰ 𐐀 𐐨 ⓐ Ⓐ ａ Ａ ⅷ Ⅷ я Я ъ ё Ё ÿ Ÿ
    i\u0307 I\u0307 \u0345 ʼN œ Œ ĳ Ĳ`),
  // Those that are no white space, and not U+0000.
  joined(
    'controls',
    'a text with control characters',
    charactersOf('7f 1 8 1b 1c-1f e-1a 2-7 80-84 86-9f').map((one) => `a${one}`),
  ),
  whole(`formulas: a formula or an option
    =<NAME>+1  =1+1  #<NAME>  @<NAME>  -<NAME>  +<NAME>  @SUM(<NAME>)  --help  |<NAME>  ;<NAME>  -1+2  -rf <NAME>  =HYPERLINK("x","y")  #REF!  :-)  :q!`),
  whole(`addresses: an address
    https://A.Example:443/<NAME>/../%7Eb?a=b&c#d  A.b+c@D.example  192.0.2.1  HTTP://A.EXAMPLE:80/%7Ea/../b  <NAME>@b.example  +44 20 7946 0958
    2001:DB8::0001  ::1  www.<NAME>.example  b.example  010.001.000.009  (555) 010-9999  02:00:5E:10:00:00  localhost:8080  mailto:<NAME>@b.example`),
  enclosed(`brackets: a word in brackets or between marks
    (x)  [x]  <x>  {x}  *x*  _x_  /x/  |x|  {{x}}  [[x]]  **x**  __x__  %x%  :x:  -x-  .x.  ,x,  ;x;  !x!  ?x?  #x#  ~x~  ~~x~~`),
  whole(`casings: several words, capitalised or joined in one way
    ALOE VERA  DESERT PLANT  aloe vera  aloe_vera  <NAME>_vera  aloe-vera  <NAME> vera  Aloe Vera  <NAME> VERA  vera<NAME>  <NAME>-vera  aloeVera<NAME>  <NAME>.vera
    ALOE_VERA  aLOE vERA  Aloe-Vera  <NAME>/vera  <NAME> vera Alba  O'HARA  MacDonald fern  <NAME>:vera  <NAME>+vera  <NAME>,vera`),
  whole(`affixes: a word with something before or after it
    The <NAME>.  <NAME>s  The <NAME>  <NAME>.  the <NAME>  <NAME> 2  <NAME>!  <NAME>1  <NAME>es  <NAME> (2)  <NAME> [x]  a <NAME>  <NAME>, the  <NAME>'s  <NAME>...  <NAME>?  Le <NAME>  L'<NAME>
    Dr. <NAME>  <NAME> Jr.  No. 5 <NAME>  <NAME> & Co.  <NAME>,  Copy of <NAME>  <NAME> - Copy  RE: <NAME>  TODO: <NAME>`),
  whole(`codes: a code
    550E8400-E29B-41D4-A716-446655440000  #FF8800  4111 1111 1111 1111  SGVsbG8=  YQ==  1.10.0  $5.00  50%  550e8400-e29b-41d4-a716-446655440000
    550E8400E29B41D4A716446655440000  #fff  4111111111111111  1.2.3  v1.10  €1.000,00  12cm  deadbeef  DEADBEEF  978-3-16-148410-0  123-45-6789  %41%42%2B  =?UTF-8?Q?A=C3=A9?=`),
  whole(`plants: a name as botanists write it
    <NAME> × piperita  Saintpaulia 'Blue Boy'  d'Or-<NAME>, ssp. vera  Aloe vera (L.) Burm.f.  <NAME> (L.) Burm.f.  Rosa ‘<NAME>’  Iris ×germanica
    <NAME> sativus L.  + Laburnocytisus adamii  Salvia sp. nov.  Forget-me-not  St. John's-wort  Brassica oleracea var. capitata f. alba DC.`),
  whole(`sql: a piece of a query
    ' OR 1=1; -- <NAME>  '); DROP TABLE plants;--  O'<NAME>  <NAME>'  %<NAME>%  a_b%  SELECT * FROM plants  1' UNION SELECT 1 --
    <NAME>'' x  \\' <NAME>  '; -- <NAME>  "; <NAME>  /* <NAME> */  <NAME> -- x  @@version  <NAME>;  [<NAME>]  DEFAULT <NAME>  E'\\n'`),
  whole(`repetitions: a text with repetitions
    <NAME> <NAME>  the the  aaaaaaa  ......  <NAME><NAME>  aaaa  ---  aloealoe  <NAME>, <NAME>  level  aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa  Aloe aloe`),
  whole(`files: the name of a file
    ../<NAME>  a.json  <NAME>.txt  /etc/<NAME>  ./<NAME>  a/b  C:\\<NAME>  \\\\a\\<NAME>  <NAME>/  //<NAME>  .<NAME>  con.txt  ~/<NAME>  ..  .  /  \\  a/b/<NAME>  <NAME>.tar.gz  <NAME>.php  %2e%2e%2f<NAME>  ..\\..\\<NAME>  <NAME>.  NUL.  COM1  LPT1.txt  ..%c0%af<NAME>`),
  whole(`single: one character
    é  字  7  0  🌵  "  👩🏽‍🌾  '  \\  /  %  &  <  $  ß  ø  e\u0301  ²  İ  ١  あ  𝒜  1  *  :  @  #  ?  !  +  ~  ^  |  {  [  (  ;  ,  \`  =  >  Ω  я  א  ع  अ  ก`),
  escaped(String.raw`lines: a text of several lines
    <NAME>\nb  a\r\nb  <NAME>\rb  a\n\nb  <NAME>\tb\tc  a\tb  <NAME>\r\n\r\nb  a \n b  # <NAME>\n\n- b\n- c\n  a\\\nb  <NAME>\u2028b`),
  pieces(`markup: a text with marks of plain-text markup
    *x*  _x_  **x**  \`x\`  ~~x~~  [x](y)  ![x](y)  :smile:  @x  #x  > x  - x  # x  1. x  | x |  http://x.example  x@y.example  ~x~  ^x^  ===  \`\`\`  ---
    __x__  \\*x\\*  [x]  [^1]  [[x]]  {x}  ''x''  '''x'''  //x//  {{x}}  h1. x  [b]x[/b]  <x>  +x+  -x-  x_y_z  x*y*z  & x  %x  $x$  \\(x\\)  \\x{y}  ~  $$x$$`),
  // One of each general category of Unicode in the first plane, without ASCII, and most of them in the second one.
  joined(
    'categories',
    'a text with characters of every category',
    charactersOf(
      `c0 b5 1c5 2b0 aa 300 903 488 660 16ee b2 203f 58a f3a f3b ab bb a1 ac a2 a8 a6 a0 2028 2029 80 ad e000 378
       10400 10428 10780 10000 101fd 11000 104a0 10140 10107 10ead 10100 1d6c1 11fdd 1f3fb 10137 110bd 1000c`,
    ),
  ),
  // Private characters, noncharacters, and characters that no version of Unicode has yet.
  joined(
    'unusual',
    'a text with private and unassigned characters',
    charactersOf(
      `e000 f8ff f0000 ffffd 100000 10fffd fdd0 fdef fffe ffff 1ffff 2ffff 3ffff 4ffff 5ffff 6ffff 7ffff 8ffff 9ffff affff bffff
       cffff dffff effff fffff 10ffff 378 530 2fe0 e0fff 30000 40000 50000 60000 70000 80000 90000 a0000 b0000 c0000 d0000 e0000`,
    ),
  ),
];
