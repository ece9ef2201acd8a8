import { isAccepted, isUnprocessed, OVERSIZED } from '../exchange.js';
import { isPlainName, isPlainTag } from '../oracle.js';
import type { Row } from '../row.js';
import { CONSTRAINTS, type Observation, observed, rowsLike, type SentRow, type Topic } from '../rule.js';
import type { Template } from '../template.js';
import { type IdValue, idValues } from '../values/ids.js';
import { type StringClass, stringClasses } from '../values/string-classes.js';
import { plantWithValue } from './ids.js';

/** The fields of a plant that are strings. */
type Field = 'name' | 'tag';

/** The name of a header field that no server sends by itself. */
export const FORGED_FIELD = 'X-Forged-By-The-Request';

/** The JSON of a plant with any strings. They may have placeholders in them. */
export function plantJson(name: string, tag?: string): Template {
  const member = tag === undefined ? '' : `,"tag":${JSON.stringify(tag)}`;
  return `{"name":${JSON.stringify(name)},"id":<ID>${member}}`;
}

/** A plant that is plain but for one text. */
function plantWith(field: Field, text: Template): Template {
  return field === 'name' ? plantJson(text) : plantJson('<NAME>', text);
}

/** What is accepted must come back unchanged. */
const COMES_BACK = 'success/texts-come-back';

/** Names and tags of some lengths. A provider may reject each of them, and what it responds is only recorded. */
function ofLengths(field: Field): readonly SentRow[] {
  return [255, 1_000, 4_096, 65_536].map((length) => {
    const [id, letters] = [`${field}-of-${length}-letters`, `${length.toLocaleString('en')} letters`];
    return {
      name: `strings/${id}`,
      title: `a plant whose ${field} has ${letters}`,
      expectation: 'open',
      // A body above the limits of many servers, and of what is valid beyond doubt.
      ...(length >= OVERSIZED && { phase: 'heavy' }),
      observed: { id, subject: `A ${field} of ${letters}`, gap: CONSTRAINTS },
      // Longer ones hardly anybody writes.
      ...(length < 1_000 && { reasonable: `a ${field} of ${letters}` }),
      requests: [{ body: plantWith(field, ofLength(field, length)) }],
    };
  });
}

function ofLength(field: Field, length: number): Template {
  return field === 'name' ? `<NAME><REPEAT ${length - 10} a>` : `<REPEAT ${length} a>`;
}

/** What people call plants and their types. A provider may reject each, and then its users should know. */
const ORDINARY: readonly SentRow[] = (
  [
    ['name', 'with-space', 'a name with a space', '<NAME> vera'],
    ['name', 'with-umlaut', 'a name with an umlaut', '<NAME>ö'],
    ['name', 'with-digit', 'a name with a digit', '<NAME> 7'],
    ['tag', 'capitalised', 'a tag with a capital', 'Succulent'],
  ] as const
).map(([field, name, reasonable, text]) => ({
  name: `strings/${field}-${name}`,
  title: `a plant with ${reasonable}`,
  expectation: 'open',
  rules: [COMES_BACK],
  requests: [{ body: plantWith(field, text) }],
  reasonable,
}));

// Bundles.

/** A text of more pieces would often be longer than what a provider stores. */
const MOST_PIECES = 94;

/** A text, what it is called in the name of a row, and what it is, after "a plant whose name is". */
interface Text {
  readonly name: string;
  readonly title: string;
  readonly text: Template;
}

/** The classes of characters: each is one text, of the most telling pieces. Plain characters are at both ends. */
function characters(field: Field): readonly Text[] {
  return stringClasses
    .filter(({ joins }) => joins)
    .map(({ name, title, texts }) => ({
      name,
      title,
      text: [field === 'name' ? '<NAME>' : 'a', ...texts.slice(0, MOST_PIECES), 'x'].join(' '),
    }));
}

/** The classes of texts that mean something as a whole: the first text of each is a name, and the second one a tag. */
function wholes(field: Field): readonly Text[] {
  const classes = stringClasses.filter(({ joins, name }) => !joins && name !== 'words');
  const all = classes.map((one) => textAt(one, field === 'name' ? 0 : 1));
  // An exponent and zeros in front are lost in different programs.
  const numbers = classes.filter(({ name }) => name === 'numbers').map((one) => textAt(one, 2));
  return field === 'name' ? [...all, ...numbers] : all;
}

function textAt({ name, title, texts }: StringClass, at: number): Text {
  return { name: `${name}-${at + 1}`, title, text: texts[at] ?? '' };
}

/** The lengths at which buffers and columns end, and one less and one more. */
const LENGTHS = {
  name: [31, 33, 64, 127, 129, 256, 1_023, 1_025],
  tag: [31, 32, 63, 65, 128, 255, 257, 1_024],
};

/** Words that languages take for something else. */
const WORDS = {
  name: ['NULL', 'nil', '0', '1e5', 'admin'],
  tag: ['None', 'nil', '0', '1e5', 'admin', 'NaN'],
};

/** White space of every kind, and what only looks like nothing. */
const OUTER = [
  ...[' ', '\t', '\n', '\r\n', '\v\f', '\u0085', '\u00a0', '\u2003', '\u2028', '\u3000'],
  '\u200b\ufeff',
];

function ownTexts(field: Field): readonly Text[] {
  const plain = field === 'name' ? '<NAME>' : 'succulent';
  return [
    ...LENGTHS[field].map((length) => ({
      name: `of-${length}`,
      title: `a text of ${length.toLocaleString('en')} letters`,
      text: ofLength(field, length),
    })),
    // A limit in bytes, or in units of UTF-16, ends within the last character but one.
    {
      name: 'cut-at-255',
      title: 'a text of 254 letters, a cactus and a letter',
      text: `${ofLength(field, 254)}🌵z`,
    },
    ...WORDS[field].map((word) => ({ name: `word-${word}`, title: `the text ${word}`, text: word })),
    ...OUTER.map((space, at) => ({
      name: `outer-${at + 1}`,
      title: `a word with ${JSON.stringify(space)} at both ends`,
      text: `${space}${plain}${space}`,
    })),
  ];
}

