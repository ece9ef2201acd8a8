import { items, words } from '../row.js';
import { fieldsIn, table } from '../rule.js';
import type { Template } from '../template.js';

/** The example of jwt.io, signed with "your-256-bit-secret". */
export const EXAMPLE_JWT =
  'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMjM0NTY3ODkwIiwibmFtZSI6IkpvaG4gRG9lIiwiaWF0IjoxNTE2MjM5MDIyfQ.SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV_adQssw5c';

/**
 * More values of Authorization that must be rejected, for which a check has no time: the rule, a pattern, and the words that stand in
 * it for the asterisk. Exploring draws from them.
 */
export const MORE_VALUES: readonly (readonly [rule: string, value: Template])[] = table(
  `
  auth/wrong-token-is-refused      Bearer *             .* ? %% [a-z]* NaN None nil true false 0 1 {} [] "" '' empty (null) [object <token> {token} :token
  auth/wrong-token-is-refused      Bearer *             $TOKEN {{access_token}} YOUR_TOKEN xxx Bearer token dev secret demo admin changeme password 123456 guest
  auth/near-miss-token-is-refused  Bearer <TOKEN *>     {hexadecimal} {json-escaped} {reversed} {next-characters} {}{} {..4}%00{4..} {}%0d%0a {}%20 {}?token=x
  auth/near-miss-token-is-refused  Bearer <TOKEN *>     {..-4} {-4..} {..-9} {..middle} {middle..} {3..} {3..-4} {-4..}{..-4} token={} urn:{}
  auth/near-miss-token-is-refused  Bearer *             '<TOKEN>' \`<TOKEN>\` [<TOKEN>] {<TOKEN>} (<TOKEN>)
  auth/other-scheme-is-refused     * <TOKEN>            JWT OAuth Api-Key Key Negotiate Bearers BearerToken XBearer Bear Session OAuth2 MAC DPoP Bearer; Bearer,
  auth/other-scheme-is-refused     Basic *              YWRtaW46YWRtaW4= Og==
  auth/other-scheme-is-refused     Token token=*        <TOKEN> "<TOKEN>"
  auth/other-scheme-is-refused     Digest response="*"  <TOKEN>
  auth/other-scheme-is-refused     *                    Basic Token ApiKey OAuth Negotiate None Anonymous
  auth/bare-token-is-refused       <TOKEN Bearer*{}>    : = , / _ - %20 +
  auth/bare-token-is-refused       Bearer *=<TOKEN>     token access_token`,
  3,
).flatMap(([rule = '', pattern = '', all = '']) =>
  words(all).map((word) => [rule, pattern.replace('*', () => word)] as const),
);

/** Header fields in which programs look for a token, each with the value that they expect. */
export const OTHER_HEADERS = fieldsIn(`
  X-Api-Key Api-Key X-Auth-Token X-Access-Token Access-Token X-Token Token: <TOKEN>
  X-Authorization Authentication X-Forwarded-Authorization X-Original-Authorization: Bearer <TOKEN>
  Proxy-Authorization X-Forwarded-Access-Token X-Auth Bearer: Bearer <TOKEN>`);

/** More of them. With a long token, all of them at once would not fit into the header section that many servers allow. */
export const RARER_HEADERS = fieldsIn(
  'X-CSRF-Token X-XSRF-Token X-Session-Token X-Session-Id X-Jwt Jwt X-Id-Token Id-Token: <TOKEN>',
);

/** Names under which programs look for a token in cookies, in a query, and in a body. */
export const COOKIES = words('token access_token accessToken auth auth_token jwt session sid bearer api_key');
export const QUERY = words(
  'access_token token auth_token api_key apikey key jwt accessToken authToken bearer id_token',
);
export const MEMBERS = words('access_token token auth_token api_key accessToken apiKey jwt');

/** Fields of a client that is on the same machine. */
export const LOCAL_ADDRESS = fieldsIn(`
  X-Forwarded-For X-Real-IP X-Client-IP True-Client-IP CF-Connecting-IP X-Originating-IP: 127.0.0.1
  X-Remote-IP X-Remote-Addr X-Cluster-Client-IP: 127.0.0.1
  X-Forwarded-Host X-Host X-Forwarded-Server: localhost
  Forwarded: for=127.0.0.1;host=localhost;proto=https`);

