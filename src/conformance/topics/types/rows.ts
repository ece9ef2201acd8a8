import { type CoreRow, PLAIN_PLANT, type Row, words } from '../../row.js';

/** A field of a plant. */
type Field = 'name' | 'id' | 'tag';

/** The rule that each field is sent for. */
const RULE_OF_FIELD: Readonly<Record<Field, string>> = {
  name: 'request/name-is-a-string',
  id: 'request/id-is-an-integer',
  tag: 'request/tag-is-a-string',
};

/** What is in a row: its name, its title, the body or the value as JSON, and the rule that records its response. */
type Case = readonly [name: string, title: string, json: string, observedBy?: string];

/** One value of each other type. They are the most telling ones. */
const SINGLE: Readonly<Record<Field, readonly Case[]>> = {
  name: [
    ['name-is-null', 'null', 'null'],
    ['name-is-number', 'a number', '<ID2>', 'unspecified/wrong-type'],
    ['name-is-boolean', 'true', 'true'],
    ['name-is-array', 'an array with a string in it', '["<NAME>"]'],
    ['name-is-object', 'an object with a string in it', '{"en":"<NAME>"}'],
  ],
  id: [
    ['id-is-text', 'a number in quotes', '"<ID>"'],
    ['id-is-empty-text', '""', '""'],
    ['id-is-null', 'null', 'null'],
    ['id-is-boolean', 'true', 'true'],
    ['id-is-fraction', 'a number with a fraction of 0.5', '<ID>.5'],
    ['id-is-array', 'an array with a number in it', '[<ID>]'],
    ['id-is-object', '{}', '{}'],
  ],
  tag: [
    ['tag-is-null', 'null', 'null'],
    ['tag-is-number', '7', '7'],
    ['tag-is-boolean', 'true', 'true'],
    ['tag-is-array', '["succulent"]', '["succulent"]'],
    ['tag-is-object', '{}', '{}'],
  ],
};

/** A value of each kind that readers convert, and values of which a run sends one. */
interface Further {
  readonly [kind: string]: string | readonly string[];
}

/** Strings that a reader of numbers takes for an id. */
const NUMERIC_TEXTS: readonly string[] = [
  ...words(
    String.raw`<ID>.0 <ID>e0 <ID>.5 +<ID> -<ID> 0<ID> <ID>L <ID>n <ID>, #<ID> [<ID>] '<ID>' _<ID> <ID>\n \t<ID> <ID>\u0000
     \ufeff<ID> id-<ID> <ID>/1 ７ ٣ Ⅶ 七 0b101 0o7 1_000 1,000 1e3 NaN Infinity five null true`,
  ),
  ...[' <ID> ', '<ID> plants', ' '],
].map((text) => `"${text}"`);

/** Numbers that are no integer. A reader that rounds them, or that compares them with a small tolerance, takes them for one. */
const FRACTIONS = words(
  `-0.5 0.5 <ID>.999 <ID>.0001 -<ID>.5 <ID>.5e0 1e-7 -1e-7 0.1 5e-324 1.5e0 2147483646.5
   4503599627370495.5`,
);

/**
 * Further values of other types. A reader that converts a value with a fresh name or id accepts the plant. Many programs check a
 * type only of values that are not empty.
 */
