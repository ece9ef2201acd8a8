import { headerValues } from '../../http/fields.js';
import {
  type Blocked,
  type Exchange,
  isAccepted,
  isUnprocessed,
  type Judgement,
  type NotApplicable,
  plantIn,
} from '../exchange.js';
import { PLAIN_PLANT, PLAIN_PLANT_WITH_TAG, type RequestRow, type Row } from '../row.js';
import {
  BEARER,
  type Context,
  type Demand,
  distinct,
  type Gap,
  type HeaderFields,
  JSON_TYPE,
  judgeRejection,
  observedRequest,
  rejects,
  requestIn,
  type SentRow,
  type Topic,
  table,
} from '../rule.js';
import {
  ELSEWHERE,
  EXAMPLE_JWT,
  MORE_VALUES,
  NAMES,
  OTHER_HEADERS,
  WITHOUT_TOKEN,
} from '../values/tokens.js';
import { EVERYDAY_REQUEST } from './failure.js';

/** Where the interface demands the header, and names its scheme. */
const HEADER = '/security/0';
const SCHEME = `${BEARER}/scheme`;

function gap(why: string): Gap {
  return { source: BEARER, why };
}

const NOT_SHOWN = gap('The interface shows no response to a missing or invalid token: it documents no 401.');

/** The plainest rows without the right token. */
export const NO_TOKEN = 'no-authorization';
export const WRONG_TOKEN = 'wrong-token';
const TWO_TOKENS = 'two-authorizations';

/** A plain plant without the right token in its right place. */
function unauthorised(
  name: string,
  title: string,
  fields: HeaderFields,
  request: Partial<RequestRow> = {},
): SentRow {
  return {
    name,
    title,
    expectation: 'rejected',
    phase: 'wrong-token',
    control: 'plain-plant',
    requests: [{ body: PLAIN_PLANT, headers: distinct([JSON_TYPE, ...fields]), ...request }],
  };
}

/** The same with a tag: whether the token is looked at may depend on it. */
function withTag(
  name: string,
  title: string,
  fields: HeaderFields,
  request: Partial<RequestRow> = {},
): SentRow {
  const row = unauthorised(name, title, fields, { body: PLAIN_PLANT_WITH_TAG, ...request });
  return { ...row, control: 'plain-plant-with-tag' };
}

/** A row for each line of a table: its name, its title, and a value of Authorization that must be rejected. */
function values(text: string): readonly SentRow[] {
  return table(text, 3).map(([name = '', title = '', value = '']) =>
    unauthorised(name, title, [['Authorization', value]]),
  );
}

/** The same with a tag. */
function valuesWithTag(text: string): readonly SentRow[] {
  return table(text, 3).map(([name = '', title = '', value = '']) =>
    withTag(name, `a plain plant with ${title}`, [['Authorization', value]]),
  );
}

/** A plain plant without a token, with what else a text says. */
function without(text: string): SentRow {
  const { name, title, fields, parts } = requestIn(text);
  const what = `a plain plant without an Authorization header, ${title}`;
  return withTag(`tokens/${name}`, what, fields, parts);
}

/** Values of Authorization that only exploring sends. */
export const moreTokens: readonly Row[] = MORE_VALUES.map(([rule, value]) => ({
  ...withTag('drawn/1', 'a plain plant with another value of Authorization', [['Authorization', value]]),
  rules: [rule],
}));

const ofToken = { hurts: 'callers', judge: judgeToken } as const;

const inOtherPlace = {
  ...ofToken,
  level: 'implied',
  source: HEADER,
  usualCause:
    'A library also looks for the token in the query and in the body: RFC 6750 names all three places.',
  fix: 'Configure the library to read the token from the header only.',
  dependsOn: [NO_TOKEN],
} as const;

