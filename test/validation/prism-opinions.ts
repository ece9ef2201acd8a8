import type { HeaderFields, PlainResponse } from 'plant-store-contract/validation';

/** A response, our violations, and those of Prism. If only one of us finds an error: who is right. */
export interface Opinion {
  readonly name: string;
  readonly response: PlainResponse;
  /** The keywords of our violations, sorted. */
  readonly ours: readonly string[];
  /** Whether Prism finds errors. */
  readonly prism: boolean;
  readonly right?: 'ours' | 'prism';
  /** The section of the interface, or the RFC, that decides. */
  readonly why?: string;
}

/** An opinion, with words in the place of lists. We are right, unless it says otherwise. */
type Row = readonly [
  name: string,
  response: PlainResponse,
  ours: string,
  prism: '' | 'objects',
  why?: string,
  right?: 'ours' | 'prism',
];

const PLANT = '{"name":"Aloe"}';
const ERROR = '{"error":3,"message":"no name"}';
const PROBLEM = '{"type":"about:blank","title":"Bad Request","status":400}';
const JSON_TYPE = { 'content-type': 'application/json' };

const answer = (status: number, body?: unknown, headers: HeaderFields = JSON_TYPE): PlainResponse => ({
  status,
  headers,
  body,
});
const of = (contentType: string) => ({ 'content-type': contentType });

const EXACT =
  'openapi.yaml#/components/schemas: the field is an integer; Prism judges the double that the number was rounded to.';
const UTF8 =
  'RFC 8259, section 8.1: JSON is UTF-8; a decoder replaced the malformed bytes before Prism saw them.';
const MEDIA_TYPE =
  'openapi.yaml#/paths/~1plants/post: all bodies are application/json; Prism takes every +json for it.';
const PLANT_ONLY =
  'openapi.yaml#/components/schemas/Plant: the successful response has only the fields of Plant.';
const STATUSES =
  'openapi.yaml#/paths/~1plants/post/responses: the documented statuses are 200 and 400; Prism merely warns of others.';
const ERROR_BODY =
  'openapi.yaml#/components/schemas/Error: an error body has both fields; Prism reads no body of an undocumented status.';

