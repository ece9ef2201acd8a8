import type { Row } from '../../row.js';
import type { Template } from '../../template.js';

/** An id, or many of one pattern. */
export interface IdValue {
  readonly name: string;
  /** After "a plant whose id". */
  readonly title: string;
  /** The JSON of the id. */
  readonly id: Template;
  /** The bounds of its fresh ids. */
  readonly ids?: Row['ids'];
  /** Whether every provider must accept it: it is positive, not at the end of int64, and new in every run. */
  readonly isAccepted: boolean;
}

/** So many low bits of an id are fresh if its high bits are given. */
const FRESH = 2n ** 24n;
/** No id of a pattern is greater, so that the rows about the end of int64 are the only ones there. */
const END = 2n ** 63n - 2n ** 33n;

/** Bounds are less apart than this, because a shell has 32 random bits. */
const APART = 2n ** 32n;

/** Fresh ids of a pattern. If the bounds are too far apart, some of the ids between them. */
function between(name: string, title: string, low: bigint, high: bigint, id: Template = '<ID>'): IdValue {
  const isFar = high - low >= APART;
  const isSpread = isFar && id === '<ID>';
  const [least, most] = isSpread ? [0n, APART - 1n] : [low, isFar ? low + APART - 1n : high];
  return {
    ...{ name, title, isAccepted: true },
    id: isSpread ? made((high - low) / APART, low) : id,
    ids: [String(least), String(most)],
  };
}

/** One id. The provider may have it from an earlier check. */
function exactly(id: bigint, title: string): IdValue {
  return { name: `exactly-${id}`, title, id: String(id), isAccepted: false };
}

function numbers(from: number, to: number): readonly bigint[] {
  return Array.from({ length: to - from + 1 }, (_, at) => BigInt(from + at));
}

function distinct(all: readonly bigint[]): readonly bigint[] {
  return [...new Set(all)];
}

/** `<ID*4+1>` for a factor of 4 and one more. */
function made(times: bigint, plus: bigint): Template {
  return `<ID*${times}${plus === 0n ? '' : `+${plus}`}>`;
}

/** Multiples of a number, with fresh digits before it. */
function multiples(name: string, title: string, of: bigint, plus = 0n): IdValue {
  const high = (END - plus) / of - 1n;
  const most = high < 2n ** 31n ? high : 2n ** 31n;
  return between(name, title, most / 2n, most, made(of, plus));
}

/** The ids next to powers of two. Those below have ones in all of their high bits. */
const POWERS = distinct([53n, 32n, 31n, 62n, 40n, 48n, 33n, 52n, ...numbers(26, 62)]).map((bit) => {
  const power = 2n ** bit;
  return {
    above: between(`above-2-${bit}`, `is just above 2^${bit}`, power + 1n, power + FRESH),
    below: between(`below-2-${bit}`, `is just below 2^${bit}`, power - FRESH, power - 1n),
  };
});

/** Ids with zeros, or with ones, in all of their low bits. */
const LOW_BITS = distinct([20n, 16n, 8n, 24n, 12n, 40n, 4n, 10n, ...numbers(2, 42)]).map((bit) => {
  const power = 2n ** bit;
  return {
    zeros: multiples(`times-2-${bit}`, `is a multiple of 2^${bit}`, power),
    ones: multiples(`ones-${bit}`, `has ${bit} bits of one at its end`, power, power - 1n),
  };
});

/** How many digits an id has. */
const COUNTS = distinct([19n, 16n, 10n, 12n, 8n, 18n, ...numbers(6, 17)]);

/** Ids of so many digits, from the lowest to the highest. */
function ofDigits(count: bigint): readonly [low: bigint, high: bigint] {
  const power = 10n ** (count - 1n);
  const last = 10n * power - 1n;
  return [power, last < END ? last : END];
}

/** Ids that are round in decimal, or almost. Of shorter ids, too few are left. */
const ROUND = COUNTS.filter((count) => count > 10n).map((count) => {
  const [low, high] = ofDigits(count);
  const zeros = 10n ** (count / 2n);
  const round = `has ${count} digits, half of them zeros at the end`;
  return {
    zeros: between(`zeros-${count}`, round, low / zeros, high / zeros, made(zeros, 0n)),
    after: between(`after-round-${count}`, `is just above 10^${count - 1n}`, low + 1n, low + 999_999n),
    nines: between(`nines-${count}`, `has ${count} digits, most of them nines`, high - 999_999n, high),
  };
});

/** Some lists as one: the first item of each, then the second of each. */
function inTurn<T>(lists: readonly (readonly T[])[]): readonly T[] {
  const most = Math.max(...lists.map(({ length }) => length));
  return Array.from({ length: most }, (_, at) => lists.flatMap((list) => list.slice(at, at + 1))).flat();
}

