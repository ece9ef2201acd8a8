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
  string,
  tuple,
} from 'fast-check';
import type { NewPlant } from '../../spec/types.js';
import { isObject, type JsonValue } from '../../validation/json-value.js';
import { newPlant } from './new-plant.js';

const INT64_END = 2n ** 63n;

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
