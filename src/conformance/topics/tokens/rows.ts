import { mayBeLeftOut } from '../../probe.js';
import {
  type CoreRow,
  PLAIN_PLANT,
  PLAIN_PLANT_WITH_TAG,
  PROPER_HEADERS,
  type RequestRow,
  type Row,
} from '../../row.js';
import type { Template } from '../../template.js';
import {
  agentFrom,
  CHECKERS,
  COOKIES,
  changedAt,
  cookiesWith,
  EXAMPLE_JWTS,
  FROM_A_PAGE,
  type HeaderFields,
  INSIDE,
  LOCAL_ADDRESS,
  MEMBERS,
  OPEN_PATHS,
  ORDERS,
  ORIGINAL_REQUEST,
  OTHER_CREDENTIALS,
  OTHER_HEADERS,
  OTHER_METHOD,
  OTHER_URL,
  PARAMETERS,
  PLACEHOLDERS,
  PLACES,
  PREFLIGHT,
  QUERY,
  QUOTES,
  RARER_HEADERS,
  SCHEMES,
  SPELLINGS,
  TEST_TOKENS,
  USER,
  WORDS_OF_PROGRAMS,
} from './values.js';

const MISSING_TOKEN = 'auth/missing-token-is-refused';
export const WRONG_TOKEN = 'auth/wrong-token-is-refused';
export const NEAR_MISS = 'auth/near-miss-token-is-refused';
const PERCENT_ENCODED = 'auth/percent-encoded-token-is-refused';
export const OTHER_SCHEME = 'auth/other-scheme-is-refused';
export const BARE_TOKEN = 'auth/bare-token-is-refused';
export const OTHER_HEADER = 'auth/token-in-other-header-is-refused';
export const COOKIE = 'auth/token-in-cookie-is-refused';
export const NO_ACCESS = 'auth/other-fields-give-no-access';

const [, JSON_TYPE] = PROPER_HEADERS;

/** A plain plant without the right token in its right place. */
export function unauthorised<Name extends string>(
  name: Name,
  title: string,
  rule: string,
  fields: HeaderFields,
  request: Partial<RequestRow> = {},
): Row<Name> {
  // Whether the token is looked at may depend on the tag. What every check sends has none.
  const hasTag = mayBeLeftOut({ name });
  return {
    name,
    title,
    expectation: 'rejected',
    rules: [rule],
    phase: 'wrong-token',
    control: hasTag ? 'plain-plant-with-tag' : 'plain-plant',
    requests: [
      { body: hasTag ? PLAIN_PLANT_WITH_TAG : PLAIN_PLANT, headers: [...fields, JSON_TYPE], ...request },
    ],
  };
}

/** A row for a value of Authorization that must be rejected. */
function wrong<Name extends string>(name: Name, title: string, rule: string, value: Template): Row<Name> {
  return unauthorised(name, title, rule, [['Authorization', value]]);
}

/** Missing tokens, and the most telling wrong ones. */
const first: readonly Row[] = [
  {
    ...unauthorised('no-authorization', 'a plain plant without an Authorization header', MISSING_TOKEN, []),
    rules: [MISSING_TOKEN, 'unspecified/missing-token', 'unspecified/challenge'],
  },
  {
    ...wrong('wrong-token', 'a plain plant with an unknown token', WRONG_TOKEN, 'Bearer <WRONG TOKEN>'),
    rules: [WRONG_TOKEN, 'unspecified/wrong-token'],
  },
  // Two letters: a base64 decoder may not see the difference of one. After padding, they would not be part of a token.
  wrong(
    'longer-token',
    'the right token with two more letters',
    NEAR_MISS,
    'Bearer <TOKEN {..end}xx{end..}>',
  ),
  // And without padding: for a decoder of base64, a token is the same without it.
  wrong(
    'shorter-token',
    'the right token without its last two characters',
    NEAR_MISS,
    'Bearer <TOKEN {..end-2}>',
  ),
  wrong(
    'token-in-other-case',
    'the right token with one letter in the other case',
    NEAR_MISS,
    'Bearer <TOKEN {one-letter-in-other-case}>',
  ),
  wrong('empty-authorization', 'an empty Authorization header', 'auth/empty-authorization-is-refused', ''),
  wrong('scheme-alone', 'the word Bearer without a token', 'auth/empty-token-is-refused', 'Bearer'),
  // "Digest" has as many letters as "Bearer": some providers only cut off that many characters.
  wrong('digest-with-token', 'the right token with the scheme Digest', OTHER_SCHEME, 'Digest <TOKEN>'),
  wrong('token-and-more', 'the right token with a word after it', NEAR_MISS, 'Bearer <TOKEN> x'),
  wrong(
    'basic-with-user',
    'the right token as the user name of the scheme Basic',
    OTHER_SCHEME,
    'Basic <TOKEN {}: | base64>',
  ),
  wrong('bare-token', 'the right token without a scheme', BARE_TOKEN, '<TOKEN>'),
];

