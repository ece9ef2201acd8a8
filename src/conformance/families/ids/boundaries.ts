import type { Piece, ProbeDraft } from '../draft.js';
import { FRESH_NAME } from '../draft.js';

/** Ids at which programs and firewalls go wrong. They are the same in every check, so the provider may have them. */
const BOUNDARIES: readonly (readonly [id: string, inWords: string])[] = [
  ['2147483647', '2^31 - 1'],
  ['2147483648', '2^31'],
  ['4294967295', '2^32 - 1'],
  ['4294967296', '2^32'],
  ['9007199254740991', '2^53 - 1'],
  ['9007199254740992', '2^53'],
  ['9007199254740993', '2^53 + 1'],
  ['1000000000000000000', '10^18'],
];

/** There are so few of these ids that the provider may have them. */
const SMALL: readonly (readonly [what: string, title: string, id: Piece])[] = [
  ['of-one-digit', 'a plant whose id has one digit', { fresh: 'id', between: ['2', '9'] }],
  ['of-few-digits', 'a plant whose id has two to four digits', { fresh: 'id', between: ['10', '9999'] }],
];

function draft(what: string, title: string, id: Piece): ProbeDraft {
  return {
    name: `ids/${what}`,
    title,
    expectation: 'open',
    // After the invalid requests: a provider may convert an invalid id to one of these.
    phase: 'state',
    control: 'plain-plant',
    rules: ['request/int64-ids-are-accepted'],
    requests: [
      {
        body: ['{"name":"', FRESH_NAME, '","id":', id, '}'],
        plant: { name: FRESH_NAME, id },
        idMayExist: true,
      },
    ],
  };
}

/** Valid ids that the provider may have. Only a rejection that is not that of a duplicate breaks a rule. */
export const idsThatMayExist: readonly ProbeDraft[] = [
  ...BOUNDARIES.map(([id, inWords]) => draft(id, `a plant whose id is ${inWords}`, id)),
  ...SMALL.map(([what, title, id]) => draft(what, title, id)),
];
