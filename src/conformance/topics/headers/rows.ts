import { type DrawnRow, PLAIN_PLANT, PROPER_HEADERS, type RequestRow, type Row } from '../../row.js';
import { ACCEPTS_PAGES, type HeaderFields } from '../tokens/values.js';

/** The two fields of the interface, and others. */
export function withFields(fields: HeaderFields, mediaType = 'application/json'): HeaderFields {
  return [PROPER_HEADERS[0], ['Content-Type', mediaType], ...fields];
}

export function inLowerCase(fields: HeaderFields): HeaderFields {
  return fields.map(([name, value]) => [name.toLowerCase(), value] as const);
}

export function inUpperCase(fields: HeaderFields): HeaderFields {
  return fields.map(([name, value]) => [name.toUpperCase(), value] as const);
}

const BROWSER =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36';

/** Fields that clients, proxies and libraries add by themselves. No provider has a reason to reject a plant for one. */
export const HARMLESS = {
  browser: [
    ['User-Agent', BROWSER],
    ['Accept', '*/*'],
    ['Accept-Language', 'de-CH,de;q=0.9,en;q=0.8,*;q=0.5'],
    ['Accept-Encoding', 'gzip, deflate, br'],
    ['Cache-Control', 'no-cache'],
    ['Pragma', 'no-cache'],
    ['DNT', '1'],
    ['Sec-GPC', '1'],
    ['Priority', 'u=1, i'],
    ['sec-ch-ua', '"Chromium";v="131", "Not_A Brand";v="24"'],
    ['sec-ch-ua-mobile', '?0'],
    ['sec-ch-ua-platform', '"Linux"'],
    ['Upgrade-Insecure-Requests', '1'],
    ['Cookie', 'theme=dark; _ga=GA1.1.1234567890.1234567890; consent={all:true}'],
  ],
  page: [['User-Agent', BROWSER], ACCEPTS_PAGES],
  axios: [
    ['Accept', 'application/json, text/plain, */*'],
    ['User-Agent', 'axios/1.7.9'],
    ['Accept-Encoding', 'gzip, deflate, br'],
  ],
  curl: [
    ['User-Agent', 'curl/8.5.0'],
    ['Accept', '*/*'],
  ],
  python: [
    ['User-Agent', 'python-requests/2.32.3'],
    ['Accept-Encoding', 'gzip, deflate'],
    ['Accept', '*/*'],
  ],
  go: [
    ['User-Agent', 'Go-http-client/1.1'],
    ['Accept-Encoding', 'gzip'],
  ],
  java: [
    ['User-Agent', 'Java-http-client/21.0.5'],
    ['Accept', 'application/json'],
  ],
  'no-compression': [['Accept-Encoding', 'identity']],
  trace: [
    ['traceparent', '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'],
    ['tracestate', 'congo=t61rcWkgMzE,rojo=00f067aa0ba902b7'],
    ['baggage', 'userId=alice,serverNode=DF%2028,isProduction=false;ttl=1'],
    ['X-B3-TraceId', '463ac35c9f6413ad48485a3953bb6124'],
    ['X-B3-SpanId', 'a2fb4a1d1a96d312'],
    ['X-B3-Sampled', '1'],
    ['X-Amzn-Trace-Id', 'Root=1-67891233-abcdef012345678912345678'],
    ['X-Cloud-Trace-Context', '105445aa7843bc8bf206b12000100000/1;o=1'],
    ['X-Request-Id', '<NAME>'],
    ['X-Correlation-Id', '<NAME>'],
    ['Via', '1.1 gateway.example'],
  ],
  // A recipient ignores Range and If-Modified-Since, except with GET and HEAD (RFC 9110, sections 14.2 and 13.1.3).
  'fields-for-get': [
    ['Range', 'bytes=0-1'],
    ['If-Modified-Since', 'Sat, 29 Oct 1994 19:43:31 GMT'],
    ['If-None-Match', '"aloe"'],
    ['Cache-Control', 'no-store'],
    ['Max-Forwards', '10'],
  ],
} as const satisfies Record<string, HeaderFields>;

