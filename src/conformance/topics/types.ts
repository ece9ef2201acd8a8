import { PLAIN_PLANT } from '../row.js';
import {
  type Demand,
  FAILURES,
  NEW_PLANT,
  PLANT,
  rejected,
  rejects,
  type SentRow,
  type Topic,
  table,
} from '../rule.js';

/** Plain plants with another JSON value of one field, for each line of a table: its name, what the field is, and its JSON. */
function values(field: 'name' | 'id' | 'tag'): (text: string) => readonly SentRow[] {
  return (text) =>
    table(text, 3).map(([name = '', value = '', json = '']) => {
      const members = Object.entries({ name: '"<NAME>"', id: '<ID>', [field]: json });
      return {
        name,
        title: `a plant whose ${field} is ${value}`,
        expectation: 'rejected',
        control: field === 'tag' ? 'plain-plant-with-tag' : 'plain-plant',
        requests: [{ body: `{${members.map(([key, member]) => `"${key}":${member}`).join(',')}}` }],
      };
    });
}

const CONVERTED = {
  usualCause: 'The framework converts other types to strings, or nothing checks the type.',
  fix: 'Disable type conversion, or check the types before the fields are bound.',
} as const;

/** Rows from which an object or a text is known as the value of a field. */
export const NAME_IS_OBJECT = 'name-is-object';
export const ID_IS_OBJECT = 'id-is-object';
export const TAG_IS_OBJECT = 'tag-is-object';
export const ID_IS_TEXT = 'id-is-text';

