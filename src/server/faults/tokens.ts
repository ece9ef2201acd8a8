import { headerValues } from '../../http/fields.js';
import type { IncomingRequest, OutgoingResponse } from '../exchange.js';
import type { Steps } from '../steps.js';
import type { Faults, FaultTools } from './names.js';

/** Also accepts a request if `accepts` returns true. */
export function alsoAccepts(accepts: (request: IncomingRequest, tools: FaultTools) => boolean) {
  return ({ authenticate }: Steps, tools: FaultTools): Partial<Steps> => ({
    authenticate: async (request) => (accepts(request, tools) ? undefined : await authenticate(request)),
  });
}

/** Also accepts the text after "Bearer " if it is like a right token. */
export function alsoLikeToken(isLike: (given: string, token: string) => boolean) {
  return alsoAccepts((request, { settings }) => {
    const value = authorization(request) ?? '';
    return value.startsWith('Bearer ') && settings.tokens.some((token) => isLike(value.slice(7), token));
  });
}

/** The value of the Authorization header. Several are one list (RFC 9110, section 5.3), so none of them counts alone. */
export function authorization({ headers }: IncomingRequest): string | undefined {
  const values = headerValues(headers, 'authorization');
  return values.length === 0 ? undefined : values.join(', ');
}

/** Accepts a request without an Authorization header if one of its other fields is trusted. */
export function trusts(isTrusted: (field: (name: string) => string, request: IncomingRequest) => boolean) {
  return {
    breaks: ['auth/other-fields-give-no-access'],
    replace: alsoAccepts(
      (request) =>
        authorization(request) === undefined &&
        isTrusted((name) => headerValues(request.headers, name)[0] ?? '', request),
    ),
  };
}

function containToken(texts: readonly string[], { settings }: FaultTools): boolean {
  return texts.some((text) => settings.tokens.some((token) => text.includes(token)));
}

/** Requests without the right token are accepted, or other fields take the place of a token. */
export const tokenFaults = {
  'accepts-missing-token': {
    title: 'A request without an Authorization header is accepted.',
    breaks: ['auth/missing-token-is-refused'],
    replace: alsoAccepts((request) => authorization(request) === undefined),
  },
  'accepts-any-token': {
    title: 'Every well-formed bearer token is accepted.',
    breaks: ['auth/wrong-token-is-refused', 'auth/near-miss-token-is-refused'],
    replace: alsoLikeToken((given) => /^[\w\-.~+/]+=*$/.test(given)),
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
    replace: alsoLikeToken((given, token) => given.startsWith(token)),
  },
  'ignores-token-case': {
    title: 'A token that differs in letter case only is accepted.',
    breaks: ['auth/near-miss-token-is-refused'],
    replace: alsoLikeToken((given, token) => given.toLowerCase() === token.toLowerCase()),
  },
  'accepts-token-in-query': {
    title: 'The right token is also accepted in the query.',
    breaks: ['auth/token-in-query-is-refused'],
    replace: alsoAccepts(({ target }, tools) =>
      containToken([...new URLSearchParams(target.split('?')[1]).values()], tools),
    ),
  },
  'accepts-token-in-body': {
    title: 'The right token is also accepted in the body.',
    breaks: ['auth/token-in-body-is-refused'],
    replace: alsoAccepts(({ body = [] }, tools) => containToken([Buffer.from(body).toString()], tools)),
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
  'decodes-percent-signs-in-tokens': {
    title: 'A token is decoded as it is in URLs: "%61" is read as "a".',
    breaks: ['auth/percent-encoded-token-is-refused'],
    replace: alsoLikeToken((given, token) => given.replace(/%([0-9a-f]{2})/gi, decodeURIComponent) === token),
  },
  'accepts-api-key': {
    title: 'The right token is also accepted in X-Api-Key and X-Auth-Token.',
    breaks: ['auth/token-in-other-header-is-refused'],
    replace: alsoAccepts(({ headers }, tools) =>
      containToken([...headerValues(headers, 'x-api-key'), ...headerValues(headers, 'x-auth-token')], tools),
    ),
  },
  'accepts-session-cookie': {
    title: 'The right token is also accepted in a cookie.',
    breaks: ['auth/token-in-cookie-is-refused'],
    replace: alsoAccepts(({ headers }, tools) => containToken(headerValues(headers, 'cookie'), tools)),
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
  'trusts-user-header': {
    title: 'A request with X-Forwarded-User or X-User-Id needs no token.',
    ...trusts((field) => field('x-forwarded-user') !== '' || field('x-user-id') !== ''),
  },
} satisfies Faults;
