import type * as FastCheck from 'fast-check';
import { type DrawnRow, eachOf, PLAIN_PLANT } from '../../row.js';
import { words } from '../words.js';
import { type Field, typeRows } from './rows.js';

/** JSON values that are empty, or that many programs take for nothing. The first is the simplest. */
const EMPTY = ['null', 'false', '0', '""', '[]', '{}', '-0', '0.0', '0e0', 'true'];

/** Values that a reader converts to a name, an id or a tag. */
const CONVERTIBLE = [
  '"<NAME>" | "<ID>" | <ID> | <ID>.5 | <ID>.0 | <ID>e0 | -<ID> | 1 | -1 | 1.5 | 1e-7 | 1e400 | 9007199254740993',
  '9223372036854775808 | " <ID> " | "<ID>.0" | "<ID>e0" | "<ID>.5" | "0x<ID>" | "+<ID>" | "-<ID>" | "0<ID>"',
  '"<ID>L" | "<ID>n" | "<ID> plants" | "<ID>\\n" | "<ID>," | "#<ID>" | "[<ID>]" | "five" | "null" | "true"',
  '"NaN" | "Infinity" | "٣" | "succulent" | " " | "\\u0000"',
].flatMap((line) => line.split(' | '));

/** Keys of objects that a reader unwraps. */
const KEYS = [
  ...'value name id tag text en 0 $numberLong $numberInt $oid $t #text _ @value data plant type length low'.split(
    ' ',
  ),
  ...['', 'toString', '__proto__'],
];

/** Keys of objects that a plant is wrapped in. */
const WRAPPERS = [...words('plant data NewPlant newPlant body payload attributes item request 0'), ''];

/** The JSON of a right value of each field. */
const RIGHT: Readonly<Record<Field, string>> = { tag: '"succulent"', name: '"<NAME>"', id: '<ID>' };
const FIELDS: readonly Field[] = ['tag', 'name', 'id'];

/** Draws plants with a value of another type, and bodies of another type. */
export function drawTypes(fc: typeof FastCheck): FastCheck.Arbitrary<DrawnRow> {
  const [tag, name, id] = FIELDS.map((field) => drawValue(fc, RIGHT[field])) as [Value, Value, Value];
  const fields = FIELDS.map((field) =>
    drawValue(fc, RIGHT[field]).map((json) => plantWith({ [field]: json })),
  );
  const known = typeRows.flatMap(eachOf).map(({ requests: [first] }) => first?.body ?? '');
  return fc
    .oneof(
      { weight: 3, arbitrary: fc.constantFrom(...known) },
      { weight: 8, arbitrary: fc.oneof(...fields) },
      { weight: 1, arbitrary: fc.record({ tag, name, id }).map(plantWith) },
      { weight: 1, arbitrary: drawValue(fc, PLAIN_PLANT) },
      { weight: 2, arbitrary: drawWrapped(fc) },
      { weight: 2, arbitrary: drawArray(fc) },
    )
    .map((body) => ({ name: 'types/drawn', title: 'a plant with any JSON values', requests: [{ body }] }));
}

type Value = FastCheck.Arbitrary<string>;

function plantWith(values: Partial<Record<Field, string>>): string {
  const members = Object.entries({ name: '"<NAME>"', id: '<ID>', ...values });
  return `{${members.map(([key, json]) => `"${key}":${json}`).join(',')}}`;
}

/** Any JSON value, often with a right one in it. The simplest is an empty one. */
function drawValue(fc: typeof FastCheck, right: string): Value {
  const leaf = fc.oneof(fc.constantFrom(...EMPTY), fc.constantFrom(...CONVERTIBLE));
  // Some notations of JSON write every value as a string.
  const inner = fc.oneof(leaf, {
    weight: 2,
    arbitrary: fc.constantFrom(right, JSON.stringify(right.replaceAll('"', ''))),
  });
  const key = fc
    .oneof(fc.constantFrom('value', '$numberLong'), fc.constantFrom(...KEYS))
    .map((one) => JSON.stringify(one));
  const object = fc.tuple(key, inner).map(([one, json]) => `{${one}:${json}}`);
  const deep = fc.oneof(
    inner,
    object,
    inner.map((json) => `[${json}]`),
  );
  return fc.oneof(
    { weight: 6, arbitrary: leaf },
    { weight: 2, arbitrary: object },
    { weight: 2, arbitrary: fc.array(inner, { maxLength: 3 }).map((items) => `[${items.join(',')}]`) },
    { weight: 1, arbitrary: fc.array(deep, { maxLength: 3 }).map((items) => `[${items.join(',')}]`) },
    { weight: 1, arbitrary: fc.tuple(key, deep).map(([one, json]) => `{${one}:${json}}`) },
  );
}

/** A plant inside other values, or as text. */
function drawWrapped(fc: typeof FastCheck): FastCheck.Arbitrary<string> {
  const wrapper = fc.oneof(
    fc.constantFrom(...WRAPPERS).map((key) => (json: string) => `{${JSON.stringify(key)}:${json}}`),
    fc.constantFrom(
      (json: string) => `[${json}]`,
      (json: string) => `[${json},${json}]`,
      (json: string) => JSON.stringify(json),
      (json: string) => `{"name":${json},"id":<ID>}`,
    ),
  );
  return fc
    .array(wrapper, { minLength: 1, maxLength: 3 })
    .map((wrappers) => wrappers.reduce((json, wrap) => wrap(json), PLAIN_PLANT));
}

/** The values of the fields as an array, or as keys and values, in any order. */
function drawArray(fc: typeof FastCheck): FastCheck.Arbitrary<string> {
  const fields = Object.entries(RIGHT);
  return fc
    .tuple(fc.shuffledSubarray(fields, { minLength: 2 }), fc.constantFrom('values', 'pairs', 'flat'))
    .map(([chosen, form]) => {
      if (form === 'values') return `[${chosen.map(([, json]) => json).join(',')}]`;
      const pairs = chosen.map(([key, json]) => `"${key}",${json}`);
      return form === 'flat' ? `[${pairs.join(',')}]` : `[${pairs.map((pair) => `[${pair}]`).join(',')}]`;
    });
}
