import { PLAIN_PLANT, PROPER_HEADERS, type Row } from '../../row.js';

type Case = readonly [what: string, title: string, text: string];

/** What every check requests, with its name and its title, and what only exploring draws. */
interface Words {
  readonly core: readonly Case[];
  readonly further: readonly string[];
}

/** What exploring draws from. */
export function wordsOf({ core, further }: Words): readonly string[] {
  return [...core.map(([, , text]) => text), ...further];
}

/** The letters as escapes, in turn with small and with capital digits. */
export function asEscapes(letters: string): string {
  return [...letters]
    .map((letter, at) => {
      const digits = letter.charCodeAt(0).toString(16).padStart(4, '0');
      return `\\u${at % 2 === 0 ? digits : digits.toUpperCase()}`;
    })
    .join('');
}

/** Everything that JSON allows between tokens (RFC 8259, section 2). */
const SPACE = ' \t\r\n';
const TOKENS = ['{', '"name"', ':', '"<NAME>"', ',', '"id"', ':', '<ID>', '}'];

/** Spellings of plain plants, and of names that a provider may reject. An accepted name comes back as it is meant. */
const SPELLINGS: readonly Case[] = [
  [
    'white-space-everywhere',
    'a plain plant with every kind of white space between all tokens',
    `${SPACE}${TOKENS.join(SPACE)}${SPACE}`,
  ],
  [
    'letters-as-escapes',
    'a plant with all letters of its tag written as \\u escapes',
    `{"name":"<NAME>","id":<ID>,"tag":"${asEscapes('succulent')}"}`,
  ],
  [
    'tag-first',
    'a plant whose tag comes first and whose name comes last',
    '{"tag":"succulent","id":<ID>,"name":"<NAME>"}',
  ],
  [
    'short-escapes',
    'a plant whose name has every short escape',
    '{"name":"<NAME> \\" \\\\ \\/ \\b\\f\\n\\r\\t","id":<ID>}',
  ],
  [
    'surrogate-pairs',
    'a plant whose name has characters above U+FFFF as \\u escapes, and as they are',
    '{"name":"<NAME> \\ud83c\\udf35\\uD83C\\uDF35🌵 \\u00e9\\u00E9é","id":<ID>}',
  ],
  [
    'name-like-json',
    'a plant whose name has comments, commas and brackets in it',
    '{"name":"<NAME> // a /* b */ # c ,} ,] {\'d\':1}","id":<ID>}',
  ],
];

const NESTED = '{"":[[],{},[{"a":[null,true,false]}],""],"}":"}],{\\"name\\":\\"Fern\\",\\"id\\":1"}';

/** JSON values of every kind in an unknown member, which a provider may reject. */
export const VALUES: Words = {
  core: [
    ['numbers', 'every form of a number', '[0,-0,-1,10,1.5,-0.0,1e2,1E+2,1.25e-2,0e0,5e-324]'],
    [
      'long-numbers',
      'numbers that no double holds',
      '[123456789012345678901234567890,0.1234567890123456789012345,1e400,-1E400]',
    ],
  ],
  further: [
    ...String.raw`null true false 0 "" "a" [] {} "\ud83c\udf35" "\/\b" "}" "],{" "a,}" "\"name\":1"`.split(
      ' ',
    ),
    ...['"// a"', '"/* a */"', '{"name":"Fern","id":<ID>1}', NESTED],
  ],
};

/** Values that are almost JSON, in an unknown member. Lenient parsers accept them, or skip them unread. */
export const BAD_VALUES: Words = {
  core: [
    ['capital-literal', 'the word True', 'True'],
    ['undefined', 'the word undefined', 'undefined'],
    ['cut-literal', 'the word nul', 'nul'],
    ['unquoted-string', 'a word without quotes', 'green'],
    ['comma-before-bracket', 'a comma after the last item of an array', '[1,]'],
    ['no-comma-in-array', 'an array without a comma between its items', '[1 2]'],
    ['crossed-brackets', 'an array that ends with a brace', '{"a":[1}]'],
    ['unknown-escape-beside', 'a string with the escape \\x41', '"gr\\x41y"'],
    ['point-first', 'a number that begins with a point', '.5'],
  ],
  further: [
    ...`None NULL nil yes 'a' "a"+"b" /a/ (1) <a/>`.split(' '),
    ...'01 +1 1. - -.5 0x1F 0b1 0o7 1_000 1e 1e+ --1 1.2.3 1n 1L 1f ½ ٣'.split(' '),
    ...`[,1] [1,,2] [1;2] [1} [ [[1] {"a":1,} {a:1} {'a':1} {"a"} {"a":}`.split(' '),
    ...String.raw`"\u12" "\u12G4" "\'" "\"`.split(' '),
    ...['`a`', '"a" "b"', 'new Date()', '{"a" 1}', '"\n"', '"\t"', '"\0"', '"\x1f"', ''],
  ],
};

