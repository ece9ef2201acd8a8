import type * as FastCheck from 'fast-check';
import { isPlainTag } from '../../oracle.js';
import type { DrawnRow } from '../../row.js';
import type { Template } from '../../template.js';
import { MARKS } from './characters.js';
import { plantJson, wordRow } from './rows.js';
import { type StringClass, stringClasses } from './values.js';

const LETTERS = [...'aelnorstABXYZbcdfghijkmpquvwxyzCDEFGHIJKLMNOPQRSTUVW'];
/** Classes by their names: plain words, and long texts. */
const PLAIN = /^(?:literals|capitals|.*-words)$/;
const LONG = /lengths$/;

const MOST_TELLING = 12;

/** Random characters beside the classes: the ranges from which each is drawn, without half surrogate pairs. */
const CODE_POINTS = [
  { min: 0, max: 0xff },
  { min: 0x100, max: 0xd7ff },
  { min: 0xe000, max: 0x10ffff },
];

/** Draws plants with strings of every kind. */
export function drawStrings(fc: typeof FastCheck): FastCheck.Arbitrary<DrawnRow> {
  return fc.oneof({ weight: 5, arbitrary: drawAny(fc) }, { weight: 2, arbitrary: drawPlain(fc) });
}

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

/** A plant with any strings. Its name is often fresh, because names may have to be unique. */
function drawAny(fc: typeof FastCheck): FastCheck.Arbitrary<DrawnRow> {
  const text = fc.oneof(
    { weight: 9, arbitrary: drawString(fc) },
    { weight: 1, arbitrary: drawFrom(fc, ({ name }) => LONG.test(name)) },
  );
  return fc
    .record({
      name: fc.oneof(
        { weight: 1, arbitrary: fc.constant('<NAME>') },
        { weight: 3, arbitrary: text },
        { weight: 1, arbitrary: text.map((one) => `<NAME>${one}`) },
        { weight: 1, arbitrary: text.map((one) => `${one}<NAME>`) },
      ),
      tag: fc.option(
        fc.oneof({ weight: 3, arbitrary: text }, { weight: 1, arbitrary: fc.constant('<NAME>') }),
        {
          nil: undefined,
        },
      ),
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
  const word = drawFrom(fc, ({ name }) => PLAIN.test(name));
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
