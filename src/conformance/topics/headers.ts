import { areInLowerCase } from '../../http/fields.js';
import type { RequestRow, Row } from '../probe.js';
import { PLAIN_PLANT, PROPER_HEADERS } from '../row.js';
import {
  accepts,
  type Demand,
  fieldsIn,
  type Gap,
  type HeaderFields,
  OPERATION,
  observed,
  REQUEST_BODY,
  REQUEST_JSON,
  type SentRow,
  type Topic,
} from '../rule.js';
import { CLIENTS, GATEWAYS, LONG_COOKIES, type Sender, TRACING } from './clients.js';

/** The two fields of the interface, and others. */
function withFields(fields: HeaderFields, mediaType = 'application/json'): HeaderFields {
  return [PROPER_HEADERS[0], ['Content-Type', mediaType], ...fields];
}

/** The fields of a client, and others. They are in lower case, as HTTP/2 has them, if the others are. */
function fieldsOf({ fields }: Sender, others: HeaderFields = [], mediaType?: string): HeaderFields {
  const isInLowerCase = areInLowerCase(others);
  const own = fields.map(([name, value]) => {
    const isMediaType = mediaType !== undefined && name.toLowerCase() === 'content-type';
    return [isInLowerCase ? name.toLowerCase() : name, isMediaType ? mediaType : value] as const;
  });
  return distinct([...own, ...others]);
}

/** One field of each name. Two of them would make another request. */
function distinct(fields: HeaderFields): HeaderFields {
  return [...new Map(fields.map((field) => [field[0].toLowerCase(), field])).values()];
}

/** A plain plant that a provider must accept. */
function validPlant(name: string, title: string, headers: HeaderFields): Row {
  return {
    name: `headers/${name}`,
    title: `a plain plant ${title}`,
    expectation: 'created',
    requests: [{ headers, body: PLAIN_PLANT }],
  };
}

/** What is accepted from a client that asks for another format still gets JSON. */
const OTHER_FORMAT = ['success/name-comes-back', 'success/body-is-json'];

/** A plant that a provider may reject. If it accepts the plant, the body counts, and nothing else. */
function openPlant(
  name: string,
  title: string,
  request: Partial<RequestRow>,
  rules: readonly string[] = ['success/name-comes-back'],
): Row {
  return {
    name: `headers/${name}`,
    title: `a plain plant ${title}`,
    ...{ expectation: 'open', rules },
    requests: [{ body: PLAIN_PLANT, ...request }],
  };
}

/** A request that a provider must reject. */
function invalid(name: string, title: string, rule: string, request: RequestRow): Row {
  return {
    ...{ name: `headers/${name}`, title, expectation: 'rejected', rules: [`request/${rule}`] },
    requests: [request],
  };
}

/** A plain plant as a client sends it. */
function sentBy(name: string, client: Sender): Row {
  return validPlant(name, `as ${client.who} sends it`, client.fields);
}

/** A plain plant through a gateway. A provider may have a policy for addresses, so it may reject the plant. */
function sentThrough(name: string, client: Sender, gateway: Sender): Row {
  return openPlant(name, `as ${client.who} sends it, through ${gateway.who}`, {
    headers: fieldsOf(client, gateway.fields),
  });
}

/** Without those that say from where a request comes. */
function withoutOrigin(gateways: readonly Sender[]): HeaderFields {
  return gateways.flatMap(({ fields }) => fields.filter(([name]) => !/forwarded|-ip$/i.test(name)));
}

const { axios, chrome, curl, fetch, go, ruby, spring } = CLIENTS;

/** What jQuery accepts if a page asks it for HTML, which it does for a part of the page. */
const WANTS_HTML = ['Accept', 'text/html, */*; q=0.01'] as const;

/** A tag from elsewhere shows only in a plant without one. */
const NO_TAG = ['success/name-comes-back', 'success/absent-tag-stays-absent'];

