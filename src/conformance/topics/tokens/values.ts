import { items, type RequestRow, words } from '../../row.js';
import type { Template } from '../../template.js';

export type HeaderFields = NonNullable<RequestRow['headers']>;

/** The same value in several header fields. */
function each(value: Template, names: string): HeaderFields {
  return words(names).map((name) => [name, value] as const);
}

/** Names of other schemes, and words that are almost "Bearer". */
export const SCHEMES = words(
  `Token Bearer: Basic Digest JWT OAuth ApiKey Api-Key Key Negotiate Bearers BearerToken XBearer Bear Session
   GoogleLogin GenieKey PRIVATE-TOKEN Authorization Access-Token OAuth2 MAC Hawk DPoP AWS4-HMAC-SHA256 Signature X-Api-Key
   Bearer-Token Bearer; Bearer, Bearer. ApiToken API-Token SharedKey SSWS Splunk Zoho-oauthtoken NTLM Mutual Custom`,
);

/** Credentials of other schemes, without the right token: admin:admin, test:test, and others. */
export const OTHER_CREDENTIALS = [
  ...words('YWRtaW46YWRtaW4= dGVzdDp0ZXN0 dXNlcjpwYXNzd29yZA== Og==').map((pair) => `Basic ${pair}`),
  'Digest username="admin", realm="", nonce="", uri="/plants", response=""',
  'Negotiate TlRMTVNTUAABAAAAB4IIogAAAAAAAAAAAAAAAAAAAAAKALpHAAAADw==',
  'NTLM TlRMTVNTUAABAAAAB4IIogAAAAAAAAAAAAAAAAAAAAAKALpHAAAADw==',
  ...words('Basic Token ApiKey OAuth Negotiate None Anonymous'),
  'AWS4-HMAC-SHA256 Credential=x/20260101/eu-west-1/execute-api/aws4_request, SignedHeaders=host, Signature=x',
];

/** The right token with a parameter of another scheme, as some clients write it. */
export const PARAMETERS = items(
  'Token token=<TOKEN>  Token token="<TOKEN>"  OAuth oauth_token="<TOKEN>"  Digest response="<TOKEN>"',
);

/** What some programs take for the space after "Bearer". */
export const JOINTS = ['', ':', '=', ',', '/', '_', '-', '%20', '+', ' token=', ' access_token='];

/** Pairs of marks around a token. */
export const QUOTES = ['<>', "''", '``', '[]', '{}', '()', '""'];

/** Forms of the right token that a program may decode or compare as the token. */
export const SPELLINGS: readonly Template[] = [
  ...words(
    '{other-case} {hexadecimal} {json-escaped} {}{} {..4}%00{4..} {}%0d%0a {}%20 {}?token=x token={} urn:{}',
  ),
];

/** The right token in another order. */
export const ORDERS: readonly Template[] = [
  '{middle..}{..middle}',
  '{reversed}',
  '{1..}{..1}',
  '{-4..}{..-4}',
  ...[0, 1, 2, 3, 5].map(
    (at) => `${upTo(at)}{${at + 1}..${at + 2}}{${at}..${at + 1}}${longRestFrom(at + 2)}`,
  ),
];

/** Places in the token, those below 0 from its end. */
export const PLACES = [
  0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 13, 16, 19, 23, 27, 31, -13, -10, -9, -8, -7, -6, -5,
];

/** The right token with another character at a place. */
export function changedAt(place: number): Template {
  const rest = place < 0 ? `{${place + 1}..}` : longRestFrom(place + 1);
  return `${upTo(place)}{${place}..${place + 1} next-characters}${rest}`;
}

/** The rest of the token, if it is long: the last characters of base64 may be padding, or have bits that mean nothing. */
export function longRestFrom(place: number): Template {
  return `{${place}..-3}{-3..}`;
}

/** The right token up to a place. */
export function upTo(place: number | string): Template {
  return place === 0 ? '' : `{..${place}}`;
}

/** What programs write for a missing value, and what matches every token. */
export const WORDS_OF_PROGRAMS = words(
  `* .* ? ________ %% \\w+ [a-z]* NaN None nil true false 0 1 -1 {} [] "" '' void empty (null) N/A none`,
).concat('[object Object]', "'/**/OR/**/1=1--", "' OR ''='", 'x" or "1"="1', '*)(uid=*');

/** Placeholders of documents, of tools and of shells. */
export const PLACEHOLDERS = words(
  `<ACCESS_TOKEN> YOUR_TOKEN YOUR_ACCESS_TOKEN <token> <your-token> {token} {{token}} {{access_token}} :token %TOKEN%
   $TOKEN $ACCESS_TOKEN \${TOKEN} $PLANT_STORE_TOKEN \${ACCESS_TOKEN} [token] ACCESS_TOKEN access_token your-token-here xxx XXXXXXXX
   Bearer bearer token TOKEN`,
);

