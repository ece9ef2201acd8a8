import { changesId, rejects, repairs } from '../../../src/server/faults/input.js';
import { readJsonText } from '../../../src/validation/json.js';
import {
  isObject,
  JsonNumber,
  type JsonObject,
  type JsonValue,
  narrow,
} from '../../../src/validation/json-value.js';
import { breaking } from './breaking.js';
import { readsBody, wrappedTo64Bits } from './simple/input.js';

/** The numbers that a well-known set of rules for firewalls rejects everywhere. */
const OVERFLOWS: readonly unknown[] = [2147483647, 2147483648, 4294967295, 4294967296];

/** Ids are confused, rejected, or accepted although they are outside int64. */
export const idFaults = {
  ...breaking(['request/int64-ids-are-accepted'], {
    'refuses-overflow-numbers': rejects('id-invalid', ({ id }) =>
      OVERFLOWS.includes(id) ? 'the request looks like an attack' : undefined,
    ),
    'refuses-small-ids': rejects('id-invalid', ({ id }) =>
      id > 0 && id < 10 ? '"id" is too small' : undefined,
    ),
  }),
  ...breaking(['request/negative-ids-are-treated-alike'], {
    'refuses-long-negative-ids': rejects('id-invalid', ({ id }) =>
      id < -(2 ** 53) ? '"id" is too small' : undefined,
    ),
  }),
  ...breaking(['request/int64-ids-are-accepted', 'request/ids-are-exact'], {
    // Of 32 bits: exact up to 2^24.
    'rounds-ids-to-floats': changesId((id) => (id < 2 ** 53 ? Math.fround(Number(id)) : id)),
    'wraps-ids': changesId((id) => BigInt.asIntN(32, BigInt(id))),
  }),
  ...breaking(['request/ids-are-exact'], {
    'wraps-ids-to-48-bits': changesId((id) => BigInt.asIntN(48, BigInt(id))),
    'ignores-sign-of-ids': changesId((id) => (id < 0 && id > -(2n ** 63n) ? -BigInt(id) : id)),
    'keeps-ten-digits-of-ids': changesId((id) => BigInt(id) % 10n ** 10n),
    'trims-zeros-of-ids': changesId((id) => BigInt(String(id).replace(/(?<=\d)0+$/, ''))),
  }),
  ...breaking(['request/id-is-within-int64'], {
    'wraps-exponents': repairs((fields) => {
      const text = fields.id instanceof JsonNumber ? fields.id.text : '';
      const [, digits, exponent] = /^(-?\d+)[eE]\+?(\d\d)$/.exec(text) ?? [];
      if (digits === undefined) return fields;
      return { ...fields, id: wrappedTo64Bits(BigInt(digits) * 10n ** BigInt(exponent ?? 0)) };
    }),
  }),
};

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

/** The integer that is written in an object, as {"$numberLong":"5"}. */
function extendedInteger(value: JsonValue): bigint | number | undefined {
  const text = isObject(value) ? value.$numberLong : undefined;
  return typeof text === 'string' && /^-?\d+$/.test(text) ? narrow(BigInt(text)) : undefined;
}

/** Values of other types are converted, unwrapped, or not checked if they are empty. */
export const typeFaults = {
  ...breaking(['request/tag-is-a-string'], {
    'skips-falsy-tags': repairs(({ tag, ...fields }) =>
      tag === undefined || isFalsy(tag) ? fields : { ...fields, tag },
    ),
    'reads-names-of-tags': replaces('tag', (tag) =>
      isObject(tag) && typeof tag.name === 'string' ? tag.name : undefined,
    ),
  }),
  ...breaking(['request/name-is-a-string'], {
    'skips-falsy-names': replaces('name', (name) => (isFalsy(name) ? '' : undefined)),
    'reads-empty-array-as-name': replaces('name', (name) =>
      Array.isArray(name) && name.length === 0 ? '' : undefined,
    ),
    'joins-name-parts': replaces('name', (name) => (isStrings(name) ? name.join(' ') : undefined)),
    'reads-false-as-name': replaces('name', (name) => (name === false ? 'false' : undefined)),
    'accepts-null-name': replaces('name', (name) => (name === null ? '' : undefined)),
  }),
  ...breaking(['request/name-is-a-string', 'request/id-is-an-integer'], {
    // Of an object with a member "value".
    'unwraps-values': repairs(
      (fields) =>
        Object.fromEntries(
          Object.entries(fields).map(([key, value]) => [
            key,
            isObject(value) && 'value' in value ? value.value : value,
          ]),
        ) as JsonObject,
    ),
  }),
  ...breaking(['request/id-is-an-integer'], {
    'reads-extended-json': replaces('id', extendedInteger),
    'reads-hexadecimal-ids': replaces('id', (id) =>
      typeof id === 'string' && /^0x[0-9a-f]{1,15}$/i.test(id) ? narrow(BigInt(id)) : undefined,
    ),
  }),
  ...breaking(['request/body-is-an-object'], {
    'reads-pairs-as-plants': readsBody((value) =>
      Array.isArray(value) && value.length > 0 && value.every(isPair) ? Object.fromEntries(value) : undefined,
    ),
    'reads-last-of-two-plants': readsBody((value) =>
      Array.isArray(value) && value.length === 2 && value.every(isObject) ? value[1] : undefined,
    ),
  }),
  ...breaking(['request/string-is-no-plant'], {
    'decodes-json-twice': readsBody((value) => {
      const read = typeof value === 'string' ? readJsonText(value) : undefined;
      return read?.ok ? read.value : undefined;
    }),
  }),
  ...breaking(['request/name-is-required', 'request/id-is-required'], {
    // From a member "plant" of an object without a name.
    'unwraps-plants': readsBody((value) =>
      isObject(value) && value.name === undefined ? value.plant : undefined,
    ),
  }),
};