const rules: readonly Demand[] = [
  rejects({
    ...ofToken,
    id: 'auth/missing-token-is-refused',
    everyday: true,
    title: 'A request without an Authorization header is rejected.',
    source: HEADER,
    why: 'Every request carries the header Authorization. The interface does not show which status a request without it gets.',
    usualCause: 'Authentication is not enabled for this route, or it is optional by default.',
    fix: 'Require a bearer token for every request.',
    rows: [
      {
        ...unauthorised(NO_TOKEN, 'a plain plant without an Authorization header', []),
        early: true,
        observed: { id: 'missing-token', subject: 'A missing token', gap: NOT_SHOWN },
      },
      // A provider may refuse chunks, or to expect something, in its own way. Only that it accepts the plant is wrong.
      withTag('tokens/none-in-chunks', 'a plain plant in chunks, without an Authorization header', [], {
        chunked: true,
        expectation: 'open',
      }),
      withTag(
        'tokens/none-with-expect',
        'a plain plant with "Expect: 100-continue", without an Authorization header',
        [['Expect', '100-continue']],
        { transfer: { awaitContinue: true }, expectation: 'open' },
      ),
    ],
  }),
  rejects({
    ...ofToken,
    id: 'auth/wrong-token-is-refused',
    level: 'implied',
    everyday: true,
    title: 'An unknown token is rejected, even if it is a word or a pattern.',
    source: SCHEME,
    why: 'The scheme is HTTP bearer authentication: the token authenticates the client. If every string is a valid token, nothing is authenticated, and the header that every request must carry means nothing.',
    usualCause:
      'The provider checks that there is a token, but not which one; or the gateway that checks it is missing.',
    fix: 'Verify the token itself.',
    rows: [
      {
        ...unauthorised(WRONG_TOKEN, 'a plain plant with an unknown token', [
          ['Authorization', 'Bearer <WRONG TOKEN>'],
        ]),
        early: true,
        observed: { id: 'wrong-token', subject: 'A wrong token', gap: NOT_SHOWN },
      },
      // The last one has a header {"alg":"none"}, the claims of the right token or other ones, and no signature.
      ...valuesWithTag(`
        tokens/word-undefined          the token "undefined"                               Bearer undefined
        tokens/word-null               the token "null"                                    Bearer null
        tokens/word-every-text-in-sql  the token "%"                                       Bearer %
        tokens/word-always-true-in-sql  the token "'or'1'='1"                              Bearer 'or'1'='1
        tokens/word-of-programs        a token that means any text, no text or no value    Bearer *
        tokens/placeholder             a token that stands for the token in documents      Bearer <ACCESS_TOKEN>
        tokens/word-of-tests           a token of tests and examples                       Bearer test
        tokens/jwt-of-documents        a JSON Web Token of documents                       Bearer ${EXAMPLE_JWT}
        tokens/jwt-without-signature   a JSON Web Token without a signature                Bearer <TOKEN eyJhbGciOiJub25lIn0.{jwt-payload}.>`),
    ],
  }),
  rejects({
    ...ofToken,
    id: 'auth/near-miss-token-is-refused',
    level: 'implied',
    everyday: true,
    title:
      'A token that is almost right is rejected: longer, shorter, with another character, or with a word beside it.',
    source: BEARER,
    why: 'The header carries the token. A string that only begins or ends like the token, or differs in one character, is another string. RFC 6750, section 2.1, defines a token as its exact characters.',
    usualCause: 'Only a part of the token is compared, or the token is only looked for in the header.',
    fix: 'Compare the whole token exactly, in constant time.',
    dependsOn: [TWO_TOKENS],
    rows: [
      ...values(`
      longer-token         the right token with two more letters               Bearer <TOKEN {..end}xx{end..}>
      shorter-token        the right token without its last two characters     Bearer <TOKEN {..end-2}>
      token-in-other-case  the right token with one letter in the other case   Bearer <TOKEN {one-letter-in-other-case}>
      token-and-more       the right token with a word after it                Bearer <TOKEN> x`),
      ...valuesWithTag(`
      tokens/longer-at-beginning  two letters before the right token           Bearer <TOKEN xx{}>
      tokens/changed-at-end  the right token with another character near its end         Bearer <TOKEN {..-4}{-4..-3 next-characters}{-3..}>
      tokens/shorter-at-beginning  the right token without its first character           Bearer <TOKEN {1..}>
      tokens/changed-in-middle  the right token with another character in its middle     Bearer <TOKEN {..middle}{middle..after-middle next-characters}{after-middle..}>
      tokens/changed-anywhere  the right token with another character at any place       Bearer <TOKEN {0..1 next-characters}{1..-3}{-3..}>
      tokens/in-another-order  the characters of the right token in another order        Bearer <TOKEN {middle..}{..middle}>
      tokens/in-base64     the right token in base64                           Bearer <TOKEN {base64}>
      tokens/after-wrong-token  an unknown token and the right one after "Bearer"        Bearer <WRONG TOKEN> <TOKEN>
      tokens/after-another-word  a word before "Bearer" and the right token    x Bearer <TOKEN>
      tokens/in-quotes     the right token in quotes                           Bearer "<TOKEN>"
      tokens/in-brackets   the right token in angle brackets                   Bearer <<TOKEN>>`),
      // A list may be what a gateway makes of two headers, and the response to two headers is not shown.
      ...valuesWithTag(
        'tokens/in-a-list  an unknown token and the right one, as a list  Bearer <WRONG TOKEN>, Bearer <TOKEN>',
      ).map((row) => ({ ...row, excusedBy: TWO_TOKENS })),
    ],
  }),
  rejects({
    ...ofToken,
    id: 'auth/percent-encoded-token-is-refused',
    level: 'implied',
    severity: 'warning',
    title: 'The right token as it is written in URLs is rejected.',
    source: BEARER,
    why: 'The header carries the token, and RFC 6750, section 2.1, defines a token as its exact characters: "%41" is three of them, and not an "A". Whoever sends it has the right token, so this is a warning.',
    usualCause: 'A library decodes header values as it decodes URLs.',
    fix: 'Compare the token as it was received.',
    dependsOn: [TWO_TOKENS],
    rows: valuesWithTag(
      'tokens/percent-encoded  the right token as it is written in URLs  Bearer <TOKEN {percent-encoded}>',
    ),
  }),
  rejects({
    ...ofToken,
    id: 'auth/empty-authorization-is-refused',
    level: 'implied',
    everyday: true,
    title: 'An empty Authorization header is rejected.',
    source: HEADER,
    why: 'The value of the header is "Bearer " and the token. An empty header has neither, so it authenticates no more than a missing one.',
    usualCause: 'An empty header is read as "no credentials", and a request without credentials is accepted.',
    fix: 'Reject every header that is not "Bearer" and a valid token.',
    rows: [unauthorised('empty-authorization', 'an empty Authorization header', [['Authorization', '']])],
  }),
  rejects({
    ...ofToken,
    id: 'auth/empty-token-is-refused',
    level: 'implied',
    everyday: true,
    title: 'The word "Bearer" without a token is rejected.',
    source: BEARER,
    why: 'The token follows "Bearer ". Without a token, no client is authenticated.',
    usualCause: 'The missing token is compared with a configured token that is empty.',
    fix: 'Reject an empty token before you compare it, and refuse to start with an empty token in the configuration.',
    rows: values('scheme-alone  the word Bearer without a token  Bearer'),
  }),
  rejects({
    ...ofToken,
    id: 'auth/other-scheme-is-refused',
    level: 'implied',
    everyday: true,
    title: 'The right token with another scheme is rejected.',
    source: SCHEME,
    why: 'The scheme is bearer. A value after the name of another scheme is a credential of that scheme (RFC 9110, section 11.4), and not a bearer token.',
    usualCause: 'The header is split at the space, and the scheme is never checked.',
    fix: 'Check the scheme before the token.',
    // "Digest" has as many letters as "Bearer": some providers only cut off that many characters.
    rows: [
      ...values(`
      digest-with-token           the right token with the scheme Digest                        Digest <TOKEN>
      basic-with-user             the right token as the user name of the scheme Basic          Basic <TOKEN {}: | base64>`),
      ...valuesWithTag(`
      tokens/scheme-token         the right token with the scheme Token                         Token <TOKEN>
      tokens/scheme-api-key       the right token with the scheme ApiKey                        ApiKey <TOKEN>
      tokens/scheme-with-colon    the right token after "Bearer:"                               Bearer: <TOKEN>
      tokens/basic-with-password  the right token as the password of the scheme Basic           Basic <TOKEN user:{} | base64>`),
    ],
  }),
  rejects({
    ...ofToken,
    id: 'auth/bare-token-is-refused',
    level: 'implied',
    everyday: true,
    title: 'The right token without "Bearer" before it is rejected.',
    source: SCHEME,
    why: 'The value of the header is "Bearer " and the token. The token alone is another value.',
    usualCause: 'The scheme is removed if it is present, but it is not required.',
    fix: 'Require the scheme and the space.',
    rows: values('bare-token  the right token without a scheme  <TOKEN>'),
  }),
  rejects({
    ...ofToken,
    id: 'auth/joined-token-is-refused',
    level: 'implied',
    severity: 'warning',
    title: 'The right token joined to "Bearer" without a space is rejected.',
    source: SCHEME,
    why: 'The value of the header is "Bearer " and the token. Without the space it is one word, and the name of another scheme. Whoever sends it has the right token, so this is a warning.',
    usualCause: 'The first letters of the header are cut off, whatever follows them.',
    fix: 'Require the scheme and the space.',
    // "Bearer" and the token as one word: a short token is hidden only where it is a whole word.
    rows: valuesWithTag(
      'tokens/joined  the right token joined to "Bearer" without a space  <TOKEN Bearer{}>',
    ),
  }),
  rejects({
    ...inOtherPlace,
    id: 'auth/token-in-query-is-refused',
    title: 'The right token in the query instead of the header is rejected.',
    why: 'Every request carries the header, and no query parameters are shown. A token in a query ends up in logs, so RFC 6750, section 2.3, advises against it.',
    rows: [
      unauthorised('token-in-query', 'the right token in the query only', [], {
        query: `?${NAMES.map((name) => `${name}=<TOKEN {in-query}>&`).join('')}authorization=Bearer%20<TOKEN {in-query}>`,
      }),
    ],
  }),
  rejects({
    ...inOtherPlace,
    id: 'auth/token-in-body-is-refused',
    title: 'The right token in the body instead of the header is rejected.',
    why: 'Every request carries the header, and a NewPlant has no field for a token.',
    rows: [
      unauthorised('token-in-body', 'the right token in the body only', [], {
        body: `{"name":"<NAME>","id":<ID>,${NAMES.map((name) => `"${name}":"<TOKEN {in-json}>",`).join('')}"Authorization":"Bearer <TOKEN {in-json}>"}`,
      }),
    ],
  }),
  rejects({
    ...inOtherPlace,
    id: 'auth/token-in-other-header-is-refused',
    title: 'The right token in another header, such as X-Api-Key, is rejected.',
    why: 'Every request carries the header Authorization. A request that has the token in another header does not.',
    usualCause: 'The provider also accepts API keys, or a gateway moves the token to another header.',
    fix: 'Read the token from the header Authorization only.',
    rows: [
      withTag(
        'tokens/in-other-headers',
        'a plain plant with the right token in other headers only',
        OTHER_HEADERS,
      ),
    ],
  }),
  rejects({
    ...inOtherPlace,
    id: 'auth/token-in-cookie-is-refused',
    title: 'The right token in a cookie instead of the header is rejected.',
    why: 'Every request carries the header Authorization. A browser sends cookies by itself, so a provider that accepts them lets other sites act for a user.',
    usualCause: 'The provider also serves a web page, whose session it accepts as a token.',
    fix: 'Read the token from the header Authorization only.',
    rows: [
      withTag('tokens/in-cookies', 'a plain plant with the right token in cookies only', [
        ['Cookie', `${NAMES.map((name) => `${name}=<TOKEN>; `).join('')}Authorization=Bearer%20<TOKEN>`],
      ]),
    ],
  }),
  rejects({
    ...ofToken,
    id: 'auth/other-fields-give-no-access',
    title:
      'A request without an Authorization header is rejected, whatever its other headers and its query say.',
    source: HEADER,
    why: 'Every request carries the header Authorization. No other field takes its place.',
    usualCause:
      'A client can set the headers with which a gateway names a user, an address or a path; or the path of an open page is looked for in the whole URL.',
    fix: 'Let the gateway remove these headers from requests of clients, and decide by the path alone which operation is open.',
    dependsOn: [NO_TOKEN],
    rows: [
      ...WITHOUT_TOKEN.map(without),
      // Some programs take these for requests of another path or method.
      ...ELSEWHERE.map((text) => ({ ...without(text), mayBeOtherOperation: true })),
    ],
  }),
  rejects({
    ...ofToken,
    id: 'auth/response-depends-on-token',
    level: 'implied',
    title:
      'A request with an unknown token is rejected, even if the same request was accepted with the right one.',
    fact: 'A request with an unknown token is accepted after the same request with the right one.',
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
      if (other !== undefined && !isAccepted(other))
        return { blocked: 'another plant was rejected after a wrong token' };
      return isAccepted(right) ? judgeRejection(exchange) : 'nothing-to-judge';
    },
    rows: [sameBody()],
  }),
  rejects({
    ...ofToken,
    id: 'auth/connection-is-not-authenticated',
    level: 'implied',
    title: 'A request without a token is rejected, even on a connection that carried the right token before.',
    fact: 'A request without a token is accepted on a connection that carried the right token before.',
    source: HEADER,
    why: 'Every request carries the header. HTTP is stateless (RFC 9110, section 3.3): a proxy shares one connection between clients, and one client must not act as another.',
    usualCause: 'The client is remembered for the connection or the thread, and not for the request.',
    fix: 'Authenticate each request by its own header.',
    dependsOn: [NO_TOKEN],
    nothingToJudge: 'no plant was accepted on a kept connection',
    judge(exchange, context) {
      const [first, second] = context.sequence;
      if (exchange !== second || first?.response === undefined) return 'nothing-to-judge';
      if (!exchange.reusedConnection)
        return { notApplicable: 'the interface allows the provider to close each connection, and it does' };
      return judgeToken(exchange, context);
    },
    rows: [
      {
        name: 'no-token-on-used-connection',
        title: 'a plain plant, then one without an Authorization header on the same connection',
        expectation: 'created',
        phase: 'state',
        oneConnection: true,
        requests: [
          { body: PLAIN_PLANT },
          { body: '{"name":"<NAME2>","id":<ID2>}', headers: [JSON_TYPE], expectation: 'rejected' },
        ],
      },
    ],
  }),
];