/** What a report says of a failure is the title of its row: "A plant whose name is an object is accepted." */
const rules: readonly Demand[] = [
  rejects({
    id: 'request/body-is-an-object',
    everyday: true,
    about: 'object',
    title: 'JSON that is not an object is rejected.',
    source: `${PLANT}/type`,
    why: 'The request body is an object with the members of a NewPlant.',
    usualCause: 'An array is unwrapped, or null and other values are read as an object without members.',
    fix: 'Check first that the body is an object.',
    rows: rejected(`
      body-is-null                 the JSON value null                           null
      body-is-boolean              the JSON value true                           true
      body-is-text                 a JSON string                                 "<NAME>"
      body-is-number               a JSON number                                 <ID>
      body-is-array                a JSON array with a plain plant in it         [${PLAIN_PLANT}]
      types/body-is-two-plants     a JSON array with two plants in it            [${PLAIN_PLANT},{"name":"Aloe","id":<ID2>}]
      types/body-is-empty-array    an empty JSON array                           []
      types/body-is-pairs          a JSON array of keys and values               [["name","<NAME>"],["id",<ID>]]`),
  }),
  rejects({
    id: 'request/array-is-no-record',
    level: 'implied',
    severity: 'warning',
    title: 'An array with the values of a plant is rejected.',
    source: `${PLANT}/type`,
    why: 'The request body is an object with the members of a NewPlant, and an array has no members: nothing says which item is the name. A client that sends an object never notices, so this is a warning.',
    usualCause:
      'The library reads a record from an array, too, in the order in which its fields are declared.',
    fix: 'Check first that the body is an object.',
    rows: rejected(`
      types/body-is-name-and-id      a JSON array of a name and an id         ["<NAME>",<ID>]
      types/body-is-name-id-and-tag  a JSON array of a name, an id and a tag  ["<NAME>",<ID>,"succulent"]`),
  }),
  rejects({
    id: 'request/string-is-no-plant',
    level: 'implied',
    severity: 'warning',
    title: 'A JSON string with the JSON of a plant in it is rejected.',
    source: `${PLANT}/type`,
    why: 'The request body is an object with the members of a NewPlant, and this body is a string, whatever its characters mean. Only a client that encodes its plant twice sends it, so this is a warning.',
    usualCause: 'The body is decoded again if it is a string.',
    fix: 'Decode the body once, and check that it is an object.',
    rows: rejected(`
      types/body-is-plant-in-text  a JSON string with the JSON of a plant in it  "{\\"name\\":\\"<NAME>\\",\\"id\\":<ID>}"`),
  }),
  rejects({
    ...CONVERTED,
    id: 'request/name-is-a-string',
    everyday: true,
    about: 'type of name',
    title: 'A name that is not a string is rejected.',
    source: `${PLANT}/properties/name/type`,
    why: '"name" is a string.',
    // A reader that converts a value with a fresh name accepts the plant. Many programs check a type only of values that are not empty.
    rows: [
      ...values('name')('name-is-number  a number  <ID2>').map((row) => ({
        ...row,
        observed: { id: 'wrong-type', gap: FAILURES },
      })),
      ...values('name')(`
        name-is-null                     null                           null
        name-is-boolean                  true                           true
        name-is-array                    an array with a string in it   ["<NAME>"]
        ${NAME_IS_OBJECT}                an object with a string in it  {"en":"<NAME>"}
        types/name-is-zero               0                              0
        types/name-is-false              false                          false
        types/name-is-empty-array        []                             []
        types/name-is-array-of-two       ["Aloe","Aloe"]                ["<NAME>","<NAME>"]
        types/name-is-object-with-value  {"value":"Aloe"}               {"value":"<NAME>"}`),
      // A validator may report several mistakes in another form than one.
      ...rejected(`
        types/body-is-wrong-in-every-field  a plant whose name, id and tag all have wrong types  {"name":7,"id":"<ID>","tag":[{}]}`),
    ],
  }),
  rejects({
    id: 'request/id-is-an-integer',
    everyday: true,
    about: 'type of id',
    title: 'An id that is not an integer is rejected.',
    source: `${NEW_PLANT}/properties/id/type`,
    why: '"id" is an integer. Digits in quotes are a string.',
    usualCause:
      'The framework converts strings to numbers or cuts off fractions, or nothing checks the type.',
    fix: 'Disable type conversion, and reject every id that is not an integer.',
    rows: values('id')(`
      ${ID_IS_TEXT}                  a number in quotes               "<ID>"
      id-is-empty-text               ""                               ""
      id-is-null                     null                             null
      id-is-boolean                  true                             true
      types/id-is-false              false                            false
      id-is-fraction                 a number with a fraction of 0.5  <ID>.5
      types/id-is-negative-fraction  -0.5                             -0.5
      id-is-array                    an array with a number in it     [<ID>]
      ${ID_IS_OBJECT}                {}                               {}
      types/id-is-hexadecimal-text   "0x5"                            "0x<ID>"
      types/id-is-numeric-text       "5.0"                            "<ID>.0"
      types/id-is-empty-array        []                               []
      types/id-is-object-with-value  {"value":5}                      {"value":<ID>}
      types/id-is-extended-json      {"$numberLong":"5"}              {"$numberLong":"<ID>"}
      json-texts/id-is-nan           NaN                              NaN`),
  }),
  rejects({
    ...CONVERTED,
    id: 'request/tag-is-a-string',
    everyday: true,
    about: 'type of tag',
    title: 'A tag that is a number, a boolean, an array or an object is rejected.',
    source: `${PLANT}/properties/tag/type`,
    why: '"tag" is a string, or it is missing.',
    rows: values('tag')(`
      tag-is-number                  7                     7
      tag-is-boolean                 true                  true
      tag-is-array                   ["succulent"]         ["succulent"]
      ${TAG_IS_OBJECT}               {}                    {}
      types/tag-is-zero              0                     0
      types/tag-is-false             false                 false
      types/tag-is-empty-array       []                    []
      types/tag-is-object-with-name  {"name":"succulent"}  {"name":"succulent"}`),
  }),
  rejects({
    id: 'request/null-tag-is-refused',
    level: 'implied',
    severity: 'warning',
    about: 'tag of null',
    title: 'A tag of null is rejected.',
    source: `${PLANT}/properties/tag/type`,
    why: '"tag" is a string, or it is missing. null is a value of its own in JSON: not a string, and a member that is null is there. OpenAPI 3.0 allows null only where a schema says "nullable", and this one does not.',
    usualCause: 'The framework reads null as a missing field.',
    fix: 'Reject null, or ask whether the member is there before you read its value.',
    rows: values('tag')('tag-is-null  null  null'),
  }),
];

/** JSON values of other types: of the whole body, and of each field. */
export const types: Topic = { rules };
