import type * as FastCheck from 'fast-check';
import { isPlainName, isPlainTag } from '../oracle.js';
import type { GeneratedName } from '../probe.js';
import type { Row } from '../row.js';
import type { Template } from '../template.js';
import { plantWithValue } from './ids/rows.js';
import { type IdValue, idValues } from './ids/values.js';
import { plantJson } from './strings/rows.js';
import { MARKS, type StringClass, stringClasses } from './strings/values.js';

/** A value that a request carries beside what it is sent for. */
export interface Value {
  readonly of: 'name' | 'tag' | 'id';
  /** Its JSON. */
  readonly json: Template;
  /** The row that sends it in an otherwise plain plant. */
  readonly alone: Row<GeneratedName>;
}

/** The fields of a plant that are strings. */
export type Field = 'name' | 'tag';

const IS_PLAIN = { name: isPlainName, tag: isPlainTag };

function idOf(value: IdValue): Value {
  return { of: 'id', json: value.id, alone: plantWithValue(value) };
}

/**
 * A text as a value.
 *
 * @param json writes it as JSON
 */
export function text(
  field: Field,
  { name, title }: Pick<StringClass, 'name' | 'title'>,
  template: Template,
  json: (text: string) => string = JSON.stringify,
): Value {
  if (IS_PLAIN[field](template)) return word(field, template);
  const [first, second] =
    field === 'name' ? ([template, undefined] as const) : (['<NAME>', template] as const);
  return {
    of: field,
    json: json(template),
    alone: {
      name: `strings/${field}-${name}`,
      title: `a plant whose ${field} is ${title}`,
      expectation: 'open',
      rules: ['success/texts-come-back'],
      control: field === 'name' ? 'plain-plant' : 'plain-plant-with-tag',
      requests: [{ body: plantJson(first, second, json) }],
    },
  };
}

/** A word that every provider accepts, whatever it means to a program. */
function word(field: Field, template: Template): Value {
  return {
    of: field,
    json: JSON.stringify(template),
    alone: {
      name: `strings/${field}-${template}`,
      title: `a plant whose ${field} is the word ${template}`,
      expectation: 'created',
      rules: ['success/plain-words-are-accepted', `success/${field}-comes-back`],
      control: field === 'name' ? 'plain-plant' : 'plain-plant-with-tag',
      requests: [{ body: field === 'name' ? plantJson(template) : plantJson('<NAME>', template) }],
    },
  };
}

const LETTERS = [...'aelnorstABXYZbcdfghijkmpquvwxyzCDEFGHIJKLMNOPQRSTUVW'];
/** Classes of long texts, by their names. */
const LONG = /lengths$/;

const MOST_TELLING = 12;

/** Random characters beside the classes: the ranges from which each is drawn, without half surrogate pairs. */
const CODE_POINTS = [
  { min: 0, max: 0xff },
  { min: 0x100, max: 0xd7ff },
  { min: 0xe000, max: 0x10ffff },
];

/** A string of pieces that programs treat in a special way. Fewer pieces are simpler. It may have `<NAME>` and `<ID1>` in it. */
export function drawString(fc: typeof FastCheck): FastCheck.Arbitrary<Template> {
  const piece = fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom('a', 'Aloe', 'vera') },
    { weight: 12, arbitrary: drawFrom(fc, ({ joins }) => joins === true) },
    { weight: 6, arbitrary: drawFrom(fc, ({ joins, name }) => joins === undefined && !LONG.test(name)) },
    { weight: 5, arbitrary: fc.constantFrom(...MARKS) },
    { weight: 1, arbitrary: drawCodePoint(fc) },
  );
  return fc.oneof(
    { weight: 9, arbitrary: drawFrom(fc, ({ joins, name }) => joins === undefined && !LONG.test(name)) },
    { weight: 3, arbitrary: piece },
    {
      weight: 8,
      arbitrary: fc.array(piece, { minLength: 2, maxLength: 5 }).map((parts) => parts.join('')),
    },
    { weight: 2, arbitrary: fc.array(drawCodePoint(fc), { maxLength: 12 }).map((all) => all.join('')) },
  );
}

/** A text of some classes: each class as often as another, and often one of its first texts. */
function drawFrom(
  fc: typeof FastCheck,
  isWanted: (one: StringClass) => boolean,
): FastCheck.Arbitrary<Template> {
  const drawn = stringClasses.filter(isWanted).map(({ texts }) => {
    const first = fc.constantFrom(...texts.slice(0, MOST_TELLING));
    return fc.oneof(first, fc.constantFrom(...texts));
  });
  return fc.oneof(...drawn);
}

/** Any character. The unit `binary` of fast-check would need seconds and 100 MB to begin. */
function drawCodePoint(fc: typeof FastCheck): FastCheck.Arbitrary<string> {
  return fc.oneof(...CODE_POINTS.map((range) => fc.integer(range))).map((one) => String.fromCodePoint(one));
}

/** What the values of drawn texts are called. */
const DRAWN = { name: 'drawn', title: 'a drawn text' };

/** Draws a name and a tag of every kind, or none. A name is often fresh, because names may have to be unique. */
export function drawTexts(fc: typeof FastCheck): FastCheck.Arbitrary<readonly Value[]> {
  const anyText = fc.oneof(
    { weight: 9, arbitrary: drawString(fc) },
    { weight: 1, arbitrary: drawFrom(fc, ({ name }) => LONG.test(name)) },
    { weight: 1, arbitrary: fc.string({ unit: fc.constantFrom(...LETTERS), minLength: 1, maxLength: 30 }) },
  );
  const name = fc.oneof(
    { weight: 3, arbitrary: anyText },
    { weight: 1, arbitrary: anyText.map((one) => `<NAME>${one}`) },
    { weight: 1, arbitrary: anyText.map((one) => `${one}<NAME>`) },
  );
  const tag = fc.oneof(
    { weight: 3, arbitrary: anyText },
    {
      weight: 1,
      arbitrary: anyText.map((one) => (isPlainTag(one.toLowerCase()) ? one.toLowerCase() : '<NAME2>')),
    },
  );
  return fc
    .record({
      name: fc.option(name, { nil: undefined, freq: 4 }),
      tag: fc.option(tag, { nil: undefined, freq: 4 }),
      isEqual: fc.integer({ min: 0, max: 9 }).map((one) => one === 9),
      isEscaped: fc.integer({ min: 0, max: 3 }).map((one) => one === 3),
    })
    .map((drawn) => {
      const json = drawn.isEscaped ? inAscii : JSON.stringify;
      const { name: first, tag: second } = drawn.isEqual ? { ...drawn, tag: drawn.name } : drawn;
      return [
        ...(first === undefined ? [] : [text('name', DRAWN, first, json)]),
        ...(second === undefined ? [] : [text('tag', DRAWN, second, json)]),
      ];
    });
}

/** JSON with an escape for every character that is not ASCII. */
function inAscii(text: string): string {
  return JSON.stringify(text).replace(
    /[\u007f-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Draws ids by pattern that other requests carry. */
export function drawIdValue(fc: typeof FastCheck): FastCheck.Arbitrary<Value> {
  return fc.constantFrom(...idValues.filter(({ isAccepted }) => isAccepted)).map(idOf);
}