const RESPONSES: readonly Row[] = [
  ['200 with a Plant', answer(200, PLANT), '', ''],
  ['200 with a tag', answer(200, '{"name":"Aloe","tag":"a"}'), '', ''],
  ['200 with an empty name', answer(200, '{"name":""}'), '', ''],
  ['200 with a repeated name', answer(200, '{"name":7,"name":"Aloe"}'), '', ''],
  ['200 with a charset', answer(200, PLANT, of('application/json; charset=utf-8')), '', ''],
  ['200 in capitals', answer(200, PLANT, { 'Content-Type': 'APPLICATION/JSON' }), '', ''],
  [
    '200 with a semicolon after the type',
    answer(200, PLANT, of('application/json;')),
    '',
    'objects',
    'RFC 9110, section 5.6.6: a parameter may be left out after a semicolon.',
  ],
  ['200 with the id', answer(200, '{"name":"Aloe","id":7}'), 'additionalProperties', '', PLANT_ONLY],
  [
    '200 with another field',
    answer(200, '{"name":"Aloe","colour":null}'),
    'additionalProperties',
    '',
    PLANT_ONLY,
  ],
  [
    '200 with __proto__',
    answer(200, '{"name":"Aloe","__proto__":{}}'),
    'additionalProperties',
    '',
    PLANT_ONLY,
  ],
  ['200 without a name', answer(200, '{"tag":"a"}'), 'required', 'objects'],
  ['200 with a number as name', answer(200, '{"name":7}'), 'type', 'objects'],
  ['200 with a null tag', answer(200, '{"name":"","tag":null}'), 'type', 'objects'],
  ['200 with an array', answer(200, `[${PLANT}]`), 'type', 'objects'],
  ['200 with null', answer(200, 'null'), 'type', 'objects'],
  ['200 with a text', answer(200, '"Aloe"'), 'type', 'objects'],
  ['200 with 1e400', answer(200, '1e400'), 'type', 'objects'],
  ['200 with an Error', answer(200, ERROR), 'additionalProperties additionalProperties required', 'objects'],
  ['200 without a body', answer(200), 'required', 'objects'],
  ['200 with an empty body', answer(200, ''), 'required', 'objects'],
  ['200 with malformed JSON', answer(200, '{"name"'), 'json', 'objects'],
  ['200 with a byte-order mark', answer(200, `\ufeff${PLANT}`), 'json', 'objects'],
  ['200 with a name in Latin-1', answer(200, Buffer.from('{"name":"Alo\xe9"}', 'latin1')), 'json', '', UTF8],
  [
    '200 as application/problem+json',
    answer(200, PLANT, of('application/problem+json')),
    'media-type',
    '',
    MEDIA_TYPE,
  ],
  [
    '200 as application/vnd.api+json',
    answer(200, PLANT, of('application/vnd.api+json')),
    'media-type',
    '',
    MEDIA_TYPE,
  ],
  // Read as text, which is no object either.
  ['200 as text/plain', answer(200, PLANT, of('text/plain')), 'media-type', 'objects'],
  ['200 without a Content-Type', answer(200, PLANT, {}), 'media-type', 'objects'],
  ['200 with a page', answer(200, '<h1>Aloe</h1>', of('text/html')), 'json media-type', 'objects'],
  // Prism itself throws on these two.
  ['200 as json', answer(200, PLANT, of('json')), 'media-type', 'objects'],
  [
    '200 with two Content-Types',
    answer(200, PLANT, { 'content-type': ['application/json', 'text/plain'] }),
    'media-type',
    'objects',
  ],

  ['400 with an Error', answer(400, ERROR), '', ''],
  ['400 with more fields', answer(400, '{"error":3,"message":"","x":1}'), '', ''],
  ['400 with 2^31 - 1', answer(400, '{"error":2147483647,"message":""}'), '', ''],
  ['400 with -2^31', answer(400, '{"error":-2147483648,"message":""}'), '', ''],
  ['400 with 2^31', answer(400, '{"error":2147483648,"message":""}'), 'int32', 'objects'],
  ['400 with -2^31 - 1', answer(400, '{"error":-2147483649,"message":""}'), 'int32', 'objects'],
  ['400 with 1.5', answer(400, '{"error":1.5,"message":""}'), 'int32', 'objects'],
  ['400 a hair past int32', answer(400, '{"error":2147483647.00000001,"message":""}'), 'int32', '', EXACT],
  ['400 with "3"', answer(400, '{"error":"3","message":""}'), 'int32', 'objects'],
  ['400 without a message', answer(400, '{"error":3}'), 'required', 'objects'],
  ['400 without an error', answer(400, '{"message":""}'), 'required', 'objects'],
  ['400 with a null message', answer(400, '{"error":3,"message":null}'), 'type', 'objects'],
  ['400 with a Plant', answer(400, PLANT), 'required required', 'objects'],
  ['400 with an array', answer(400, `[${ERROR}]`), 'type', 'objects'],
  ['400 with an empty body', answer(400, ''), 'required', 'objects'],
  ['400 with a page', answer(400, '<h1>Bad Request</h1>', of('text/html')), 'json media-type', 'objects'],
  [
    '400 with an Error as application/problem+json',
    answer(400, ERROR, of('application/problem+json')),
    'media-type',
    '',
    MEDIA_TYPE,
  ],
  [
    '400 with a problem',
    answer(400, PROBLEM, of('application/problem+json')),
    'media-type required required',
    'objects',
  ],

  ['201', answer(201, PLANT), 'status', 'objects'],
  ['202', answer(202, undefined, {}), 'status', 'objects'],
  ['204', answer(204, undefined, {}), 'status', 'objects'],
  ['301', answer(301, undefined, { location: '/' }), 'status', '', STATUSES],
  ['304', answer(304, undefined, {}), 'status', '', STATUSES],
  // Which 4xx a rejection has is not shown: neither reports the status.
  ['401 with an Error', answer(401, ERROR), '', ''],
  ['404 with an Error', answer(404, ERROR), '', ''],
  ['415 with an Error', answer(415, ERROR), '', ''],
  [
    '401 with a problem',
    answer(401, PROBLEM, of('application/problem+json')),
    'media-type required required',
    '',
    ERROR_BODY,
  ],
  ['404 without a message', answer(404, '{"error":404}'), 'required', '', ERROR_BODY],
  ['404 with a page', answer(404, '<h1>Not Found</h1>', of('text/html')), 'json media-type', '', ERROR_BODY],
  ['401 without a body', answer(401, undefined, {}), '', ''],
  ['413 with a page', answer(413, '<h1>Too Large</h1>', of('text/html')), '', ''],
  ['422 with 2^31', answer(422, '{"error":2147483648,"message":""}'), 'int32', '', ERROR_BODY],
  ['500 with an Error', answer(500, ERROR), 'status', '', STATUSES],
  ['500 with a page', answer(500, '<h1>Oops</h1>', of('text/html')), 'status', '', STATUSES],
];

/** Every response on which the two are compared. */
export const OPINIONS: readonly Opinion[] = RESPONSES.map(
  ([name, response, ours, prism, why, right = 'ours']) => {
    return {
      name,
      response,
      ours: ours.split(' ').filter((word) => word !== ''),
      prism: prism !== '',
      ...(why !== undefined && { right, why }),
    };
  },
);
