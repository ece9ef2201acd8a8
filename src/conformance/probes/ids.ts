import type { Expectation, ShellRecipe } from '../exchange.js';
import { defineProbe, type Probe, type ProbeMaterial } from '../probe.js';
import { creation, creationWith, withBody } from './requests.js';
import { PLAIN_PLANT } from './valid.js';

const INT64_END = 2n ** 63n;
const OUTERMOST = 2n ** 32n;

/** The controls of ids past the ends of int64. */
export const NEAR_UPPER_END = 'id-near-upper-end';
export const NEAR_LOWER_END = 'id-near-lower-end';

/** The id that a provider may take a missing one for, and those to which it may bring what is beyond them. */
export const ID_ZERO = 'id-zero';
export const ID_AT_UPPER_END = 'id-at-upper-end';
export const ID_AT_LOWER_END = 'id-at-lower-end';

/** Two ids that are the same once they are doubles, or in their lower 32 bits. */
export const ALIKE_AS_DOUBLES = 'ids-alike-as-doubles';
export const ALIKE_IN_32_BITS = 'ids-alike-in-32-bits';

function withId(
  name: string,
  title: string,
  expectation: Expectation,
  id: (material: ProbeMaterial) => bigint,
  newId: string,
): Probe {
  return defineProbe({
    name,
    title,
    expectation,
    control: PLAIN_PLANT,
    phase: 'valid',
    requests: (material) => [{ ...creation(material, { id: id(material) }), shell: { newId } }],
  });
}

const withinInt64 = [
  withId(
    'id-above-int32',
    'a plant whose id is 2^31 or little more',
    'created',
    ({ freshIdBetween }) => freshIdBetween(2n ** 31n, 2n ** 32n - 1n),
    '2147483648 + RANDOM / 2',
  ),
  withId(
    'id-above-uint32',
    'a plant whose id is between 2^32 and 2^53',
    'created',
    ({ freshIdBetween }) => freshIdBetween(2n ** 32n, 2n ** 53n - 1n),
    '4294967296 + RANDOM',
  ),
  withId(
    'id-beyond-doubles',
    'a plant whose id is above 2^53 and odd, so that no double holds it',
    'created',
    ({ freshIdBetween }) => 2n * freshIdBetween(2n ** 52n, 2n ** 61n) + 1n,
    '9007199254740993 + 2 * RANDOM',
  ),
  withId(
    NEAR_UPPER_END,
    'a plant whose id is just below 2^63',
    'created',
    ({ freshIdBetween }) => freshIdBetween(INT64_END - OUTERMOST, INT64_END - 2n),
    '9223372036854775806 - RANDOM',
  ),
  withId(
    NEAR_LOWER_END,
    'a plant whose id is just above -2^63',
    'open',
    ({ freshIdBetween }) => freshIdBetween(1n - INT64_END, OUTERMOST - INT64_END),
    '-9223372036854775807 + RANDOM',
  ),
  withId(
    'id-negative',
    'a plant whose id is negative',
    'open',
    ({ freshIdBetween }) => freshIdBetween(-(2n ** 31n), -1n),
    '-1 - RANDOM / 2',
  ),
];

function pastTheEnd(
  name: string,
  title: string,
  control: string,
  id: (material: ProbeMaterial) => { readonly text: string; readonly digits?: number | bigint },
  shell?: ShellRecipe,
): Probe {
  return defineProbe({
    name,
    title,
    expectation: 'refused',
    control,
    phase: 'invalid',
    requests(material) {
      const { text, digits } = id(material);
      const request = creationWith(material, { id: text });
      return [
        digits === undefined
          ? { ...request, mayBeTaken: true }
          : { ...request, id: digits, ...(shell !== undefined && { shell }) },
      ];
    },
  });
}

/** Ten digits, random: within a long number they make it one that was not sent before. */
const TEN_DIGITS: ShellRecipe = { newId: '1000000000 + RANDOM / 4' };
const tenDigits = ({ freshIdBetween }: ProbeMaterial): bigint => freshIdBetween(10n ** 9n, 2n * 10n ** 9n);

