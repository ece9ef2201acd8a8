import type { Piece, ProbeDraft, RequestDraft } from '../draft.js';
import { TOKEN } from './near-misses.js';
import { unauthorised } from './unauthorised.js';

export const OTHER_HEADER = 'auth/token-in-other-header-is-refused';
export const COOKIE = 'auth/token-in-cookie-is-refused';

/** Header fields in which programs look for a token, each with the value that they expect. */
export const OTHER_HEADERS: readonly (readonly [name: string, value: readonly Piece[]])[] = [
  ...['X-Api-Key', 'Api-Key', 'X-Auth-Token', 'X-Access-Token', 'Access-Token', 'X-Token', 'Token'].map(
    (name) => [name, [TOKEN]] as const,
  ),
  ...[
    'X-Authorization',
    'Authentication',
    'X-Forwarded-Authorization',
    'X-Original-Authorization',
    'Proxy-Authorization',
    'X-Forwarded-Access-Token',
    'X-Auth',
    'Bearer',
  ].map((name) => [name, ['Bearer ', TOKEN]] as const),
];

/** Names of cookies in which programs look for a token. */
export const COOKIES = [
  'token',
  'access_token',
  'accessToken',
  'auth',
  'auth_token',
  'jwt',
  'session',
  'sid',
  'bearer',
  'api_key',
] as const;

/** A Cookie header with the right token under these names. */
export function cookiesWith(names: readonly string[]): NonNullable<RequestDraft['headers']>[number] {
  const pairs = names.flatMap((name, at): Piece[] => [at === 0 ? `${name}=` : `; ${name}=`, TOKEN]);
  return ['Cookie', [...pairs, '; Authorization=Bearer%20', TOKEN]];
}

/** The right token in a place where the interface has none. */
export const otherPlaces: readonly ProbeDraft[] = [
  unauthorised('tokens/in-other-headers', 'the right token in other headers only', OTHER_HEADER, {
    fields: OTHER_HEADERS,
  }),
  unauthorised('tokens/in-cookies', 'the right token in cookies only', COOKIE, {
    fields: [cookiesWith(COOKIES)],
  }),
];
