import { triedNames, triedTags } from '../../../report/tried-strings.js';
import type { Row } from '../../row.js';
import type { GeneratedName } from '../families.js';
import { FORGED_FIELD } from '../rejections/rows.js';

/** The JSON of a plant with any strings. They may have placeholders in them. */
export function plantJson(
  name: string,
  tag?: string,
  json: (text: string) => string = JSON.stringify,
): string {
  return `{"name":${json(name)},"id":<ID>${tag === undefined ? '' : `,"tag":${json(tag)}`}}`;
}

function plainName(kind: string, title: string, name: string): Row {
  return {
    name: `name-${kind}`,
    title: `a plant whose name ${title}`,
    expectation: 'created',
    rules: ['success/plain-names-are-accepted'],
    requests: [{ body: plantJson(name) }],
  };
}

const plainStringRows: readonly Row[] = [
  plainName('of-one-letter', 'is one letter', 'A'),
  plainName('of-30-letters', 'has 30 letters', '<NAME><NAME2><NAME3>'),
  // Words with a meaning in a programming language.
  ...['null', 'true', 'NaN', 'constructor'].map((word) => plainName(word, `is the word ${word}`, word)),
  {
    name: 'tag-null',
    title: 'a plant whose tag is the word null',
    rules: ['success/plain-tags-are-accepted', 'success/tag-comes-back'],
    requests: [{ body: plantJson('<NAME>', 'null') }],
  },
];

/** Words that mean something to a program: as a name, and as a tag. */
const WORDS = [
  ['undefined', 'false'],
  ['None', 'true'],
  ['Infinity', 'no'],
  ['select', 'constructor'],
  ['script', 'undefined'],
  ['toString', 'none'],
  // A name in lower case, and a tag that is equal to it.
  ['agave', 'agave'],
] as const;

/** A plant whose name and tag every provider accepts, whatever they mean to a program. */
export function wordRow(name: string, tag: string): Row<GeneratedName> {
  return {
    name: `strings/name-${name}-and-tag-${tag}`,
    title: `a plant whose name is ${name === '<NAME>' ? 'plain' : `the word ${name}`}, and whose tag is the word ${tag}`,
    expectation: 'created',
    rules: ['success/plain-words-are-accepted', 'success/name-comes-back', 'success/tag-comes-back'],
    requests: [{ body: plantJson(name, tag) }],
  };
}

/** What is accepted must come back unchanged. */
const rules = ['success/texts-come-back'];

/** Names that a provider may reject. */
const nameRows: readonly Row[] = triedNames.map(([kind, description, name]) => ({
  name: `name-with-${kind}`,
  title: `a plant with a name ${description}`,
  rules: [...rules, 'unspecified/names-refused', ...(name === '' ? ['unspecified/empty-name'] : [])],
  requests: [{ body: plantJson(name) }],
}));

/** Tags that a provider may reject. */
const tagRows: readonly Row[] = triedTags.map(([kind, description, tag]) => ({
  name: `tag-with-${kind}`,
  title: `a plant with a tag ${description}`,
  rules: [...rules, 'unspecified/tags-refused', ...(tag === '' ? ['unspecified/empty-tag'] : [])],
  requests: [{ body: plantJson('<NAME>', tag) }],
}));

/**
 * The kind of strings, their description after "a plant whose name and tag", a name, and a tag. A provider that rejects one
 * string of a pair hides the other, so both are alike. `<NAME>` and `<ID1>` stand for fresh values, because names may have to be
 * unique.
 */
const PAIRS = [
  ['numbers', 'look like numbers', '<ID1>e3', '007'],
  ['other-values', 'look like a date and an array', '2026-01-02T03:04:05.<ID1>Z', '[7]'],
  ['prose-marks', 'have the marks of plain prose', "(<NAME>) d'Or-Noir, ssp. vera.", '-low, semi-hardy,'],
  ['marks', 'have further marks', '@<NAME> "A:B"; C/D & E!', '#a_b*c?d@e!f:'],
  ['code-marks', 'have marks of programming languages', '=<NAME>+1~A^B|C\\', "'a`b{c}d[e]f<g>h%i\\j'"],
  [
    'placeholders',
    'have placeholders of templates, formats and shells',
    `$1 $& \${<NAME>} #{x} %(x)s %s {0} :x $(id) \`id\` <%= x %> [[x]] ~`,
    '{{x}} {% x %} %d $$ \\0 \\u0041 &amp; %20+/',
  ],
  [
    'other-forms',
    'have letters with other forms in Unicode: composed, compatible, upper-case and lower-case',
    '<NAME> ﬁ Ａ ℌ ª ǆ ſ ß İ ı ς \u2126 \u212b \u1112\u1161\u11ab \ufa19',
    'é e\u0301 \u212b 한 \u1112\u1161\u11ab \ufa19 ß ² ½',
  ],
  [
    'invisible-characters',
    'have characters without a shape: directions, joiners, selectors, private ones, and noncharacters',
    '\ufeff<NAME>\u00ad A\u200e\u200f\u202aB\u202c\u2066C\u2069\u061c\u2060\u180e',
    '\ufeff♥\ufe0f ☂\ufe0e 👩\u200d🌾 \u{e0061} \ue000\u{f0000} \ufdd0\uffff\u{10ffff} \ufffd.',
  ],
  [
    'spaces',
    'have spaces of several kinds at both ends and inside',
    '\u3000<NAME>  A\u00a0B\u2009',
    '\u00a0a  b\u2003c\u205f',
  ],
  [
    'controls',
    'have tabs, line breaks and other control characters',
    `\t<NAME>\u001b[31m\r\n${FORGED_FIELD}: 1\r\n\u009f\n`,
    `a\tb\r\n${FORGED_FIELD}: 1\r\n\u0001\u007f\n`,
  ],
  [
    'hexadecimal-and-long',
    'look like a hexadecimal number and are long',
    '0x<ID1>',
    'medicinal '.repeat(150).trim(),
  ],
] as const;

const pairRows: readonly Row[] = PAIRS.map(([kind, description, name, tag]) => ({
  name: `strings/${kind}`,
  title: `a plant whose name and tag ${description}`,
  rules: name.includes(FORGED_FIELD) ? [...rules, 'failure/text-stays-in-the-body'] : rules,
  requests: [{ body: plantJson(name, tag) }],
}));

/** Names and tags of all kinds: first those that every provider accepts. */
export const stringRows: readonly Row[] = [
  ...plainStringRows,
  ...WORDS.map(([name, tag]) => wordRow(name, tag)),
  ...nameRows,
  ...tagRows,
  ...pairRows,
];
