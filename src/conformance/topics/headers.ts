import { PLAIN_PLANT, PROPER_HEADERS, type Row } from '../row.js';
import {
  accepts,
  type Demand,
  distinct,
  type Gap,
  type HeaderFields,
  observedRequest,
  REQUEST_BODY,
  REQUEST_JSON,
  requestIn,
  type SentRow,
  type Topic,
} from '../rule.js';
import { CLIENTS, GATEWAYS, LONG_COOKIES, ON_THE_WAY, type Sender } from '../values/clients.js';
import { EVERYDAY_REQUEST } from './failure.js';

/** The two fields of the interface, with another media type. */
function typed(mediaType: string): HeaderFields {
  return [PROPER_HEADERS[0], ['Content-Type', mediaType]];
}

/** Makes a row of a text. Its fields are sent beside the two of the interface. */
function rowOf(row: Pick<Row, 'expectation' | 'rules'>): (text: string) => SentRow {
  return (text) => {
    const { name, title, fields, parts } = requestIn(text);
    const headers = fields.length > 0 && distinct([...PROPER_HEADERS, ...fields]);
    const request = { body: PLAIN_PLANT, ...parts, ...(headers && { headers }) };
    return { ...row, name: `headers/${name}`, title, requests: [request] };
  };
}

const created = rowOf({ expectation: 'created' });

/** What a provider may reject. If it accepts the plant, the body counts, and nothing else. */
const OPEN = {
  expectation: 'open',
  rules: ['success/name-comes-back', 'success/absent-tag-stays-absent', 'success/body-is-json'],
} as const;
const open = rowOf(OPEN);

const withoutName = rowOf({ expectation: 'rejected', rules: ['request/name-is-required'] });
const malformed = rowOf({ expectation: 'rejected', rules: ['request/body-is-json'] });

/** A plain plant that a provider must accept. */
function accepted(name: string, title: string, headers: HeaderFields): SentRow {
  return { name, title, expectation: 'created', requests: [{ headers, body: PLAIN_PLANT }] };
}

/** A plain plant as a client sends it. */
function sentBy(name: string, { who, fields }: Sender, more = '', others: HeaderFields = []): SentRow {
  const title = `a plain plant as ${who} sends it${more}`;
  return accepted(`headers/${name}`, title, distinct([...fields, ...others]));
}

/** A plain plant through a gateway. A provider may have a policy for addresses, so it may reject the plant. */
function sentThrough(name: string, client: Sender, { who, fields }: Sender): SentRow {
  return { ...sentBy(name, client, `, through ${who}`, fields), ...OPEN };
}

const { chrome, fetch, go, ruby } = CLIENTS;

/** Plants that a provider may reject. */
const openPlants: readonly SentRow[] = [
  open(`other-values-in-query: a plain plant with other values in the query
    ?name=<NAME2>&tag=other&id=<ID2>`),
  open(`other-values-in-headers: a plain plant with other values in headers and cookies
    Name X-Name: <NAME2>
    Tag X-Tag: other
    Cookie: name=<NAME2>; tag=other`),
  open(`from-another-origin: a plain plant from a page of another origin
    Origin: https://plants.example
    Referer: https://plants.example/new
    Sec-Fetch-Site: cross-site
    Sec-Fetch-Mode: cors
    Sec-Fetch-Dest: empty
    X-Requested-With: XMLHttpRequest
    Cookie: session=aloe; JSESSIONID=0123456789ABCDEF; XSRF-TOKEN=fern; connect.sid=s%3Aaloe.fern`),
  sentThrough('through-aws', go, GATEWAYS.aws),
  sentThrough('through-envoy', fetch, GATEWAYS.envoy),
  open(`for-xml: a plain plant from a client that only accepts XML
    Accept: application/xml`),
  open(`for-latin-1: a plain plant with an umlaut, from a client that only accepts ISO 8859-1
    Accept-Charset: iso-8859-1
    {"name":"<NAME>ü","id":<ID>}`),
  // HttpURLConnection has always sent this, and some parsers reject a star alone.
  open(`star-alone: a plain plant as HttpURLConnection in Java sends it
    Accept: text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2`),
  {
    name: 'headers/no-user-agent',
    title: 'a plain plant without a User-Agent, as HttpClient in .NET sends it',
    ...OPEN,
    requests: [
      { headers: typed('application/json; charset=utf-8'), body: PLAIN_PLANT, withoutUserAgent: true },
    ],
  },
];

const BOUNDARY = 'plants-in-parts';

function part(name: string): string {
  return `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n`;
}

/** The fields of a plant in a place where the interface has none, and a failure for a browser. */
const invalidPlaces: readonly SentRow[] = [
  withoutName(`name-in-query: a plant without a name, which is in the query
    ?name=<NAME>
    {"id":<ID>}`),
  withoutName(`name-in-headers: a plant without a name, which is in headers and cookies
    Accept: application/json
    Accept-Language: ar-EG,ar;q=0.9
    Name X-Name: <NAME>
    Cookie: name=<NAME>
    {"id":<ID>}`),
  {
    name: 'headers/plant-in-query',
    title: 'a request without a body, with a plant in its query',
    expectation: 'rejected',
    rules: ['request/body-is-required'],
    requests: [{ body: '', query: '?name=<NAME>&id=<ID>' }],
  },
  {
    name: 'headers/plant-in-parts',
    title: 'a plant as a form in several parts',
    expectation: 'rejected',
    rules: ['request/body-is-json'],
    requests: [
      {
        body: `${part('name')}<NAME>\r\n${part('id')}<ID>\r\n--${BOUNDARY}--\r\n`,
        headers: typed(`multipart/form-data; boundary=${BOUNDARY}`),
      },
    ],
  },
  malformed(`malformed-from-a-page: malformed JSON as jQuery sends it when a page asks for HTML
    Accept: text/html, */*; q=0.01
    {"name":"<NAME>","id":<ID>`),
];

