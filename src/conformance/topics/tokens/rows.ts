import { mayBeLeftOut } from '../../probe.js';
import { PLAIN_PLANT, PLAIN_PLANT_WITH_TAG, PROPER_HEADERS, type RequestRow, type Row } from '../../row.js';
import type { Template } from '../../template.js';

const MISSING_TOKEN = 'auth/missing-token-is-refused';
export const WRONG_TOKEN = 'auth/wrong-token-is-refused';
export const NEAR_MISS = 'auth/near-miss-token-is-refused';
export const OTHER_SCHEME = 'auth/other-scheme-is-refused';
export const BARE_TOKEN = 'auth/bare-token-is-refused';
export const OTHER_HEADER = 'auth/token-in-other-header-is-refused';
export const COOKIE = 'auth/token-in-cookie-is-refused';
export const NO_ACCESS = 'auth/other-fields-give-no-access';

export type HeaderFields = NonNullable<RequestRow['headers']>;

function words(text: string): readonly string[] {
  return text.split(/\s+/);
}

/** The same value in several header fields. */
function each(value: Template, names: string): HeaderFields {
  return words(names).map((name) => [name, value] as const);
}

/** Names of other schemes, and words that are almost "Bearer". */
export const SCHEMES = words(
  `Token Bearer: Basic Digest JWT OAuth ApiKey Api-Key Key Negotiate Bearers BearerToken XBearer Bear Session
   GoogleLogin GenieKey PRIVATE-TOKEN`,
);

/** What some programs take for the space after "Bearer". */
export const JOINTS = ['', ':', '=', ',', '/', '_', '-', '%20', '+', ' token=', ' access_token='];

/** Header fields in which programs look for a token, each with the value that they expect. */
export const OTHER_HEADERS: HeaderFields = [
  ...each('<TOKEN>', 'X-Api-Key Api-Key X-Auth-Token X-Access-Token Access-Token X-Token Token'),
  ...each(
    'Bearer <TOKEN>',
    `X-Authorization Authentication X-Forwarded-Authorization X-Original-Authorization Proxy-Authorization
     X-Forwarded-Access-Token X-Auth Bearer`,
  ),
];

/** Names of cookies in which programs look for a token. */
export const COOKIES = words('token access_token accessToken auth auth_token jwt session sid bearer api_key');

/** A Cookie header with the right token under these names. */
export function cookiesWith(names: readonly string[]): HeaderFields[number] {
  return ['Cookie', `${names.map((name) => `${name}=<TOKEN>; `).join('')}Authorization=Bearer%20<TOKEN>`];
}

/** A query with the right token, under names where programs look for one. */
const QUERY = [
  ...words('access_token token auth_token api_key apikey key jwt').map(
    (name) => `${name}=<TOKEN {in-query}>`,
  ),
  'authorization=Bearer%20<TOKEN {in-query}>',
].join('&');

/** Members of an object with the right token, as in {@link QUERY}. */
const MEMBERS = [
  ...words('access_token token auth_token api_key').map((name) => `"${name}":"<TOKEN {in-json}>"`),
  '"Authorization":"Bearer <TOKEN {in-json}>"',
].join(',');

/** Fields of a client that is on the same machine. */
export const LOCAL_ADDRESS: HeaderFields = [
  ...each(
    '127.0.0.1',
    `X-Forwarded-For X-Real-IP X-Client-IP True-Client-IP CF-Connecting-IP X-Originating-IP X-Remote-IP
     X-Remote-Addr X-Cluster-Client-IP`,
  ),
  ...each('localhost', 'X-Forwarded-Host X-Host X-Forwarded-Server'),
  ['Forwarded', 'for=127.0.0.1;host=localhost;proto=https'],
];

/** Fields in which gateways tell a provider who the client is. */
export const USER: HeaderFields = [
  ...each(
    'admin',
    `X-Forwarded-User X-Remote-User Remote-User X-User X-Username X-Role X-Auth-Request-User
     X-Authenticated-User X-Webauth-User X-Consumer-Username`,
  ),
  ...each('admin@example.com', 'X-Forwarded-Email X-Auth-Request-Email X-User-Email'),
  ...each('1', 'X-User-Id X-Authenticated-Userid X-Account-Id X-Client-Id X-Tenant-Id'),
  ...each('true', 'X-Authenticated X-Admin X-Internal X-Internal-Request X-Debug X-Test'),
  ['User-Agent', 'kube-probe/1.31'],
];

