import type { ProbeDraft, RequestDraft } from '../draft.js';
import { requestBy } from './unauthorised.js';

const WRONG = requestBy({ authorization: ['Bearer ', { wrongToken: true }] });
const RIGHT = requestBy({ authorization: ['Bearer ', { token: {} }] });
const OTHER_PLANT: RequestDraft = {
  ...RIGHT,
  body: ['{"name":"', { fresh: 'name', of: 1 }, '","id":', { fresh: 'id', plus: '1' }, '}'],
  plant: { name: { fresh: 'name', of: 1 }, id: { fresh: 'id', plus: '1' } },
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
  requests: [
    { ...WRONG, expectation: 'rejected' },
    OTHER_PLANT,
    RIGHT,
    { ...WRONG, expectation: 'rejected' },
  ],
};