/** Shows, among the wrong tokens, whether the provider still accepts the right one. */
const rightAmongWrong: Row = {
  name: 'tokens/right-among-wrong',
  title: 'a plain plant with the right token, among wrong tokens',
  expectation: 'open',
  rules: [],
  phase: 'wrong-token',
  control: false,
  requests: [{ body: PLAIN_PLANT_WITH_TAG }],
};

type DrawnName = `tokens/${string}`;

/** Further values of Authorization that must be rejected: name, title, value, and values of which a run may choose one instead. */
function further(
  rule: string,
  values: readonly (readonly [name: string, title: string, value: Template, others?: readonly Template[]])[],
): readonly CoreRow<DrawnName>[] {
  return values.map(([name, title, value, others]) => {
    const row = wrong<DrawnName>(`tokens/${name}`, `a plain plant with ${title}`, rule, value);
    if (others === undefined) return row;
    const alternatives = others.map((other) => ({ headers: [['Authorization', other] as const, JSON_TYPE] }));
    return { ...row, alternatives };
  });
}

function bearer(tokens: readonly Template[]): readonly Template[] {
  return tokens.map((token) => `Bearer ${token}`);
}

function made(edits: readonly string[]): readonly Template[] {
  return edits.map((edit) => `Bearer <TOKEN ${edit}>`);
}

/** A token that nobody was given: one of several words. */
function oneOf(
  name: string,
  title: string,
  [first = '', ...others]: readonly string[],
): Parameters<typeof further>[1][number] {
  return [name, title, `Bearer ${first}`, bearer(others)];
}

/** Wrong tokens, and the right one in a wrong value. */
export const furtherValues = [
  // A token may be base64: its last characters may be padding, and the one before may have bits that mean nothing.
  ...further(NEAR_MISS, [
    ['longer-at-beginning', 'two letters before the right token', 'Bearer <TOKEN xx{}>'],
    [
      'changed-at-end',
      'the right token with another character near its end',
      'Bearer <TOKEN {..-4}{-4..-3 next-characters}{-3..}>',
    ],
    ['shorter-at-beginning', 'the right token without its first character', 'Bearer <TOKEN {1..}>'],
    [
      'changed-in-middle',
      'the right token with another character in its middle',
      'Bearer <TOKEN {..middle}{middle..after-middle next-characters}{after-middle..}>',
    ],
    [
      'changed-anywhere',
      'the right token with another character at any place',
      `Bearer <TOKEN ${changedAt(0)}>`,
      made(PLACES.slice(1).map(changedAt)),
    ],
    [
      'in-another-order',
      'the characters of the right token in another order',
      `Bearer <TOKEN ${ORDERS[0]}>`,
      made(ORDERS.slice(1)),
    ],
    ['in-base64', 'the right token in base64', 'Bearer <TOKEN {base64}>'],
    [
      'in-another-spelling',
      'the right token in another spelling',
      `Bearer <TOKEN ${SPELLINGS[0]}>`,
      made(SPELLINGS.slice(1)),
    ],
    [
      'after-wrong-token',
      'an unknown token and the right one after "Bearer"',
      'Bearer <WRONG TOKEN> <TOKEN>',
    ],
    ['after-another-word', 'a word before "Bearer" and the right token', 'x Bearer <TOKEN>'],
    ['in-quotes', 'the right token in quotes', 'Bearer "<TOKEN>"'],
    [
      'in-brackets',
      'the right token in brackets or other quotes',
      'Bearer <<TOKEN>>',
      QUOTES.slice(1).map(([open, close]) => `Bearer ${open}<TOKEN>${close}`),
    ],
    ['in-a-list', 'an unknown token and the right one, as a list', 'Bearer <WRONG TOKEN>, Bearer <TOKEN>'],
  ]),
  ...further(PERCENT_ENCODED, [
    ['percent-encoded', 'the right token as it is written in URLs', 'Bearer <TOKEN {percent-encoded}>'],
  ]),
  ...further(OTHER_SCHEME, [
    ['scheme-token', 'the right token with the scheme Token', 'Token <TOKEN>'],
    ['scheme-with-colon', 'the right token after "Bearer:"', 'Bearer: <TOKEN>'],
    [
      'basic-with-password',
      'the right token as the password of the scheme Basic',
      'Basic <TOKEN user:{} | base64>',
    ],
    [
      'another-scheme',
      'the right token, or other credentials, with another scheme',
      'ApiKey <TOKEN>',
      [...SCHEMES.map((scheme) => `${scheme} <TOKEN>`), ...PARAMETERS, ...OTHER_CREDENTIALS],
    ],
  ]),
  // "Bearer" and the token as one word: a short token is hidden only where it is a whole word.
  ...further(BARE_TOKEN, [
    ['joined', 'the right token joined to "Bearer" without a space', '<TOKEN Bearer{}>'],
  ]),
  // Tokens that nobody was given.
  ...further(WRONG_TOKEN, [
    ['word-undefined', 'the token "undefined"', 'Bearer undefined'],
    ['word-null', 'the token "null"', 'Bearer null'],
    ['word-every-text-in-sql', 'the token "%"', 'Bearer %'],
    ['word-always-true-in-sql', `the token "'or'1'='1"`, "Bearer 'or'1'='1"],
    oneOf('word-of-programs', 'a token that means any text, no text or no value', WORDS_OF_PROGRAMS),
    oneOf('placeholder', 'a token that stands for the token in documents', PLACEHOLDERS),
    oneOf('word-of-tests', 'a token of tests and examples', TEST_TOKENS),
    oneOf('jwt-of-documents', 'a JSON Web Token of documents', EXAMPLE_JWTS),
    // A header {"alg":"none"}, the claims of the right token or other ones, and no signature.
    [
      'jwt-without-signature',
      'a JSON Web Token without a signature',
      'Bearer <TOKEN eyJhbGciOiJub25lIn0.{jwt-payload}.>',
    ],
  ]),
];