/** Words of tests and examples that stay in programs. A provider that runs may know no such token. */
export const TEST_TOKENS = words(
  `test dev secret demo admin changeme password 123456 12345 1234 abc123 abc foo foobar example anonymous guest root user
   public debug local testing test123 s3cr3t mytoken mock fake dummy stub fake-super-secret-token master letmein
   default sample superuser sa apikey`,
);

/** Well-known JSON Web Tokens of documents, and one with another algorithm. */
export const EXAMPLE_JWTS = [
  // The example of jwt.io, signed with "your-256-bit-secret".
  'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMjM0NTY3ODkwIiwibmFtZSI6IkpvaG4gRG9lIiwiaWF0IjoxNTE2MjM5MDIyfQ.SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV_adQssw5c',
  // The example of RFC 7519, section 3.1.
  'eyJ0eXAiOiJKV1QiLA0KICJhbGciOiJIUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ.dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
  // Without a signature, with {"alg":"NONE"}, and with the claims {"sub":"admin"}.
  'eyJhbGciOiJOT05FIn0.eyJzdWIiOiJhZG1pbiJ9.',
  'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhZG1pbiJ9.',
  'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhZG1pbiJ9.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
] as const;

/** Header fields in which programs look for a token, each with the value that they expect. */
export const OTHER_HEADERS: HeaderFields = [
  ...each('<TOKEN>', 'X-Api-Key Api-Key X-Auth-Token X-Access-Token Access-Token X-Token Token'),
  ...each(
    'Bearer <TOKEN>',
    `X-Authorization Authentication X-Forwarded-Authorization X-Original-Authorization Proxy-Authorization
     X-Forwarded-Access-Token X-Auth Bearer`,
  ),
];

/** More of them. All of them at once, with a long token, would not fit into the header section that many servers allow. */
export const RARER_HEADERS: HeaderFields = [
  ...each(
    '<TOKEN>',
    `X-CSRF-Token X-XSRF-Token X-Session-Token X-Session-Id X-Jwt Jwt X-Id-Token Id-Token X-Goog-Api-Key X-Amz-Security-Token
     X-Vault-Token Private-Token X-Gitlab-Token X-Subject-Token X-Secret X-Api-Secret X-Client-Secret X-App-Key
     X-Authentication-Token Auth-Token Auth apikey X-Bearer-Token X-User-Token X-Functions-Key Ocp-Apim-Subscription-Key
     X-Original-Token X-Service-Token X-Internal-Token X-Hasura-Admin-Secret From Sec-WebSocket-Protocol`,
  ),
  ...each(
    'Bearer <TOKEN>',
    'X-Access-Token X-Api-Key X-Auth-Token X-Bearer WWW-Authenticate Authentication-Info',
  ),
];

/** Names of cookies in which programs look for a token. */
export const COOKIES = words('token access_token accessToken auth auth_token jwt session sid bearer api_key');

/** A Cookie header with the right token under these names. */
export function cookiesWith(names: readonly string[]): HeaderFields[number] {
  return ['Cookie', `${names.map((name) => `${name}=<TOKEN>; `).join('')}Authorization=Bearer%20<TOKEN>`];
}

/** A query with the right token, under names where programs look for one. */
export const QUERY = [
  ...words('access_token token auth_token api_key apikey key jwt accessToken authToken bearer id_token').map(
    (name) => `${name}=<TOKEN {in-query}>`,
  ),
  'authorization=Bearer%20<TOKEN {in-query}>',
].join('&');

/** Members of an object with the right token, as in {@link QUERY}. */
export const MEMBERS = [
  ...words('access_token token auth_token api_key accessToken apiKey jwt').map(
    (name) => `"${name}":"<TOKEN {in-json}>"`,
  ),
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
    `X-Forwarded-User X-Remote-User Remote-User X-User X-Username X-Role X-Roles X-User-Role X-Auth-Request-User
     X-Authenticated-User X-Webauth-User X-Consumer-Username X-MS-Client-Principal-Name Tailscale-User-Login X-Scope
     X-Forwarded-Groups`,
  ),
  ...each(
    'admin@example.com',
    'X-Forwarded-Email X-Auth-Request-Email X-User-Email X-Goog-Authenticated-User-Email Cf-Access-Authenticated-User-Email',
  ),
  ...each('1', 'X-User-Id X-Authenticated-Userid X-Account-Id X-Client-Id X-Tenant-Id'),
  ...each(
    'true',
    `X-Authenticated X-Authorized X-Admin X-Is-Admin X-Internal X-Internal-Request X-Debug X-Test X-Test-Mode X-Dev
     X-Skip-Auth X-Bypass-Auth X-No-Auth`,
  ),
  ...each('SUCCESS', 'X-SSL-Client-Verify X-Client-Verify Ssl-Client-Verify'),
  ['X-Forwarded-Client-Cert', 'Subject="CN=admin"'],
];

