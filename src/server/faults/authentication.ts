import { headerValues } from '../../http/fields.js';
import { parseBearer } from '../../validation/bearer.js';
import { andThen, type IncomingRequest } from '../exchange.js';
import type { Steps } from '../steps.js';
import type { Faults, FaultTools } from './names.js';

/** Also accepts a request if `accepts` returns true. */
export function alsoAccepts(accepts: (request: IncomingRequest, tools: FaultTools) => boolean) {
  return ({ authenticate }: Steps, tools: FaultTools): Partial<Steps> => ({
    authenticate: (request) => (accepts(request, tools) ? undefined : authenticate(request)),
  });
}

/** The value of the Authorization header. Several are one list (RFC 9110, section 5.3), so none of them counts alone. */
export function authorization({ headers }: IncomingRequest): string | undefined {
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
        authenticate(request) {
          const { connection } = request;
          if (authorization(request) === undefined && trusted.has(connection)) return undefined;
          return andThen(authenticate(request), (rejection) => {
            if (rejection === undefined) trusted.add(connection);
            return rejection;
          });
        },
      };
    },
  },
} satisfies Faults;
