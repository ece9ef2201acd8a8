/**
 * Arbitraries for fast-check: plants that are valid, plants that are not, and spellings of plants in JSON.
 * @module
 */
import {
  type Arbitrary,
  array,
  bigInt,
  boolean,
  constant,
  constantFrom,
  dictionary,
  double,
  integer,
  oneof,
  option,
  record,
  shuffledSubarray,
  string,
  tuple,
} from 'fast-check';
import type { NewPlant } from '../../spec/types.js';
import { isObject, type JsonValue } from '../../validation/json-value.js';

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

/** A change that makes a plant invalid. */
type Spoil = (plant: NewPlant) => JsonValue;

/**
 * Draws JSON values that are almost a NewPlant and break one of its requirements (Resources, "NewPlant"): a required
 * field is missing, a field has another type, an id is outside int64 or has a fraction, or the value is no object. A
 * conforming provider rejects each of them. Integers beyond 2^53 are bigints: write them with `writeJson`.
 *
 * @example
 * import assert from 'node:assert/strict';
 * import * as fc from 'fast-check';
 * import { invalidNewPlant } from 'plant-store-contract/arbitraries';
 * import { validateNewPlant } from 'plant-store-contract/validation';
 *
 * fc.assert(fc.property(invalidNewPlant(), (value) => assert.notDeepEqual(validateNewPlant(value), [])));
 */
export function invalidNewPlant(): Arbitrary<JsonValue> {
  const wrong = (field: 'name' | 'id' | 'tag', value: Arbitrary<JsonValue>): Arbitrary<Spoil> =>
    value.map((other) => (plant) => ({ ...plant, [field]: other }));
  const notString = anyJson().filter((value) => typeof value !== 'string');
  const notInteger = oneof(
    anyJson().filter((value) => typeof value !== 'number'),
    double({ noInteger: true, noNaN: true, noDefaultInfinity: true }),
    bigInt({ min: INT64_END, max: INT64_END * 4n }),
    bigInt({ min: -INT64_END * 4n, max: -INT64_END - 1n }),
  );
  const spoil = oneof(
    constantFrom<Spoil[]>(
      ({ name: _, ...rest }) => rest,
      ({ id: _, ...rest }) => rest,
      (plant) => [plant],
    ),
    wrong('name', notString),
    wrong('id', notInteger),
    wrong('tag', notString),
    anyJson()
      .filter((value) => !isObject(value))
      .map((value) => constantly(value)),
    constant(constantly({})),
  );
  return tuple(newPlant({ plain: true }), spoil).map(([plant, change]) => change(plant));
}

function constantly(value: JsonValue): Spoil {
  return () => value;
}

/** Any JSON value, not deep. Its integers are exact. */
function anyJson(): Arbitrary<JsonValue> {
  const leaf = oneof(constant(null), boolean(), integer(), string());
  return oneof(
    leaf,
    array(leaf, { maxLength: 2 }),
    dictionary(string(), leaf, { maxKeys: 2, noNullPrototype: true }),
  );
}

/** The white space of JSON (RFC 8259, section 2). */
const SPACE = ['', '', '', ' ', '\n', '\t', '\r\n', '  '];

/**
 * Draws spellings of plants in JSON (RFC 8259): with any white space between tokens, members in any order, and characters
 * written as escapes or not. Every text is well-formed and means the plant; no spelling is better than another.
 *
 * @param plants what to write. Default: {@link newPlant}
 * @example
 * import assert from 'node:assert/strict';
 * import * as fc from 'fast-check';
 * import { plantJson } from 'plant-store-contract/arbitraries';
 *
 * fc.assert(fc.property(plantJson(), (text) => assert.equal(typeof JSON.parse(text).name, 'string')));
 */
export function plantJson(plants: Arbitrary<NewPlant> = newPlant()): Arbitrary<string> {
  return plants.chain((plant) => {
    const keys = (['name', 'id', 'tag'] as const).filter((key) => plant[key] !== undefined);
    const spelling = record({
      order: shuffledSubarray(keys, { minLength: keys.length }),
      spaces: array(constantFrom(...SPACE), { minLength: 16, maxLength: 16 }),
      escapes: array(boolean(), { minLength: 8, maxLength: 8 }),
    });
    return spelling.map(({ order, spaces, escapes }) => {
      let space = 0;
      let letter = 0;
      const gap = (): string => spaces[space++ % spaces.length] ?? '';
      const quoted = (text: string): string => {
        const letters = [...text].map((one) => escaped(one, escapes[letter++ % escapes.length] === true));
        return `"${letters.join('')}"`;
      };
      const members = order.map((key) => {
        const value = plant[key];
        const json = typeof value === 'string' ? quoted(value) : String(value);
        return `${gap()}${quoted(key)}${gap()}:${gap()}${json}${gap()}`;
      });
      return `${gap()}{${members.join(',')}}${gap()}`;
    });
  });
}

/** A code point of a string, as escapes if it must be or if that is wanted. */
function escaped(character: string, isWanted: boolean): string {
  const isPlain = character >= ' ' && character !== '"' && character !== '\\';
  if (isPlain && !isWanted) return character;
  const units = Array.from({ length: character.length }, (_, at) => character.charCodeAt(at));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
}
