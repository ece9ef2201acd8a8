import { classify } from '../../oracle.js';
import {
  type CoreRow,
  PLAIN_PLANT,
  PLAIN_PLANT_WITH_TAG,
  PROPER_HEADERS,
  type Row,
  words,
} from '../../row.js';

type Case = readonly [what: string, title: string, text: string];

/** What every check sends, with its name and its title, and what exploring draws. Of these, a check sends one. */
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
const VALUES: Words = {
  core: [
    [
      'long-numbers',
      'numbers that no double holds',
      '[123456789012345678901234567890,0.1234567890123456789012345,1e400,-1E400]',
    ],
  ],
  further: [
    '[0,-0,-1,10,1.5,-0.0,1e2,1E+2,1.25e-2,0e0,5e-324]',
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
    ['unquoted-string', 'a word without quotes', 'green'],
    ['comma-before-bracket', 'a comma after the last item of an array', '[1,]'],
  ],
  further: [
    ...words(
      `.5 undefined nul None NULL nil yes TRUE tru truee 'a' "a"+"b" /a/ (1) <a/> [1}  {"a":[1}] @a $a *a &a !a %a |a -a ~`,
    ),
    ...[
      '[1 2]',
      '{"a":1 "b":2}',
      '{"a":1,,"b":2}',
      '{"a":1;"b":2}',
      '{"a" "b"}',
      '{,}',
      '{"a":,"b":1}',
      '[1,2',
    ],
    ...words(
      String.raw`"gr\x41y" "\u00g0" "\U0041" "\u{41}" "\u-041" "\u0x41" 1.e1 1.0. 1e1.5 0x 0xg 08 -01 -a 1a 1,000 $1 1% ١ ²`,
    ),
    ...words('01 +1 1. - -.5 0x1F 0b1 0o7 1_000 1e 1e+ --1 1.2.3 1n 1L 1f ½ ٣'),
    ...words(`[,1] [1,,2] [1;2] [1} [ [[1] {"a":1,} {a:1} {'a':1} {"a"} {"a":}`),
    ...words(String.raw`"\u12" "\u12G4" "\'" "\"`),
    ...['`a`', '"a" "b"', 'new Date()', '{"a" 1}', '"\n"', '"\t"', '"\0"', '"\x1f"', ''],
  ],
};

/** Ids that are almost numbers of JSON. */
export const BAD_IDS: Words = {
  core: [
    ['leading-zero', 'has a leading zero', '0<ID>'],
    ['plus-sign', 'has a plus sign', '+<ID>'],
    ['arabic-digit', 'ends with an Arabic digit', '<ID>٣'],
  ],
  further: [
    ...words("0x 00 -- 0o 0b # $ . , ' ` ( = e ٣").map((before) => `${before}<ID>`),
    ...words(". L .e1 e E+ n u f px _ _000 ,000 ' % １ x !").map((after) => `<ID>${after}`),
    ...['- <ID>', '<ID> 0'],
  ],
};

/** What is wrong within a string. */
export const IN_STRINGS: Words = {
  core: [
    ['line-break', 'has a line break that is not escaped', '\nvera'],
    ['escape-x', 'has the escape \\x41', '\\x41'],
  ],
  further: [
    ...["\\'s", '\\u12G4', '\x02', '\x0b', '\x0c', '\x1b', '\x08'],
    ...['\r', '\t', '\0', '\x01', '\x1f', '\\ ', '\\\n', '\\u 041', '"'],
    ...words(String.raw`\a \0 \v \e \1 \u \u12 \u{41} \U0041 \U00000041 \u+041 \N{DASH}`),
    '\\',
  ],
};

/** What lenient parsers take for white space, or for nothing. */
export const BETWEEN: Words = {
  core: [
    ['line-comment', 'a // comment in its JSON', ' // a name\n'],
    ['form-feed', 'a form feed as white space', '\f'],
  ],
  further: [
    ...[',', ' # a name\n', '/* a */', '/**/', '/* a', '//', ' and '],
    ...['\u00a0', '\u2002', '\u2029', '\u205f', '\u061c', '\u00ad', '\x01'],
    ...['/*/ */', '<!-- a -->', '-- a\n', '; a\n', '\\n', '()'],
    ...'\v\0\b\x1f\x7f\u0085\u1680\u2003\u2028\u3000\ufeff\u200b;\\_+',
  ],
};

