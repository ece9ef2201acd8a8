import type * as FastCheck from 'fast-check';
import type { DrawnRow } from '../../row.js';
import { idOf, type Value } from '../values.js';
import { words } from '../words.js';
import { alike, mayExist, outside, plantWithValue, TEN_DIGITS } from './rows.js';
import { idValues } from './values.js';

const NAME = 'ids/drawn';
const VALID = 'a plant with a valid id';

/** Draws ids of every size, ids outside int64, and sequences of ids that a provider may confuse. */
export function drawIds(fc: typeof FastCheck): FastCheck.Arbitrary<DrawnRow> {
  return fc.oneof(
    { weight: 2, arbitrary: drawBoundary(fc) },
    { weight: 2, arbitrary: drawOutside(fc) },
    { weight: 3, arbitrary: drawAlike(fc) },
  );
}

type BigInts = FastCheck.Arbitrary<bigint>;

function power(fc: typeof FastCheck, base: bigint, min: number, max: number): BigInts {
  return fc.integer({ min, max }).map((exponent) => base ** BigInt(exponent));
}

/** Draws ids by pattern that other requests carry. */
export function drawIdValue(fc: typeof FastCheck): FastCheck.Arbitrary<Value> {
  return fc.constantFrom(...idValues.filter(({ isAccepted }) => isAccepted)).map(idOf);
}

/** One id, which the provider may have, or reject. */
function drawBoundary(fc: typeof FastCheck): FastCheck.Arbitrary<DrawnRow> {
  const known = idValues.filter(({ isAccepted }) => !isAccepted);
  const near = fc
    .tuple(fc.oneof(power(fc, 2n, 0, 63), power(fc, 10n, 0, 18)), fc.integer({ min: -2, max: 2 }))
    .map(([base, more]) => base + BigInt(more))
    .filter((id) => id > 0n && id < 2n ** 63n);
  const ordinary = fc
    .oneof({ weight: 4, arbitrary: near }, { weight: 1, arbitrary: fc.bigInt({ min: 1n, max: 999n }) })
    .map((id) => mayExist(NAME, VALID, String(id)));
  return fc.oneof(
    { weight: 4, arbitrary: ordinary },
    {
      weight: 1,
      arbitrary: fc
        .constantFrom(...known)
        .map((value): DrawnRow => ({ ...plantWithValue(value), name: NAME })),
    },
  );
}

/** Integers outside int64, with ten fresh digits at the end. */
function drawOutside(fc: typeof FastCheck): FastCheck.Arbitrary<DrawnRow> {
  const zeros = fc.integer({ min: 10, max: 1_000 }).map((count) => `1${'0'.repeat(count)}`);
  const high = fc.oneof(
    fc.constantFrom('922337204', '9999999999', '1844674408'),
    zeros,
    power(fc, 2n, 65, 300).map(String),
  );
  const end = fc.constantFrom('', '.0', '.000', 'e0', 'E+1', 'e2', 'e10');
  return fc
    .tuple(fc.constantFrom('', '-'), high, fc.constant('<ID>'), end)
    .map((parts) => outside(NAME, 'a plant with an id outside int64', parts.join('')));
}

/** Ids with a digit or two more than ten, at the end or at the beginning. */
const LONGER = words(
  '<ID*10> <ID*100> <ID*10+7> <ID*100+1> <ID+70000000000> <ID+10000000000> <ID+900000000000>',
);

/** A fresh id, ids that are like it, and the first again. */
function drawAlike(fc: typeof FastCheck): FastCheck.Arbitrary<DrawnRow> {
  // A multiple of a power of two, so that the next id is rounded to it in that many bits.
  const times = fc.oneof(fc.constant(1n), power(fc, 2n, 1, 31), power(fc, 10n, 0, 9));
  return times.chain((factor) => {
    const other = fc.oneof(
      fc
        .oneof(fc.integer({ min: 1, max: 3 }).map(BigInt), power(fc, 2n, 2, 61))
        .map((more) => `<ID*${factor}+${more}>`),
      fc.constantFrom(`<ID*${-factor}>`, `<ID*${factor}${-(2n ** 63n)}>`),
      ...(factor === 1n ? [fc.constantFrom(...LONGER)] : []),
    );
    return fc.uniqueArray(other, { minLength: 1, maxLength: 4 }).map((others) => ({
      ...alike(NAME, 'plants whose ids are alike', [`<ID*${factor}>`, ...others]),
      ids: TEN_DIGITS,
    }));
  });
}