const FURTHER: Readonly<Record<Field, Further>> = {
  name: {
    zero: '0',
    'empty-array': '[]',
    'array-of-two': '["<NAME>","<NAME>"]',
    'object-with-value': '{"value":"<NAME>"}',
    'other-value': words(
      `false {} -1 <ID>.5 1e400 ${PLAIN_PLANT} [[]] [["<NAME>"]] [null] [""] ["<NAME>",<ID>] [{}] [{"name":"<NAME>"}]
       {"name":"<NAME>"} {"first":"<NAME>"} {"text":"<NAME>"} {"<NAME>":null} {"0":"<NAME>"} {"":"<NAME>"} {"length":1}
       {"toString":"<NAME>"} {"$gt":""} {"__proto__":null} 0.0 1e1 9007199254740993 123456789012345678901234567890`,
    ),
  },
  id: {
    'hexadecimal-text': '"0x<ID>"',
    'numeric-text': NUMERIC_TEXTS,
    'other-fraction': FRACTIONS,
    'empty-array': '[]',
    'object-with-value': '{"value":<ID>}',
    'extended-json': '{"$numberLong":"<ID>"}',
    'other-value': words(
      `false ["<ID>"] [<ID>,<ID>] [[<ID>]] [null] [true] [""] [{}] {"id":<ID>} {"id":{"id":<ID>}} {"low":<ID>,"high":0}
       {"$numberInt":"<ID>"} {"$oid":"<ID>"} {"$numberDecimal":"<ID>"} {"0":<ID>} {"valueOf":<ID>} {"length":<ID>}
       {"__proto__":null} {"$gt":0} {"#text":"<ID>"} {"N":"<ID>"}`,
    ),
  },
  tag: {
    zero: '0',
    'empty-array': '[]',
    'object-with-name': '{"name":"succulent"}',
    'other-value': words(
      `false 1.5 -1 1e400 [null] [""] [[]] [["succulent"]] [{"name":"succulent"}] ["medicinal","indoor"] [0] [true]
       {"text":"succulent"} {"id":1,"name":"succulent"} {"succulent":true} {"0":"succulent"} {"tag":"succulent"} {"":""}
       {"length":0} {"toString":"x"} {"__proto__":null} {"$ne":null} 123456789012345678901234567890 0.0`,
    ),
  },
};

const BODIES: readonly Case[] = [
  ['body-is-null', 'the JSON value null', 'null'],
  ['body-is-boolean', 'the JSON value true', 'true'],
  ['body-is-text', 'a JSON string', '"<NAME>"'],
  ['body-is-number', 'a JSON number', '<ID>'],
  ['body-is-array', 'a JSON array with a plain plant in it', `[${PLAIN_PLANT}]`],
];
const FURTHER_BODIES: readonly Case[] = [
  ['types/body-is-empty-array', 'an empty JSON array', '[]'],
  [
    'types/body-is-plant-in-text',
    'a JSON string with the JSON of a plant in it',
    '"{\\"name\\":\\"<NAME>\\",\\"id\\":<ID>}"',
  ],
  ['types/body-is-pairs', 'a JSON array of keys and values', '[["name","<NAME>"],["id",<ID>]]'],
];

/** More of them, of which a run sends one. */
const OTHER_BODIES = [
  `[${PLAIN_PLANT},{"name":"Aloe","id":<ID2>}]`,
  `[[${PLAIN_PLANT}]]`,
  `[null,${PLAIN_PLANT}]`,
  `[{},${PLAIN_PLANT}]`,
  ...words(`[null] [{}] [[]] [0] ["name","<NAME>","id",<ID>] [["<NAME>",<ID>]] [{"name":"<NAME>"},{"id":<ID>}] [["name","id"],["<NAME>",<ID>]]
   [{"key":"name","value":"<NAME>"},{"key":"id","value":<ID>}]`),
  ...words('false 0 -1 1.5 "" "{}" "null" "name=<NAME>&id=<ID>" "<NAME>,<ID>" "e30="'),
];

/** Some readers fill the fields of a record from an array, in the order in which the fields are declared. */
const RECORDS: readonly Case[] = [
  ['types/body-is-name-and-id', 'a JSON array of a name and an id', '["<NAME>",<ID>]'],
  ['types/body-is-name-id-and-tag', 'a JSON array of a name, an id and a tag', '["<NAME>",<ID>,"succulent"]'],
];

/** Members of another object that a plant is wrapped in. That object lacks both fields of a plant. */
const WRAPPERS = words(
  `data NewPlant newPlant new_plant plants body payload attributes item items request 0 object value input variables Plant record
   resource params model root json entity content`,
).concat('');

function wrongBody([name, title, body]: Case, rules: readonly string[] = ['request/body-is-an-object']): Row {
  return { name, title, expectation: 'rejected', rules, requests: [{ body }] };
}