/** Fields because of which a provider may reject a plant: its own policy, or content that it cannot produce. */
export const POLICIES = {
  'other-origin': [
    ['Origin', 'https://plants.example'],
    ['Referer', 'https://plants.example/new'],
    ['Sec-Fetch-Site', 'cross-site'],
    ['Sec-Fetch-Mode', 'cors'],
    ['Sec-Fetch-Dest', 'empty'],
    ['X-Requested-With', 'XMLHttpRequest'],
    ['Cookie', 'session=aloe; JSESSIONID=0123456789ABCDEF; XSRF-TOKEN=fern; connect.sid=s%3Aaloe.fern'],
  ],
  forwarded: [
    ['X-Forwarded-For', '203.0.113.7, 198.51.100.2'],
    ['X-Forwarded-Proto', 'https'],
    ['X-Forwarded-Port', '443'],
    ['X-Forwarded-Prefix', '/api'],
    ['X-Real-IP', '203.0.113.7'],
    ['Forwarded', 'for=203.0.113.7;proto=https, for="[2001:db8::1]"'],
  ],
  'xml-only': [['Accept', 'application/xml']],
  'latin-1-only': [['Accept-Charset', 'iso-8859-1']],
} as const satisfies Record<string, HeaderFields>;

/** Fields outside the body that have the names of fields of a plant. */
export const OTHER_VALUES = {
  query: '?name=<NAME2>&tag=other&id=<ID2>',
  headers: [
    ['Name', '<NAME2>'],
    ['X-Name', '<NAME2>'],
    ['Tag', 'other'],
    ['X-Tag', 'other'],
    ['Cookie', 'name=<NAME2>; tag=other'],
  ],
} as const satisfies Pick<RequestRow, 'query' | 'headers'>;

/** A plain plant that a provider must accept. */
export function validPlant(
  name: string,
  title: string,
  headers: HeaderFields,
  rule = 'request/other-fields-change-nothing',
): DrawnRow {
  return {
    name: `headers/${name}`,
    title: `a plain plant ${title}`,
    ...{ expectation: 'created', rules: [rule] },
    requests: [{ headers, body: PLAIN_PLANT }],
  };
}

/** A plant that a provider may reject. If it accepts the plant, the body counts, and nothing else. */
export function openPlant(name: string, title: string, request: Partial<RequestRow>): DrawnRow {
  return {
    name: `headers/${name}`,
    title: `a plain plant ${title}`,
    ...{ expectation: 'open', rules: ['success/name-comes-back', 'success/absent-tag-stays-absent'] },
    requests: [{ body: PLAIN_PLANT, ...request }],
  };
}

/** A request that a provider must reject. */
export function invalid(name: string, title: string, rule: string, request: RequestRow): DrawnRow {
  return {
    ...{ name: `headers/${name}`, title, expectation: 'rejected', rules: [`request/${rule}`] },
    requests: [request],
  };
}

/** Plain plants as ordinary clients send them. */
const fromClients: readonly DrawnRow[] = [
  validPlant('from-a-script', 'from a script in a browser', withFields(HARMLESS.browser)),
  validPlant(
    'from-a-page',
    'from a client that prefers HTML and accepts everything',
    withFields(HARMLESS.page),
  ),
  validPlant(
    'names-in-lower-case',
    'with field names in lower case',
    inLowerCase(withFields(HARMLESS.axios)),
  ),
  validPlant('names-in-capitals', 'with field names in capitals', inUpperCase(withFields(HARMLESS.curl))),
  validPlant('traced', 'with fields for tracing', withFields(HARMLESS.trace)),
  validPlant(
    'fields-for-get',
    'with fields that only have a meaning for GET',
    withFields(HARMLESS['fields-for-get']),
  ),
  validPlant(
    'charset-without-space',
    'as application/json;charset=UTF-8',
    withFields(HARMLESS.java, 'application/json;charset=UTF-8'),
    'request/media-type-parameters-are-accepted',
  ),
];

/** Plants that a provider may reject. */
export const openPlants: readonly DrawnRow[] = [
  openPlant('other-values-in-query', 'with other values in the query', { query: OTHER_VALUES.query }),
  openPlant('other-values-in-headers', 'with other values in headers and cookies', {
    headers: withFields(OTHER_VALUES.headers),
  }),
  openPlant('from-another-origin', 'from a page of another origin', {
    headers: withFields(POLICIES['other-origin']),
  }),
  openPlant('forwarded', 'with forwarding fields', { headers: withFields(POLICIES.forwarded) }),
  openPlant('for-xml', 'from a client that only accepts XML', { headers: withFields(POLICIES['xml-only']) }),
  openPlant('for-latin-1', 'with an umlaut, from a client that only accepts ISO 8859-1', {
    headers: withFields(POLICIES['latin-1-only']),
    body: '{"name":"<NAME>ü","id":<ID>}',
  }),
  openPlant('no-user-agent', 'without a User-Agent', { withoutUserAgent: true }),
];

