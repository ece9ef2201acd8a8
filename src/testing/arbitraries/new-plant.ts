import {
  type Arbitrary,
  array,
  bigInt,
  constantFrom,
  integer,
  oneof,
  option,
  record,
  string,
} from 'fast-check';
import type { NewPlant } from '../../spec/types.js';

/** Which plants {@link newPlant} draws. */
export interface NewPlantConstraints {
  /**
   * Draw only plants that every conforming provider accepts: a name of 1 to 30 ASCII letters, a tag of 1 to 30 lower-case
   * ones, and a positive id. Default false: the interface shows no limits, so a provider may reject some of these plants.
   */
  readonly plain?: boolean;
}

const INT64_END = 2n ** 63n;

/**
 * Draws plants that are valid by the interface (Resources, "NewPlant"). Ids of 2^53 and more are bigints. It shrinks
 * towards a short name, a small id and no tag.
 *
 * @example
 * import assert from 'node:assert/strict';
 * import * as fc from 'fast-check';
 * import { newPlant } from 'plant-store-contract/arbitraries';
 * import { validateNewPlant } from 'plant-store-contract/validation';
 *
 * fc.assert(fc.property(newPlant(), (plant) => assert.deepEqual(validateNewPlant(plant), [])));
 */
export function newPlant({ plain = false }: NewPlantConstraints = {}): Arbitrary<NewPlant> {
  const name = plain ? letters('abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ') : anyString();
  const tag = plain ? letters('abcdefghijklmnopqrstuvwxyz') : anyString();
  return record({ name, id: id(plain ? 1n : -INT64_END), tag: option(tag, { nil: undefined }) }).map(
    ({ name, id, tag }) => (tag === undefined ? { name, id } : { name, id, tag }),
  );
}

/** Strings of every kind, and of the kinds that programs get wrong. */
function anyString(): Arbitrary<string> {
  // The unit `binary` of fast-check would need seconds and 100 MB to begin.
  const codePoint = oneof(integer({ min: 0, max: 0xd7ff }), integer({ min: 0xe000, max: 0x10ffff })).map(
    (point) => String.fromCodePoint(point),
  );
  const odd = constantFrom('', ' ', 'null', '007', '<b>', '"\\', '\u0000', 'e\u0301', '\u{1f335}', '\u202e');
  return oneof(
    { weight: 4, arbitrary: string({ unit: 'grapheme' }) },
    { weight: 2, arbitrary: array(codePoint, { maxLength: 10 }).map((all) => all.join('')) },
    { weight: 1, arbitrary: odd },
  );
}

function letters(alphabet: string): Arbitrary<string> {
  return string({ unit: constantFrom(...alphabet), minLength: 1, maxLength: 30 });
}

/** An int64 that is not below `low`, often near a power of two. */
function id(low: bigint): Arbitrary<number | bigint> {
  const near = integer({ min: 0, max: 63 })
    .chain((bits) => bigInt({ min: -2n, max: 2n }).map((distance) => 2n ** BigInt(bits) + distance))
    .map((value) => (value < low ? low : value < INT64_END ? value : INT64_END - 1n));
  return oneof(
    { weight: 4, arbitrary: integer({ min: Math.max(1, Number(low)), max: 2 ** 31 - 1 }) },
    { weight: 2, arbitrary: bigInt({ min: low, max: INT64_END - 1n }) },
    { weight: 2, arbitrary: near },
  ).map((value) => (Number.isSafeInteger(Number(value)) ? Number(value) : value));
}