/** Ids that are almost numbers of JSON. */
export const BAD_IDS: Words = {
  core: [
    ['leading-zero', 'has a leading zero', '0<ID>'],
    ['plus-sign', 'has a plus sign', '+<ID>'],
    ['point-last', 'ends with a point', '<ID>.'],
    ['hexadecimal', 'is hexadecimal', '0x<ID>'],
    ['suffix-of-java', 'ends with the letter L', '<ID>L'],
    ['arabic-digit', 'ends with an Arabic digit', '<ID>٣'],
  ],
  further: [
    ..."00 -- 0o 0b # $ . , ' ` ( = e ٣".split(' ').map((before) => `${before}<ID>`),
    ...".e1 e E+ n u f px _ _000 ,000 ' % １ x !".split(' ').map((after) => `<ID>${after}`),
    ...['- <ID>', '<ID> 0'],
  ],
};

/** What is wrong within a string. */
export const IN_STRINGS: Words = {
  core: [
    ['line-break', 'has a line break that is not escaped', '\nvera'],
    ['escape-x', 'has the escape \\x41', '\\x41'],
    ['escape-of-apostrophe', "has the escape \\'", "\\'s"],
    ['escape-u-with-letter', 'has the escape \\u12G4', '\\u12G4'],
  ],
  further: [
    ...['\r', '\t', '\0', '\x01', '\x1f', '\\ ', '\\\n', '\\u 041', '"'],
    ...String.raw`\a \0 \v \e \1 \u \u12 \u{41} \U0041 \U00000041 \u+041 \N{DASH}`.split(' '),
    '\\',
  ],
};

/** What lenient parsers take for white space, or for nothing. */
export const BETWEEN: Words = {
  core: [
    ['two-commas', 'two commas between its members', ','],
    ['line-comment', 'a // comment in its JSON', ' // a name\n'],
    ['hash-comment', 'a # comment in its JSON', ' # a name\n'],
    ['form-feed', 'a form feed as white space', '\f'],
    ['no-break-space', 'a no-break space as white space', '\u00a0'],
  ],
  further: [
    ...['/* a */', '/**/', '<!-- a -->', '-- a\n', '; a\n', '\\n', '()'],
    ...'\v\0\b\x1f\x7f\u0085\u1680\u2003\u2028\u3000\ufeff\u200b;\\_+',
  ],
};

/** What is wrong before the whole text. */
export const BEFORE_TEXT: Words = {
  core: [['prefix', "the prefix )]}'", ")]}'\n"]],
  further: [
    ...[")]}',\n", 'var a = ', '---\n', '#!json\n', '// a\n', '# a\n', '/* a */', 'data: '],
    ...'while(1); for(;;); callback( ( {}&& <?xml?> a , " { ['.split(' '),
    ...'\x1e\0\ufffe\u00a0',
  ],
};

/** What is wrong after the whole text. */
export const AFTER_TEXT: Words = {
  core: [
    ['brace-after', 'a closing brace', '}'],
    ['comma-after', 'a comma', ','],
    ['nul-after', 'the character U+0000', '\0'],
  ],
  further: [
    ...'] ) ); ; : " . a 0 null {} \\ &a=1 <br>'.split(' '),
    ...['\n{}', ' []', '// a', '# a', '/* a */', '\r\n0\r\n\r\n'],
    ...'\x1a\x1e\u00a0\f\ufeff',
  ],
};

/** What stands instead of a token. */
export const INSTEAD: Readonly<Record<string, readonly string[]>> = {
  '"': ["'", '', '`', '“', '«', '\\"', '""', '"""', '&quot;'],
  ':': ['=', '=>', '', '::', ',', ' ', ':=', '->', '：'],
  ',': ['', ';', ',,', '\n', ' ', '&', ':', '|', '，', ',}'],
  '{': ['', '[', '(', '{{', '{,', '<', '{"a"}{'],
  '}': ['', ']', ')', '}}', ',}', '>', ';}', '}}}'],
};

/** Bodies with wrong tokens. */
const WRONG_TOKENS: readonly Case[] = [
  ['open-string', 'a plant whose name has no closing quote', '{"name":"<NAME>,"id":<ID>}'],
  ['keys-without-quotes', 'a plant whose keys have no quotes', '{name:"<NAME>",id:<ID>}'],
  ['equals-signs', 'a plant with equals signs instead of colons', '{"name"="<NAME>","id"=<ID>}'],
  ['no-comma', 'a plant without a comma between its members', '{"name":"<NAME>" "id":<ID>}'],
];

/** The cases with their words in a plant. */
function inPlant(
  { core }: Words,
  titleWith: (title: string) => string,
  bodyWith: (word: string) => string,
): readonly Case[] {
  return core.map(([what, title, word]) => [what, titleWith(title), bodyWith(word)]);
}

function inUnknownField(words: Words): readonly Case[] {
  return inPlant(
    words,
    (title) => `a plant with ${title} in an unknown field`,
    (value) => `{"name":"<NAME>","id":<ID>,"colour":${value}}`,
  );
}

/** One body, for what the interface says about it. */
function row(name: string, title: string, body: string, others: Partial<Row> = {}): Row {
  return { name, title, ...others, requests: [{ body }] };
}

function rowOf([what, title, body]: Case): Row {
  return row(`json-texts/${what}`, title, body);
}