/**
 * One plant with a wrong token, with the right one, and with the wrong one again. The other plant shows whether the provider
 * locks the client out. A provider cannot mistake one id for the other, even if it rounds ids.
 */
function sameBody(): SentRow {
  const wrong: RequestRow = {
    body: PLAIN_PLANT,
    headers: [['Authorization', 'Bearer <WRONG TOKEN>'], JSON_TYPE],
    expectation: 'rejected',
  };
  return {
    name: 'tokens/same-body',
    title:
      'a plain plant with a wrong token, another plant, and the first plant with the right and the wrong token',
    expectation: 'open',
    phase: 'wrong-token',
    alone: true,
    rules: ['state/refused-plant-is-not-stored'],
    ids: ['1', '2000000000'],
    requests: [wrong, { body: '{"name":"<NAME2>","id":<ID+100000007>}' }, { body: PLAIN_PLANT }, wrong],
  };
}

/** Headers about which the interface says nothing. */
function openForm(name: string, title: string, why: string, request: Partial<RequestRow>): SentRow {
  return { ...observedRequest(gap(why), name, title, request), phase: 'wrong-token' };
}

/** Requires that a request without the right token in its place is rejected. */
function judgeToken(exchange: Exchange, context: Context): Judgement {
  const { request, expectation } = exchange;
  const hasAuthorization = headerValues(request.headers, 'authorization').length > 0;
  if (isAccepted(exchange)) {
    const why = whyAcceptedAnyway(exchange, context, hasAuthorization);
    if (why !== undefined) return why;
  }
  // If its body is long, the response may be lost, and a provider may refuse chunks: then only that it is accepted is wrong.
  const isOpen = expectation === 'open' && !hasAuthorization && isAccepted(exchange);
  return judgeRejection(isOpen ? { ...exchange, expectation: 'rejected' } : exchange);
}

