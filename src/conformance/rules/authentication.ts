import { type Exchange, isAccepted, isRejected } from '../exchange.js';
import type { Context, Judgement } from '../rule.js';
import { judgeRejection, rejects } from './acceptance.js';
import { BEARER } from './sources.js';

/** A client that is locked out is rejected with every token, so a late rejection proves nothing. */
function judgeLate(exchange: Exchange, context: Context): Judgement {
  const judgement = judgeRejection(exchange, context);
  // A lockout is a 4xx. A 5xx says that the provider failed, and excuses nothing.
  const isLockedOut = context.record.of('plain-plant-after-wrong-tokens').some(isRejected);
  return judgement === undefined && isLockedOut
    ? {
        notApplicable:
          'the interface allows the provider to lock out clients after wrong tokens, and it does',
      }
    : judgement;
}

/** If the provider accepts requests without any token, nothing shows that it reads a token from another place. */
function judgeOtherPlace(exchange: Exchange, context: Context): Judgement {
  if (isAccepted(exchange) && context.record.accepted('no-authorization'))
    return { blocked: 'the provider accepts a request without any token' };
  return judgeLate(exchange, context);
}

/** Where the interface speaks of the header, of its value, and of the scheme. */
const HEADER = { section: 'Authentication', rule: 2, pointer: '/security/0' };
const VALUE = { section: 'Authentication', rule: 2, pointer: BEARER };
const SCHEME = { section: 'Authentication', rule: 1, pointer: BEARER };

const implied = { level: 'implied', judge: judgeLate } as const;
const inOtherPlace = {
  level: 'implied',
  source: HEADER,
  usualCause:
    'A library also looks for the token in the query and in the body: RFC 6750 names all three places.',
  fix: 'Configure the library to read the token from the header only.',
  asks: ['no-authorization'],
  judge: judgeOtherPlace,
} as const;

/** What the interface demands of the token. */
export const authenticationRules = [
  rejects({
    id: 'auth/missing-token-is-refused',
    title: 'A request without an Authorization header is rejected.',
    level: 'documented',
    source: HEADER,
    why: 'Every request carries the header Authorization. The interface does not show which status a request without it gets.',
    usualCause: 'Authentication is not enabled for this route, or it is optional by default.',
    fix: 'Require a bearer token for every request.',
    judges: ['no-authorization'],
    judge: judgeRejection,
  }),
  rejects({
    ...implied,
    id: 'auth/wrong-token-is-refused',
    title: 'An unknown token is rejected.',
    source: SCHEME,
    why: 'The scheme is HTTP bearer authentication: the token authenticates the client. If every string is a valid token, nothing is authenticated, and the header that every request must carry means nothing.',
    usualCause:
      'The provider checks that there is a token, but not which one; or the gateway that checks it is missing.',
    fix: 'Verify the token itself.',
    judges: ['wrong-token'],
    judge: judgeRejection,
  }),
  rejects({
    ...implied,
    id: 'auth/near-miss-token-is-refused',
    title:
      'A token that is almost right is rejected: longer, shorter, in another case, or with a word after it.',
    source: VALUE,
    why: 'The header carries the token. A string that only begins like the token, or differs in case, is another string. RFC 6750, section 2.1, defines a token as its exact characters.',
    usualCause: 'Only the beginning of the token is compared, or its case is ignored.',
    fix: 'Compare the whole token exactly, in constant time.',
    judges: ['longer-token', 'shorter-token', 'token-in-other-case', 'token-and-more'],
  }),
  rejects({
    ...implied,
    id: 'auth/empty-authorization-is-refused',
    title: 'An empty Authorization header is rejected.',
    source: HEADER,
    why: 'The value of the header is "Bearer " and the token. An empty header has neither, so it authenticates no more than a missing one.',
    usualCause: 'An empty header is read as "no credentials", and a request without credentials is accepted.',
    fix: 'Reject every header that is not "Bearer" and a valid token.',
    judges: ['empty-authorization'],
  }),
  rejects({
    ...implied,
    id: 'auth/empty-token-is-refused',
    title: 'The word "Bearer" without a token is rejected.',
    source: VALUE,
    why: 'The token follows "Bearer ". Without a token, no client is authenticated.',
    usualCause: 'The missing token is compared with a configured token that is empty.',
    fix: 'Reject an empty token before you compare it, and refuse to start with an empty token in the configuration.',
    judges: ['scheme-alone'],
  }),
  rejects({
    ...implied,
    id: 'auth/other-scheme-is-refused',
    title: 'The right token with another scheme is rejected.',
    source: { ...SCHEME, pointer: `${BEARER}/scheme` },
    why: 'The scheme is bearer. A value after the name of another scheme is a credential of that scheme (RFC 9110, section 11.4), and not a bearer token.',
    usualCause: 'The header is split at the space, and the scheme is never checked.',
    fix: 'Check the scheme before the token.',
    judges: ['digest-with-token', 'basic-with-user'],
  }),
  rejects({
    ...implied,
    id: 'auth/bare-token-is-refused',
    title: 'The right token without a scheme is rejected.',
    source: { ...VALUE, pointer: `${BEARER}/scheme` },
    why: 'The value of the header is "Bearer " and the token. The token alone is another value.',
    usualCause: 'The scheme is removed if it is present, but it is not required.',
    fix: 'Require the scheme.',
    judges: ['bare-token'],
  }),
  rejects({
    ...inOtherPlace,
    id: 'auth/token-in-query-is-refused',
    title: 'The right token in the query instead of the header is rejected.',
    why: 'Every request carries the header, and no query parameters are shown. A token in a query ends up in logs, so RFC 6750, section 2.3, advises against it.',
    judges: ['token-in-query'],
  }),
  rejects({
    ...inOtherPlace,
    id: 'auth/token-in-body-is-refused',
    title: 'The right token in the body instead of the header is rejected.',
    why: 'Every request carries the header, and a NewPlant has no field for a token.',
    judges: ['token-in-body'],
  }),
  rejects({
    ...implied,
    id: 'auth/connection-is-not-authenticated',
    title: 'A request without a token is rejected, even on a connection that carried the right token before.',
    source: HEADER,
    why: 'Every request carries the header. HTTP is stateless (RFC 9110, section 3.3): a proxy shares one connection between clients, and one client must not act as another.',
    usualCause: 'The client is remembered for the connection or the thread, and not for the request.',
    fix: 'Authenticate each request by its own header.',
    judges: ['no-token-on-used-connection'],
    asks: ['no-authorization'],
    nothingToJudge: 'no plant was accepted on a kept connection',
    judge(exchange, context) {
      const [first, second] = context.sequence;
      if (exchange !== second || first?.response === undefined) return 'nothing-to-judge';
      if (!exchange.reusedConnection)
        return { notApplicable: 'the interface allows the provider to close each connection, and it does' };
      return judgeOtherPlace(exchange, context);
    },
  }),
];
