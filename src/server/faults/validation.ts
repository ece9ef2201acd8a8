import { JsonNumber, type JsonObject, type JsonValue } from '../../validation/json.js';
import { Refusal } from '../error-codes.js';
import type { Steps } from '../steps.js';
import { defineFault } from './fault.js';

/** Changes the fields of an object before they are validated. */
function repairs(repair: (fields: JsonObject) => JsonObject) {
  return ({ validate }: Steps): Partial<Steps> => ({
    validate: (value, request) => validate(isObject(value) ? repair({ ...value }) : value, request),
  });
}

/** Refuses what the step would let through. */
function refuses(wrong: (fields: JsonObject) => string | undefined) {
  return ({ validate }: Steps): Partial<Steps> => ({
    validate(value, request) {
      const message = isObject(value) ? wrong(value) : undefined;
      return message === undefined ? validate(value, request) : new Refusal('id-invalid', message);
    },
  });
}

function isObject(value: JsonValue): value is JsonObject {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof JsonNumber)
  );
}

function anyId(): number {
  return Math.floor(Math.random() * 2 ** 48);
}

/** Some id for an integer beyond int64: kept apart from others by its last digits. */
function wrapped(text: string): bigint {
  return BigInt.asIntN(64, BigInt(text.slice(-18)) + 2n ** 62n);
}

/** Plants are accepted that are none, or the reverse. */
export const validationFaults = [
  defineFault({
    name: 'accepts-missing-name',
    title: 'A plant without a name is created, with an empty one.',
    breaks: ['request/name-is-required'],
    replace: repairs((fields) => ('name' in fields ? fields : { ...fields, name: '' })),
  }),
  defineFault({
    name: 'accepts-missing-id',
    title: 'A plant without an id is created, with an id of its own.',
    breaks: ['request/id-is-required'],
    replace: repairs((fields) => ('id' in fields ? fields : { ...fields, id: anyId() })),
  }),
  defineFault({
    name: 'turns-name-into-text',
    title: 'A name that is a number or a truth value is turned into text.',
    breaks: ['request/name-is-a-string'],
    replace: repairs((fields) =>
      typeof fields.name === 'number' || typeof fields.name === 'boolean'
        ? { ...fields, name: String(fields.name) }
        : fields,
    ),
  }),
  defineFault({
    name: 'accepts-null-name',
    title: 'A name of null counts as an empty one.',
    breaks: ['request/name-is-a-string'],
    replace: repairs((fields) => (fields.name === null ? { ...fields, name: '' } : fields)),
  }),
  defineFault({
    name: 'turns-id-into-number',
    title: 'An id written as text is turned into a number.',
    breaks: ['request/id-is-an-integer'],
    replace: repairs((fields) =>
      typeof fields.id === 'string' && /^-?\d{1,18}$/.test(fields.id)
        ? { ...fields, id: BigInt(fields.id) }
        : fields,
    ),
  }),
  defineFault({
    name: 'cuts-fractions-off',
    title: 'An id with a fraction loses it and is accepted.',
    breaks: ['request/id-is-an-integer'],
    replace: repairs((fields) =>
      typeof fields.id === 'number' ? { ...fields, id: Math.trunc(fields.id) } : fields,
    ),
  }),
  defineFault({
    name: 'turns-tag-into-text',
    title: 'A tag that is a number or a truth value is turned into text.',
    breaks: ['request/tag-is-a-string'],
    replace: repairs((fields) =>
      typeof fields.tag === 'number' || typeof fields.tag === 'boolean'
        ? { ...fields, tag: String(fields.tag) }
        : fields,
    ),
  }),
  defineFault({
    name: 'accepts-null-tag',
    title: 'A tag of null counts as no tag.',
    breaks: ['request/tag-is-a-string'],
    replace: repairs(({ tag, ...fields }) =>
      tag === null || tag === undefined ? fields : { ...fields, tag },
    ),
  }),
  defineFault({
    name: 'requires-tag',
    title: 'A plant without a tag is refused.',
    breaks: ['success/tag-is-optional'],
    replace: refuses((fields) => ('tag' in fields ? undefined : '"tag" is missing')),
  }),
  defineFault({
    name: 'unwraps-arrays',
    title: 'An array with one plant in it creates that plant.',
    breaks: ['request/body-is-an-object'],
    replace: ({ validate }) => ({
      validate: (value, request) =>
        validate(Array.isArray(value) && value.length === 1 ? (value[0] as JsonValue) : value, request),
    }),
  }),
  defineFault({
    name: 'refuses-large-ids',
    title: 'Ids above 2^31 - 1 are refused.',
    breaks: ['request/int64-ids-are-accepted'],
    replace: refuses(({ id }) =>
      (typeof id === 'number' || typeof id === 'bigint') && id >= 2 ** 31 ? '"id" is too large' : undefined,
    ),
  }),
  defineFault({
    name: 'accepts-ids-beyond-int64',
    title: 'Integers past either end of int64 are accepted as ids.',
    breaks: ['request/id-is-within-int64'],
    replace: repairs((fields) => {
      const { id } = fields;
      if (id instanceof JsonNumber && /^-?\d+$/.test(id.text)) return { ...fields, id: wrapped(id.text) };
      return typeof id === 'bigint' ? { ...fields, id: BigInt.asIntN(64, id) } : fields;
    }),
  }),
  defineFault({
    name: 'refuses-name-null',
    title: 'A plant whose name is the word "null" is refused.',
    breaks: ['success/plain-names-are-accepted'],
    replace: refuses(({ name }) => (name === 'null' ? '"name" is missing' : undefined)),
  }),
  defineFault({
    name: 'refuses-tag-null',
    title: 'A plant whose tag is the word "null" is refused.',
    breaks: ['success/plain-tags-are-accepted'],
    replace: refuses(({ tag }) => (tag === 'null' ? '"tag" must not be null' : undefined)),
  }),
  defineFault({
    name: 'refuses-long-names',
    title: 'Names of more than ten characters are refused.',
    breaks: ['success/plain-names-are-accepted'],
    replace: refuses(({ name }) =>
      typeof name === 'string' && name.length > 10 ? '"name" is too long' : undefined,
    ),
  }),
];