/** Why it proves nothing that a request was accepted. */
function whyAcceptedAnyway(
  exchange: Exchange,
  { probe, facts }: Context,
  hasAuthorization: boolean,
): Blocked | NotApplicable | undefined {
  const { request } = exchange;
  if (probe.excusedBy !== undefined && facts.accepted(probe.excusedBy))
    return {
      notApplicable: `the interface allows the provider to accept ${facts.probes.get(probe.excusedBy)?.title ?? probe.excusedBy}, and it does`,
    };
  const isCreated = plantIn({ ...exchange, expectation: 'open' })?.name === request.plant?.name;
  if (probe.mayBeOtherOperation === true && !isCreated)
    return { notApplicable: 'the provider responds as another operation, which is not shown' };
  // If it accepts requests without any token, nothing shows that it reads a token from another place.
  return !hasAuthorization && probe.name !== NO_TOKEN && facts.accepted(NO_TOKEN)
    ? { blocked: 'the provider accepts a request without any token' }
    : undefined;
}

/** Missing and wrong tokens, tokens in other places, and open forms of the right token. */
export const tokens: Topic = {
  // Wrong tokens may lock the client out.
  drawn: 1,
  rules,
  open: [
    {
      ...openForm(
        'scheme-in-lower-case',
        'the right token after "bearer" in lower case',
        'The header is shown as "Bearer <ACCESS_TOKEN>". RFC 9110, section 11.1, ignores the case of a scheme.',
        { headers: [['Authorization', 'bearer <TOKEN>'], JSON_TYPE] },
      ),
      rules: [EVERYDAY_REQUEST],
    },
    // A field that is not a list must not come twice (RFC 9110, section 5.3).
    openForm(
      TWO_TOKENS,
      'a request with the right token and an unknown token in two headers',
      'Every request carries the header. The interface does not say what happens to two of them.',
      {
        headers: [['Authorization', 'Bearer <TOKEN>'], ['Authorization', 'Bearer <WRONG TOKEN>'], JSON_TYPE],
        isUnusual: true,
      },
    ),
  ],
};