/** What is wrong before the whole text. */
export const BEFORE_TEXT: Words = {
  core: [['prefix', "the prefix )]}'", ")]}'\n"]],
  further: [
    ...[")]}',\n", 'var a = ', '---\n', '#!json\n', '// a\n', '# a\n', '/* a */', 'data: '],
    ...words('while(1); for(;;); callback( null {} 0 <!DOCTYPE> BOM ( {}&& <?xml?> a , " { ['),
    ...'\x1e\0\ufffe\u00a0',
  ],
};

/** What is wrong after the whole text. */
export const AFTER_TEXT: Words = {
  core: [
    ['brace-after', 'a closing brace', '}'],
    ['nul-after', 'the character U+0000', '\0'],
  ],
  further: [
    ...words(', ] ) ); ; : " . a 0 null {} \\ &a=1 <br>'),
    ...['\n{}', ' []', '// a', '# a', '/* a */', '\r\n0\r\n\r\n'],
    ...'\x1a\x1e\u00a0\ufeff',
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

const WRONG_TOKENS: readonly Case[] = [
  ['keys-without-quotes', 'a plant whose keys have no quotes', '{name:"<NAME>",id:<ID>}'],
  ['no-comma', 'a plant without a comma between its members', '{"name":"<NAME>" "id":<ID>}'],
];

/** Texts of a plant of which one structural character is missing, there twice, or replaced by another one. */
const STRUCTURAL: readonly string[] = [...PLAIN_PLANT_WITH_TAG.matchAll(/["{}:,](?!NAME>|ID>)/g)].flatMap(
  ({ 0: character, index }) => {
    const [before, after] = [PLAIN_PLANT_WITH_TAG.slice(0, index), PLAIN_PLANT_WITH_TAG.slice(index + 1)];
    const others = ['', character.repeat(2), ...(INSTEAD[character] ?? []).slice(0, 4)];
    return others.map((other) => `${before}${other}${after}`);
  },
);

/** A plant that ends too early, after each of its tokens. */
const TRUNCATED: readonly string[] = [...PLAIN_PLANT_WITH_TAG.matchAll(/["{:,>]|[a-z](?=")/g)]
  .map(({ 0: { length }, index }) => PLAIN_PLANT_WITH_TAG.slice(0, index + length))
  // What stands for the id may be cut anywhere, and an empty text is no body.
  .filter((text) => text !== PLAIN_PLANT_WITH_TAG);

/** Bodies of other formats, sent as JSON. */
const OTHER_FORMATS: readonly string[] = [
  'name: <NAME>\nid: <ID>\n',
  '---\nname: "<NAME>"\nid: <ID>\n...\n',
  '{name: <NAME>, id: <ID>}',
  'name = "<NAME>"\nid = <ID>\n',
  '[plant]\nname=<NAME>\nid=<ID>\n',
  'name=<NAME>&id=<ID>&tag=succulent',
  'name=<NAME>;id=<ID>',
  'name,id\n<NAME>,<ID>\n',
  '<NAME>,<ID>',
  '<plant><name><NAME></name><id><ID></id></plant>',
  '<?xml version="1.0"?><plant name="<NAME>" id="<ID>"/>',
  '(:name "<NAME>" :id <ID>)',
  '{"name" "<NAME>" "id" <ID>}',
  '{:name "<NAME>", :id <ID>}',
  '{"name" => "<NAME>", "id" => <ID>}',
  'a:2:{s:4:"name";s:10:"<NAME>";s:2:"id";i:<ID>;}',
  'data: {"name":"<NAME>","id":<ID>}\n\n',
  '--x\r\nContent-Disposition: form-data; name="name"\r\n\r\n<NAME>\r\n--x--\r\n',
  '```json\n{"name":"<NAME>","id":<ID>}\n```',
  '{"name":"<NAME>"}\n{"id":<ID>}\n',
  '"name":"<NAME>","id":<ID>',
];

function inUnknownField({ core }: Words): readonly Case[] {
  return core.map(([what, title, value]) => [
    what,
    `a plant with ${title} in an unknown field`,
    withValue(value),
  ]);
}

function withValue(value: string): string {
  return `{"name":"<NAME>","id":<ID>,"colour":${value}}`;
}

/** One body, for what the interface says about it. */
function row(name: string, title: string, body: string, others: Partial<CoreRow> = {}): CoreRow {
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

/** A row for each telling word, and one for the others, of which a run sends one. */
function inPlant(
  { core, further }: Words,
  kind: string,
  titleWith: (title: string) => string,
  bodyWith: (word: string) => string,
): readonly CoreRow[] {
  return [
    ...core.map(([what, title, word]) => rowOf([what, titleWith(title), bodyWith(word)])),
    oneOf(
      `other-${kind}`,
      titleWith(kind.startsWith('id') ? 'is almost a number' : 'something else'),
      further.map(bodyWith),
    ),
  ];
}

/**
 * A row of several bodies, of which a run sends one. They are those about which the interface says the same: what it says about
 * most of them.
 */
function oneOf(what: string, title: string, bodies: readonly string[]): CoreRow {
  const byRule = new Map<string, string[]>();
  for (const body of bodies) {
    const { expectation, rules } = classify(body);
    if (expectation === 'rejected') byRule.set(rules.join(), [...(byRule.get(rules.join()) ?? []), body]);
  }
  const [[first = '', ...others] = []] = [...byRule.values()].sort((one, other) => other.length - one.length);
  return { ...row(`json-texts/${what}`, title, first), alternatives: others.map((body) => ({ body })) };
}

/** Bodies that are almost JSON. */
export const malformedRows: readonly CoreRow[] = [
  ...inPlant(BAD_VALUES, 'value', (title) => `a plant with ${title} in an unknown field`, withValue),
  ...inPlant(
    BAD_IDS,
    'id',
    (title) => `a plant whose id ${title}`,
    (id) => `{"name":"<NAME>","id":${id}}`,
  ),
  ...inPlant(
    IN_STRINGS,
    'string',
    (title) =>
      `a plant whose name ${title === 'something else' ? 'has something that is wrong in a string' : title}`,
    (text) => `{"name":"<NAME>${text}","id":<ID>}`,
  ),
  ...WRONG_TOKENS.map(rowOf),
  oneOf('other-structure', 'a plant with a wrong character of its structure, or without its end', [
    ...STRUCTURAL,
    ...TRUNCATED,
  ]),
  oneOf('other-format', 'a plant in another format', OTHER_FORMATS),
  ...inPlant(
    BETWEEN,
    'separator',
    (title) => `a plant with ${title === 'something else' ? 'something between its tokens' : title}`,
    (text) => `{"name":"<NAME>",${text}"id":<ID>}`,
  ),
  ...inPlant(
    BEFORE_TEXT,
    'prefix',
    (title) => `a plant after ${title}`,
    (text) => `${text}${PLAIN_PLANT}`,
  ),
  ...inPlant(
    AFTER_TEXT,
    'suffix',
    (title) => `a plant with ${title} after its JSON`,
    (text) => `${PLAIN_PLANT}${text}`,
  ),
];

function otherFormat(name: string, title: string, mediaType: string, body: string): Row {
  return {
    ...{ name, title, expectation: 'rejected', rules: ['request/body-is-json'] },
    requests: [{ headers: [PROPER_HEADERS[0], ['Content-Type', mediaType]], body }],
  };
}

const PART = '--x\r\nContent-Disposition: form-data; name=';

/** A media type that frameworks read by themselves, and a plant in it. */
const OTHER_TYPES = [
  ['application/yaml', 'name: <NAME>\nid: <ID>\n'],
  ['multipart/form-data; boundary=x', `${PART}"name"\r\n\r\n<NAME>\r\n${PART}"id"\r\n\r\n<ID>\r\n--x--\r\n`],
  ['text/csv', 'name,id\n<NAME>,<ID>\n'],
  ['application/toml', 'name = "<NAME>"\nid = <ID>\n'],
  ['text/plain', 'name=<NAME>\nid=<ID>\n'],
  ['application/x-ndjson', '{"name":"<NAME>"}\n{"id":<ID>}\n'],
] as const;

/** Plants in other formats, with their media types. */
const otherFormatRows: readonly CoreRow[] = [
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
  {
    ...otherFormat(
      'json-texts/other-media-type',
      'a plant in a format of another media type',
      ...OTHER_TYPES[0],
    ),
    alternatives: OTHER_TYPES.slice(1).map(([type, body]) => ({
      headers: [PROPER_HEADERS[0], ['Content-Type', type] as const],
      body,
    })),
  },
];

const INVALID = { phase: 'invalid' } as const;

/** Spellings of one plant, and texts that are not the JSON of a plant. */
export const jsonTextRows: readonly CoreRow[] = [
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
  ...otherFormatRows,
  // A parser may accept NaN. But no NaN is an integer.
  {
    ...row('json-texts/id-is-nan', 'a plant whose id is NaN', '{"name":"<NAME>","id":NaN}'),
    expectation: 'rejected',
    rules: ['request/id-is-an-integer'],
  },
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
