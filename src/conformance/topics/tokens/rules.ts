import { headerValues } from '../../../http/fields.js';
import {
  type Exchange,
  isAccepted,
  isRejected,
  isUnprocessed,
  type Judgement,
  type NotApplicable,
  plantIn,
} from '../../exchange.js';
import type { Facts } from '../../judge/facts.js';
import type { Context } from '../../rule.js';
import { BEARER, judgeRejection, rejects } from '../../rules/define.js';

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
export const tokenRules = [
  rejects({
    id: 'auth/missing-token-is-refused',
    severity: 'error',
    title: 'A request without an Authorization header is rejected.',
    level: 'documented',
    source: HEADER,
    why: 'Every request carries the header Authorization. The interface does not show which status a request without it gets.',
    usualCause: 'Authentication is not enabled for this route, or it is optional by default.',
    fix: 'Require a bearer token for every request.',
    judge: judgeMissingToken,
  }),
  rejects({
    ...implied,
    id: 'auth/wrong-token-is-refused',
    severity: 'error',
    title: 'An unknown token is rejected, even if it is a word or a pattern.',
    source: SCHEME,
    why: 'The scheme is HTTP bearer authentication: the token authenticates the client. If every string is a valid token, nothing is authenticated, and the header that every request must carry means nothing.',
    usualCause:
      'The provider checks that there is a token, but not which one; or the gateway that checks it is missing.',
    fix: 'Verify the token itself.',
    judge: (exchange, context) =>
      exchange.probe === 'wrong-token' ? judgeRejection(exchange) : judgeLate(exchange, context),
  }),
  rejects({
    ...implied,
    id: 'auth/near-miss-token-is-refused',
    severity: 'error',
    title:
      'A token that is almost right is rejected: longer, shorter, with another character, or with a word beside it.',
    source: VALUE,
    why: 'The header carries the token. A string that only begins or ends like the token, or differs in one character, is another string. RFC 6750, section 2.1, defines a token as its exact characters.',
    usualCause: 'Only a part of the token is compared, or the token is only looked for in the header.',
    fix: 'Compare the whole token exactly, in constant time.',
    dependsOn: ['two-authorizations'],
    judge: judgeNearMiss,
  }),
  rejects({
    ...implied,
    id: 'auth/percent-encoded-token-is-refused',
    severity: 'warning',
    title: 'The right token as it is written in URLs is rejected.',
    source: VALUE,
    why: 'The header carries the token, and RFC 6750, section 2.1, defines a token as its exact characters: "%41" is three of them, and not an "A". Whoever sends it has the right token, so this is a warning.',
    usualCause: 'A library decodes header values as it decodes URLs.',
    fix: 'Compare the token as it was received.',
    dependsOn: ['two-authorizations'],
    judge: judgeNearMiss,
  }),
  rejects({
    ...implied,
    id: 'auth/empty-authorization-is-refused',
    severity: 'error',
    title: 'An empty Authorization header is rejected.',
    source: HEADER,
    why: 'The value of the header is "Bearer " and the token. An empty header has neither, so it authenticates no more than a missing one.',
    usualCause: 'An empty header is read as "no credentials", and a request without credentials is accepted.',
    fix: 'Reject every header that is not "Bearer" and a valid token.',
  }),
  rejects({
    ...implied,
    id: 'auth/empty-token-is-refused',
    severity: 'error',
    title: 'The word "Bearer" without a token is rejected.',
    source: VALUE,
    why: 'The token follows "Bearer ". Without a token, no client is authenticated.',
    usualCause: 'The missing token is compared with a configured token that is empty.',
    fix: 'Reject an empty token before you compare it, and refuse to start with an empty token in the configuration.',
  }),
  rejects({
    ...implied,
    id: 'auth/other-scheme-is-refused',
    severity: 'error',
    title: 'The right token with another scheme is rejected.',
    source: { ...SCHEME, pointer: `${BEARER}/scheme` },
    why: 'The scheme is bearer. A value after the name of another scheme is a credential of that scheme (RFC 9110, section 11.4), and not a bearer token.',
    usualCause: 'The header is split at the space, and the scheme is never checked.',
    fix: 'Check the scheme before the token.',
  }),
  rejects({
    ...implied,
    id: 'auth/bare-token-is-refused',
    severity: 'error',
    title: 'The right token without "Bearer" and a space before it is rejected.',
    source: { ...VALUE, pointer: `${BEARER}/scheme` },
    why: 'The value of the header is "Bearer " and the token. The token alone, or joined to the word, is another value.',
    usualCause:
      'The scheme is removed if it is present, but it is not required; or any characters may follow it.',
    fix: 'Require the scheme and the space.',
  }),
  rejects({
    ...inOtherPlace,
    id: 'auth/token-in-query-is-refused',
    severity: 'error',
    title: 'The right token in the query instead of the header is rejected.',
    why: 'Every request carries the header, and no query parameters are shown. A token in a query ends up in logs, so RFC 6750, section 2.3, advises against it.',
  }),
  rejects({
    ...inOtherPlace,
    id: 'auth/token-in-body-is-refused',
    severity: 'error',
    title: 'The right token in the body instead of the header is rejected.',
    why: 'Every request carries the header, and a NewPlant has no field for a token.',
  }),
  rejects({
    ...inOtherPlace,
    id: 'auth/token-in-other-header-is-refused',
    severity: 'error',
    title: 'The right token in another header, such as X-Api-Key, is rejected.',
    why: 'Every request carries the header Authorization. A request that has the token in another header does not.',
    usualCause: 'The provider also accepts API keys, or a gateway moves the token to another header.',
    fix: 'Read the token from the header Authorization only.',
  }),
  rejects({
    ...inOtherPlace,
    id: 'auth/token-in-cookie-is-refused',
    severity: 'error',
    title: 'The right token in a cookie instead of the header is rejected.',
    why: 'Every request carries the header Authorization. A browser sends cookies by itself, so a provider that accepts them lets other sites act for a user.',
    usualCause: 'The provider also serves a web page, whose session it accepts as a token.',
    fix: 'Read the token from the header Authorization only.',
  }),
  rejects({
    id: 'auth/other-fields-give-no-access',
    severity: 'error',
    title:
      'A request without an Authorization header is rejected, whatever its other headers and its query say.',
    level: 'documented',
    source: HEADER,
    why: 'Every request carries the header Authorization. No other field takes its place.',
    usualCause:
      'A client can set the headers with which a gateway names a user, an address or a path; or the path of an open page is looked for in the whole URL.',
    fix: 'Let the gateway remove these headers from requests of clients, and decide by the path alone which operation is open.',
    dependsOn: ['no-authorization'],
    judge: judgeNoToken,
  }),
  rejects({
    ...implied,
    id: 'auth/response-depends-on-token',
    severity: 'error',
    title:
      'A request with an unknown token is rejected, even if the same request was accepted with the right one.',
    source: SCHEME,
    why: 'The token authenticates the client. If a stored response is sent to a client with an unknown token, nothing authenticates that client.',
    usualCause: 'A cache or a check for repeated requests responds before the token is verified.',
    fix: 'Verify the token first, and make it part of the key of every cache.',
    nothingToJudge: 'the plant was not accepted with the right token',
    judge(exchange, context) {
      const [first, other, right, last] = context.sequence;
      if (exchange !== last || first === undefined || right === undefined) return 'nothing-to-judge';
      if (isUnprocessed(exchange)) return 'nothing-to-judge';
      if (isAccepted(first)) return { blocked: 'the provider accepts an unknown token' };
      if (other !== undefined && !isAccepted(other)) return LOCKED_OUT;
      return isAccepted(right) ? judgeRejection(exchange) : 'nothing-to-judge';
    },
  }),
  rejects({
    ...implied,
    id: 'auth/connection-is-not-authenticated',
    severity: 'error',
    title: 'A request without a token is rejected, even on a connection that carried the right token before.',
    source: HEADER,
    why: 'Every request carries the header. HTTP is stateless (RFC 9110, section 3.3): a proxy shares one connection between clients, and one client must not act as another.',
    usualCause: 'The client is remembered for the connection or the thread, and not for the request.',
    fix: 'Authenticate each request by its own header.',
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

/** Requests with the right token, among and after the wrong ones: they show whether the provider locks the client out. */
const LOCKOUT_CONTROLS: readonly string[] = ['tokens/right-among-wrong', 'plain-plant-after-wrong-tokens'];

/**
 * A client that is locked out is rejected with every token. Then only a request before an accepted control proves something.
 * A lockout is a 4xx: a 5xx says that the provider failed, and excuses nothing.
 */
function mayBeLockedOut({ startMs, durationMs }: Exchange, facts: Facts): boolean {
  const controls = LOCKOUT_CONTROLS.flatMap((name) => facts.of(name));
  const isBeforeControl = controls.some(
    (control) => isAccepted(control) && startMs + durationMs <= control.startMs,
  );
  return controls.some(isRejected) && !isBeforeControl;
}

/** Why a rejection after wrong tokens proves nothing. */
const LOCKED_OUT: NotApplicable = {
  notApplicable: 'the interface allows the provider to lock out clients after wrong tokens, and it does',
};

/** Requires a rejection that is not a lockout. */
function judgeLate(exchange: Exchange, context: Context): Judgement {
  const judgement = judgeRejection(exchange);
  return judgement === undefined && mayBeLockedOut(exchange, context.facts) ? LOCKED_OUT : judgement;
}

/**
 * Requires that a request without a token is not accepted. If its body is long, the response may be lost, and a provider may
 * refuse chunks: then only that it is accepted is wrong.
 */
function judgeMissingToken(exchange: Exchange, context: Context): Judgement {
  if (headerValues(exchange.request.headers, 'authorization').length > 0) return 'nothing-to-judge';
  if (exchange.probe === 'no-authorization') return judgeRejection(exchange);
  if (exchange.expectation === 'rejected') return judgeLate(exchange, context);
  return isAccepted(exchange) ? judgeRejection({ ...exchange, expectation: 'rejected' }) : 'nothing-to-judge';
}

/** If the provider accepts requests without any token, nothing shows that it reads a token from another place. */
function judgeOtherPlace(exchange: Exchange, context: Context): Judgement {
  if (isAccepted(exchange) && context.facts.accepted('no-authorization'))
    return { blocked: 'the provider accepts a request without any token' };
  return judgeLate(exchange, context);
}

/** A list may be what a gateway makes of two headers, and the response to two headers is not shown. */
function judgeNearMiss(exchange: Exchange, context: Context): Judgement {
  if (exchange.probe === 'tokens/in-a-list' && context.facts.accepted('two-authorizations'))
    return {
      notApplicable: 'the interface allows the provider to accept two Authorization headers, and it does',
    };
  return judgeLate(exchange, context);
}

/** With these, a provider may respond as another operation. */
const REROUTED: readonly string[] = ['tokens/none-with-another-url', 'tokens/none-with-another-method'];

/** If a provider may respond as another operation, only a plant shows that it created one. */
function judgeNoToken(exchange: Exchange, context: Context): Judgement {
  const mayBeElsewhere = REROUTED.includes(exchange.probe);
  const isCreated = plantIn({ ...exchange, expectation: 'open' })?.name === exchange.request.plant?.name;
  if (mayBeElsewhere && isAccepted(exchange) && !isCreated)
    return { notApplicable: 'the provider responds as another operation, which is not shown' };
  return judgeOtherPlace(exchange, context);
}
