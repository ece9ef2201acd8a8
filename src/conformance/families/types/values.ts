import { type ProbeDraft, probeFrom } from '../draft.js';
import { PLAIN_TAG } from '../requests.js';
import { piecesIn } from '../text-drafts.js';

/** A field of a plant. */
export type Field = 'name' | 'id' | 'tag';

/**
 * Values of another type, for each field: the kind, and the value as JSON. `<NAME>` and `<ID>` stand for fresh values, so that a
 * reader that converts the value accepts the plant. Many programs check a type only of values that are not empty.
 */
const VALUES: Readonly<Record<Field, readonly (readonly [kind: string, json: string])[]>> = {
  name: [
    ['zero', '0'],
    ['false', 'false'],
    ['fraction', '<ID>.5'],
    ['empty-array', '[]'],
    ['array-of-two', '["<NAME>","<NAME>"]'],
    ['empty-object', '{}'],
    ['object-with-value', '{"value":"<NAME>"}'],
    ['plant', '{"name":"<NAME>","id":<ID>}'],
  ],
  id: [
    ['false', 'false'],
    ['padded-text', '" <ID> "'],
    ['text-with-fraction', '"<ID>.0"'],
    ['hexadecimal-text', '"0x<ID>"'],
    ['word', '"five"'],
    ['empty-array', '[]'],
    ['array-of-text', '["<ID>"]'],
    ['array-of-two', '[<ID>,<ID>]'],
    ['object-with-value', '{"value":<ID>}'],
    ['extended-json', '{"$numberLong":"<ID>"}'],
  ],
  tag: [
    ['zero', '0'],
    ['false', 'false'],
    ['fraction', '1.5'],
    ['empty-array', '[]'],
    ['array-of-null', '[null]'],
    ['array-of-two', '["medicinal","indoor"]'],
    ['object-with-name', `{"name":"${PLAIN_TAG}"}`],
  ],
};

const DEMANDS: Readonly<Record<Field, string>> = {
  name: 'request/name-is-a-string',
  id: 'request/id-is-an-integer',
  tag: 'request/tag-is-a-string',
};

/** A plain plant with another JSON value of one field. */
function wrongFieldDraft(field: Field, kind: string, json: string): ProbeDraft {
  const members = { name: '"<NAME>"', id: '<ID>', [field]: json };
  const pairs = Object.entries(members).map(([key, value]) => `"${key}":${value}`);
  const shown = json.replaceAll('<NAME>', 'Aloe').replaceAll('<ID>', '5');
  return {
    name: `types/${field}-is-${kind}`,
    title: `a plant whose ${field} is ${shown.length > 40 ? 'another JSON value' : shown}`,
    expectation: 'rejected',
    phase: 'invalid',
    control: field === 'tag' ? 'plain-plant-with-tag' : 'plain-plant',
    rules: [DEMANDS[field]],
    requests: [{ body: piecesIn(`{${pairs.join(',')}}`) }],
  };
}

/** Plants with a value of another type in one field. */
export const fieldProbes = (['name', 'id', 'tag'] as const).flatMap((field) =>
  VALUES[field].map(([kind, json]) => probeFrom(wrongFieldDraft(field, kind, json))),
);
