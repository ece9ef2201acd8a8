import { JsonNumber } from '../../validation/json-value.js';
import type { Faults } from './names.js';
import { changesId } from './reading.js';
import { rejects, repairs, wrappedTo64Bits } from './validation.js';

/** The numbers that a well-known set of rules for firewalls rejects everywhere. */
const OVERFLOWS: readonly unknown[] = [2147483647, 2147483648, 4294967295, 4294967296];

/** Ids are confused, rejected, or accepted although they are outside int64. */
export const idFaults = {
  'refuses-overflow-numbers': {
    title: 'The ids 2^31 - 1, 2^31, 2^32 - 1 and 2^32 are rejected.',
    breaks: ['request/int64-ids-are-accepted'],
    replace: rejects('id-not-allowed', ({ id }) =>
      OVERFLOWS.includes(id) ? 'the request looks like an attack' : undefined,
    ),
  },
  'refuses-small-ids': {
    title: 'Ids from 1 to 9 are rejected.',
    breaks: ['request/int64-ids-are-accepted'],
    replace: rejects('id-not-allowed', ({ id }) => (id > 0 && id < 10 ? '"id" is too small' : undefined)),
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
} satisfies Faults;