/**
 * A plain plant as a media type that is application/json, although it is spelled in another way. OkHttp, jQuery, .NET and Spring
 * add a charset. The case is that of whoever wrote the call: clients send it as it is.
 */
function spelledMediaType(name: string, mediaType: string): SentRow {
  return accepted(name, `a plain plant as ${mediaType}`, typed(mediaType));
}

const OTHER_OPERATIONS: Gap = {
  source: '/paths',
  why: 'Other operations are not shown.',
};

/**
 * Another method or path. It is observed and never judged: the interface has only `POST /plants`. Many frameworks are
 * recognised by what they respond, and so the advice fits.
 */
function otherOperation(name: string, title: string, path: string): SentRow {
  return observedRequest(OTHER_OPERATIONS, name, title, {
    headers: [PROPER_HEADERS[0]],
    body: '',
    otherOperation: { method: 'GET', path },
  });
}

const rules: readonly Demand[] = [
  accepts({
    id: 'request/media-type-parameters-are-accepted',
    level: 'implied',
    title: '"application/json; charset=utf-8" is accepted, with or without the space, and in capitals.',
    source: REQUEST_JSON,
    why: 'A media type with parameters is still that media type (RFC 9110, section 8.3.1). JSON is in UTF-8 anyway, and many clients send this parameter by default.',
    usualCause: 'Content-Type is compared with "application/json" as a string.',
    fix: 'Compare only the part before the semicolon.',
    rows: [
      spelledMediaType('media-type-with-charset', 'application/json; charset=utf-8'),
      spelledMediaType('headers/charset-without-space', 'application/json;charset=UTF-8'),
    ],
  }),
  accepts({
    id: 'request/media-type-case-is-ignored',
    level: 'implied',
    severity: 'warning',
    title: '"Application/JSON" is accepted.',
    source: REQUEST_JSON,
    why: 'Media types are case-insensitive (RFC 9110, section 8.3.1), so this is application/json.',
    usualCause: 'Content-Type is compared with "application/json" as a string.',
    fix: 'Ignore the case when you compare media types.',
    rows: [spelledMediaType('media-type-in-capitals', 'Application/JSON')],
  }),
  accepts({
    id: 'request/other-parameters-are-accepted',
    level: 'implied',
    severity: 'warning',
    title:
      'A charset in quotes is accepted, and so are a space before it and another parameter than the charset.',
    source: REQUEST_JSON,
    why: 'A media type with parameters is still that media type, and a value in quotes is the same value (RFC 9110, sections 8.3.1 and 5.6.6). JSON has no parameter that changes its meaning (RFC 8259, section 11). Few clients send these, so this is a warning.',
    usualCause: 'Content-Type is compared with a list of spellings, or a pattern reads its charset.',
    fix: 'Compare only the part before the semicolon, or use a parser of media types.',
    rows: [
      spelledMediaType('headers/charset-in-quotes', 'application/json; charset="utf-8"'),
      spelledMediaType('headers/other-parameter', 'application/json; version=1'),
      spelledMediaType('headers/space-before-parameter', 'application/json ;charset=utf-8'),
    ],
  }),
  accepts({
    id: 'request/other-fields-change-nothing',
    level: 'implied',
    title: 'A plain plant is accepted with the header fields that ordinary clients and gateways add.',
    source: REQUEST_JSON,
    why: 'When the request is valid and authorised, the service responds with 200. These requests have both headers of the interface and a NewPlant. The other fields describe the client or the way of the request, accept what the response is anyway, or mean nothing for POST. Names of fields have no case (RFC 9110, section 5.1).',
    usualCause:
      'Fields are looked up by their name in one case, or a field that only matters for GET or for HTML pages is read for every request.',
    fix: 'Compare names of fields without case, and ignore fields that the operation does not need.',
    rows: [
      sentBy('from-a-script', chrome),
      created(`from-a-page: a plain plant as jQuery sends it when a page asks for HTML
        Accept: text/html, */*; q=0.01
        Accept-Language: fr-CH, fr;q=0.9, *;q=0.5`),
      sentBy('names-in-lower-case', fetch),
      sentBy('quality-values', ruby),
      sentBy('traced', go, ', with what agents and gateways add', ON_THE_WAY),
      sentBy('many-fields', chrome, ', with 2 kB of cookies, and with what agents and gateways add', [
        ...LONG_COOKIES,
        ...ON_THE_WAY,
      ]),
    ],
  }),
];

const MEDIA_TYPES: Gap = {
  source: `${REQUEST_BODY}/content`,
  why: 'The media type is application/json. The interface does not say what happens to others.',
};

/** Media types, fields of ordinary clients, fields beside the body, the query, and another method and path. */
export const headers: Topic = {
  rules,
  open: [
    {
      ...observedRequest(MEDIA_TYPES, 'no-media-type', 'a plain plant without a Content-Type', {
        headers: [PROPER_HEADERS[0]],
      }),
      rules: [EVERYDAY_REQUEST],
    },
    {
      ...observedRequest(MEDIA_TYPES, 'text-plain', 'a plain plant as text/plain', {
        headers: typed('text/plain'),
      }),
      rules: [EVERYDAY_REQUEST],
    },
    observedRequest(MEDIA_TYPES, 'other-charset', 'a plain plant in UTF-16, with charset=utf-16le', {
      headers: typed('application/json; charset=utf-16le'),
      encoding: 'utf-16le',
    }),
    otherOperation('get', 'GET /plants', '/plants'),
    otherOperation('unknown-path', 'GET of an unknown path', '/plants-not-there'),
    ...openPlants,
    ...invalidPlaces,
  ],
};
