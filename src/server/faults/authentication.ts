import { parseBearer } from '../../validation/bearer.js';
import type { Refusal } from '../error-codes.js';
import { type Eventually, fieldValues, type IncomingRequest } from '../exchange.js';
import type { Steps } from '../steps.js';
import { defineFault, type FaultTools } from './fault.js';

/** Lets a request in where `accepts` says so; otherwise the step decides as before. */
function alsoAccepts(accepts: (request: IncomingRequest, tools: FaultTools) => boolean) {
  return ({ authenticate }: Steps, tools: FaultTools): Partial<Steps> => ({
    authenticate: (request) => (accepts(request, tools) ? undefined : authenticate(request)),
  });
}

function authorization({ headers }: IncomingRequest): string | undefined {
  return fieldValues(headers, 'authorization')[0];
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

/** Requests are let in that should not be. */
export const authenticationFaults = [
  defineFault({
    name: 'accepts-missing-token',
    title: 'A request without an Authorization header is let in.',
    breaks: ['auth/missing-token-is-refused'],
    replace: alsoAccepts((request) => authorization(request) === undefined),
  }),
  defineFault({
    name: 'accepts-any-token',
    title: 'Every bearer token is let in, if only it is well-formed.',
    breaks: ['auth/wrong-token-is-refused', 'auth/near-miss-token-is-refused'],
    replace: alsoAccepts((request) => bearerToken(request) !== undefined),
  }),
  defineFault({
    name: 'accepts-empty-authorization',
    title: 'An Authorization header with nothing in it is taken for no need of one.',
    breaks: ['auth/empty-authorization-is-refused'],
    replace: alsoAccepts((request) => authorization(request) === ''),
  }),
  defineFault({
    name: 'accepts-empty-token',
    title: 'The word Bearer is enough; no token has to follow.',
    breaks: ['auth/empty-token-is-refused'],
    replace: alsoAccepts((request) => /^bearer *$/i.test(authorization(request) ?? '-')),
  }),
  defineFault({
    name: 'accepts-any-scheme',
    title: 'The right token is let in under every scheme, Basic for one.',
    breaks: ['auth/other-scheme-is-refused'],
    replace: alsoAccepts((request, { settings }) => {
      const [scheme, credential] = (authorization(request) ?? '').split(' ');
      return scheme?.toLowerCase() !== 'bearer' && settings.tokens.includes(credential ?? '');
    }),
  }),
  defineFault({
    name: 'accepts-bare-token',
    title: 'The right token is let in without a scheme before it.',
    breaks: ['auth/bare-token-is-refused'],
    replace: alsoAccepts((request, { settings }) => settings.tokens.includes(authorization(request) ?? '')),
  }),
  defineFault({
    name: 'compares-token-start',
    title: 'A token that only begins with the right one is let in.',
    breaks: ['auth/near-miss-token-is-refused'],
    replace: alsoAccepts((request, { settings }) =>
      settings.tokens.some((token) => bearerToken(request)?.startsWith(token) === true),
    ),
  }),
  defineFault({
    name: 'ignores-token-case',
    title: 'A token whose letters differ in case only is let in.',
    breaks: ['auth/near-miss-token-is-refused'],
    replace: alsoAccepts((request, { settings }) =>
      settings.tokens.some((token) => bearerToken(request)?.toLowerCase() === token.toLowerCase()),
    ),
  }),
  defineFault({
    name: 'accepts-token-in-query',
    title: 'The right token is let in from the query as well.',
    breaks: ['auth/token-in-query-is-refused'],
    replace: alsoAccepts(({ target }, tools) => containsToken(decoded(target), tools)),
  }),
  defineFault({
    name: 'accepts-token-in-body',
    title: 'The right token is let in from the body as well.',
    breaks: ['auth/token-in-body-is-refused'],
    replace: alsoAccepts(({ body = '' }, tools) =>
      containsToken(String(Buffer.from(body as Uint8Array)), tools),
    ),
  }),
  defineFault({
    name: 'authenticates-the-connection',
    title: 'After one good request, every further request of its connection needs no token.',
    breaks: ['auth/connection-is-not-authenticated'],
    replace: ({ authenticate }) => {
      const trusted = new WeakSet<object>();
      const settle = (refusal: Refusal | undefined, { connection }: IncomingRequest): Refusal | undefined => {
        if (refusal === undefined) trusted.add(connection);
        return refusal;
      };
      return {
        authenticate(request): Eventually<Refusal | undefined> {
          if (authorization(request) === undefined && trusted.has(request.connection)) return undefined;
          const refusal = authenticate(request);
          return refusal instanceof Promise
            ? refusal.then((settled) => settle(settled, request))
            : settle(refusal, request);
        },
      };
    },
  }),
];