/** What checks whether a provider is alive. Programs look for one of these names in User-Agent, or at its beginning. */
export const CHECKERS = items(`
  kube-probe/1.31  ELB-HealthChecker/2.0  GoogleHC/1.0  Amazon-Route53-Health-Check-Service  Prometheus/2.53.0
  Consul Health Check  HealthCheck/1.0  UptimeRobot/2.0  Pingdom.com_bot_version_1.4  Googlebot/2.1  curl/8.5.0
  PostmanRuntime/7.39.0`);

/** All of them, from one on. */
export function agentFrom(first: number): HeaderFields[number] {
  return ['User-Agent', [...CHECKERS.slice(first), ...CHECKERS.slice(0, first)].join(' ')];
}

/** Fields of a client in the same network, and of what calls itself a check. */
export const INSIDE: HeaderFields = [
  ...each(
    '10.0.0.1',
    'X-Forwarded-For X-Real-IP X-Client-IP X-Envoy-External-Address X-Original-Forwarded-For',
  ),
  ...each(
    '1',
    'X-Health-Check X-Healthcheck X-Probe X-Monitoring X-Envoy-Internal X-Service-Mesh X-Cron X-Appengine-Cron',
  ),
  ...each('internal', 'X-Source X-Caller X-Request-Source X-Service-Name X-Origin'),
];

/** Fields in which gateways ask an authentication service about the original request. */
export const ORIGINAL_REQUEST: HeaderFields = [
  ...each('/health', 'X-Forwarded-Uri X-Forwarded-Path X-Original-Uri X-Auth-Request-Redirect'),
  ...each('OPTIONS', 'X-Forwarded-Method X-Original-Method'),
];

/** Fields with which some frameworks choose another route. */
export const OTHER_URL = each('/health', 'X-Original-URL X-Rewrite-URL');
export const OTHER_METHOD: HeaderFields = [
  ['X-HTTP-Method-Override', 'OPTIONS'],
  ['X-HTTP-Method', 'GET'],
  ['X-Method-Override', 'HEAD'],
  ['X-Original-Method', 'GET'],
];

export const PREFLIGHT: HeaderFields = [
  ['Origin', 'https://plants.example'],
  ['Access-Control-Request-Method', 'POST'],
  ['Access-Control-Request-Headers', 'authorization, content-type'],
];

/** What a browser accepts if a user enters a URL. */
const ACCEPTS_PAGES: HeaderFields[number] = [
  'Accept',
  'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8',
];

/** What a browser sends with a request of a page to its own server. */
export const FROM_A_PAGE: HeaderFields = [
  ACCEPTS_PAGES,
  ['X-Requested-With', 'XMLHttpRequest'],
  ['Sec-Fetch-Site', 'same-origin'],
  ['Sec-Fetch-Mode', 'cors'],
  ['Sec-Fetch-Dest', 'empty'],
  ['Referer', 'http://localhost/swagger-ui/index.html'],
  [
    'Cookie',
    'session=1; sid=1; JSESSIONID=1; PHPSESSID=1; connect.sid=1; logged_in=true; admin=true; user=admin; role=admin',
  ],
];

/** Paths that are often open to everyone, and switches, in a query. */
export const OPEN_PATHS =
  '?next=/login&file=/public/plants.css&path=/health&debug=1&test=1&dev=true&admin=true&internal=1&auth=none' +
  '&skip_auth=1&noauth=1&bypass=true&preview=1&mock=true&role=admin&user=admin&_method=GET&swagger=/docs';

/** Fields because of which a gateway or a framework may not ask for a token. */
export const TRUSTED: HeaderFields = [
  ...[...LOCAL_ADDRESS, ...USER, ...INSIDE, ...ORIGINAL_REQUEST, ...PREFLIGHT, ...FROM_A_PAGE],
  ...CHECKERS.map((checker) => ['User-Agent', checker] as const),
];

/** Tokens that nobody was given. */
export const UNKNOWN_TOKENS = [...WORDS_OF_PROGRAMS, ...PLACEHOLDERS, ...TEST_TOKENS, ...EXAMPLE_JWTS];
