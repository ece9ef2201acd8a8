import { words } from '../row.js';
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
  auth/joined-token-is-refused     <TOKEN Bearer*{}>    : = , / _ - %20 +
  auth/bare-token-is-refused       Bearer *=<TOKEN>     token access_token`,
  3,
).flatMap(([rule = '', pattern = '', all = '']) =>
  words(all).map((word) => [rule, pattern.replace('*', () => word)] as const),
);

/** Header fields in which programs look for a token, each with the value that they expect. */
export const OTHER_HEADERS = fieldsIn(`
  X-Api-Key Api-Key X-Auth-Token X-Access-Token Access-Token X-Token Token X-Session-Token X-Jwt: <TOKEN>
  X-Authorization Authentication X-Forwarded-Authorization X-Original-Authorization: Bearer <TOKEN>
  Proxy-Authorization X-Forwarded-Access-Token X-Auth Bearer: Bearer <TOKEN>`);

/** Names under which programs look for a token in cookies, in a query, and in a body. */
export const NAMES = words(
  'access_token token auth_token api_key apiKey key jwt accessToken bearer session sid',
);

/** Requests without a token. Because of what else is in them, a gateway or a framework may not ask for one. */
export const WITHOUT_TOKEN: readonly string[] = [
  // How gateways tell a provider who the client is.
  `none-from-a-user: with the name of a user in other headers
    X-Forwarded-User X-Remote-User Remote-User X-User X-Username X-Role X-Roles X-User-Role: admin
    X-Auth-Request-User X-Authenticated-User X-Webauth-User X-Consumer-Username: admin
    X-MS-Client-Principal-Name Tailscale-User-Login X-Scope X-Forwarded-Groups: admin
    X-Forwarded-Email X-Auth-Request-Email X-User-Email X-Goog-Authenticated-User-Email: admin@example.com
    Cf-Access-Authenticated-User-Email: admin@example.com
    X-User-Id X-Authenticated-Userid X-Account-Id X-Client-Id X-Tenant-Id: 1
    X-Authenticated X-Authorized X-Admin X-Is-Admin X-Internal X-Internal-Request X-Debug X-Test: true
    X-Test-Mode X-Dev X-Skip-Auth X-Bypass-Auth X-No-Auth: true
    X-SSL-Client-Verify X-Client-Verify Ssl-Client-Verify: SUCCESS
    X-Forwarded-Client-Cert: Subject="CN=admin"`,
  `none-from-this-host: with forwarding headers of a client on the same machine
    X-Forwarded-For X-Real-IP X-Client-IP True-Client-IP CF-Connecting-IP X-Originating-IP: 127.0.0.1
    X-Remote-IP X-Remote-Addr X-Cluster-Client-IP: 127.0.0.1
    X-Forwarded-Host X-Host X-Forwarded-Server: localhost
    Forwarded: for=127.0.0.1;host=localhost;proto=https`,
  // Programs look for one of these names in User-Agent.
  `none-from-a-check: from what checks in the same network whether a provider is alive
    User-Agent: kube-probe/1.31 ELB-HealthChecker/2.0 GoogleHC/1.0 Prometheus/2.53.0 HealthCheck/1.0 UptimeRobot/2.0 Googlebot/2.1 curl/8.5.0
    X-Forwarded-For X-Real-IP X-Client-IP X-Envoy-External-Address X-Original-Forwarded-For: 10.0.0.1
    X-Health-Check X-Healthcheck X-Probe X-Monitoring X-Envoy-Internal X-Service-Mesh X-Cron X-Appengine-Cron: 1
    X-Source X-Caller X-Request-Source X-Service-Name X-Origin: internal`,
  // How gateways ask an authentication service about the original request.
  `none-for-an-open-path: with forwarding headers that name another path and method
    X-Forwarded-Uri X-Forwarded-Path X-Original-Uri X-Auth-Request-Redirect: /health
    X-Forwarded-Method X-Original-Method: OPTIONS`,
  `none-like-a-preflight: with the headers of a CORS preflight
    Origin: https://plants.example
    Access-Control-Request-Method: POST
    Access-Control-Request-Headers: authorization, content-type`,
  `none-with-open-paths-in-query: with open paths and switches in the query
    ?next=/login&file=/public/plants.css&path=/health&debug=1&test=1&dev=true&admin=true&internal=1&auth=none&skip_auth=1&noauth=1&bypass=true&preview=1&mock=true&role=admin&user=admin&_method=GET&swagger=/docs`,
  `none-from-a-browser: with a charset, from a browser that shows a page
    Accept: text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8
    X-Requested-With: XMLHttpRequest
    Sec-Fetch-Site: same-origin
    Sec-Fetch-Mode: cors
    Sec-Fetch-Dest: empty
    Referer: http://localhost/swagger-ui/index.html
    Cookie: session=1; sid=1; JSESSIONID=1; PHPSESSID=1; connect.sid=1; logged_in=true; admin=true; user=admin; role=admin
    Content-Type: application/json; charset=utf-8`,
  `none-with-another-body: with a body that may be looked at first
    {"name":"<NAME>","id":<ID>,"role":"admin","user":"admin","isAdmin":true,"public":true}`,
];

/** Requests without a token that some frameworks take for another path or method. */
export const ELSEWHERE: readonly string[] = [
  `none-with-another-url: with headers that ask for another path
    X-Original-URL X-Rewrite-URL: /health`,
  `none-with-another-method: with headers that ask for another method
    X-HTTP-Method-Override: OPTIONS
    X-HTTP-Method: GET
    X-Method-Override: HEAD
    X-Original-Method: GET`,
];
