import type { ProbeDraft } from '../draft.js';
import { unauthorised } from './unauthorised.js';

const WRONG_TOKEN = 'auth/wrong-token-is-refused';

/** Words that programs write for a missing value, patterns that match every token, and conditions that are always true. */
export const WORDS = {
  undefined: 'undefined',
  null: 'null',
  'every-text-in-sql': '%',
  'every-text-as-pattern': '.*',
  'always-true-in-sql': "'or'1'='1",
  star: '*',
  'sql-with-comment': "'/**/OR/**/1=1--",
  underscores: '________',
  'pattern-for-words': '\\w+',
  'none-in-python': 'None',
  nil: 'nil',
  true: 'true',
  zero: '0',
  'not-a-number': 'NaN',
  object: '[object Object]',
  'no-object': '{}',
  'empty-quotes': '""',
  placeholder: '<ACCESS_TOKEN>',
  variable: '$PLANT_STORE_TOKEN',
  scheme: 'Bearer',
  admin: 'admin',
  anonymous: 'anonymous',
  test: 'test',
} as const;

const CORE = [
  'undefined',
  'null',
  'every-text-in-sql',
  'every-text-as-pattern',
  'always-true-in-sql',
] as const;

/** A word in place of a token. */
export function withWord(key: keyof typeof WORDS): ProbeDraft {
  const word = WORDS[key];
  const title = `the token ${JSON.stringify(word)}`;
  return unauthorised(`tokens/word-${key}`, title, WRONG_TOKEN, {
    authorization: ['Bearer ', { unlessToken: word }],
  });
}

/** A header {"alg":"none"}, the claims of the right token or other ones, and no signature. */
const unsigned = unauthorised(
  'tokens/jwt-without-signature',
  'a JSON Web Token without a signature',
  WRONG_TOKEN,
  {
    authorization: [
      'Bearer ',
      { edit: ['eyJhbGciOiJub25lIn0.', { edit: [{ token: {} }], as: 'jwt-payload' }, '.'] },
    ],
  },
);

/** Tokens that nobody was given. */
export const words: readonly ProbeDraft[] = [...CORE.map(withWord), unsigned];
