import type { ProbeDraft, RequestDraft } from '../draft.js';
import { requestBy } from './unauthorised.js';

const RIGHT = requestBy({ authorization: ['Bearer ', { token: {} }] });

/** An id that a provider cannot mistake for the other one, even if it rounds ids. */
const ID = { fresh: 'id', between: ['1', '2000000000'] } as const;
const OTHER_ID = { ...ID, plus: '100000007' } as const;
const NAME = { fresh: 'name' } as const;
const OTHER_NAME = { fresh: 'name', of: 1 } as const;

const FIRST = { body: ['{"name":"', NAME, '","id":', ID, '}'], plant: { name: NAME, id: ID } } as const;
const OTHER = {
  body: ['{"name":"', OTHER_NAME, '","id":', OTHER_ID, '}'],
  plant: { name: OTHER_NAME, id: OTHER_ID },
} as const;

const WRONG: RequestDraft = {
  ...requestBy({ authorization: ['Bearer ', { wrongToken: true }] }),
  ...FIRST,
  expectation: 'rejected',
};

/** Shows, among the wrong tokens, whether the provider still accepts the right one. */
export const rightAmongWrong: ProbeDraft = {
  name: 'tokens/right-among-wrong',
  title: 'a plain plant with the right token, among wrong tokens',
  expectation: 'open',
  phase: 'wrong-token',
  rules: [],
  requests: [RIGHT],
};

/**
 * One plant with a wrong token, with the right one, and with the wrong one again. The other plant shows whether the
 * provider locks the client out.
 */
export const sameBody: ProbeDraft = {
  name: 'tokens/same-body',
  title:
    'a plain plant with a wrong token, another plant, and the first plant with the right and the wrong token',
  expectation: 'open',
  phase: 'wrong-token',
  control: 'plain-plant',
  alone: true,
  rules: ['state/refused-plant-is-not-stored', 'auth/response-depends-on-token'],
  requests: [WRONG, { ...RIGHT, ...OTHER }, { ...RIGHT, ...FIRST }, WRONG],
};
