import type { GeneratedName } from '../probe.js';
import type { CoreRow, Row } from '../row.js';
import type { Template } from '../template.js';
import { plantWithValue } from './ids/rows.js';
import { type IdValue, idValues } from './ids/values.js';
import { plantJson } from './strings/rows.js';
import { type StringClass, stringClasses } from './strings/values.js';
import { type Field, text, type Value } from './values.js';

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
      ...{ name, title },
      text: [field === 'name' ? '<NAME>' : 'a', ...texts.slice(0, MOST_PIECES), 'x'].join(' '),
    }));
}

/** The classes of texts that mean something as a whole: the first text of each is a name, and the second one a tag. */
function wholes(field: Field): readonly Text[] {
  const classes = stringClasses.filter(({ joins, name }) => !joins && !/^literals$|-words$/.test(name));
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
  ' ',
  '\t',
  '\n',
  '\r\n',
  '\v\f',
  '\u0085',
  '\u00a0',
  '\u2003',
  '\u2028',
  '\u3000',
  '\u200b\ufeff',
];

function ownTexts(field: Field): readonly Text[] {
  const plain = field === 'name' ? '<NAME>' : 'succulent';
  return [
    ...LENGTHS[field].map((length) => ({
      ...{ name: `of-${length}`, title: `a text of ${length.toLocaleString('en')} letters` },
      text: field === 'name' ? `<NAME><REPEAT ${length - 10} a>` : `<REPEAT ${length} a>`,
    })),
    ...WORDS[field].map((word) => ({ name: `word-${word}`, title: `the text ${word}`, text: word })),
    ...OUTER.map((space, at) => ({
      ...{ name: `outer-${at + 1}`, title: `a word with ${JSON.stringify(space)} at both ends` },
      text: `${space}${plain}${space}`,
    })),
  ];
}

function textsOf(field: Field): readonly Text[] {
  return [...characters(field), ...wholes(field), ...ownTexts(field)];
}

/** Ids with the same low bits, and with the same high bits: a provider that keeps only these takes one for the other. */
const ALIKE = ['zero-in-32-bits', 'times-2-40', 'above-2-50', 'below-2-50'];

const accepted = idValues.filter(({ isAccepted }) => isAccepted);
const ids = [
  ...accepted.filter(({ name }) => ALIKE.includes(name)),
  ...accepted.filter(({ name }) => !ALIKE.includes(name)),
];

/** The name and the tag of a bundle are this far apart in their lists, so that they are of different classes. */
const APART = 20;

/**
 * Valid plants with a telling name, a telling tag and an id of a pattern, so that few requests carry many values. They are the
 * same in every run. If a provider does not accept one, its parts are sent: the name, the tag, and then the id, if no accepted part has it.
 */
export const bundleRows: readonly CoreRow<GeneratedName>[] = textsOf('name').map((name, at) => {
  const tags = textsOf('tag');
  const tag = tags[(at + APART) % tags.length] as Text;
  const id = ids[at] as IdValue;
  const parts = [part('name', name), part('tag', tag)].map(({ alone }) => withId(alone, id));
  return {
    name: `strings/bundle-${at + 1}`,
    title: `a plant whose name is ${name.title}, whose tag is ${tag.title}, and whose id ${id.title}`,
    expectation: 'open',
    rules: [...new Set(parts.flatMap(({ rules = [] }) => rules))],
    control: 'plain-plant-with-tag',
    ...(id.ids !== undefined && { ids: id.ids }),
    requests: [{ body: plantJson(name.text, tag.text).replace('<ID>', () => id.id) }],
    parts: [...parts, plantWithValue(id)],
  };
});

function part(field: Field, { name, title, text: template }: Text): Value {
  return text(field, { name, title }, template);
}

/** A row with an id of a pattern, unless its text must be accepted: then a rejection must not be about the id. */
function withId(row: Row<GeneratedName>, { id, ids: bounds, ...value }: IdValue): Row<GeneratedName> {
  if (row.expectation === 'created') return row;
  const { rules = [] } = plantWithValue({ id, ids: bounds, ...value });
  return {
    ...row,
    rules: [...(row.rules ?? []), ...rules],
    ...(bounds !== undefined && { ids: bounds }),
    requests: row.requests.map((request) => ({ ...request, body: request.body.replace('<ID>', () => id) })),
  };
}
