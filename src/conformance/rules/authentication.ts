import { isAccepted, isUnprocessed } from '../exchange.js';
import { judgeRejection, rejects } from './acceptance.js';
import {
  judgeLate,
  judgeMissingToken,
  judgeNearMiss,
  judgeNoToken,
  judgeOtherPlace,
  LOCKED_OUT,
} from './credentials.js';
import { BEARER } from './sources.js';

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
  dependsOn: ['no-authorization'],
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
    judge: judgeMissingToken,
  }),
  rejects({
    ...implied,
    id: 'auth/wrong-token-is-refused',
    title: 'An unknown token is rejected, even if it is a word or a pattern.',
    source: SCHEME,
    why: 'The scheme is HTTP bearer authentication: the token authenticates the client. If every string is a valid token, nothing is authenticated, and the header that every request must carry means nothing.',
    usualCause:
      'The provider checks that there is a token, but not which one; or the gateway that checks it is missing.',
    fix: 'Verify the token itself.',
    judges: ['wrong-token'],
    judge: (exchange, context) =>
      exchange.probe === 'wrong-token' ? judgeRejection(exchange, context) : judgeLate(exchange, context),
  }),
  rejects({
    ...implied,
    id: 'auth/near-miss-token-is-refused',
    title:
      'A token that is almost right is rejected: longer, shorter, with another character, or with a word beside it.',
    source: VALUE,
    why: 'The header carries the token. A string that only begins or ends like the token, or differs in one character, is another string. RFC 6750, section 2.1, defines a token as its exact characters.',
    usualCause: 'Only a part of the token is compared, or the token is only looked for in the header.',
    fix: 'Compare the whole token exactly, in constant time.',
    judges: ['longer-token', 'shorter-token', 'token-in-other-case', 'token-and-more'],
    dependsOn: ['two-authorizations'],
    judge: judgeNearMiss,
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
    title: 'The right token without "Bearer" and a space before it is rejected.',
    source: { ...VALUE, pointer: `${BEARER}/scheme` },
    why: 'The value of the header is "Bearer " and the token. The token alone, or joined to the word, is another value.',
    usualCause:
      'The scheme is removed if it is present, but it is not required; or any characters may follow it.',
    fix: 'Require the scheme and the space.',
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
    ...inOtherPlace,
    id: 'auth/token-in-other-header-is-refused',
    title: 'The right token in another header, such as X-Api-Key, is rejected.',
    why: 'Every request carries the header Authorization. A request that has the token in another header does not.',
    usualCause: 'The provider also accepts API keys, or a gateway moves the token to another header.',
    fix: 'Read the token from the header Authorization only.',
    judges: [],
  }),
  rejects({
    ...inOtherPlace,
    id: 'auth/token-in-cookie-is-refused',
    title: 'The right token in a cookie instead of the header is rejected.',
    why: 'Every request carries the header Authorization. A browser sends cookies by itself, so a provider that accepts them lets other sites act for a user.',
    usualCause: 'The provider also serves a web page, whose session it accepts as a token.',
    fix: 'Read the token from the header Authorization only.',
    judges: [],
  }),
  rejects({
    id: 'auth/other-fields-give-no-access',
    title:
      'A request without an Authorization header is rejected, whatever its other headers and its query say.',
    level: 'documented',
    source: HEADER,
    why: 'Every request carries the header Authorization. No other field takes its place.',
    usualCause:
      'A client can set the headers with which a gateway names a user, an address or a path; or the path of an open page is looked for in the whole URL.',
    fix: 'Let the gateway remove these headers from requests of clients, and decide by the path alone which operation is open.',
    judges: [],
    dependsOn: ['no-authorization'],
    judge: judgeNoToken,
  }),
  rejects({
    ...implied,
    id: 'auth/response-depends-on-token',
    title:
      'A request with an unknown token is rejected, even if the same request was accepted with the right one.',
    source: SCHEME,
    why: 'The token authenticates the client. If a stored response is sent to a client with an unknown token, nothing authenticates that client.',
    usualCause: 'A cache or a check for repeated requests responds before the token is verified.',
    fix: 'Verify the token first, and make it part of the key of every cache.',
    judges: [],
    nothingToJudge: 'the plant was not accepted with the right token',
    judge(exchange, context) {
      const [first, other, right, last] = context.sequence;
      if (exchange !== last || first === undefined || right === undefined) return 'nothing-to-judge';
      if (isUnprocessed(exchange)) return 'nothing-to-judge';
      if (isAccepted(first)) return { blocked: 'the provider accepts an unknown token' };
      if (other !== undefined && !isAccepted(other)) return LOCKED_OUT;
      return isAccepted(right) ? judgeRejection(exchange, context) : 'nothing-to-judge';
    },
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
    dependsOn: ['no-authorization'],
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