/** The right token in a place where the interface has none. */
const otherPlaces: readonly CoreRow[] = [
  unauthorised('token-in-query', 'the right token in the query only', 'auth/token-in-query-is-refused', [], {
    query: `?${QUERY}`,
  }),
  unauthorised('token-in-body', 'the right token in the body only', 'auth/token-in-body-is-refused', [], {
    body: `{"name":"<NAME>","id":<ID>,${MEMBERS}}`,
  }),
  unauthorised(
    'tokens/in-other-headers',
    'a plain plant with the right token in other headers only',
    OTHER_HEADER,
    OTHER_HEADERS,
  ),
  {
    ...unauthorised(
      'tokens/in-rarer-headers',
      'a plain plant with the right token in rarer headers only',
      OTHER_HEADER,
      RARER_HEADERS.slice(0, 8),
    ),
    alternatives: [8, 16, 24, 32].map((at) => ({ headers: [...RARER_HEADERS.slice(at, at + 8), JSON_TYPE] })),
  },
  unauthorised('tokens/in-cookies', 'a plain plant with the right token in cookies only', COOKIE, [
    cookiesWith(COOKIES),
  ]),
];

/** A plain plant without a token. Because of the other fields, a gateway or a framework may not ask for one. */
function without(
  name: string,
  what: string,
  fields: HeaderFields,
  request?: Partial<RequestRow>,
): Row<DrawnName> {
  const title = `a plain plant without an Authorization header, ${what}`;
  return unauthorised(`tokens/none-${name}`, title, NO_ACCESS, fields, request);
}

const FORM_TYPE = ['Content-Type', 'application/x-www-form-urlencoded'] as const;
const TEXT_TYPE = ['Content-Type', 'text/plain'] as const;