/** Plants that a provider may reject. */
const openPlants: readonly Row[] = [
  openPlant(
    'other-values-in-query',
    'with other values in the query',
    { query: '?name=<NAME2>&tag=other&id=<ID2>' },
    NO_TAG,
  ),
  openPlant(
    'other-values-in-headers',
    'with other values in headers and cookies',
    {
      headers: withFields(
        fieldsIn(`Name X-Name: <NAME2>
          Tag X-Tag: other
          Cookie: name=<NAME2>; tag=other`),
      ),
    },
    NO_TAG,
  ),
  openPlant('from-another-origin', 'from a page of another origin', {
    headers: withFields(
      fieldsIn(`Origin: https://plants.example
        Referer: https://plants.example/new
        Sec-Fetch-Site: cross-site
        Sec-Fetch-Mode: cors
        Sec-Fetch-Dest: empty
        X-Requested-With: XMLHttpRequest
        Cookie: session=aloe; JSESSIONID=0123456789ABCDEF; XSRF-TOKEN=fern; connect.sid=s%3Aaloe.fern`),
    ),
  }),
  sentThrough('through-aws', axios, GATEWAYS.aws),
  sentThrough('through-envoy', curl, GATEWAYS.envoy),
  openPlant('forwarded', 'with forwarding fields', {
    headers: withFields(
      fieldsIn(`X-Forwarded-For: 203.0.113.7, 198.51.100.2
        X-Forwarded-Proto: https
        X-Forwarded-Port: 443
        X-Forwarded-Prefix: /api
        X-Real-IP: 203.0.113.7
        Forwarded: for=203.0.113.7;proto=https, for="[2001:db8::1]"`),
    ),
  }),
  openPlant(
    'for-xml',
    'from a client that only accepts XML',
    { headers: withFields([['Accept', 'application/xml']]) },
    OTHER_FORMAT,
  ),
  openPlant(
    'for-latin-1',
    'with an umlaut, from a client that only accepts ISO 8859-1',
    { headers: withFields([['Accept-Charset', 'iso-8859-1']]), body: '{"name":"<NAME>ü","id":<ID>}' },
    OTHER_FORMAT,
  ),
  // HttpURLConnection has always sent this, and some parsers reject a star alone.
  openPlant('star-alone', 'as HttpURLConnection in Java sends it', {
    headers: withFields([['Accept', 'text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2']]),
  }),
  openPlant('charset-in-quotes', 'as application/json ; charset="utf-8"', {
    headers: withFields([], 'application/json ; charset="utf-8"'),
  }),
  openPlant('no-user-agent', 'without a User-Agent, as HttpClient in .NET sends it', {
    headers: withFields([], 'application/json; charset=utf-8'),
    withoutUserAgent: true,
  }),
];

const WITHOUT_NAME = '{"id":<ID>}';
const MALFORMED = '{"name":"<NAME>","id":<ID>';

const BOUNDARY = 'plants-in-parts';

function part(name: string): string {
  return `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n`;
}

