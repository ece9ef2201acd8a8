import type * as FastCheck from 'fast-check';
import { type DrawnRow, words } from '../../row.js';
import {
  COMMON,
  LIKE_ID,
  LIKE_KEYS,
  LIKE_NAME,
  LIKE_TAG,
  METHODS,
  type Member,
  ODD_KEYS,
  objectOf,
  VALUES,
  WRONG_KEYS,
  withOtherId,
} from './rows.js';

type Field = 'name' | 'id' | 'tag';

/** Keys that are like those of the fields, in words. */
const IN_WORDS: Readonly<Record<Field, readonly string[]>> = { name: LIKE_NAME, id: LIKE_ID, tag: LIKE_TAG };

/** Wrong keys: `*` stands for the right one. */
const AROUND =
  '*\t|\0*|\ufeff*|*\u200b|*\u0301|*\u00ad|*_|$*|@*|-*|*s|plant_*|plant.*|plant[*]|*[]|/*|"*"|\'*\''.split(
    '|',
  );

/** Keys that a careless reader takes for that of a field. The simplest is first. */
function wrongKeysFor(field: Field): readonly string[] {
  return [
    ...Object.values(WRONG_KEYS).map((write) => write(field)),
    field.slice(0, -1) + field.slice(-1).toUpperCase(),
    `plant${WRONG_KEYS.capitalised(field)}`,
    ...AROUND.map((around) => around.replace('*', field)),
    // In Cyrillic letters, and with an i without a dot.
    field.replace('a', '\u0430').replace('i', '\u0456'),
    field.replace('i', '\u0131'),
    ...IN_WORDS[field],
    [...field].reverse().join(''),
    field.slice(0, -1),
  ].filter((key) => key !== field);
}

/** Keys that mean something to languages, frameworks and databases, and odd ones. */
const KEYS = [
  ...words(
    '__proto__ prototype _id ID Id tags label title category plant attributes body item $where $set $gt $type null',
  ),
  ...METHODS,
  ...COMMON.map(([key]) => key),
  ...ODD_KEYS,
];

const OTHER_VALUES = [
  ...words(`"fern" ["fern"] {"a":{"b":[1]}} {"name":"Fern","id":<ID>5,"tag":"fern"} [{"name":"Fern","id":<ID>5,"tag":"fern"}]
    {"prototype":{"tag":"fern"}} {"prototype":{"name":"Fern","id":<ID>5}} {"$gt":""} 7 12345678901234567890`),
  ...VALUES,
  ...LIKE_KEYS.map(([, value]) => value),
  `${'['.repeat(100)}${']'.repeat(100)}`,
];

const CHARACTERS = [...'aAéß葉🌵0./\\"\'[]{}$@#%&< \t\n\0\x1f\x7f\u00a0\u200b\u2028\ufeff\uffff\u{10ffff}'];

const HIDING = 'plant|data|__proto__|constructor.prototype|params|body|attributes||0'.split('|');

const RIGHT: Readonly<Record<Field, string>> = { name: '"<NAME>"', id: '<ID>', tag: '"succulent"' };

const FIELDS: Field[] = ['name', 'id', 'tag'];
const PLAIN: Field[] = ['name', 'id'];

interface Drawn {
  /** The fields that are there, in this order. */
  readonly order: readonly Field[];
  readonly unknown: readonly Member[];
  /** How many of the unknown members come first. */
  readonly before: number;
  /** A field that is missing, and the member that has its value. */
  readonly missing?: { readonly field: Field; readonly member: Member };
}

/** Draws plants with unknown members, and plants with a required member under a wrong key. */
export function drawKeys(fc: typeof FastCheck): FastCheck.Arbitrary<DrawnRow> {
  const wrongKey = fc
    .constantFrom<Field[]>('name', 'id', 'tag')
    .chain((field) => fc.constantFrom(...wrongKeysFor(field)));
  const odd = fc.array(fc.constantFrom(...CHARACTERS), { maxLength: 4 }).map((all) => all.join(''));
  const key = fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...KEYS) },
    { weight: 4, arbitrary: wrongKey },
    { weight: 1, arbitrary: odd },
  );
  const member = fc.tuple(key, fc.constantFrom(...OTHER_VALUES));
  const unknown = (minLength: number) =>
    fc.uniqueArray(member, { minLength, maxLength: 4, selector: ([one]) => one });
  const order = fc
    .boolean()
    .chain((hasTag) => fc.shuffledSubarray<Field>(hasTag ? FIELDS : PLAIN, { minLength: hasTag ? 3 : 2 }));
  const shared = { order, before: fc.nat({ max: 4 }) };
  const missing = fc
    .constantFrom<Field[]>('name', 'id')
    .chain((field) => fc.record({ field: fc.constant(field), member: drawMisplaced(fc, field) }));
  const drawn = fc.oneof<FastCheck.Arbitrary<Drawn>[]>(
    fc.record({ ...shared, unknown: unknown(1) }),
    fc.record({ ...shared, unknown: unknown(0), missing }),
  );
  return fc.oneof(
    { weight: 9, arbitrary: drawn.map(rowOf) },
    { weight: 1, arbitrary: wrongKey.map((one) => withOtherId('keys/drawn', [one])) },
  );
}

/** A member that has the value of a field under a wrong key, or in another object. */
function drawMisplaced(fc: typeof FastCheck, field: Field): FastCheck.Arbitrary<Member> {
  const hiding = fc.constantFrom(...HIDING).map((place): Member => {
    const [outer = '', inner] = place.split('.');
    const object = objectOf([[field, RIGHT[field]]]);
    return [outer, inner === undefined ? object : objectOf([[inner, object]])];
  });
  // There are more keys to take for another than objects to hide in.
  return fc.oneof(
    {
      weight: 3,
      arbitrary: fc.constantFrom(...wrongKeysFor(field)).map((key): Member => [key, RIGHT[field]]),
    },
    { weight: 1, arbitrary: hiding },
  );
}

function rowOf({ order, unknown, before, missing }: Drawn): DrawnRow {
  const known = order
    .filter((field) => field !== missing?.field)
    .map((field): Member => [field, RIGHT[field]]);
  if (missing !== undefined) known.push(missing.member);
  const taken = ['name', 'id', 'tag', missing?.member[0]];
  const others = unknown.filter(([key]) => !taken.includes(key));
  const body = objectOf([...others.slice(0, before), ...known, ...others.slice(before)]);
  const title =
    missing === undefined
      ? 'a plant with unknown fields'
      : `a plant with its ${missing.field} under another key`;
  return { name: 'keys/drawn', title, requests: [{ body }] };
}
