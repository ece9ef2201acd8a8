import { ACCEPTS_PAGES } from '../../topics/tokens/rows.js';
import { FRESH_NAME, type Piece, type ProbeDraft, type RequestDraft } from '../draft.js';
import { PLANT } from '../tokens/unauthorised.js';

export type HeaderFields = NonNullable<RequestDraft['headers']>;

const AUTHORIZATION = ['Authorization', ['Bearer ', { token: {} }]] as const;
export const OTHER_FIELDS = 'request/other-fields-change-nothing';
const MEDIA_TYPE = 'request/media-type-parameters-are-accepted';

/** The two fields of the interface, and others. */
export function withFields(fields: HeaderFields, mediaType: Piece = 'application/json'): HeaderFields {
  return [AUTHORIZATION, ['Content-Type', mediaType], ...fields];
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
    ['X-Request-Id', FRESH_NAME],
    ['X-Correlation-Id', FRESH_NAME],
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

function valid(
  name: string,
  title: string,
  headers: HeaderFields,
  rules: readonly string[] = [OTHER_FIELDS],
): ProbeDraft {
  return {
    name: `headers/${name}`,
    title: `a plain plant ${title}`,
    expectation: 'created',
    phase: 'valid',
    control: 'plain-plant',
    rules,
    requests: [{ ...PLANT, headers }],
  };
}

/** Plain plants as ordinary clients send them. */
export const fromClients: readonly ProbeDraft[] = [
  valid('from-a-script', 'from a script in a browser', withFields(HARMLESS.browser)),
  valid('from-a-page', 'from a client that prefers HTML and accepts everything', withFields(HARMLESS.page)),
  valid('names-in-lower-case', 'with field names in lower case', inLowerCase(withFields(HARMLESS.axios))),
  valid('names-in-capitals', 'with field names in capitals', inUpperCase(withFields(HARMLESS.curl))),
  valid('traced', 'with fields for tracing', withFields(HARMLESS.trace)),
  valid(
    'fields-for-get',
    'with fields that only have a meaning for GET',
    withFields(HARMLESS['fields-for-get']),
  ),
  valid(
    'charset-without-space',
    'as application/json;charset=UTF-8',
    withFields(HARMLESS.java, 'application/json;charset=UTF-8'),
    [MEDIA_TYPE],
  ),
];