/** Fields in which gateways ask an authentication service about the original request. */
export const ORIGINAL_REQUEST: HeaderFields = [
  ...each('/health', 'X-Forwarded-Uri X-Forwarded-Path X-Original-Uri X-Auth-Request-Redirect'),
  ...each('OPTIONS', 'X-Forwarded-Method X-Original-Method'),
];

/** Fields with which some frameworks choose another route. */
const OTHER_URL = each('/health', 'X-Original-URL X-Rewrite-URL');
const OTHER_METHOD = each('OPTIONS', 'X-HTTP-Method-Override X-HTTP-Method X-Method-Override');

export const PREFLIGHT: HeaderFields = [
  ['Origin', 'https://plants.example'],
  ['Access-Control-Request-Method', 'POST'],
  ['Access-Control-Request-Headers', 'authorization, content-type'],
];

/** What a browser accepts if a user enters a URL. */
export const ACCEPTS_PAGES: HeaderFields[number] = [
  'Accept',
  'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8',
];

/** Paths that are often open to everyone, in a query. */
const OPEN_PATHS = '?next=/login&file=/public/plants.css&path=/health';

const [, JSON_TYPE] = PROPER_HEADERS;

/** A plain plant without the right token in its right place. */
export function unauthorised<Name extends string>(
  name: Name,
  title: string,
  rule: string,
  fields: HeaderFields,
  request: Partial<RequestRow> = {},
): Row<Name> {
  // Whether the token is looked at may depend on the tag. What a quick check sends has none.
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

/** Further values of Authorization that must be rejected: name, title and value. */
function further(
  rule: string,
  values: readonly (readonly [name: string, title: string, value: Template])[],
): readonly Row<DrawnName>[] {
  return values.map(([name, title, value]) =>
    wrong(`tokens/${name}`, `a plain plant with ${title}`, rule, value),
  );
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
      'after-wrong-token',
      'an unknown token and the right one after "Bearer"',
      'Bearer <WRONG TOKEN> <TOKEN>',
    ],
    ['after-another-word', 'a word before "Bearer" and the right token', 'x Bearer <TOKEN>'],
    ['in-quotes', 'the right token in quotes', 'Bearer "<TOKEN>"'],
    ['in-a-list', 'an unknown token and the right one, as a list', 'Bearer <WRONG TOKEN>, Bearer <TOKEN>'],
  ]),
  ...further(OTHER_SCHEME, [
    ['scheme-token', 'the right token with the scheme Token', 'Token <TOKEN>'],
    ['scheme-with-colon', 'the right token after "Bearer:"', 'Bearer: <TOKEN>'],
    [
      'basic-with-password',
      'the right token as the password of the scheme Basic',
      'Basic <TOKEN user:{} | base64>',
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
    ['word-every-text-as-pattern', 'the token ".*"', 'Bearer .*'],
    ['word-always-true-in-sql', `the token "'or'1'='1"`, "Bearer 'or'1'='1"],
    // A header {"alg":"none"}, the claims of the right token or other ones, and no signature.
    [
      'jwt-without-signature',
      'a JSON Web Token without a signature',
      'Bearer <TOKEN eyJhbGciOiJub25lIn0.{jwt-payload}.>',
    ],
  ]),
];

/** The right token in a place where the interface has none. */
const otherPlaces: readonly Row[] = [
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

/** No token at all. */
export const withoutToken: readonly Row<DrawnName>[] = [
  without('from-a-user', 'with the name of a user in other headers', USER),
  without('from-this-host', 'with forwarding headers of a client on the same machine', LOCAL_ADDRESS),
  without('for-an-open-path', 'with forwarding headers that name another path and method', ORIGINAL_REQUEST),
  without('with-another-url', 'with headers that ask for another path', OTHER_URL),
  without('with-another-method', 'with headers that ask for another method', OTHER_METHOD),
  without('like-a-preflight', 'with the headers of a CORS preflight', PREFLIGHT),
  without('with-open-paths-in-query', 'with open paths in the query', [], { query: OPEN_PATHS }),
  without('from-a-browser', 'with a charset, from a browser that shows a page', [], {
    headers: [ACCEPTS_PAGES, ['Content-Type', 'application/json; charset=utf-8']],
  }),
  // A provider may refuse chunks in its own way. Only that it accepts the plant is wrong.
  unauthorised(
    'tokens/none-in-chunks',
    'a plain plant in chunks, without an Authorization header',
    MISSING_TOKEN,
    [],
    { chunked: true, expectation: 'open' },
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
    { isWellFormed: false },
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
export const tokenRows: readonly Row[] = [
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
