import type { Row } from '../row.js';
import { table } from '../rule.js';
import type { Template } from '../template.js';

/** Ids of one pattern, which every provider must accept: they are positive, not at the end of int64, and new in every run. */
export interface IdValue {
  readonly name: string;
  /** After "a plant whose id". */
  readonly title: string;
  /** The JSON of the id. */
  readonly id: Template;
  /** The bounds of its fresh ids. */
  readonly ids: NonNullable<Row['ids']>;
}

/** The bounds of fresh ids, as decimal digits. */
export function boundsIn(text: string): NonNullable<Row['ids']> {
  const [low = '', high = ''] = text.split(' ');
  return [low, high];
}

/** A pattern for each line of a table: its name, its title, its id, and the bounds of its fresh ids. */
const TELLING = table(
  `zero-in-32-bits       has 32 bits of zero at its end               <ID*4294967296>                   536870912 1073741824
   odd-above-doubles     is odd and above 2^53                        <ID*536870914+9007199254740993>   0 4294967295
   odd-above-floats      is odd and above 2^24                        <ID*2+1>                          8388608 1073741823
   in-seconds            is a time in seconds                         <ID>                              1700000000 1799999999
   in-milliseconds       is a time in milliseconds                    <ID>                              1700000000000 1799999999999
   in-microseconds       is a time in microseconds                    <ID>                              1700000000000000 1799999999999999
   in-nanoseconds        is a time in nanoseconds                     <ID>                              1700000000000000000 1799999999999999999
   snowflake             is a snowflake: a time, a machine and a number  <ID*268435456+1152921504606851073>  0 4294967295
   date                  begins like a date                           <ID+20261125000000000>            0 235959999
   twice-the-digits      has the same nine digits twice               <ID*1000000001>                   100000000 999999999
   equal-digits          begins with nine sevens                      <ID+777777777000000000>           0 999999999
   ascending-digits      begins with 123456789                        <ID+1234567890000000000>          0 999999999
   alternating-bits      has every other bit                          <ID*4+6148914691236517205>        0 16777216
   other-alternating-bits  has every other bit, from the second on    <ID*4+3074457345618258602>        0 16777216
   minus-one-in-32-bits  has 32 bits of one at its end                <ID*4294967296+4294967295>        536870912 1073741824
   lowest-in-32-bits     is -2^31 in 32 bits                          <ID*4294967296+2147483648>        268435456 536870912
   zero-in-16-bits       has 16 bits of zero at its end               <ID*65536>                        8388608 16777216
   near-end              is 2^33 to 2^34 below 2^63                   <ID>                              9223372019674906624 9223372028264841216`,
  4,
).map(
  ([name = '', title = '', id = '', bounds = '']): IdValue => ({ name, title, id, ids: boundsIn(bounds) }),
);

/** No id of a pattern is greater, so that the rows about the end of int64 are the only ones there. */
const END = 2n ** 63n - 2n ** 33n;

/** Fresh ids of a pattern. */
function between(name: string, title: string, low: bigint, high: bigint, id: Template = '<ID>'): IdValue {
  return { name, title, id, ids: [String(low), String(high)] };
}

/** Multiples of a number, with fresh digits before it. */
function multiples(name: string, title: string, of: bigint, plus = 0n): IdValue {
  const high = (END - plus) / of - 1n;
  const most = high < 2n ** 31n ? high : 2n ** 31n;
  return between(name, title, most / 2n, most, `<ID*${of}${plus === 0n ? '' : `+${plus}`}>`);
}

/** How many ids are next to a power of two. Those below it have ones in all of their high bits. */
const NEXT = 2n ** 24n;
const POWERS = [50n, 53n, 32n, 31n, 62n, 48n, 40n, 33n, 52n];
/** The low bits of an id. */
const BITS = [40n, 20n, 16n, 8n, 24n, 12n, 4n, 10n];
/** How many digits an id has. */
const COUNTS = [19n, 16n, 10n, 12n, 8n, 18n, 6n, 7n, 9n];
/** Of shorter ids that are round, or almost, too few are left. */
const ROUND = [19n, 16n, 12n, 18n, 11n, 13n, 14n];

/** Ids of so many digits, from the lowest to the highest. */
function ofDigits(count: bigint): readonly [low: bigint, high: bigint] {
  const last = 10n ** count - 1n;
  return [10n ** (count - 1n), last < END ? last : END];
}

function roundWith(count: bigint): IdValue {
  const zeros = 10n ** (count / 2n);
  const [low, high] = ofDigits(count);
  const title = `has ${count} digits, half of them zeros at the end`;
  return between(`zeros-${count}`, title, low / zeros, high / zeros, `<ID*${zeros}>`);
}

/** Some lists as one: the first item of each, then the second of each. */
function inTurn<T>(lists: readonly (readonly T[])[]): readonly T[] {
  const most = Math.max(...lists.map(({ length }) => length));
  return Array.from({ length: most }, (_, at) => lists.flatMap((list) => list.slice(at, at + 1))).flat();
}

/**
 * Ids by pattern, the most telling first. In each check are ids with the same low bits, and with the same high bits: a provider that
 * keeps only these takes one for the other.
 */
export const idValues: readonly IdValue[] = inTurn([
  TELLING,
  POWERS.map((bit) => between(`above-2-${bit}`, `is just above 2^${bit}`, 2n ** bit + 1n, 2n ** bit + NEXT)),
  BITS.map((bit) => multiples(`times-2-${bit}`, `is a multiple of 2^${bit}`, 2n ** bit)),
  COUNTS.map((count) => between(`of-${count}-digits`, `has ${count} digits`, ...ofDigits(count))),
  POWERS.map((bit) => between(`below-2-${bit}`, `is just below 2^${bit}`, 2n ** bit - NEXT, 2n ** bit - 1n)),
  ROUND.map(roundWith),
  BITS.map((bit) => multiples(`ones-${bit}`, `has ${bit} bits of one at its end`, 2n ** bit, 2n ** bit - 1n)),
  ROUND.map((count) => {
    const [, high] = ofDigits(count);
    return between(`nines-${count}`, `has ${count} digits, most of them nines`, high - 999_999n, high);
  }),
  ROUND.map((count) => {
    const [low] = ofDigits(count);
    return between(`after-round-${count}`, `is just above 10^${count - 1n}`, low + 1n, low + 999_999n);
  }),
  [0n, 1n, 2n, 3n, 4n, 5n, 6n, 7n, 8n, 9n].map((digit) =>
    multiples(`last-digit-${digit}`, `ends in ${digit}`, 10n, digit),
  ),
]);
