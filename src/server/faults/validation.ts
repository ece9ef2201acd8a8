import type { NewPlant } from '../../spec/types.js';
import {
  exactNumber,
  isObject,
  JsonNumber,
  type JsonObject,
  type JsonValue,
  narrow,
} from '../../validation/json-value.js';
import { type ErrorName, Rejection } from '../error-codes.js';
import type { Steps } from '../steps.js';
import type { Faults } from './names.js';

/** Changes the fields of an object before validation. */
export function repairs(repair: (fields: JsonObject) => JsonObject) {
  return ({ validate }: Steps): Partial<Steps> => ({
    validate: (value, request) => validate(isObject(value) ? repair({ ...value }) : value, request),
  });
}

function convertsToString(name: 'name' | 'tag') {
  return repairs((fields) => {
    const value = fields[name];
    const isConverted = /number|bigint|boolean/.test(typeof value) || value instanceof JsonNumber;
    return isConverted ? { ...fields, [name]: String(value) } : fields;
  });
}

/** Rejects a plant that the step accepts. */
export function rejects(reason: ErrorName, wrong: (plant: NewPlant) => string | undefined) {
  return ({ validate }: Steps): Partial<Steps> => ({
    validate(value, request) {
      const plant = validate(value, request);
      const message = plant instanceof Rejection ? undefined : wrong(plant);
      return message === undefined ? plant : new Rejection(reason, message);
    },
  });
}

function anyId(): number {
  return Math.floor(Math.random() * 2 ** 48);
}

export function wrappedTo64Bits(integer: bigint): number | bigint {
  return narrow(BigInt.asIntN(64, integer));
}

/** An id for an integer beyond int64; different last digits give different ids. */
function wrapped(text: string): number | bigint {
  return wrappedTo64Bits(BigInt(text.slice(-18)) + 2n ** 62n);
}

/** Invalid plants are accepted, or valid plants are rejected. */
export const validationFaults = {
  'accepts-missing-name': {
    title: 'A plant without a name is created with an empty name.',
    breaks: ['request/name-is-required'],
    replace: repairs((fields) => ('name' in fields ? fields : { ...fields, name: '' })),
  },
  'accepts-missing-id': {
    title: 'A plant without an id is created with a random id.',
    breaks: ['request/id-is-required'],
    replace: repairs((fields) => ('id' in fields ? fields : { ...fields, id: anyId() })),
  },
  'turns-name-into-text': {
    title: 'A name that is a number or a boolean is converted to a string.',
    breaks: ['request/name-is-a-string'],
    replace: convertsToString('name'),
  },
  'accepts-null-name': {
    title: 'A name of null is stored as an empty string.',
    breaks: ['request/name-is-a-string'],
    replace: repairs((fields) => (fields.name === null ? { ...fields, name: '' } : fields)),
  },
  'turns-id-into-number': {
    title: 'An id that is a string is converted to a number.',
    breaks: ['request/id-is-an-integer'],
    replace: repairs((fields) =>
      typeof fields.id === 'string' && /^-?\d+$/.test(fields.id)
        ? { ...fields, id: exactNumber(fields.id) }
        : fields,
    ),
  },
  'cuts-fractions-off': {
    title: 'An id with a fraction is truncated and accepted.',
    breaks: ['request/id-is-an-integer'],
    replace: repairs((fields) => {
      const [, integer] = /^(-?\d+)\.\d+$/.exec(String(fields.id)) ?? [];
      const isNumber = typeof fields.id === 'number' || fields.id instanceof JsonNumber;
      return isNumber && integer !== undefined ? { ...fields, id: exactNumber(integer) } : fields;
    }),
  },
  'turns-tag-into-text': {
    title: 'A tag that is a number or a boolean is converted to a string.',
    breaks: ['request/tag-is-a-string'],
    replace: convertsToString('tag'),
  },
  'accepts-null-tag': {
    title: 'A tag of null is treated as missing.',
    breaks: ['request/null-tag-is-refused'],
    replace: repairs(({ tag, ...fields }) =>
      tag === null || tag === undefined ? fields : { ...fields, tag },
    ),
  },
  'requires-tag': {
    title: 'A plant without a tag is rejected.',
    breaks: ['success/tag-is-optional'],
    replace: rejects('tag-invalid', ({ tag }) => (tag === undefined ? '"tag" is missing' : undefined)),
  },
  'unwraps-arrays': {
    title: 'An array with one plant creates that plant.',
    breaks: ['request/body-is-an-object'],
    replace: ({ validate }) => ({
      validate: (value, request) =>
        validate(Array.isArray(value) && value.length === 1 ? (value[0] as JsonValue) : value, request),
    }),
  },
  'refuses-large-ids': {
    title: 'Ids above 2^31 - 1 are rejected.',
    breaks: ['request/int64-ids-are-accepted'],
    replace: rejects('id-invalid', ({ id }) => (id >= 2 ** 31 ? '"id" is too large' : undefined)),
  },
  'accepts-ids-beyond-int64': {
    title: 'Integers beyond int64 are accepted as ids.',
    breaks: ['request/id-is-within-int64'],
    replace: repairs((fields) => {
      const { id } = fields;
      if (id instanceof JsonNumber && /^-?\d+$/.test(id.text)) return { ...fields, id: wrapped(id.text) };
      return typeof id === 'bigint' ? { ...fields, id: wrappedTo64Bits(id) } : fields;
    }),
  },
  'refuses-name-null': {
    title: 'A plant with the name "null" is rejected.',
    breaks: ['success/plain-names-are-accepted'],
    replace: rejects('name-invalid', ({ name }) => (name === 'null' ? '"name" is missing' : undefined)),
  },
  'refuses-tag-null': {
    title: 'A plant with the tag "null" is rejected.',
    breaks: ['success/plain-tags-are-accepted'],
    replace: rejects('tag-invalid', ({ tag }) => (tag === 'null' ? '"tag" must not be null' : undefined)),
  },
  'refuses-long-names': {
    title: 'Names of more than ten characters are rejected.',
    breaks: ['success/plain-names-are-accepted'],
    replace: rejects('name-invalid', ({ name }) =>
      [...name].length > 10 ? '"name" is too long' : undefined,
    ),
  },
} satisfies Faults;