/** No token at all. */
export const withoutToken: readonly CoreRow<DrawnName>[] = [
  without('from-a-user', 'with the name of a user in other headers', USER),
  without('from-this-host', 'with forwarding headers of a client on the same machine', LOCAL_ADDRESS),
  {
    ...without('from-a-check', 'from what checks in the same network whether a provider is alive', [
      agentFrom(0),
      ...INSIDE,
    ]),
    alternatives: CHECKERS.map((_, at) => ({ headers: [agentFrom(at), ...INSIDE, JSON_TYPE] })),
  },
  without('for-an-open-path', 'with forwarding headers that name another path and method', ORIGINAL_REQUEST),
  without('with-another-url', 'with headers that ask for another path', OTHER_URL),
  without('with-another-method', 'with headers that ask for another method', OTHER_METHOD),
  without('like-a-preflight', 'with the headers of a CORS preflight', PREFLIGHT),
  without('with-open-paths-in-query', 'with open paths and switches in the query', [], { query: OPEN_PATHS }),
  without('from-a-browser', 'with a charset, from a browser that shows a page', [], {
    headers: [...FROM_A_PAGE, ['Content-Type', 'application/json; charset=utf-8']],
  }),
  {
    ...without('with-another-body', 'with a body that may be looked at first', [], {
      body: '{"name":"<NAME>","id":<ID>,"role":"admin","user":"admin","isAdmin":true,"public":true}',
    }),
    alternatives: [
      { body: '{"name":"<NAME>","id":<ID>,"tag":""}' },
      { body: '{"name":"","id":<ID>}' },
      { body: '{"name":"<NAME><REPEAT 20000 a>","id":<ID>}' },
      { body: '{"name":"<NAME>","id":0,"tag":"succulent"}', idMayExist: true },
      { body: '{"name":"admin","id":1,"tag":"public"}', idMayExist: true },
      { headers: [] },
      { headers: [TEXT_TYPE] },
      { headers: [FORM_TYPE] },
    ],
  },
  // A provider may refuse chunks, or to expect something, in its own way. Only that it accepts the plant is wrong.
  unauthorised(
    'tokens/none-in-chunks',
    'a plain plant in chunks, without an Authorization header',
    MISSING_TOKEN,
    [],
    { chunked: true, expectation: 'open' },
  ),
  unauthorised(
    'tokens/none-with-expect',
    'a plain plant with "Expect: 100-continue", without an Authorization header',
    MISSING_TOKEN,
    [['Expect', '100-continue']],
    { transfer: { awaitContinue: true }, expectation: 'open' },
  ),
];

/** A connection does not say who sends the next request: HTTP is stateless (RFC 9110, section 3.3). */
const usedConnection: Row = {
  name: 'no-token-on-used-connection',
  title: 'a plain plant, then one without an Authorization header on the same connection',
  expectation: 'created',
  rules: ['auth/connection-is-not-authenticated'],
  phase: 'state',
  oneConnection: true,
  requests: [
    { body: PLAIN_PLANT },
    { body: '{"name":"<NAME2>","id":<ID2>}', headers: [JSON_TYPE], expectation: 'rejected' },
  ],
};

/** The right token in a form about which the interface says nothing, for the rule of its name. */
function openForm(
  name: string,
  title: string,
  values: readonly Template[],
  request?: Partial<RequestRow>,
): Row {
  const headers = [...values.map((value) => ['Authorization', value] as const), JSON_TYPE];
  return {
    ...{ name, title, expectation: 'open', phase: 'wrong-token' },
    rules: [`unspecified/${name}`],
    requests: [{ body: PLAIN_PLANT, headers, ...request }],
  };
}

const openForms: readonly Row[] = [
  openForm('scheme-in-lower-case', 'the right token after "bearer" in lower case', ['bearer <TOKEN>']),
  openForm('two-spaces', 'the right token after two spaces', ['Bearer  <TOKEN>']),
  // A field that is not a list must not come twice (RFC 9110, section 5.3).
  openForm(
    'two-authorizations',
    'the right token and an unknown token, in two headers',
    ['Bearer <TOKEN>', 'Bearer <WRONG TOKEN>'],
    { isUnusual: true },
  ),
];

const WRONG: RequestRow = {
  body: PLAIN_PLANT,
  headers: [['Authorization', 'Bearer <WRONG TOKEN>'], JSON_TYPE],
  expectation: 'rejected',
};

/**
 * One plant with a wrong token, with the right one, and with the wrong one again. The other plant shows whether the provider
 * locks the client out. A provider cannot mistake one id for the other, even if it rounds ids.
 */
const sameBody: Row = {
  name: 'tokens/same-body',
  title:
    'a plain plant with a wrong token, another plant, and the first plant with the right and the wrong token',
  expectation: 'open',
  rules: ['state/refused-plant-is-not-stored', 'auth/response-depends-on-token'],
  phase: 'wrong-token',
  alone: true,
  ids: ['1', '2000000000'],
  requests: [WRONG, { body: '{"name":"<NAME2>","id":<ID+100000007>}' }, { body: PLAIN_PLANT }, WRONG],
};

/** Shows whether the provider still accepts the right token after wrong ones. */
const afterwards: Row = {
  name: 'plain-plant-after-wrong-tokens',
  title: 'a plain plant with the right token, after wrong tokens',
  expectation: 'open',
  rules: [],
  phase: 'afterwards',
  requests: [{ body: PLAIN_PLANT }],
};

/**
 * Missing and wrong tokens, tokens in other places, and open forms of the right token. The most telling ones are first:
 * a provider may lock the client out, and then the others prove nothing.
 */
export const tokenRows: readonly CoreRow[] = [
  ...first,
  rightAmongWrong,
  ...furtherValues,
  ...otherPlaces,
  ...withoutToken,
  usedConnection,
  ...openForms,
  sameBody,
  afterwards,
];