/** A plain plant with another JSON value of one field. */
function wrongField(field: Field, [name, value, json, observedBy]: Case): Row {
  return {
    name,
    title: `a plant whose ${field} is ${value}`,
    ...(observedBy !== undefined && { rules: [RULE_OF_FIELD[field], observedBy] }),
    ...(field === 'tag' && { control: 'plain-plant-with-tag' }),
    requests: [{ body: plantWith({ [field]: json }) }],
  };
}

function plantWith(values: Partial<Record<Field, string>>): string {
  const members = Object.entries({ name: '"<NAME>"', id: '<ID>', ...values });
  return `{${members.map(([key, value]) => `"${key}":${value}`).join(',')}}`;
}

/** A plain plant with one of several other JSON values of a field. */
function furtherField(field: Field, kind: string, json: string | readonly string[]): CoreRow {
  const name = `types/${field}-is-${kind}`;
  if (typeof json === 'string') return wrongField(field, [name, jsonInWords(json), json]);
  const [first = '', ...others] = json;
  return {
    ...wrongField(field, [name, `another ${kind.replace('other-', '').replace('-', ' ')}`, first]),
    expectation: 'rejected',
    alternatives: others.map((other) => ({ body: plantWith({ [field]: other }) })),
  };
}

function oneBodyOf(
  [name, title]: readonly [name: string, title: string],
  [body = '', ...others]: readonly string[],
  rules?: readonly string[],
): CoreRow {
  return { ...wrongBody([name, title, body], rules), alternatives: others.map((other) => ({ body: other })) };
}

function jsonInWords(json: string): string {
  const shown = json.replaceAll('<NAME>', 'Aloe').replace(/<ID\d?>/g, '5');
  return shown.length > 40 ? 'another JSON value' : shown;
}

const FIELDS: readonly Field[] = ['name', 'id', 'tag'];

const MISSING = ['request/name-is-required', 'request/id-is-required'];

function wrapped(key: string, json = PLAIN_PLANT): string {
  return `{${JSON.stringify(key)}:${json}}`;
}

/** JSON values of other types: of the whole body, and of each field. */
export const typeRows: readonly CoreRow[] = [
  ...BODIES.map((one) => wrongBody(one)),
  ...FIELDS.flatMap((field) => SINGLE[field].map((one) => wrongField(field, one))),
  // A validator may report several mistakes in another form than one.
  wrongBody(
    [
      'types/body-is-wrong-in-every-field',
      'a plant whose name, id and tag all have wrong types',
      '{"name":7,"id":"<ID>","tag":[{}]}',
    ],
    ['request/name-is-a-string'],
  ),
  ...FURTHER_BODIES.map((one) => wrongBody(one)),
  ...RECORDS.map((one) => wrongBody(one, ['request/array-is-no-record'])),
  oneBodyOf(['types/body-is-another-value', 'another JSON value that is no object'], OTHER_BODIES),
  wrongBody(
    ['types/plant-in-plant', 'a plant in the member "plant" of an object', wrapped('plant')],
    MISSING,
  ),
  oneBodyOf(
    ['types/plant-in-another-member', 'a plant in a member of an object'],
    WRAPPERS.map((key) => wrapped(key)),
    MISSING,
  ),
  ...FIELDS.flatMap((field) =>
    Object.entries(FURTHER[field]).map(([kind, json]) => furtherField(field, kind, json)),
  ),
];

/** JSON values that are empty, or that many programs take for nothing. The first is the simplest. */
export const EMPTY = ['null', 'false', '0', '""', '[]', '{}', '-0', '0.0', '0e0', 'true'];

/** Values that a reader converts to a name, an id or a tag. */
export const CONVERTIBLE = [
  ...words('"<NAME>" "<ID>" <ID> <ID>.5 <ID>.0 <ID>e0 -<ID> 1 -1 1.5 1e-7 1e400 9007199254740993'),
  ...words('9223372036854775808 "0x<ID>" "succulent" "\\u0000"'),
  ...NUMERIC_TEXTS,
];
