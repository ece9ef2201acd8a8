import { headerValues } from '../../http/fields.js';
import { parseBearer } from '../../validation/header-values.js';
import { isRejected, Rejection } from '../error-codes.js';
import type { IncomingRequest, OutgoingResponse } from '../exchange.js';
import type { Steps } from '../steps.js';
import type { Faults, FaultTools } from './names.js';
import { useUp } from './state.js';

/** Also accepts a request if `accepts` returns true. */
function alsoAccepts(accepts: (request: IncomingRequest, tools: FaultTools) => boolean) {
  return ({ authenticate }: Steps, tools: FaultTools): Partial<Steps> => ({
    authenticate: async (request) => (accepts(request, tools) ? undefined : await authenticate(request)),
  });
}

/** The value of the Authorization header. Several are one list (RFC 9110, section 5.3), so none of them counts alone. */
function authorization({ headers }: IncomingRequest): string | undefined {
  const values = headerValues(headers, 'authorization');
  return values.length === 0 ? undefined : values.join(', ');
}

function bearerToken(request: IncomingRequest): string | undefined {
  const credentials = parseBearer(authorization(request) ?? '');
  return credentials.ok ? credentials.token : undefined;
}

function decoded(target: string): string {
  const query = new URLSearchParams(target.slice(target.indexOf('?')));
  return [...query.values()].join('\n');
}

function containsToken(text: string, { settings }: FaultTools): boolean {
  return settings.tokens.some((token) => text.includes(token));
}

/** Requests without a valid token are accepted. */
export const authenticationFaults = {
  'accepts-missing-token': {
    title: 'A request without an Authorization header is accepted.',
    breaks: ['auth/missing-token-is-refused'],
    replace: alsoAccepts((request) => authorization(request) === undefined),
  },
  'accepts-any-token': {
    title: 'Every well-formed bearer token is accepted.',
    breaks: ['auth/wrong-token-is-refused', 'auth/near-miss-token-is-refused'],
    replace: alsoAccepts((request) => bearerToken(request) !== undefined),
  },
  'accepts-empty-authorization': {
    title: 'An empty Authorization header is accepted.',
    breaks: ['auth/empty-authorization-is-refused'],
    replace: alsoAccepts((request) => authorization(request) === ''),
  },
  'accepts-empty-token': {
    title: 'Bearer without a token is accepted.',
    breaks: ['auth/empty-token-is-refused'],
    replace: alsoAccepts((request) => /^bearer *$/i.test(authorization(request) ?? '-')),
  },
  'accepts-any-scheme': {
    title: 'The right token is accepted with every scheme, such as Basic.',
    breaks: ['auth/other-scheme-is-refused'],
    replace: alsoAccepts((request, { settings }) => {
      const [scheme, credential, ...more] = (authorization(request) ?? '').split(' ');
      const isPair = credential !== undefined && more.length === 0;
      return isPair && scheme?.toLowerCase() !== 'bearer' && settings.tokens.includes(credential);
    }),
  },
  'accepts-bare-token': {
    title: 'The right token is accepted without a scheme.',
    breaks: ['auth/bare-token-is-refused'],
    replace: alsoAccepts((request, { settings }) => settings.tokens.includes(authorization(request) ?? '')),
  },
  'compares-token-start': {
    title: 'A token that begins with the right token is accepted.',
    breaks: ['auth/near-miss-token-is-refused'],
    replace: alsoAccepts((request, { settings }) =>
      settings.tokens.some((token) => bearerToken(request)?.startsWith(token) === true),
    ),
  },
  'ignores-token-case': {
    title: 'A token that differs in letter case only is accepted.',
    breaks: ['auth/near-miss-token-is-refused'],
    replace: alsoAccepts((request, { settings }) =>
      settings.tokens.some((token) => bearerToken(request)?.toLowerCase() === token.toLowerCase()),
    ),
  },
  'accepts-token-in-query': {
    title: 'The right token is also accepted in the query.',
    breaks: ['auth/token-in-query-is-refused'],
    replace: alsoAccepts(({ target }, tools) => containsToken(decoded(target), tools)),
  },
  'accepts-token-in-body': {
    title: 'The right token is also accepted in the body.',
    breaks: ['auth/token-in-body-is-refused'],
    replace: alsoAccepts(({ body = '' }, tools) =>
      containsToken(String(Buffer.from(body as Uint8Array)), tools),
    ),
  },
  'authenticates-the-connection': {
    title: 'After one authorized request, further requests on its connection need no token.',
    breaks: ['auth/connection-is-not-authenticated'],
    replace: ({ authenticate }) => {
      const trusted = new WeakSet<object>();
      return {
        async authenticate(request) {
          const { connection } = request;
          if (authorization(request) === undefined && trusted.has(connection)) return undefined;
          const rejection = await authenticate(request);
          if (rejection === undefined) trusted.add(connection);
          return rejection;
        },
      };
    },
  },
} satisfies Faults;