/** The fields of a plant in a place where the interface has none, and a failure for a browser. */
const invalidPlaces: readonly Row[] = [
  invalid('name-in-query', 'a plant without a name, which is in the query', 'name-is-required', {
    body: WITHOUT_NAME,
    query: '?name=<NAME>',
  }),
  invalid('name-in-headers', 'a plant without a name, which is in headers and cookies', 'name-is-required', {
    body: WITHOUT_NAME,
    headers: withFields([
      ['Accept', 'application/json'],
      ['Accept-Language', 'ar-EG,ar;q=0.9'],
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
  invalid(
    'malformed-from-a-page',
    'malformed JSON as jQuery sends it when a page asks for HTML',
    'body-is-json',
    {
      body: MALFORMED,
      headers: withFields([WANTS_HTML]),
    },
  ),
];

/**
 * A plain plant as a media type that is application/json, although it is spelled in another way. OkHttp, jQuery, .NET and Spring
 * add a charset. The case is that of whoever wrote the call: clients send it as it is.
 */
function spelledMediaType(name: string, mediaType: string): SentRow {
  return {
    ...{ name, title: `a plain plant as ${mediaType}`, expectation: 'created' },
    requests: [{ headers: withFields([], mediaType), body: PLAIN_PLANT }],
  };
}

const OTHER_OPERATIONS: Gap = {
  source: { section: 'What the service does', pointer: '/paths' },
  why: 'Other operations are not shown.',
};

/**
 * Another method or path. It is observed and never judged: the interface has only `POST /plants`. Many frameworks are
 * recognised by what they respond, and so the advice fits.
 */
function otherOperation(name: string, title: string, subject: string, path: string): SentRow {
  return observed(name, title, subject, OTHER_OPERATIONS, {
    headers: [PROPER_HEADERS[0]],
    body: '',
    otherOperation: { method: 'GET', path },
  });
}

const rules: readonly Demand[] = [
  accepts({
    id: 'request/media-type-parameters-are-accepted',
    severity: 'error',
    title: '"application/json; charset=utf-8" is accepted, with or without the space, and in capitals.',
    level: 'implied',
    source: { section: 'Endpoints', pointer: REQUEST_JSON },
    why: 'A media type with parameters is still that media type (RFC 9110, section 8.3.1). JSON is in UTF-8 anyway, and many clients send this parameter by default.',
    usualCause: 'Content-Type is compared with "application/json" as a string.',
    fix: 'Compare only the part before the semicolon.',
    rows: [
      spelledMediaType('media-type-with-charset', 'application/json; charset=utf-8'),
      validPlant('charset-without-space', 'as application/json;charset=UTF-8', spring.fields),
    ],
  }),
  accepts({
    id: 'request/media-type-case-is-ignored',
    severity: 'warning',
    title: '"Application/JSON" is accepted.',
    level: 'implied',
    source: { section: 'Endpoints', pointer: REQUEST_JSON },
    why: 'Media types are case-insensitive (RFC 9110, section 8.3.1), so this is application/json.',
    usualCause: 'Content-Type is compared with "application/json" as a string.',
    fix: 'Ignore the case when you compare media types.',
    rows: [spelledMediaType('media-type-in-capitals', 'Application/JSON')],
  }),
  accepts({
    id: 'request/other-fields-change-nothing',
    severity: 'error',
    title: 'A plain plant is accepted with the header fields that ordinary clients and gateways add.',
    level: 'implied',
    source: { section: 'Endpoints', rule: 1, pointer: REQUEST_JSON },
    why: 'When the request is valid and authorised, the service responds with 200. These requests have both headers of the interface and a NewPlant. The other fields describe the client or the way of the request, accept what the response is anyway, or mean nothing for POST. Names of fields have no case (RFC 9110, section 5.1).',
    usualCause:
      'Fields are looked up by their name in one case, or a field that only matters for GET or for HTML pages is read for every request.',
    fix: 'Compare names of fields without case, and ignore fields that the operation does not need.',
    rows: [
      sentBy('from-a-script', chrome),
      validPlant(
        'from-a-page',
        'as jQuery sends it when a page asks for HTML',
        withFields([WANTS_HTML, ['Accept-Language', 'fr-CH, fr;q=0.9, *;q=0.5']]),
      ),
      sentBy('names-in-lower-case', fetch),
      sentBy('quality-values', ruby),
      validPlant('traced', 'as net/http in Go sends it, with fields for tracing', fieldsOf(go, TRACING)),
      // Each of these fields is sent by one of them, and a long way has many.
      validPlant(
        'many-fields',
        'with 2 kB of cookies, and with the fields of a browser and of each proxy on a long way',
        fieldsOf(chrome, [...LONG_COOKIES, ...TRACING, ...withoutOrigin(Object.values(GATEWAYS))]),
      ),
    ],
  }),
];

const MEDIA_TYPES: Gap = {
  source: { section: 'Endpoints', pointer: `${REQUEST_BODY}/content` },
  why: 'The media type is application/json. The interface does not say what happens to others.',
};

const QUERIES: Gap = {
  source: { section: 'Endpoints', pointer: OPERATION },
  why: 'No query parameters are shown.',
};

/** Media types, fields of ordinary clients, fields beside the body, the query, and another method and path. */
export const headers: Topic = {
  family: 'headers',
  rules,
  open: [
    observed(
      'no-media-type',
      'a plain plant without a Content-Type',
      'JSON without a Content-Type',
      MEDIA_TYPES,
      {
        headers: [PROPER_HEADERS[0]],
      },
    ),
    observed('text-plain', 'a plain plant as text/plain', 'JSON as text/plain', MEDIA_TYPES, {
      headers: withFields([], 'text/plain'),
    }),
    observed(
      'other-charset',
      'a plain plant in UTF-16, with charset=utf-16le',
      'JSON in UTF-16',
      MEDIA_TYPES,
      { headers: withFields([], 'application/json; charset=utf-16le'), encoding: 'utf-16le' },
    ),
    observed('query', 'a plain plant with a query after the path', 'A query after the path', QUERIES, {
      query: '?colour=green',
    }),
    otherOperation('get', 'GET /plants', 'GET /plants', '/plants'),
    otherOperation('unknown-path', 'GET of an unknown path', 'An unknown path', '/plants-not-there'),
    ...openPlants,
    ...invalidPlaces,
  ],
};
