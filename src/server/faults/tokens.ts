import { headerValues } from '../../http/fields.js';
import type { IncomingRequest, OutgoingResponse } from '../exchange.js';
import type { Steps } from '../steps.js';
import type { Faults, FaultTools } from './fault.js';

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

/** Whether one of some texts contains a right token. */
export function containToken(texts: readonly string[], { settings }: FaultTools): boolean {
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
  'accepts-token-in-query': {
    title: 'The right token is also accepted in the query.',
    breaks: ['auth/token-in-query-is-refused'],
    replace: alsoAccepts(({ target }, tools) =>
      containToken([...new URLSearchParams(target.split('?')[1]).values()], tools),
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
  'trusts-user-header': {
    title: 'A request with X-Forwarded-User or X-User-Id needs no token.',
    ...trusts((field) => field('x-forwarded-user') !== '' || field('x-user-id') !== ''),
  },
} satisfies Faults;