/** Also accepts a request if the value of its Authorization header is like a right token. */
function alsoLike(isLike: (value: string, token: string) => boolean) {
  return alsoAccepts((request, { settings }) =>
    settings.tokens.some((token) => isLike(authorization(request) ?? '', token)),
  );
}

/** The same, for the text after "Bearer ". */
function alsoLikeToken(isLike: (given: string, token: string) => boolean) {
  return alsoLike((value, token) => value.startsWith('Bearer ') && isLike(value.slice(7), token));
}

function hasToken(request: IncomingRequest, names: readonly string[], tokens: readonly string[]): boolean {
  return names.some((name) => headerValues(request.headers, name).some((value) => tokens.includes(value)));
}

function cookies(request: IncomingRequest): string[] {
  return headerValues(request.headers, 'cookie').flatMap((value) => value.split('; '));
}

function sorted(text: string): string {
  return [...text].sort().join('');
}

/** Accepts a request without an Authorization header if one of its other fields is trusted. */
function trusts(isTrusted: (field: (name: string) => string, request: IncomingRequest) => boolean) {
  return {
    breaks: ['auth/other-fields-give-no-access'],
    replace: alsoAccepts(
      (request) =>
        authorization(request) === undefined &&
        isTrusted((name) => headerValues(request.headers, name)[0] ?? '', request),
    ),
  };
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
  'decodes-percent-signs-in-tokens': {
    title: 'A token is decoded as it is in URLs: "%61" is read as "a".',
    breaks: ['auth/percent-encoded-token-is-refused'],
    replace: alsoLikeToken((given, token) => given.replace(/%([0-9a-f]{2})/gi, decodeURIComponent) === token),
  },
  'accepts-api-key': {
    title: 'The right token is also accepted in X-Api-Key and X-Auth-Token.',
    breaks: ['auth/token-in-other-header-is-refused'],
    replace: alsoAccepts((request, { settings }) =>
      hasToken(request, ['x-api-key', 'x-auth-token'], settings.tokens),
    ),
  },
  'accepts-session-cookie': {
    title: 'The right token is also accepted in a cookie.',
    breaks: ['auth/token-in-cookie-is-refused'],
    replace: alsoAccepts((request, { settings }) =>
      cookies(request).some((pair) => settings.tokens.includes(pair.slice(pair.indexOf('=') + 1))),
    ),
  },
  'caches-by-body': {
    title: 'A repeated body gets the response of the first one, whatever its token.',
    breaks: ['auth/response-depends-on-token'],
    replace: ({ authenticate, create, render }: Steps): Partial<Steps> => {
      const created = new Map<string, OutgoingResponse>();
      const key = ({ body }: IncomingRequest): string => Buffer.from(body ?? []).toString('latin1');
      return {
        authenticate: async (request) =>
          created.has(key(request)) ? undefined : await authenticate(request),
        render(plant, request) {
          const response = created.get(key(request)) ?? render(plant, request);
          created.set(key(request), response);
          return response;
        },
        create: async (plant, request) => (created.has(key(request)) ? plant : await create(plant, request)),
      };
    },
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
  'trusts-user-header': {
    title: 'A request with X-Forwarded-User or X-User-Id needs no token.',
    ...trusts((field) => field('x-forwarded-user') !== '' || field('x-user-id') !== ''),
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