function textsOf(field: Field): readonly Text[] {
  return [...characters(field), ...wholes(field), ...ownTexts(field)];
}

/** The name and the tag of a bundle are this far apart in their lists, so that they are of different classes. */
const APART = 20;

const tags = textsOf('tag');

/**
 * Valid plants with a telling name, a telling tag and an id of a pattern, so that few requests carry many values. They are the
 * same in every run. If a provider does not accept one, its parts are sent: the name, the tag, and then the id, if no accepted part has it.
 */
export const bundleRows: readonly Row[] = textsOf('name').map((name, at) => {
  const tag = tags[(at + APART) % tags.length] as Text;
  const id = idValues[at] as IdValue;
  const parts = [withId(part('name', name), id), withId(part('tag', tag), id)];
  return {
    name: `strings/bundle-${at + 1}`,
    title: `a plant whose name is ${name.title}, whose tag is ${tag.title}, and whose id ${id.title}`,
    expectation: 'open',
    rules: [...new Set(parts.flatMap(({ rules = [] }) => rules))],
    control: 'plain-plant-with-tag',
    ids: id.ids,
    requests: [{ body: plantJson(name.text, tag.text).replace('<ID>', () => id.id) }],
    parts: [...parts, plantWithValue(id)],
  };
});

/** A plant that is plain but for one text. Every provider accepts a word, whatever it means to a program. */
function part(field: Field, { name, title, text }: Text): Row {
  const isWord = field === 'name' ? isPlainName(text) : isPlainTag(text);
  return {
    name: `strings/${field}-${isWord ? text : name}`,
    title: `a plant whose ${field} is ${isWord ? `the word ${text}` : title}`,
    expectation: isWord ? 'created' : 'open',
    rules: isWord
      ? ['success/plain-words-are-accepted', `success/${field}-comes-back`]
      : [COMES_BACK, `unspecified/${field}s-refused`],
    control: field === 'name' ? 'plain-plant' : 'plain-plant-with-tag',
    requests: [{ body: plantWith(field, text) }],
  };
}

/** A row with an id of a pattern, unless its text must be accepted: then a rejection must not be about the id. */
function withId(row: Row, value: IdValue): Row {
  if (row.expectation === 'created') return row;
  return {
    ...row,
    rules: [...(row.rules ?? []), ...(plantWithValue(value).rules ?? [])],
    ids: value.ids,
    requests: row.requests.map(({ body }) => ({ body: body.replace('<ID>', () => value.id) })),
  };
}

/** Asks which texts of bundles are rejected: alone, or in a bundle whose other text is accepted. */
function refusedTexts(field: Field): Observation {
  const [at, beside] = field === 'name' ? [0, 1] : [1, 0];
  return {
    id: `unspecified/${field}s-refused`,
    level: 'unspecified',
    title: `Which ${field}s are rejected?`,
    ...CONSTRAINTS,
    observe(_, facts) {
      const isRefused = (name = ''): boolean =>
        facts.of(name).some((exchange) => !isAccepted(exchange) && !isUnprocessed(exchange));
      const open = bundleRows.filter(({ parts }) => parts?.[at]?.expectation === 'open');
      const refused = open.flatMap(({ name, parts = [] }) => {
        const isBesideAccepted = facts.accepted(parts[beside]?.name ?? '');
        return isRefused(parts[at]?.name) || (isRefused(name) && isBesideAccepted) ? [parts[at] as Row] : [];
      });
      if (refused.length === 0) return { sentence: `No ${field} is rejected.`, value: 'none' };
      const value = refused.map(({ name }) => name.replace(`strings/${field}-`, '')).join(', ');
      const isAnyAccepted = open.some(({ name, parts }) =>
        [name, parts?.[at]?.name ?? ''].some((one) => facts.accepted(one)),
      );
      const kinds = refused.map(({ title }) => title.replace(`a plant whose ${field} is `, ''));
      const sentence = isAnyAccepted
        ? `A ${field} is rejected if it is ${kinds.join(', or ')}.`
        : `Every ${field} that is not plain is rejected.`;
      return { sentence, value };
    },
  };
}

/** Names and tags that a provider may reject. */
export const strings: Topic = {
  open: [
    // No bundle has an empty text: a provider that rejects it would hide the other text.
    ...observed(CONSTRAINTS)(`
      empty-name  a plant with an empty name  {"name":"","id":<ID>}
      empty-tag   a plant with an empty tag   {"name":"<NAME>","id":<ID>,"tag":""}`).map((row) => ({
      ...row,
      rules: [COMES_BACK],
    })),
    ...ORDINARY,
    ...ofLengths('name'),
    ...ofLengths('tag'),
    // Some programs write a field of a plant into a header of the response.
    ...rowsLike({ expectation: 'open', rules: [COMES_BACK, 'failure/text-stays-in-the-body'] })(String.raw`
      strings/controls  a plant whose name and tag have tabs, line breaks and other control characters  {"name":"\t<NAME>\u001b[31m\r\n${FORGED_FIELD}: 1\r\n\u009f\n","id":<ID>,"tag":"a\tb\r\n${FORGED_FIELD}: 1\r\n\u0001\u007f\n"}`),
    ...bundleRows,
  ],
  observations: [refusedTexts('name'), refusedTexts('tag')],
};
