import { isRejected, Rejection } from '../../../src/server/error-codes.js';
import type { Faults } from '../../../src/server/faults/names.js';
import { useUp } from '../../../src/server/faults/state.js';
import { alsoAccepts, alsoLikeToken, authorization, trusts } from '../../../src/server/faults/tokens.js';

/** Also accepts a request if the value of its Authorization header is like a right token. */
function alsoLike(isLike: (value: string, token: string) => boolean) {
  return alsoAccepts((request, { settings }) =>
    settings.tokens.some((token) => isLike(authorization(request) ?? '', token)),
  );
}

function sorted(text: string): string {
  return [...text].sort().join('');
}

/**
 * Wrong tokens are accepted: almost right ones, patterns, and right ones in the wrong place. Or other fields take the
 * place of a token.
 */
export const tokenFaults = {
  'compares-token-end': {
    title: 'A token that ends with the right token is accepted.',
    breaks: ['auth/near-miss-token-is-refused'],
    replace: alsoLikeToken((given, token) => !given.includes(' ') && given.endsWith(token)),
  },
  'finds-token-end': {
    title: 'The end of the right token is accepted as a token.',
    breaks: ['auth/near-miss-token-is-refused'],
    replace: alsoLikeToken((given, token) => given !== '' && token.endsWith(given)),
  },
  'compares-eight-characters': {
    title: 'Of two tokens of the same length, only the first eight characters are compared.',
    breaks: ['auth/near-miss-token-is-refused'],
    replace: alsoLikeToken(
      (given, token) => given.length === token.length && given.slice(0, 8) === token.slice(0, 8),
    ),
  },
  'compares-both-ends': {
    title: 'Of two tokens of the same length, only the first and the last four characters are compared.',
    breaks: ['auth/near-miss-token-is-refused'],
    replace: alsoLikeToken(
      (given, token) =>
        given.length === token.length &&
        given.slice(0, 4) === token.slice(0, 4) &&
        given.slice(-4) === token.slice(-4),
    ),
  },
  'reads-last-word': {
    title: 'The last word of an Authorization header is read as the token.',
    breaks: ['auth/near-miss-token-is-refused'],
    replace: alsoLike(
      (value, token) => /^Bearer [^ ,]+ [^ ]+$/.test(value) && value.split(' ').at(-1) === token,
    ),
  },
  'finds-bearer-anywhere': {
    title: 'The word "Bearer" and the token may follow any other text.',
    breaks: ['auth/near-miss-token-is-refused'],
    replace: alsoLike((value, token) => !value.includes(',') && value.endsWith(` Bearer ${token}`)),
  },
  'reads-token-lists': {
    title: 'One right token in a list of tokens is enough.',
    breaks: ['auth/near-miss-token-is-refused'],
    replace: alsoLike(
      (value, token) => value.includes(', ') && value.split(', ').includes(`Bearer ${token}`),
    ),
  },
  'removes-quotes': {
    title: 'Quotes around the token are removed.',
    breaks: ['auth/near-miss-token-is-refused'],
    replace: alsoLikeToken((given, token) => given === `"${token}"`),
  },
  'reads-scheme-token': {
    title: 'The right token is also accepted with the scheme Token.',
    breaks: ['auth/other-scheme-is-refused'],
    replace: alsoLike((value, token) => value === `Token ${token}`),
  },
  'compares-scheme-start': {
    title: 'A scheme that begins with "Bearer" is accepted.',
    breaks: ['auth/other-scheme-is-refused'],
    replace: alsoLike((value, token) => /^Bearer[^ ]+ /.test(value) && value.split(' ')[1] === token),
  },
  'reads-basic-password': {
    title: 'The right token is also accepted as a password of the scheme Basic.',
    breaks: ['auth/other-scheme-is-refused'],
    replace: alsoLike((value, token) => {
      if (!value.startsWith('Basic ')) return false;
      const userAndPassword = Buffer.from(value.slice('Basic '.length), 'base64').toString();
      return /^[^:]*:(.*)$/s.exec(userAndPassword)?.[1] === token;
    }),
  },
  'cuts-scheme-off': {
    title: 'The word "Bearer" is cut off, with or without a space after it.',
    breaks: ['auth/bare-token-is-refused'],
    replace: alsoLike((value, token) => value.startsWith('Bearer') && value.slice(6).trim() === token),
  },
  'accepts-undefined': {
    title: 'A second token is read from a variable that is not set, so "undefined" is accepted.',
    breaks: ['auth/wrong-token-is-refused'],
    replace: alsoLikeToken((given) => given === 'undefined'),
  },
  'looks-token-up-with-like': {
    title: 'Tokens are looked up with LIKE, so "%" is accepted.',
    breaks: ['auth/wrong-token-is-refused'],
    replace: alsoLikeToken((given) => /^%+$/.test(given)),
  },
  'puts-token-into-sql': {
    title: 'The token becomes a part of an SQL statement.',
    breaks: ['auth/wrong-token-is-refused'],
    replace: alsoLikeToken((given) => /'\s*or\s*'?1'?\s*=\s*'?1/i.test(given)),
  },
  'accepts-unsigned-jwt': {
    title: 'A JSON Web Token without a signature is accepted.',
    breaks: ['auth/wrong-token-is-refused'],
    replace: alsoLikeToken((given) => /^eyJhbGciOiJub25lI[\w-]*\.[\w-]+\.$/.test(given)),
  },
  'compares-sorted-tokens': {
    title: 'A token with the characters of the right token in another order is accepted.',
    breaks: ['auth/near-miss-token-is-refused'],
    replace: alsoLikeToken((given, token) => sorted(given) === sorted(token)),
  },
  'decodes-tokens': {
    title: 'The right token in base64 is accepted.',
    breaks: ['auth/near-miss-token-is-refused'],
    replace: alsoLikeToken((given, token) => given === Buffer.from(token).toString('base64')),
  },
  'keeps-plants-of-unknown-tokens': {
    title: 'A plant with an unknown token is rejected, but its id is used up.',
    breaks: ['state/refused-plant-is-not-stored'],
    replace: ({ authenticate, readBody, validate }, { plants }) => ({
      async authenticate(request) {
        const rejection = await authenticate(request);
        if (!isRejected(rejection, 'token-wrong')) return rejection;
        const value = readBody(request);
        const plant = value instanceof Rejection ? value : validate(value, request);
        if (!(plant instanceof Rejection)) useUp(plant.id, plants);
        return rejection;
      },
    }),
  },
  'trusts-local-clients': {
    title: 'A request from 127.0.0.1 according to X-Forwarded-For needs no token.',
    ...trusts((field) => /^127\.0\.0\.1(?:,|$)/.test(field('x-forwarded-for'))),
  },
  'trusts-original-path': {
    title: 'A request for /health according to X-Forwarded-Uri needs no token.',
    ...trusts((field) => field('x-forwarded-uri') === '/health'),
  },
  'trusts-original-url': {
    title: 'A request for /health according to X-Original-URL needs no token.',
    ...trusts((field) => field('x-original-url') === '/health'),
  },
  'trusts-overridden-method': {
    title: 'A request with the method OPTIONS according to X-HTTP-Method-Override needs no token.',
    ...trusts((field) => field('x-http-method-override') === 'OPTIONS'),
  },
  'trusts-preflights': {
    title: 'A request with Access-Control-Request-Method needs no token, whatever its method.',
    ...trusts((field) => field('access-control-request-method') !== ''),
  },
  'trusts-open-paths': {
    title: 'A request whose URL contains /public/ or /login needs no token.',
    ...trusts((_field, { target }) => /\/public\/|\/login/.test(target)),
  },
  'trusts-private-networks': {
    title: 'A request from 10.0.0.0/8 according to X-Forwarded-For needs no token.',
    ...trusts((field) => field('x-forwarded-for').startsWith('10.')),
  },
  'trusts-switches-in-query': {
    title: 'A request with "debug" in its query needs no token.',
    ...trusts((_field, { target }) => /[?&]debug=/.test(target)),
  },
  'trusts-scripts-of-pages': {
    title: 'A request with X-Requested-With needs no token.',
    ...trusts((field) => field('x-requested-with') !== ''),
  },
} satisfies Faults;
