import { isObject, JsonNumber, type JsonObject, type JsonValue } from '../../validation/json-value.js';
import { Rejection } from '../error-codes.js';
import type { Steps } from '../steps.js';
import type { Faults } from './names.js';

/** Changes the fields of an object before validation. */
export function repairs(repair: (fields: JsonObject) => JsonObject) {
  return ({ validate }: Steps): Partial<Steps> => ({
    validate: (value, request) => validate(isObject(value) ? repair({ ...value }) : value, request),
  });
}

function convertsToString(name: 'name' | 'tag') {
  return repairs((fields) =>
    /number|boolean/.test(typeof fields[name]) ? { ...fields, [name]: String(fields[name]) } : fields,
  );
}

/** Rejects an object that the step accepts. */
export function rejects(wrong: (fields: JsonObject) => string | undefined) {
  return ({ validate }: Steps): Partial<Steps> => ({
    validate(value, request) {
      const message = isObject(value) ? wrong(value) : undefined;
      return message === undefined ? validate(value, request) : new Rejection('id-invalid', message);
    },
  });
}

function anyId(): number {
  return Math.floor(Math.random() * 2 ** 48);
}

/** An id for an integer beyond int64; different last digits give different ids. */
function wrapped(text: string): bigint {
  return BigInt.asIntN(64, BigInt(text.slice(-18)) + 2n ** 62n);
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
      typeof fields.id === 'string' && /^-?\d{1,18}$/.test(fields.id)
        ? { ...fields, id: BigInt(fields.id) }
        : fields,
    ),
  },
  'cuts-fractions-off': {
    title: 'An id with a fraction is truncated and accepted.',
    breaks: ['request/id-is-an-integer'],
    replace: repairs((fields) =>
      typeof fields.id === 'number' ? { ...fields, id: Math.trunc(fields.id) } : fields,
    ),
  },
  'turns-tag-into-text': {
    title: 'A tag that is a number or a boolean is converted to a string.',
    breaks: ['request/tag-is-a-string'],
    replace: convertsToString('tag'),
  },
  'accepts-null-tag': {
    title: 'A tag of null is treated as missing.',
    breaks: ['request/tag-is-a-string'],
    replace: repairs(({ tag, ...fields }) =>
      tag === null || tag === undefined ? fields : { ...fields, tag },
    ),
  },
  'requires-tag': {
    title: 'A plant without a tag is rejected.',
    breaks: ['success/tag-is-optional'],
    replace: rejects((fields) => ('tag' in fields ? undefined : '"tag" is missing')),
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
    replace: rejects(({ id }) =>
      (typeof id === 'number' || typeof id === 'bigint') && id >= 2 ** 31 ? '"id" is too large' : undefined,
    ),
  },
  'accepts-ids-beyond-int64': {
    title: 'Integers beyond int64 are accepted as ids.',
    breaks: ['request/id-is-within-int64'],
    replace: repairs((fields) => {
      const { id } = fields;
      if (id instanceof JsonNumber && /^-?\d+$/.test(id.text)) return { ...fields, id: wrapped(id.text) };
      return typeof id === 'bigint' ? { ...fields, id: BigInt.asIntN(64, id) } : fields;
    }),
  },
  'refuses-name-null': {
    title: 'A plant with the name "null" is rejected.',
    breaks: ['success/plain-names-are-accepted'],
    replace: rejects(({ name }) => (name === 'null' ? '"name" is missing' : undefined)),
  },
  'refuses-tag-null': {
    title: 'A plant with the tag "null" is rejected.',
    breaks: ['success/plain-tags-are-accepted'],
    replace: rejects(({ tag }) => (tag === 'null' ? '"tag" must not be null' : undefined)),
  },
  'refuses-long-names': {
    title: 'Names of more than ten characters are rejected.',
    breaks: ['success/plain-names-are-accepted'],
    replace: rejects(({ name }) =>
      typeof name === 'string' && name.length > 10 ? '"name" is too long' : undefined,
    ),
  },
} satisfies Faults;
