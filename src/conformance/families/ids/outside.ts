import type { ControlName } from '../../probe.js';
import { FRESH_NAME, type FreshId, type Piece, type ProbeDraft } from '../draft.js';

/** Ten fresh digits. */
function digits(low: string, high: string): FreshId {
  return { fresh: 'id', between: [low, high] };
}

const ANY_DIGITS = digits('1000000000', '2147483647');

type Case = readonly [what: string, title: string, control: ControlName, id: readonly Piece[]];

/** The last ten digits are fresh, so the ids are new in every check, whatever a provider makes of them. */
const CASES: readonly Case[] = [
  [
    'just-past-upper-end',
    'a plant whose id is between 2^63 and 2^63 + 2^31',
    'id-near-upper-end',
    ['9223372036', digits('4854775809', '7002259455')],
  ],
  [
    'just-past-lower-end',
    'a plant whose id is between -2^63 and -2^63 - 2^31',
    'id-near-lower-end',
    ['-9223372036', digits('4854775810', '7002259456')],
  ],
  [
    'ordinary-plus-64-bits',
    'a plant whose id is 2^64 and an ordinary id',
    'id-near-upper-end',
    ['1844674407', digits('3709551617', '5857035263')],
  ],
  [
    'ordinary-minus-64-bits',
    'a plant whose id is an ordinary id minus 2^64',
    'id-near-lower-end',
    ['-1844674407', digits('1562067969', '3709551615')],
  ],
  [
    'of-401-digits',
    'a plant whose id has 401 digits',
    'id-near-upper-end',
    [`1${'0'.repeat(390)}`, ANY_DIGITS],
  ],
  [
    'exponent-past-upper-end',
    'a plant whose id is above 2^63 and written with an exponent',
    'id-near-upper-end',
    [ANY_DIGITS, 'e10'],
  ],
  [
    'fraction-past-upper-end',
    'a plant whose id is above 2^63 and written with a fraction of zero',
    'id-near-upper-end',
    ['9223372036', digits('4854775809', '7002259455'), '.0'],
  ],
];

/** Integers outside int64. */
export const idsOutside: readonly ProbeDraft[] = CASES.map(([what, title, control, id]) => ({
  name: `ids/${what}`,
  title,
  expectation: 'rejected',
  phase: 'invalid',
  control,
  rules: ['request/id-is-within-int64'],
  requests: [{ body: ['{"name":"', FRESH_NAME, '","id":', ...id, '}'] }],
}));
