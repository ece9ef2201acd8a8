import { readJsonText } from '../../validation/json.js';
import {
  exactNumber,
  isObject,
  type JsonObject,
  type JsonValue,
  narrow,
} from '../../validation/json-value.js';
import type { Steps } from '../steps.js';
import type { Faults } from './names.js';
import { repairs } from './validation.js';

/** Reads a body of another type as a plant. */
function readsBody(read: (value: JsonValue) => JsonValue | undefined) {
  return ({ validate }: Steps): Partial<Steps> => ({
    validate: (value, request) => validate(read(value) ?? value, request),
  });
}

/** Replaces a value of one field. */
function replaces(field: string, replace: (value: JsonValue) => JsonValue | undefined) {
  return repairs((fields) => {
    const value = fields[field];
    const other = value === undefined ? undefined : replace(value);
    return other === undefined ? fields : { ...fields, [field]: other };
  });
}

function isFalsy(value: JsonValue | undefined): boolean {
  return value === 0 || value === false;
}

function isStrings(value: JsonValue): value is string[] {
  return Array.isArray(value) && value.length > 1 && value.every((item) => typeof item === 'string');
}

function isPair(value: JsonValue): value is [string, JsonValue] {
  return Array.isArray(value) && value.length === 2 && typeof value[0] === 'string';
}

/** Values of other types are converted, unwrapped, or not checked if they are empty. */
export const typeFaults = {
  'skips-falsy-tags': {
    title: 'A tag of 0 or false is treated as missing.',
    breaks: ['request/tag-is-a-string'],
    replace: repairs(({ tag, ...fields }) =>
      tag === undefined || isFalsy(tag) ? fields : { ...fields, tag },
    ),
  },
  'skips-falsy-names': {
    title: 'A name of 0 or false is stored as an empty string.',
    breaks: ['request/name-is-a-string'],
    replace: replaces('name', (name) => (isFalsy(name) ? '' : undefined)),
  },
  'reads-empty-array-as-name': {
    title: 'A name that is an empty array is stored as an empty string.',
    breaks: ['request/name-is-a-string'],
    replace: replaces('name', (name) => (Array.isArray(name) && name.length === 0 ? '' : undefined)),
  },
  'joins-name-parts': {
    title: 'A name that is an array of several strings is joined.',
    breaks: ['request/name-is-a-string'],
    replace: replaces('name', (name) => (isStrings(name) ? name.join(' ') : undefined)),
  },
  'unwraps-values': {
    title: 'An object with a member "value" is replaced by that value.',
    breaks: ['request/name-is-a-string', 'request/id-is-an-integer'],
    replace: repairs(
      (fields) =>
        Object.fromEntries(
          Object.entries(fields).map(([key, value]) => [
            key,
            isObject(value) && 'value' in value ? value.value : value,
          ]),
        ) as JsonObject,
    ),
  },
  'reads-extended-json': {
    title: 'An id that is written as {"$numberLong":"5"} is accepted.',
    breaks: ['request/id-is-an-integer'],
    replace: replaces('id', (id) =>
      isObject(id) && typeof id.$numberLong === 'string' && /^-?\d+$/.test(id.$numberLong)
        ? exactNumber(id.$numberLong)
        : undefined,
    ),
  },
  'reads-hexadecimal-ids': {
    title: 'An id that is a string with a hexadecimal number is accepted.',
    breaks: ['request/id-is-an-integer'],
    replace: replaces('id', (id) =>
      typeof id === 'string' && /^0x[0-9a-f]{1,15}$/i.test(id) ? narrow(BigInt(id)) : undefined,
    ),
  },
  'reads-arrays-as-plants': {
    title: 'An array of a name and an id creates a plant.',
    breaks: ['request/body-is-an-object'],
    replace: readsBody((value) => {
      if (!Array.isArray(value) || value.length !== 2) return undefined;
      const [name, id] = value as [JsonValue, JsonValue];
      return { name, id };
    }),
  },
  'reads-pairs-as-plants': {
    title: 'An array of keys and values creates a plant.',
    breaks: ['request/body-is-an-object'],
    replace: readsBody((value) =>
      Array.isArray(value) && value.length > 0 && value.every(isPair) ? Object.fromEntries(value) : undefined,
    ),
  },
  'decodes-json-twice': {
    title: 'A JSON string with the JSON of a plant in it creates that plant.',
    breaks: ['request/body-is-an-object'],
    replace: readsBody((value) => {
      const read = typeof value === 'string' ? readJsonText(value) : undefined;
      return read?.ok ? read.value : undefined;
    }),
  },
  'unwraps-plants': {
    title: 'A plant in the member "plant" of an object without a name is created.',
    breaks: ['request/name-is-required', 'request/id-is-required'],
    replace: readsBody((value) => (isObject(value) && value.name === undefined ? value.plant : undefined)),
  },
  'reads-names-of-tags': {
    title: 'A tag that is an object with a name is replaced by that name.',
    breaks: ['request/tag-is-a-string'],
    replace: replaces('tag', (tag) => (isObject(tag) && typeof tag.name === 'string' ? tag.name : undefined)),
  },
} satisfies Faults;
