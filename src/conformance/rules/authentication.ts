import { type Exchange, isAccepted } from '../exchange.js';
import { AFTER_WRONG_TOKENS } from '../probes/authentication.js';
import { type Context, type Demand, defineRule, type Judgement } from '../rule.js';
import { judgeRefusal, NOT_SENT } from './refusal.js';

const SCHEME = '/components/securitySchemes/bearerAuth';

type Specific<Id extends string> = Omit<Demand<Id>, 'control' | 'nothingToJudge' | 'judge'> &
  Partial<Pick<Demand, 'judge'>>;

/** Where no header is needed at all, nothing shows that another place than the header is looked at. */
function judgeWithoutHeader(exchange: Exchange, context: Context): Judgement {
  if (isAccepted(exchange) && context.evidence.accepted('no-authorization'))
    return { blocked: 'a request without any token is accepted' };
  return judgeLate(exchange, context);
}

/** Who is locked out is refused whatever the token: that shows nothing of those that came late. */
function judgeLate(exchange: Exchange, context: Context): Judgement {
  const judgement = judgeRefusal(exchange, context);
  const isLockedOut =
    context.evidence.refused(AFTER_WRONG_TOKENS) || context.evidence.throttled(AFTER_WRONG_TOKENS);
  return judgement === undefined && isLockedOut
    ? { notApplicable: 'the provider locks clients out after wrong tokens, as it is free to' }
    : judgement;
}

/** A rule that requests which are not authorised are refused. Which status does it, is not shown. */
function refuses<const Id extends string>(rule: Specific<Id>): Demand<Id> {
  return defineRule({ control: 'for-a-pass', nothingToJudge: NOT_SENT, judge: judgeLate, ...rule });
}

/** What the interface demands of the token. */
export const authenticationRules = [
  refuses({
    id: 'auth/missing-token-is-refused',
    title: 'A request without an Authorization header is refused.',
    level: 'documented',
    source: { section: 'Authentication', rule: 2, pointer: '/security/0' },
    why: 'Every request carries the header Authorization. Which status refuses one that does not is not shown.',
    judges: ['no-authorization'],
    judge: judgeRefusal,
  }),
  refuses({
    id: 'auth/wrong-token-is-refused',
    title: 'A token that was never given out is refused.',
    level: 'implied',
    source: { section: 'Authentication', rule: 1, pointer: SCHEME },
    why: 'The scheme is HTTP bearer authentication: the token is what authenticates. Where any text will do, nothing is authenticated, and the header that every request must carry would mean nothing.',
    judges: ['wrong-token'],
    judge: judgeRefusal,
  }),
  refuses({
    id: 'auth/near-miss-token-is-refused',
    title:
      'A token that is nearly the right one is refused: longer, shorter, in another case, or with a word after it.',
    level: 'implied',
    source: { section: 'Authentication', rule: 2, pointer: SCHEME },
    why: 'The header carries the token. A text that begins like it, or is written in other letters, is another text, and a token is compared as it is (RFC 6750, section 2.1, gives its characters no other meaning).',
    judges: ['longer-token', 'shorter-token', 'token-in-other-case', 'token-and-more'],
  }),
  refuses({
    id: 'auth/empty-authorization-is-refused',
    title: 'An empty Authorization header is refused.',
    level: 'implied',
    source: { section: 'Authentication', rule: 2, pointer: '/security/0' },
    why: 'The header has the value "Bearer " followed by the token. A header with nothing in it has neither, and says no more than one that is not there.',
    judges: ['empty-authorization'],
  }),
  refuses({
    id: 'auth/empty-token-is-refused',
    title: 'The word "Bearer" without a token is refused.',
    level: 'implied',
    source: { section: 'Authentication', rule: 2, pointer: SCHEME },
    why: '"Bearer " is followed by the token. Where none follows, nobody is authenticated.',
    judges: ['scheme-alone'],
  }),
  refuses({
    id: 'auth/other-scheme-is-refused',
    title: 'The right token under another scheme is refused.',
    level: 'implied',
    source: { section: 'Authentication', rule: 1, pointer: `${SCHEME}/scheme` },
    why: 'The scheme is bearer. What follows the name of another scheme is a credential of that scheme (RFC 9110, section 11.4), and so no bearer token.',
    judges: ['digest-with-token', 'basic-with-user'],
  }),
  refuses({
    id: 'auth/bare-token-is-refused',
    title: 'The right token without a scheme is refused.',
    level: 'implied',
    source: { section: 'Authentication', rule: 2, pointer: `${SCHEME}/scheme` },
    why: 'The value of the header is "Bearer " followed by the token. A value without the scheme is another one.',
    judges: ['bare-token'],
  }),
  refuses({
    id: 'auth/token-in-query-is-refused',
    title: 'The right token in the query instead of the header is refused.',
    level: 'implied',
    source: { section: 'Authentication', rule: 2, pointer: '/security/0' },
    why: 'Every request carries the header, and no query parameter is shown. A token in a query ends up in logs and histories, for which reason RFC 6750, section 2.3, advises against it.',
    judges: ['token-in-query'],
    asks: ['no-authorization'],
    judge: judgeWithoutHeader,
  }),
  refuses({
    id: 'auth/token-in-body-is-refused',
    title: 'The right token in the body instead of the header is refused.',
    level: 'implied',
    source: { section: 'Authentication', rule: 2, pointer: '/security/0' },
    why: 'Every request carries the header, and a NewPlant has no field for a token.',
    judges: ['token-in-body'],
    asks: ['no-authorization'],
    judge: judgeWithoutHeader,
  }),
  defineRule({
    id: 'auth/connection-is-not-authenticated',
    title: 'A request without a token is refused on a connection that carried the right one before.',
    level: 'implied',
    source: { section: 'Authentication', rule: 2, pointer: '/security/0' },
    why: 'Every request carries the header. HTTP is stateless (RFC 9110, section 3.3): proxies share one connection among clients, and none may speak in the name of another.',
    judges: ['no-token-on-used-connection'],
    asks: ['no-authorization'],
    control: 'for-a-pass',
    nothingToJudge: 'no plant was accepted on a connection of its own',
    judge(exchange, context) {
      const [first, second] = context.sequence;
      if (exchange !== second || first?.response === undefined) return 'nothing-to-judge';
      if (!exchange.reusedConnection)
        return { notApplicable: 'the provider closes a connection after each answer, as it is free to' };
      return judgeWithoutHeader(exchange, context);
    },
  }),
];