/** Plants in unusual spellings of JSON. */
export const spelledRows: readonly Row[] = [
  ...SPELLINGS,
  ...inUnknownField(VALUES),
  [
    'nested-values',
    'a plant with nested values, and strings with brackets and quotes, in an unknown field',
    `{"colour":${NESTED},"name":"<NAME>","id":<ID>}`,
  ] as const,
].map(rowOf);

/** Bodies that are almost JSON. */
export const malformedRows: readonly Row[] = [
  ...inUnknownField(BAD_VALUES),
  ...inPlant(
    BAD_IDS,
    (title) => `a plant whose id ${title}`,
    (id) => `{"name":"<NAME>","id":${id}}`,
  ),
  ...inPlant(
    IN_STRINGS,
    (title) => `a plant whose name ${title}`,
    (text) => `{"name":"<NAME>${text}","id":<ID>}`,
  ),
  ...WRONG_TOKENS,
  ...inPlant(
    BETWEEN,
    (title) => `a plant with ${title}`,
    (text) => `{"name":"<NAME>",${text}"id":<ID>}`,
  ),
  ...inPlant(
    BEFORE_TEXT,
    (title) => `a plant after ${title}`,
    (text) => `${text}${PLAIN_PLANT}`,
  ),
  ['function-call', 'a plant in a call of a function', `callback(${PLAIN_PLANT});`] as const,
  ...inPlant(
    AFTER_TEXT,
    (title) => `a plant with ${title} after its JSON`,
    (text) => `${PLAIN_PLANT}${text}`,
  ),
].map(rowOf);

/** A body of another media type. */
function otherFormat(name: string, title: string, mediaType: string, body: string): Row {
  return {
    ...{ name, title, expectation: 'rejected', rules: ['request/body-is-json'] },
    requests: [{ headers: [PROPER_HEADERS[0], ['Content-Type', mediaType]], body }],
  };
}

const INVALID = { phase: 'invalid' } as const;

/** Spellings of one plant, and texts that are not the JSON of a plant. */
export const jsonTextRows: readonly Row[] = [
  row(
    'json-with-white-space',
    'a plain plant with white space around and inside its JSON',
    '\r\n{\n\t"name" : "<NAME>" ,\n\t"id" : <ID>\n}\n',
  ),
  row('json-in-another-order', 'a plain plant whose id comes before its name', '{"id":<ID>,"name":"<NAME>"}'),
  row(
    'json-with-escapes',
    'a plain plant with letters written as \\u escapes',
    '{"n\\u0061me":"<NAME ESCAPED>","id":<ID>}',
  ),
  row('no-body', 'a request without a body', '', {
    rules: ['request/body-is-required', 'unspecified/empty-body'],
  }),
  row('malformed-json', 'a plant without the closing brace', '{"name":"<NAME>","id":<ID>', {
    rules: ['request/body-is-json', 'unspecified/malformed-json'],
  }),
  row('single-quotes', 'a plant in single quotes', "{'name':'<NAME>','id':<ID>}"),
  row('trailing-comma', 'a plant with a comma after its last member', '{"name":"<NAME>","id":<ID>,}'),
  row('comment-in-json', 'a plant with a comment in its JSON', '{"name":"<NAME>",/* */"id":<ID>}'),
  row('text-for-json', 'plain text as application/json', '<NAME>'),
  otherFormat(
    'form-body',
    'a plant as a URL-encoded form',
    'application/x-www-form-urlencoded',
    'name=<NAME>&id=<ID>',
  ),
  otherFormat(
    'xml-body',
    'a plant as XML',
    'application/xml',
    '<plant><name><NAME></name><id><ID></id></plant>',
  ),
  row('text-after-json', 'a plant with a word after its JSON', `${PLAIN_PLANT} aloe`),
  row('two-json-texts', 'the JSON of a plant twice in one body', `${PLAIN_PLANT}${PLAIN_PLANT}`),
  // Requests that the interface leaves open. They are sent with the invalid ones.
  {
    name: 'byte-order-mark',
    title: 'a plain plant after a byte-order mark',
    rules: ['unspecified/byte-order-mark'],
    ...INVALID,
    requests: [{ body: `\ufeff${PLAIN_PLANT}`, plant: { name: '<NAME>', id: '<ID>' } }],
  },
  row(
    'lone-surrogate',
    'a plant whose name has half a surrogate pair',
    '{"name":"<NAME>\\ud800","id":<ID>}',
    { rules: ['unspecified/lone-surrogate'], ...INVALID },
  ),
  row(
    'malformed-utf-8',
    'a plant whose name has a byte that is not UTF-8',
    '{"name":"<NAME><BYTES e9>","id":<ID>}',
    { expectation: 'open', rules: ['unspecified/malformed-utf-8'], ...INVALID },
  ),
  row(
    'not-a-number',
    'a plain plant with NaN in an unknown field',
    '{"name":"<NAME>","id":<ID>,"colour":NaN}',
    { rules: ['unspecified/not-a-number'], ...INVALID },
  ),
  ...spelledRows,
  ...malformedRows,
];