const OTHER_PATTERNS: readonly IdValue[] = [
  between('odd-above-doubles', 'is odd and above 2^53', 0n, APART - 1n, '<ID*536870914+9007199254740993>'),
  between('odd-above-floats', 'is odd and above 2^24', 2n ** 23n, 2n ** 30n - 1n, '<ID*2+1>'),
  between('in-seconds', 'is a time in seconds', 1_700_000_000n, 1_799_999_999n),
  between('in-milliseconds', 'is a time in milliseconds', 1_700_000_000_000n, 1_799_999_999_999n),
  between('in-microseconds', 'is a time in microseconds', 1_700_000_000_000_000n, 1_799_999_999_999_999n),
  between(
    'in-nanoseconds',
    'is a time in nanoseconds',
    1_700_000_000_000_000_000n,
    1_799_999_999_999_999_999n,
  ),
  between(
    'snowflake',
    'is a snowflake: a time, a machine and a number',
    0n,
    APART - 1n,
    '<ID*268435456+1152921504606851073>',
  ),
  between('date', 'begins like a date', 0n, 235_959_999n, '<ID+20261125000000000>'),
  between(
    'twice-the-digits',
    'has the same nine digits twice',
    100_000_000n,
    999_999_999n,
    '<ID*1000000001>',
  ),
  between('equal-digits', 'begins with nine sevens', 0n, 999_999_999n, '<ID+777777777000000000>'),
  between('ascending-digits', 'begins with 123456789', 0n, 999_999_999n, '<ID+1234567890000000000>'),
  between('alternating-bits', 'has every other bit', 0n, FRESH, '<ID*4+6148914691236517205>'),
  between(
    'other-alternating-bits',
    'has every other bit, from the second on',
    0n,
    FRESH,
    '<ID*4+3074457345618258602>',
  ),
  between(
    'minus-one-in-32-bits',
    'has 32 bits of one at its end',
    2n ** 29n,
    2n ** 30n,
    '<ID*4294967296+4294967295>',
  ),
  between('zero-in-32-bits', 'has 32 bits of zero at its end', 2n ** 29n, 2n ** 30n, '<ID*4294967296>'),
  between('lowest-in-32-bits', 'is -2^31 in 32 bits', 2n ** 28n, 2n ** 29n, '<ID*4294967296+2147483648>'),
  between('zero-in-16-bits', 'has 16 bits of zero at its end', 2n ** 23n, 2n ** 24n, '<ID*65536>'),
  between('near-end', 'is 2^33 to 2^34 below 2^63', 2n ** 63n - 2n ** 34n, END),
];

/** What a provider may reject, or may have. */
const OPEN: readonly IdValue[] = [
  { name: 'negative', title: 'is negative', id: '<ID>', ids: ['-2147483648', '-1000000'], isAccepted: false },
  {
    name: 'below-minus-2-32',
    title: 'is below -2^32',
    id: '<ID>',
    ids: ['-8589934000', '-4294967297'],
    isAccepted: false,
  },
  {
    name: 'negative-odd',
    title: 'is odd and below -2^53',
    id: '<ID*536870914-9007199254740993>',
    ids: ['-4294967295', '-1'],
    isAccepted: false,
  },
  { name: 'of-one-digit', title: 'has one digit', id: '<ID>', ids: ['1', '9'], isAccepted: false },
  {
    name: 'of-few-digits',
    title: 'has two to five digits',
    id: '<ID>',
    ids: ['10', '99999'],
    isAccepted: false,
  },
  ...[31n, 32n, 53n, 16n, 8n, 24n, 15n, 7n].flatMap((bit) => [
    exactly(2n ** bit, `is 2^${bit}`),
    exactly(2n ** bit - 1n, `is 2^${bit} - 1`),
    exactly(2n ** bit + 1n, `is 2^${bit} + 1`),
  ]),
  ...[18n, 6n, 9n, 3n, 15n, 12n].map((power) => exactly(10n ** power, `is 10^${power}`)),
  ...[
    1_111_111n,
    123_456_789n,
    1_234_567_890_123_456_789n,
    12_345_654_321n,
    1n,
    20_261_125n,
    404n,
    2_026n,
    42n,
  ].map((id) => exactly(id, `is ${id}`)),
];

/** Each last digit. */
const LAST_DIGITS: readonly IdValue[] = numbers(0, 9).map((digit) =>
  multiples(`last-digit-${digit}`, `ends in ${digit}`, 10n, digit),
);

/** Ids by pattern, the most telling first. */
export const idValues: readonly IdValue[] = inTurn([
  OTHER_PATTERNS,
  POWERS.map(({ above }) => above),
  LOW_BITS.map(({ zeros }) => zeros),
  COUNTS.map((count) => between(`of-${count}-digits`, `has ${count} digits`, ...ofDigits(count))),
  POWERS.map(({ below }) => below),
  ROUND.map(({ zeros }) => zeros),
  LOW_BITS.map(({ ones }) => ones),
  ROUND.map(({ nines }) => nines),
  ROUND.map(({ after }) => after),
  OPEN,
  LAST_DIGITS,
]);
