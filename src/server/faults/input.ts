import type { NewPlant } from '../../spec/types.js';
import { exactNumber, isObject, type JsonObject, narrow } from '../../validation/json-value.js';
import { type ErrorName, Rejection } from '../error-codes.js';
import type { Steps } from '../steps.js';
import type { Faults } from './fault.js';

/** Changes the fields of an object before validation. */
export function repairs(repair: (fields: JsonObject) => JsonObject) {
  return ({ validate }: Steps): Partial<Steps> => ({
    validate: (value, request) => validate(isObject(value) ? repair({ ...value }) : value, request),
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

/** Stores a plant with another id. */
export function changesId(change: (id: number | bigint) => number | bigint) {
  return ({ validate }: Steps): Partial<Steps> => ({
    validate(value, request) {
      const plant = validate(value, request);
      return plant instanceof Rejection ? plant : { ...plant, id: narrow(change(plant.id)) };
    },
  });
}

/** A valid request is rejected, or an invalid one is accepted. */
export const inputFaults = {
  'rounds-ids': {
    title: 'Ids are stored as doubles, so 2^53 and 2^53 + 1 are the same.',
    breaks: ['request/ids-are-exact'],
    // 2^63, the rounded form of the largest ids, is not an int64.
    replace: changesId((id) => Math.min(Number(id), 2 ** 63 - 1024)),
  },
  'accepts-missing-name': {
    title: 'A plant without a name is created with an empty name.',
    breaks: ['request/name-is-required'],
    replace: repairs((fields) => ('name' in fields ? fields : { ...fields, name: '' })),
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
  'refuses-large-ids': {
    title: 'Ids above 2^31 - 1 are rejected.',
    breaks: ['request/int64-ids-are-accepted'],
    replace: rejects('id-invalid', ({ id }) => (id >= 2 ** 31 ? '"id" is too large' : undefined)),
  },
} satisfies Faults;
