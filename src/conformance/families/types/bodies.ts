import { type ProbeDraft, probeFrom } from '../draft.js';
import { piecesIn } from '../text-drafts.js';

const NOT_AN_OBJECT = ['request/body-is-an-object'];
/** An object without the fields of a plant, which are one level below. */
const WITHOUT_FIELDS = ['request/name-is-required', 'request/id-is-required'];

const PLANT = '{"name":"<NAME>","id":<ID>}';

/** The kind, its description, and the body. `<NAME>` and `<ID>` stand for fresh values. */
const BODIES = [
  ['empty-array', 'an empty JSON array', '[]'],
  ['empty-text', 'an empty JSON string', '""'],
  ['false', 'the JSON value false', 'false'],
  [
    'plant-in-text',
    'a JSON string with the JSON of a plant in it',
    '"{\\"name\\":\\"<NAME>\\",\\"id\\":<ID>}"',
  ],
  ['two-plants', 'a JSON array with two plants in it', `[${PLANT},{"name":"Aloe","id":<ID>}]`],
  ['array-in-array', 'a JSON array with a plant in another array', `[[${PLANT}]]`],
  // Some readers fill the fields of a record from an array, in the order in which the fields are declared.
  ['name-and-id', 'a JSON array of a name and an id', '["<NAME>",<ID>]'],
  ['id-and-name', 'a JSON array of an id and a name', '[<ID>,"<NAME>"]'],
  ['values-of-name-id-tag', 'a JSON array of a name, an id and a tag', '["<NAME>",<ID>,"succulent"]'],
  ['pairs', 'a JSON array of keys and values', '[["name","<NAME>"],["id",<ID>]]'],
] as const;

const WRAPPED = [
  ['in-plant', 'a plant in the member "plant" of an object', `{"plant":${PLANT}}`],
  ['in-data', 'a plant in the member "data" of an object', `{"data":${PLANT}}`],
  ['in-schema-name', 'a plant in the member "NewPlant" of an object', `{"NewPlant":${PLANT}}`],
] as const;

/** A body that is JSON and not a NewPlant. */
function wrongBodyDraft(
  kind: string,
  title: string,
  json: string,
  rules: readonly string[] = NOT_AN_OBJECT,
): ProbeDraft {
  return {
    name: `types/body-is-${kind}`,
    title,
    expectation: 'rejected',
    phase: 'invalid',
    control: 'plain-plant',
    rules,
    requests: [{ body: piecesIn(json) }],
  };
}

/** A plant that is in a member of another object. */
function wrappedDraft(kind: string, title: string, json: string): ProbeDraft {
  return { ...wrongBodyDraft(kind, title, json, WITHOUT_FIELDS), name: `types/plant-${kind}` };
}

/** A validator may report several mistakes in another form than one. */
const wrongInEveryField = wrongBodyDraft(
  'wrong-in-every-field',
  'a plant whose name, id and tag all have wrong types',
  '{"name":7,"id":"<ID>","tag":[{}]}',
  ['request/name-is-a-string'],
);

/** Bodies of another type, and plants in another object. */
export const bodyProbes = [
  probeFrom(wrongInEveryField),
  ...BODIES.map(([kind, title, json]) => probeFrom(wrongBodyDraft(kind, title, json))),
  ...WRAPPED.map(([kind, title, json]) => probeFrom(wrappedDraft(kind, title, json))),
];
