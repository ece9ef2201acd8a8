import type * as FastCheck from 'fast-check';
import type { DrawnRow } from '../../row.js';
import { type Member, objectOf, WRONG_KEYS, withOtherId } from './rows.js';

type Field = 'name' | 'id' | 'tag';

const SYNONYMS: Readonly<Record<Field, readonly string[]>> = {
  name: ['title', 'label', 'plantname'],
  id: ['number', 'identifier', 'key'],
  tag: ['type', 'category', 'kind'],
};

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
    ...SYNONYMS[field],
    [...field].reverse().join(''),
    field.slice(0, -1),
  ].filter((key) => key !== field);
}

/** Keys that mean something to languages, frameworks and databases. */
const COMMON =
  `__proto__ constructor prototype hasOwnProperty toString valueOf toJSON then length price _id ID Id uuid key type kind
   tags label title category description plant data attributes body item payload value values result json params fields
   status error message code ok success created_at createdAt version _rev __v etag $schema $ref $id $where $set $gt $type
   @type @class @context #text _method _token class class.module self this __class__ __init__ format callback access_token
   a.b a[b] . .. * 0 -1 null undefined true 🌵`
    .split(/\s+/)
    .concat('', ' ', '\n', '\u2028', '\0', 'k'.repeat(300));

/** JSON values of unknown members. */
const VALUES = [
  ...`null true false 0 7 -1 1.5 "" "fern" [] ["fern"] {} {"a":{"b":[1]}} {"name":"Fern","id":<ID>5,"tag":"fern"}
   [{"name":"Fern","id":<ID>5,"tag":"fern"}] {"prototype":{"tag":"fern"}} {"prototype":{"name":"Fern","id":<ID>5}}
   {"$gt":""} 9007199254740993 12345678901234567890`.split(/\s+/),
  `${'['.repeat(100)}${']'.repeat(100)}`,
];

/** What odd keys are made of. */
const CHARACTERS = [...'aAéß葉🌵0./\\"\'[]{}$@#%&< \t\n\0\x1f\x7f\u00a0\u200b\u2028\ufeff\uffff\u{10ffff}'];

/** Objects in which a required member hides. */
const HIDING = 'plant|data|__proto__|constructor.prototype|params|body|attributes||0'.split('|');

/** The JSON of a right value of each field. */
const RIGHT: Readonly<Record<Field, string>> = { name: '"<NAME>"', id: '<ID>', tag: '"succulent"' };

interface Drawn {
  readonly hasTag: boolean;
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
    { weight: 4, arbitrary: fc.constantFrom(...COMMON) },
    { weight: 4, arbitrary: wrongKey },
    { weight: 1, arbitrary: odd },
  );
  const member = fc.tuple(key, fc.constantFrom(...VALUES));
  const unknown = (minLength: number) =>
    fc.uniqueArray(member, { minLength, maxLength: 4, selector: ([one]) => one });
  const shared = { hasTag: fc.boolean(), before: fc.nat({ max: 4 }) };
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

function rowOf({ hasTag, unknown, before, missing }: Drawn): DrawnRow {
  const fields: readonly Field[] = hasTag ? ['name', 'id', 'tag'] : ['name', 'id'];
  const known = fields
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