/** Fields in which gateways tell a provider who the client is. */
export const USER = fieldsIn(`
  X-Forwarded-User X-Remote-User Remote-User X-User X-Username X-Role X-Roles X-User-Role: admin
  X-Auth-Request-User X-Authenticated-User X-Webauth-User X-Consumer-Username: admin
  X-MS-Client-Principal-Name Tailscale-User-Login X-Scope X-Forwarded-Groups: admin
  X-Forwarded-Email X-Auth-Request-Email X-User-Email X-Goog-Authenticated-User-Email: admin@example.com
  Cf-Access-Authenticated-User-Email: admin@example.com
  X-User-Id X-Authenticated-Userid X-Account-Id X-Client-Id X-Tenant-Id: 1
  X-Authenticated X-Authorized X-Admin X-Is-Admin X-Internal X-Internal-Request X-Debug X-Test: true
  X-Test-Mode X-Dev X-Skip-Auth X-Bypass-Auth X-No-Auth: true
  X-SSL-Client-Verify X-Client-Verify Ssl-Client-Verify: SUCCESS
  X-Forwarded-Client-Cert: Subject="CN=admin"`);

/** What checks whether a provider is alive. Programs look for one of these names in User-Agent. */
export const CHECKERS = items(`
  kube-probe/1.31  ELB-HealthChecker/2.0  GoogleHC/1.0  Amazon-Route53-Health-Check-Service  Prometheus/2.53.0
  Consul Health Check  HealthCheck/1.0  UptimeRobot/2.0  Pingdom.com_bot_version_1.4  Googlebot/2.1  curl/8.5.0
  PostmanRuntime/7.39.0`);

/** Fields of a client in the same network, and of what calls itself a check. */
export const INSIDE = fieldsIn(`
  X-Forwarded-For X-Real-IP X-Client-IP X-Envoy-External-Address X-Original-Forwarded-For: 10.0.0.1
  X-Health-Check X-Healthcheck X-Probe X-Monitoring X-Envoy-Internal X-Service-Mesh X-Cron X-Appengine-Cron: 1
  X-Source X-Caller X-Request-Source X-Service-Name X-Origin: internal`);

/** Fields in which gateways ask an authentication service about the original request. */
export const ORIGINAL_REQUEST = fieldsIn(`
  X-Forwarded-Uri X-Forwarded-Path X-Original-Uri X-Auth-Request-Redirect: /health
  X-Forwarded-Method X-Original-Method: OPTIONS`);

/** Fields with which some frameworks choose another route. */
export const OTHER_URL = fieldsIn('X-Original-URL X-Rewrite-URL: /health');
export const OTHER_METHOD = fieldsIn(`
  X-HTTP-Method-Override: OPTIONS
  X-HTTP-Method: GET
  X-Method-Override: HEAD
  X-Original-Method: GET`);

export const PREFLIGHT = fieldsIn(`
  Origin: https://plants.example
  Access-Control-Request-Method: POST
  Access-Control-Request-Headers: authorization, content-type`);

/** What a browser sends with a request of a page to its own server. */
export const FROM_A_PAGE = fieldsIn(`
  Accept: text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8
  X-Requested-With: XMLHttpRequest
  Sec-Fetch-Site: same-origin
  Sec-Fetch-Mode: cors
  Sec-Fetch-Dest: empty
  Referer: http://localhost/swagger-ui/index.html
  Cookie: session=1; sid=1; JSESSIONID=1; PHPSESSID=1; connect.sid=1; logged_in=true; admin=true; user=admin; role=admin`);

/** Paths that are often open to everyone, and switches, in a query. */
export const OPEN_PATHS =
  '?next=/login&file=/public/plants.css&path=/health&debug=1&test=1&dev=true&admin=true&internal=1&auth=none' +
  '&skip_auth=1&noauth=1&bypass=true&preview=1&mock=true&role=admin&user=admin&_method=GET&swagger=/docs';
