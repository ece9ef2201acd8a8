import type * as FastCheck from 'fast-check';
import { classifiedDraft } from '../classified.js';
import type { ProbeDraft } from '../draft.js';
import { isPlainTag } from '../plain-strings.js';
import { FORMS, LOOK_ALIKES, MARKS, PLACEHOLDERS, RANGES, SPACES, WORDS } from './fragments.js';
import { wordDraft } from './plain.js';

const LETTERS = [...'aelnorstABXYZbcdfghijkmpquvwxyzCDEFGHIJKLMNOPQRSTUVW'];
/** Characters of one to four bytes in UTF-8. */
const UNITS = ['a', 'é', '龍', '🌵'];
/** The longest string has 2^15 + 1 characters. */
const MOST_BITS = 15;

/** Draws plants with strings of every kind. */
export function drawStrings(fc: typeof FastCheck): FastCheck.Arbitrary<ProbeDraft> {
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
function drawAny(fc: typeof FastCheck): FastCheck.Arbitrary<ProbeDraft> {
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
      const json = isEscaped ? inAscii : JSON.stringify;
      const body = `{"name":${json(name)},"id":<ID>${tag === undefined ? '' : `,"tag":${json(tag)}`}}`;
      return classifiedDraft('strings/drawn', 'a plant with other strings', body);
    });
}

/** A plant that every provider accepts. */
function drawPlain(fc: typeof FastCheck): FastCheck.Arbitrary<ProbeDraft> {
  const letters = fc.string({ unit: fc.constantFrom(...LETTERS), minLength: 1, maxLength: 30 });
  const word = fc.constantFrom(...WORDS);
  const tag = fc.oneof(fc.constant('succulent'), word, letters);
  return fc.record({ name: fc.oneof(fc.constant('<NAME>'), word, letters), tag }).map((drawn) => {
    const lower = drawn.tag.toLowerCase();
    return { ...wordDraft(drawn.name, isPlainTag(lower) ? lower : 'succulent'), name: 'strings/drawn-words' };
  });
}

/** JSON with an escape for every character that is not ASCII. */
function inAscii(text: string): string {
  return JSON.stringify(text).replace(
    /[\u007f-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
