import { changesId, readsBody, rejects, repairs, wrappedTo64Bits } from '../../../src/server/faults/input.js';
import type { Faults } from '../../../src/server/faults/names.js';
import { readJsonText } from '../../../src/validation/json.js';
import {
  exactNumber,
  isObject,
  JsonNumber,
  type JsonObject,
  type JsonValue,
  narrow,
} from '../../../src/validation/json-value.js';

/** The numbers that a well-known set of rules for firewalls rejects everywhere. */
const OVERFLOWS: readonly unknown[] = [2147483647, 2147483648, 4294967295, 4294967296];

/** Ids are confused, rejected, or accepted although they are outside int64. */
export const idFaults = {
  'refuses-overflow-numbers': {
    title: 'The ids 2^31 - 1, 2^31, 2^32 - 1 and 2^32 are rejected.',
    breaks: ['request/int64-ids-are-accepted'],
    replace: rejects('id-invalid', ({ id }) =>
      OVERFLOWS.includes(id) ? 'the request looks like an attack' : undefined,
    ),
  },
  'refuses-small-ids': {
    title: 'Ids from 1 to 9 are rejected.',
    breaks: ['request/int64-ids-are-accepted'],
    replace: rejects('id-invalid', ({ id }) => (id > 0 && id < 10 ? '"id" is too small' : undefined)),
  },
  'rounds-ids-to-floats': {
    title: 'Ids below 2^53 are stored as floats of 32 bits.',
    breaks: ['request/int64-ids-are-accepted', 'request/ids-are-exact'],
    replace: changesId((id) => (id < 2 ** 53 ? Math.fround(Number(id)) : id)),
  },
  'wraps-ids-to-48-bits': {
    title: 'Ids are stored in 48 bits.',
    breaks: ['request/ids-are-exact'],
    replace: changesId((id) => BigInt.asIntN(48, BigInt(id))),
  },
  'ignores-sign-of-ids': {
    title: 'The sign of an id is ignored.',
    breaks: ['request/ids-are-exact'],
    replace: changesId((id) => (id < 0 && id > -(2n ** 63n) ? -BigInt(id) : id)),
  },
  'keeps-ten-digits-of-ids': {
    title: 'Only the last ten digits of an id are stored.',
    breaks: ['request/ids-are-exact'],
    replace: changesId((id) => BigInt(id) % 10n ** 10n),
  },
  'trims-zeros-of-ids': {
    title: 'Zeros at the end of an id are removed.',
    breaks: ['request/ids-are-exact'],
    replace: changesId((id) => BigInt(String(id).replace(/(?<=\d)0+$/, ''))),
  },
  'wraps-exponents': {
    title: 'An id with an exponent wraps around at 2^64.',
    breaks: ['request/id-is-within-int64'],
    replace: repairs((fields) => {
      const text = fields.id instanceof JsonNumber ? fields.id.text : '';
      const [, digits, exponent] = /^(-?\d+)[eE]\+?(\d\d)$/.exec(text) ?? [];
      if (digits === undefined) return fields;
      return { ...fields, id: wrappedTo64Bits(BigInt(digits) * 10n ** BigInt(exponent ?? 0)) };
    }),
  },
  'wraps-very-long-ids': {
    title: 'An id of more than 100 digits wraps around at 2^64.',
    breaks: ['request/id-is-within-int64'],
    replace: repairs((fields) => {
      const { id } = fields;
      const isLong = id instanceof JsonNumber && /^-?\d{101,}$/.test(id.text);
      return isLong ? { ...fields, id: wrappedTo64Bits(BigInt(id.text)) } : fields;
    }),
  },
  'wraps-ids': {
    title: 'Ids are stored in 32 bits, so ids that differ by 2^32 are the same.',
    breaks: ['request/int64-ids-are-accepted', 'request/ids-are-exact'],
    replace: changesId((id) => BigInt.asIntN(32, BigInt(id))),
  },
} satisfies Faults;

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
  'accepts-null-name': {
    title: 'A name of null is stored as an empty string.',
    breaks: ['request/name-is-a-string'],
    replace: repairs((fields) => (fields.name === null ? { ...fields, name: '' } : fields)),
  },
} satisfies Faults;
