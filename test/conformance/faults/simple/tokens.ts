import { headerValues } from '../../../../src/http/fields.js';
import type { Faults } from '../../../../src/server/faults/fault.js';
import {
  alsoAccepts,
  alsoLikeToken,
  authorization,
  containToken,
} from '../../../../src/server/faults/tokens.js';

/** Requests without the right token are accepted, or other fields take the place of a token. */
export const tokenFaults = {
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
} satisfies Faults;