export const WITHOUT_NAME = '{"id":<ID>}';
export const MALFORMED = '{"name":"<NAME>","id":<ID>';

const BOUNDARY = 'plants-in-parts';

function part(name: string): string {
  return `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n`;
}

/** The fields of a plant in a place where the interface has none, and a failure for a browser. */
export const invalidPlaces: readonly DrawnRow[] = [
  invalid('name-in-query', 'a plant without a name, which is in the query', 'name-is-required', {
    body: WITHOUT_NAME,
    query: '?name=<NAME>',
  }),
  invalid('name-in-headers', 'a plant without a name, which is in headers and cookies', 'name-is-required', {
    body: WITHOUT_NAME,
    headers: withFields([
      ['Accept', 'application/json'],
      ['Accept-Language', 'de-CH,de;q=0.9'],
      ['Name', '<NAME>'],
      ['X-Name', '<NAME>'],
      ['Cookie', 'name=<NAME>'],
    ]),
  }),
  invalid('plant-in-query', 'a request without a body, with a plant in its query', 'body-is-required', {
    body: '',
    query: '?name=<NAME>&id=<ID>',
  }),
  invalid('plant-in-parts', 'a plant as a form in several parts', 'body-is-json', {
    body: `${part('name')}<NAME>\r\n${part('id')}<ID>\r\n--${BOUNDARY}--\r\n`,
    headers: withFields([], `multipart/form-data; boundary=${BOUNDARY}`),
  }),
  invalid('malformed-from-a-page', 'malformed JSON from a client that prefers HTML', 'body-is-json', {
    body: MALFORMED,
    headers: withFields([ACCEPTS_PAGES]),
  }),
];

/** A plain plant as a media type that is application/json, although it is spelled in another way. */
function spelledMediaType(name: string, mediaType: string, rule: string): Row {
  return {
    ...{ name, title: `a plain plant as ${mediaType}`, expectation: 'created', rules: [rule] },
    requests: [{ headers: withFields([], mediaType), body: PLAIN_PLANT }],
  };
}

/** A request that the interface neither allows nor forbids, for the rule of its name. It is sent with the invalid ones. */
function observed(name: string, title: string, request: Partial<RequestRow>): Row {
  return {
    ...{ name, title, expectation: 'open', phase: 'invalid' },
    rules: [`unspecified/${name}`],
    requests: [{ body: PLAIN_PLANT, ...request }],
  };
}

/** Another method or path. It is observed and never judged: the interface has only `POST /plants`. */
function otherOperation(name: string, title: string, method: string, path: string): Row {
  return observed(name, title, { headers: [PROPER_HEADERS[0]], body: '', otherOperation: { method, path } });
}

/** Media types, fields of ordinary clients, fields beside the body, the query, and other methods and paths. */
export const headerRows: readonly Row[] = [
  spelledMediaType(
    'media-type-with-charset',
    'application/json; charset=utf-8',
    'request/media-type-parameters-are-accepted',
  ),
  spelledMediaType('media-type-in-capitals', 'Application/JSON', 'request/media-type-case-is-ignored'),
  observed('no-media-type', 'a plain plant without a Content-Type', { headers: [PROPER_HEADERS[0]] }),
  observed('text-plain', 'a plain plant as text/plain', { headers: withFields([], 'text/plain') }),
  observed('json-suffix', 'a plain plant as application/vnd.api+json', {
    headers: withFields([], 'application/vnd.api+json'),
  }),
  observed('other-charset', 'a plain plant in UTF-16, with charset=utf-16le', {
    headers: withFields([], 'application/json; charset=utf-16le'),
    encoding: 'utf-16le',
  }),
  observed('query', 'a plain plant with a query after the path', { query: '?colour=green' }),
  otherOperation('get', 'GET /plants', 'GET', '/plants'),
  otherOperation('options', 'OPTIONS /plants', 'OPTIONS', '/plants'),
  otherOperation('unknown-path', 'GET of an unknown path', 'GET', '/plants-not-there'),
  ...fromClients,
  ...openPlants,
  ...invalidPlaces,
];
