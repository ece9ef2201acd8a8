import type { ShellRecipe } from '../../exchange.js';
import { defineProbe, type ProbeValues, singleRequestProbes } from '../../probe.js';
import { probeFrom } from '../draft.js';
import { creation, creationWith, PLAIN_TAG, withBody } from '../requests.js';
import { alikeIds } from './alike.js';
import { idsThatMayExist } from './boundaries.js';
import { idsOutside } from './outside.js';

const INT64_END = 2n ** 63n;
/** "Near an end of int64" means one of its outermost 2^32 ids. They are random, so another check has other ids. */
const OUTERMOST = 2n ** 32n;

const valid = singleRequestProbes('created', 'valid', 'plain-plant');
const open = singleRequestProbes('open', 'valid', 'plain-plant');

/**
 * A plain plant with an id between two bounds, both included.
 *
 * @param newId makes such an id in a shell
 */
function between(low: bigint, high: bigint, newId: string, change = (id: bigint) => id, tag?: string) {
  return (values: ProbeValues) => ({
    ...creation(values, { id: change(values.freshIdBetween(low, high)), ...(tag !== undefined && { tag }) }),
    shell: { newId },
  });
}

const withinInt64 = [
  valid(
    'id-above-int32',
    'a plant whose id is between 2^31 and 2^32',
    between(2n ** 31n, 2n ** 32n - 1n, '2147483648 + RANDOM / 2'),
  ),
  valid(
    'id-above-uint32',
    'a plant whose id is between 2^32 and 2^53',
    between(2n ** 32n, 2n ** 53n - 1n, '4294967296 + RANDOM'),
  ),
  valid(
    'id-beyond-doubles',
    'a plant with a tag, whose id is odd and above 2^53, so a double cannot hold it',
    between(2n ** 52n, 2n ** 61n, '9007199254740993 + 2 * RANDOM', (id) => 2n * id + 1n, PLAIN_TAG),
  ),
  valid(
    'id-near-upper-end',
    'a plant whose id is just below 2^63',
    between(INT64_END - OUTERMOST, INT64_END - 2n, '9223372036854775806 - RANDOM'),
  ),
  open(
    'id-near-lower-end',
    'a plant whose id is just above -2^63',
    between(1n - INT64_END, OUTERMOST - INT64_END, '-9223372036854775807 + RANDOM'),
  ),
  open(
    'id-negative',
    'a plant whose id is negative, with a tag',
    between(-(2n ** 31n), -1n, '-1 - RANDOM / 2', undefined, PLAIN_TAG),
  ),
  // For JSON, 7.0 is the integer 7. Many parsers do not agree.
  open('id-with-zero-fraction', 'a plant whose id is written with a fraction of zero: 7.0', (values) => {
    const request = creation(values);
    return withBody(request, Buffer.from(request.body).toString().replace(/\}$/, '.0}'));
  }),
];

const aboveInt64 = singleRequestProbes('rejected', 'invalid', 'id-near-upper-end');
const belowInt64 = singleRequestProbes('rejected', 'invalid', 'id-near-lower-end');

/** An id outside int64 that is the same in every run. */
function constant(id: string) {
  return (values: ProbeValues) => ({ ...creationWith(values, { id }), idMayExist: true });
}

/** An id outside int64 that is new in every run: ten of its digits are random. */
function random(text: (digits: bigint) => string) {
  const shell: ShellRecipe = { newId: '1000000000 + RANDOM / 4' };
  return (values: ProbeValues) => {
    const digits = values.freshIdBetween(10n ** 9n, 2n * 10n ** 9n);
    return { ...creationWith(values, { id: text(digits) }), id: digits, shell };
  };
}

const outsideInt64 = [
  aboveInt64('id-past-upper-end', 'a plant whose id is 2^63', constant(String(INT64_END))),
  belowInt64('id-past-lower-end', 'a plant whose id is -2^63 - 1', constant(String(-INT64_END - 1n))),
  aboveInt64(
    'id-past-64-bits',
    'a plant whose id is above 2^64',
    random((digits) => `1844674408${digits}`),
  ),
  aboveInt64(
    'id-of-30-digits',
    'a plant whose id has 30 digits',
    // The random digits are first, so a double keeps them.
    random((digits) => `${digits}12345678901234567890`),
  ),
  aboveInt64('id-1e400', 'a plant whose id is 1e400', constant('1e400')),
];

/** The names of the probes with an id outside int64. */
export const OUTSIDE_INT64: readonly string[] = outsideInt64.map(({ name }) => name);

const unchanging = singleRequestProbes('open', 'state', 'plain-plant');

/**
 * A valid id that is the same in every run. The provider may have it already, for example from an earlier check. These
 * probes come after the invalid requests: a provider may convert an invalid id to one of these.
 */
function sameIdInEveryRun(id: bigint) {
  return (values: ProbeValues) => {
    // Without an `id`, the curl line keeps the id as it is.
    const { id: _, ...request } = creation(values, { id });
    return { ...request, idMayExist: true };
  };
}

const sameInEveryRun = [
  unchanging('id-at-upper-end', 'a plant whose id is 2^63 - 1', sameIdInEveryRun(INT64_END - 1n)),
  unchanging('id-at-lower-end', 'a plant whose id is -2^63', sameIdInEveryRun(-INT64_END)),
  unchanging('id-zero', 'a plant whose id is 0', sameIdInEveryRun(0n)),
];

/**
 * Two ids that become equal if too few of their bits are kept, and then the first id again. Only a provider that
 * rejects the duplicate shows that it keeps the two ids apart.
 */
function pairOfIds<const Name extends string>(
  name: Name,
  title: string,
  distance: bigint,
  first: (values: ProbeValues) => bigint,
  newId: string,
) {
  return defineProbe({
    name,
    title,
    expectation: 'created',
    phase: 'state',
    requests(values) {
      const id = first(values);
      const { plant, ...again } = creation(values, { id });
      return [
        { ...creation(values, { id }), shell: { newId } },
        { ...creation(values, { id: id + distance }), shell: { newId: `id + ${distance}` } },
        { ...again, expectation: 'open', idMayExist: true, shell: { newId: `id - ${distance}` } },
      ];
    },
  });
}

const pairsOfIds = [
  pairOfIds(
    'ids-alike-as-doubles',
    'two plants whose ids are above 2^53 and differ by 1',
    1n,
    // For a multiple of 4, a double rounds the next odd number to it and not away from it.
    ({ freshIdBetween }) => 4n * freshIdBetween(2n ** 51n, 2n ** 52n - 1n),
    '9007199254740992 + 4 * RANDOM',
  ),
  pairOfIds(
    'ids-alike-in-32-bits',
    'two plants whose ids differ by 2^32',
    2n ** 32n,
    ({ freshId }) => BigInt(freshId()),
    'RANDOM / 2 + 1',
  ),
];

/** Ids of every size, inside and outside int64, and pairs of ids that a provider must keep apart. */
export const idProbes = [
  ...withinInt64,
  ...outsideInt64,
  ...sameInEveryRun,
  ...pairsOfIds,
  ...[...idsThatMayExist, ...alikeIds, ...idsOutside].map(probeFrom),
];
