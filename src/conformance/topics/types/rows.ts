import { PLAIN_PLANT, type Row } from '../../row.js';

/** A field of a plant. */
export type Field = 'name' | 'id' | 'tag';

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

/**
 * Further values of other types. A reader that converts a value with a fresh name or id accepts the plant. Many programs check a
 * type only of values that are not empty.
 */
const FURTHER: Readonly<Record<Field, Readonly<Record<string, string>>>> = {
  name: {
    zero: '0',
    false: 'false',
    fraction: '<ID>.5',
    'empty-array': '[]',
    'array-of-two': '["<NAME>","<NAME>"]',
    'empty-object': '{}',
    'object-with-value': '{"value":"<NAME>"}',
    plant: PLAIN_PLANT,
  },
  id: {
    false: 'false',
    'padded-text': '" <ID> "',
    'text-with-fraction': '"<ID>.0"',
    'hexadecimal-text': '"0x<ID>"',
    word: '"five"',
    'empty-array': '[]',
    'array-of-text': '["<ID>"]',
    'array-of-two': '[<ID>,<ID>]',
    'object-with-value': '{"value":<ID>}',
    'extended-json': '{"$numberLong":"<ID>"}',
  },
  tag: {
    zero: '0',
    false: 'false',
    fraction: '1.5',
    'empty-array': '[]',
    'array-of-null': '[null]',
    'array-of-two': '["medicinal","indoor"]',
    'object-with-name': '{"name":"succulent"}',
  },
};

/** Bodies that are no object. */
const BODIES: readonly Case[] = [
  ['body-is-null', 'the JSON value null', 'null'],
  ['body-is-boolean', 'the JSON value true', 'true'],
  ['body-is-text', 'a JSON string', '"<NAME>"'],
  ['body-is-number', 'a JSON number', '<ID>'],
  ['body-is-array', 'a JSON array with a plain plant in it', `[${PLAIN_PLANT}]`],
];
const FURTHER_BODIES: readonly Case[] = [
  ['types/body-is-empty-array', 'an empty JSON array', '[]'],
  ['types/body-is-empty-text', 'an empty JSON string', '""'],
  ['types/body-is-false', 'the JSON value false', 'false'],
  [
    'types/body-is-plant-in-text',
    'a JSON string with the JSON of a plant in it',
    '"{\\"name\\":\\"<NAME>\\",\\"id\\":<ID>}"',
  ],
  [
    'types/body-is-two-plants',
    'a JSON array with two plants in it',
    `[${PLAIN_PLANT},{"name":"Aloe","id":<ID>}]`,
  ],
  ['types/body-is-array-in-array', 'a JSON array with a plant in another array', `[[${PLAIN_PLANT}]]`],
  // Some readers fill the fields of a record from an array, in the order in which the fields are declared.
  ['types/body-is-name-and-id', 'a JSON array of a name and an id', '["<NAME>",<ID>]'],
  ['types/body-is-id-and-name', 'a JSON array of an id and a name', '[<ID>,"<NAME>"]'],
  [
    'types/body-is-values-of-name-id-tag',
    'a JSON array of a name, an id and a tag',
    '["<NAME>",<ID>,"succulent"]',
  ],
  ['types/body-is-pairs', 'a JSON array of keys and values', '[["name","<NAME>"],["id",<ID>]]'],
];

/** Plants in a member of another object, which lacks both fields of a plant. */
const WRAPPED: readonly Case[] = ['plant', 'data', 'NewPlant'].map((key) => [
  `types/plant-in-${key === 'NewPlant' ? 'schema-name' : key}`,
  `a plant in the member "${key}" of an object`,
  `{"${key}":${PLAIN_PLANT}}`,
]);

/** A body that must be rejected. */
function wrongBody([name, title, body]: Case, rules: readonly string[] = ['request/body-is-an-object']): Row {
  return { name, title, expectation: 'rejected', rules, requests: [{ body }] };
}

/** A plain plant with another JSON value of one field. */
function wrongField(field: Field, [name, value, json, observedBy]: Case): Row {
  const members = Object.entries({ name: '"<NAME>"', id: '<ID>', [field]: json });
  return {
    name,
    title: `a plant whose ${field} is ${value}`,
    ...(observedBy !== undefined && { rules: [RULE_OF_FIELD[field], observedBy] }),
    ...(field === 'tag' && { control: 'plain-plant-with-tag' }),
    requests: [{ body: `{${members.map(([key, value]) => `"${key}":${value}`).join(',')}}` }],
  };
}

/** How a title names a value. */
function jsonInWords(json: string): string {
  const shown = json.replaceAll('<NAME>', 'Aloe').replace(/<ID\d?>/g, '5');
  return shown.length > 40 ? 'another JSON value' : shown;
}

const FIELDS: readonly Field[] = ['name', 'id', 'tag'];

/** JSON values of other types: of the whole body, and of each field. */
export const typeRows: readonly Row[] = [
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
  ...WRAPPED.map((one) => wrongBody(one, ['request/name-is-required', 'request/id-is-required'])),
  ...FIELDS.flatMap((field) =>
    Object.entries(FURTHER[field]).map(([kind, json]) =>
      wrongField(field, [`types/${field}-is-${kind}`, jsonInWords(json), json]),
    ),
  ),
];
