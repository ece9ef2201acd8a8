import type { Piece, ProbeDraft } from '../draft.js';
import type { TokenEdit } from '../token-pieces.js';
import { TOKEN } from './near-misses.js';
import { unauthorised } from './unauthorised.js';

export const OTHER_SCHEME = 'auth/other-scheme-is-refused';
export const BARE_TOKEN = 'auth/bare-token-is-refused';

/** Names of other schemes, and words that are almost "Bearer". */
export const SCHEMES = [
  'Token',
  'Bearer:',
  'Basic',
  'Digest',
  'JWT',
  'OAuth',
  'ApiKey',
  'Api-Key',
  'Key',
  'Negotiate',
  'Bearers',
  'BearerToken',
  'XBearer',
  'Bear',
  'Session',
  'GoogleLogin',
  'GenieKey',
  'PRIVATE-TOKEN',
] as const;

/** What some programs take for the space after "Bearer". */
export const JOINTS = ['', ':', '=', ',', '/', '_', '-', '%20', '+', ' token=', ' access_token='] as const;

/** "Bearer" and the token as one word: a short token is hidden only where it is a whole word. */
export function joinedBy(joint: string): TokenEdit {
  return { edit: [`Bearer${joint}`, TOKEN] };
}

function withScheme(name: string, title: string, rule: string, authorization: readonly Piece[]): ProbeDraft {
  return unauthorised(`tokens/${name}`, title, rule, { authorization });
}

/** The right token with another scheme, or joined to the word "Bearer". */
export const otherSchemes: readonly ProbeDraft[] = [
  withScheme('scheme-token', 'the right token with the scheme Token', OTHER_SCHEME, ['Token ', TOKEN]),
  withScheme('scheme-with-colon', 'the right token after "Bearer:"', OTHER_SCHEME, ['Bearer: ', TOKEN]),
  withScheme('basic-with-password', 'the right token as the password of the scheme Basic', OTHER_SCHEME, [
    'Basic ',
    { edit: ['user:', TOKEN], as: 'base64' },
  ]),
  withScheme('joined', 'the right token joined to "Bearer" without a space', BARE_TOKEN, [joinedBy('')]),
];
