import type * as FastCheck from 'fast-check';
import { FRESH_NAME, type FreshId, type Piece, type ProbeDraft } from '../draft.js';
import { idsAlike } from './alike.js';

const ORDINARY: FreshId = { fresh: 'id' };
/** Of 21 bits, so that it can be shifted far. */
const SHORT: FreshId = { fresh: 'id', between: ['1048576', '2097151'] };

/** Draws ids of every size, ids outside int64, and sequences of ids that a provider may confuse. */
export function drawIds(fc: typeof FastCheck): FastCheck.Arbitrary<ProbeDraft> {
  return fc.oneof(
    { weight: 3, arbitrary: fresh(fc) },
    { weight: 1, arbitrary: boundary(fc) },
    { weight: 2, arbitrary: outside(fc) },
    { weight: 3, arbitrary: alike(fc) },
  );
}

/** A power, and how far to go from it. */
function near(fc: typeof FastCheck): FastCheck.Arbitrary<bigint> {
  const power = fc.oneof(
    fc.nat({ max: 63 }).map((bits) => 2n ** BigInt(bits)),
    fc.nat({ max: 18 }).map((digits) => 10n ** BigInt(digits)),
  );
  return fc.tuple(power, fc.integer({ min: -2, max: 2 })).map(([base, more]) => base + BigInt(more));
}

/** Ids that are new in every run, around every power of two and ten. */
function fresh(fc: typeof FastCheck): FastCheck.Arbitrary<ProbeDraft> {
  const plus = fc.oneof(
    fc.nat({ max: 62 }).map((bits) => 2n ** BigInt(bits)),
    fc.integer({ min: 9, max: 18 }).map((digits) => 10n ** BigInt(digits)),
  );
  const times = fc.oneof(
    fc.nat({ max: 31 }).map((bits) => 2n ** BigInt(bits)),
    fc.nat({ max: 9 }).map((digits) => 10n ** BigInt(digits)),
  );
  const round = fc.integer({ min: 1, max: 42 }).map((bits) => 2n ** BigInt(bits));
  return fc.oneof(
    { weight: 1, arbitrary: plus.map((more) => single('created', { ...ORDINARY, plus: String(more) })) },
    {
      weight: 1,
      arbitrary: times.map((factor) => single('created', { ...ORDINARY, times: String(factor) })),
    },
    { weight: 2, arbitrary: round.map((factor) => single('created', { ...SHORT, times: String(factor) })) },
  );
}

/** One id, which the provider may have. */
function boundary(fc: typeof FastCheck): FastCheck.Arbitrary<ProbeDraft> {
  const within = near(fc).filter((id) => id > 0n && id < 2n ** 63n);
  return fc
    .oneof({ weight: 4, arbitrary: within }, { weight: 1, arbitrary: fc.bigInt({ min: 1n, max: 999n }) })
    .map((id) => single('open', String(id)));
}

/** Integers outside int64, with ten fresh digits at the end. */
function outside(fc: typeof FastCheck): FastCheck.Arbitrary<ProbeDraft> {
  const digits: FreshId = { fresh: 'id', between: ['1000000000', '2147483647'] };
  const bits = fc.integer({ min: 65, max: 300 }).map((power) => String(2n ** BigInt(power)));
  const zeros = fc.integer({ min: 10, max: 1_000 }).map((count) => `1${'0'.repeat(count)}`);
  const ends = fc.constantFrom('922337204', '9999999999', '1844674408');
  return fc
    .tuple(
      fc.oneof(ends, zeros, bits),
      fc.constantFrom('', '-'),
      fc.constantFrom('', '.0', '.000', 'e0', 'E+1', 'e2', 'e10'),
    )
    .map(([high, sign, end]) =>
      single(
        'rejected',
        [`${sign}${high}`, digits, end].filter((one) => one !== ''),
        sign,
      ),
    );
}

/** A fresh id, ids that are like it, and the first again. */
function alike(fc: typeof FastCheck): FastCheck.Arbitrary<ProbeDraft> {
  const bits = (from: number, to: number) =>
    fc.integer({ min: from, max: to }).map((power) => String(2n ** BigInt(power)));
  // A multiple of a power of two, so that the next id is rounded to it in that many bits.
  const first = fc.oneof(
    fc.constant(ORDINARY),
    bits(1, 31).map((times): FreshId => ({ ...ORDINARY, times })),
    fc.nat({ max: 9 }).map((zeros): FreshId => ({ ...ORDINARY, times: String(10n ** BigInt(zeros)) })),
  );
  const other = (id: FreshId): FastCheck.Arbitrary<Piece | readonly Piece[]> =>
    fc.oneof(
      fc.integer({ min: 1, max: 3 }).map((plus) => ({ ...id, plus: String(plus) })),
      bits(2, 61).map((plus) => ({ ...id, plus })),
      fc.constant(['-', id]),
      fc.constant({ ...id, plus: String(-(2n ** 63n)) }),
      ...(id.times === undefined
        ? [
            fc.constantFrom('0', '00', '7', '01').map((end) => [id, end]),
            fc.constantFrom('1', '7', '90').map((start) => [start, id]),
          ]
        : []),
    );
  return first.chain((id) =>
    fc
      .uniqueArray(other(id), { minLength: 1, maxLength: 4, selector: (one) => JSON.stringify(one) })
      .map((others) => ({
        ...idsAlike('drawn', 'plants whose ids are alike', id, others),
        name: 'ids/drawn',
      })),
  );
}

function single(
  expectation: 'created' | 'open' | 'rejected',
  id: Piece | readonly Piece[],
  sign = '',
): ProbeDraft {
  const pieces = Array.isArray(id) ? (id as readonly Piece[]) : [id as Piece];
  const isRejected = expectation === 'rejected';
  return {
    name: 'ids/drawn',
    title: isRejected ? 'a plant with an id outside int64' : 'a plant with a valid id',
    expectation,
    phase: isRejected ? 'invalid' : 'valid',
    control: !isRejected ? 'plain-plant' : sign === '-' ? 'id-near-lower-end' : 'id-near-upper-end',
    rules: [isRejected ? 'request/id-is-within-int64' : 'request/int64-ids-are-accepted'],
    requests: [
      {
        body: ['{"name":"', FRESH_NAME, '","id":', ...pieces, '}'],
        ...(!isRejected && { plant: { name: FRESH_NAME, id: pieces } }),
        ...(expectation === 'open' && { idMayExist: true }),
      },
    ],
  };
}