const beyondInt64 = [
  pastTheEnd('id-past-upper-end', 'a plant whose id is 2^63', NEAR_UPPER_END, () => ({
    text: String(INT64_END),
  })),
  pastTheEnd('id-past-lower-end', 'a plant whose id is -2^63 - 1', NEAR_LOWER_END, () => ({
    text: String(-INT64_END - 1n),
  })),
  pastTheEnd(
    'id-past-64-bits',
    'a plant whose id is above 2^64',
    NEAR_UPPER_END,
    (material) => {
      const digits = tenDigits(material);
      return { text: `1844674408${digits}`, digits };
    },
    TEN_DIGITS,
  ),
  pastTheEnd(
    'id-of-30-digits',
    'a plant whose id has 30 digits',
    NEAR_UPPER_END,
    (material) => {
      const digits = tenDigits(material);
      // In front, so that they are not lost in a double.
      return { text: `${digits}12345678901234567890`, digits };
    },
    TEN_DIGITS,
  ),
  pastTheEnd('id-1e400', 'a plant whose id is 1e400', NEAR_UPPER_END, () => ({ text: '1e400' })),
];

/** The probes of ids past the ends of int64. */
export const PAST_THE_ENDS: readonly string[] = beyondInt64.map(({ name }) => name);

/** An integer that is not written as one: JSON knows no difference, and many readers do. */
function written(name: string, title: string, suffix: string): Probe {
  return defineProbe({
    name,
    title,
    expectation: 'open',
    control: PLAIN_PLANT,
    phase: 'valid',
    requests(material) {
      const request = creation(material);
      const text = Buffer.from(request.body).toString().replace(/\}$/, `${suffix}}`);
      return [withBody(request, text)];
    },
  });
}

/**
 * Two ids that a reader takes for one if it keeps too few digits, then the first again: only where a repeated id
 * is refused does it show that the two were told apart.
 */
function alike(
  name: string,
  title: string,
  distance: bigint,
  first: (material: ProbeMaterial) => bigint,
  newId: string,
): Probe {
  return defineProbe({
    name,
    title,
    expectation: 'created',
    phase: 'state',
    requests(material) {
      const id = first(material);
      const { plant, ...again } = creation(material, { id });
      return [
        { ...creation(material, { id }), shell: { newId } },
        { ...creation(material, { id: id + distance }), shell: { newId: `id + ${distance}` } },
        { ...again, expectation: 'open', mayBeTaken: true, shell: { newId: `id - ${distance}` } },
      ];
    },
  });
}

/** Sequences of two ids that are not the same, and the first once more. */
export const pairsOfIds = [
  alike(
    ALIKE_AS_DOUBLES,
    'two plants whose ids, beyond 2^53, differ by 1',
    1n,
    // A multiple of 4, so that the next odd number is rounded to it and not away from it.
    ({ freshIdBetween }) => 4n * freshIdBetween(2n ** 51n, 2n ** 52n - 1n),
    '9007199254740992 + 4 * RANDOM',
  ),
  alike(
    ALIKE_IN_32_BITS,
    'two plants whose ids differ by 2^32',
    2n ** 32n,
    ({ freshId }) => BigInt(freshId()),
    'RANDOM / 2 + 1',
  ),
];

/**
 * An id that is always the same. Whether it is used already, nobody knows: a second run against one provider meets its
 * own. They come after the bad requests, which a provider may take for them.
 */
function oneId(name: string, title: string, id: bigint): Probe {
  return defineProbe({
    name,
    title,
    expectation: 'open',
    control: PLAIN_PLANT,
    phase: 'state',
    requests(material) {
      const { id: text, ...request } = creation(material, { id });
      // In a shell's line it stays as it is.
      return [{ ...request, mayBeTaken: true }];
    },
  });
}

const alwaysTheSame = [
  oneId(ID_AT_UPPER_END, 'a plant whose id is 2^63 - 1', INT64_END - 1n),
  oneId(ID_AT_LOWER_END, 'a plant whose id is -2^63', -INT64_END),
  oneId(ID_ZERO, 'a plant whose id is 0', 0n),
];

/** Ids of every size, within int64 and past its ends, and pairs that are told apart. */
export const idProbes: readonly Probe[] = [
  ...withinInt64,
  written('id-with-zero-fraction', 'a plant whose id is written with a fraction of zero: 7.0', '.0'),
  ...beyondInt64,
  ...alwaysTheSame,
  ...pairsOfIds,
];
