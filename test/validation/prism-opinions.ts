import type { HeaderFields, PlainRequest, PlainResponse } from 'plant-store-contract/validation';

/** A message, our violations, and those of Prism. If only one of us finds an error: who is right. */
export type Opinion = {
  readonly name: string;
  /** The keywords of our violations, sorted. */
  readonly ours: readonly string[];
  /** Prism's violations as `severity:keyword`, sorted. */
  readonly prism: readonly string[];
  readonly right?: 'ours' | 'prism';
  /** The section of the interface, or the RFC, that decides. */
  readonly why?: string;
} & ({ readonly request: PlainRequest } | { readonly response: PlainResponse });

/** An opinion, with words in the place of lists. We are right, unless it says otherwise. */
type Row<Message> = readonly [
  name: string,
  message: Message,
  ours: string,
  prism: string,
  why?: string,
  right?: 'ours' | 'prism',
];

const PLANT = '{"name":"Aloe"}';
const NEW_PLANT = '{"name":"Aloe","id":7}';
const ERROR = '{"error":3,"message":"no name"}';
const PROBLEM = '{"type":"about:blank","title":"Bad Request","status":400}';
const JSON_TYPE = { 'content-type': 'application/json' };
const HEADERS = { authorization: 'Bearer abc', ...JSON_TYPE };

const body = (body: unknown): PlainRequest => ({ headers: HEADERS, body });
const withId = (id: string) => body(`{"name":"Aloe","id":${id}}`);
const bearing = (authorization: string | string[]): PlainRequest => ({
  headers: { ...JSON_TYPE, authorization },
  body: NEW_PLANT,
});
const typed = (contentType: string | string[], body: string = NEW_PLANT): PlainRequest => ({
  headers: { ...HEADERS, 'content-type': contentType },
  body,
});
const answer = (status: number, body?: unknown, headers: HeaderFields = JSON_TYPE): PlainResponse => ({
  status,
  headers,
  body,
});
const of = (contentType: string) => ({ 'content-type': contentType });

const INT64 =
  'Interface, Resources, NewPlant: id is an int64, and Prism clamps int64 to what a double holds exactly.';
const EXACT =
  'Interface, Resources: the field is an integer; Prism judges the double that the number was rounded to.';
const UTF8 =
  'RFC 8259, section 8.1: JSON is UTF-8; a decoder replaced the malformed bytes before Prism saw them.';
const MEDIA_TYPE = 'Interface, Resources: all bodies are application/json; Prism takes every +json for it.';
const GRAMMAR =
  'RFC 6750, section 2.1: one space or more, then one b64token; Prism looks for any text after white space.';
const SCHEME =
  'RFC 9110, section 11.1: the name of the scheme is case-insensitive; Prism compares it exactly.';
const ONE_FIELD =
  'RFC 9110, section 5.3: Authorization is no list and is sent once; Prism sees the values joined.';
const PLANT_ONLY = 'Interface, Resources, rule 1: the successful response has only the fields of Plant.';
const STATUSES =
  'Interface, Endpoints: the documented statuses are 200 and 400; Prism merely warns of others.';
const ERROR_BODY =
  'Interface, Errors, rule 1: an error body has both fields; Prism reads no body of an undocumented status.';
const ENDPOINT =
  'Interface, Endpoints: the operation is POST {base_url}/plants; Prism leaves that to its router.';

const REQUESTS: readonly Row<PlainRequest>[] = [
  ['a plain request', body(NEW_PLANT), '', ''],
  ['a tag', body('{"name":"Aloe","id":7,"tag":"a"}'), '', ''],
  ['a value', body({ name: 'Aloe', id: 7n }), '', ''],
  ['bytes', body(Buffer.from(NEW_PLANT)), '', ''],
  ['an empty name', body('{"name":"","id":7}'), '', ''],
  ['an unknown field', body('{"name":"Aloe","id":7,"x":1}'), '', ''],
  ['a repeated id', body('{"name":"Aloe","id":"x","id":7}'), '', ''],
  ['a lone surrogate', body('{"name":"\\ud800","id":7}'), '', ''],
  ['no name', body('{"id":7}'), 'required', 'error:required'],
  ['no id', body(PLANT), 'required', 'error:required'],
  ['an empty object', body('{}'), 'required required', 'error:required error:required'],
  ['a null tag', body('{"name":"Aloe","id":7,"tag":null}'), 'type', 'error:type'],
  ['a number as name', body('{"name":7,"id":7}'), 'type', 'error:type'],
  [
    'three wrong types',
    body('{"name":1,"id":"x","tag":null}'),
    'int64 type type',
    'error:type error:type error:type',
  ],
  [
    'the fields in __proto__',
    body('{"__proto__":{"name":"Aloe","id":7}}'),
    'required required',
    'error:required error:required',
  ],

  ['an id of 0', withId('0'), '', ''],
  ['a negative id', withId('-1'), '', ''],
  ['an id written 7.0', withId('7.0'), '', ''],
  ['an id written 7e0', withId('7e0'), '', ''],
  ['an id of 2^53 - 1', withId('9007199254740991'), '', ''],
  ['an id of 2^53', withId('9007199254740992'), '', 'error:maximum', INT64],
  ['an id of 2^53 + 1', withId('9007199254740993'), '', 'error:maximum', INT64],
  ['an id of 2^63 - 1', withId('9223372036854775807'), '', 'error:maximum', INT64],
  ['an id of 2^63 - 1 as a bigint', body({ name: 'Aloe', id: 2n ** 63n - 1n }), '', 'error:maximum', INT64],
  ['an id of -2^53', withId('-9007199254740992'), '', 'error:minimum', INT64],
  ['an id of -2^63', withId('-9223372036854775808'), '', 'error:minimum', INT64],
  ['an id of 2^63', withId('9223372036854775808'), 'int64', 'error:maximum'],
  ['an id below -2^63', withId('-9223372036854775809'), 'int64', 'error:minimum'],
  ['an id of 20 digits', withId('12345678901234567890'), 'int64', 'error:maximum'],
  ['an id of 1e400', withId('1e400'), 'int64', 'error:format error:maximum'],
  ['an id of 1.5', withId('1.5'), 'int64', 'error:format error:type'],
  ['an id in quotes', withId('"7"'), 'int64', 'error:type'],
  ['a null id', withId('null'), 'int64', 'error:type'],
  ['an id a hair more than 7', withId('7.0000000000000000000001'), 'int64', '', EXACT],
  ['an id of 1e-400', withId('1e-400'), 'int64', '', EXACT],

  ['no body', body(undefined), 'required', 'error:required'],
  ['an empty body', body(''), 'required', 'error:required'],
  ['an array', body('[]'), 'type', 'error:type'],
  ['a text', body('"Aloe"'), 'type', 'error:type'],
  ['a number', body('7'), 'type', 'error:type'],
  // Prism takes every falsy body for a missing one.
  ['null', body('null'), 'type', 'error:required'],
  ['false', body('false'), 'type', 'error:required'],
  ['zero', body('0'), 'type', 'error:required'],
  ['an empty text', body('""'), 'type', 'error:required'],
  ['malformed JSON', body('{"name":'), 'json', 'error:json'],
  ['single quotes', body("{'name':'Aloe','id':7}"), 'json', 'error:json'],
  ['a trailing comma', body('{"name":"Aloe","id":7,}'), 'json', 'error:json'],
  ['a byte-order mark', body(`\ufeff${NEW_PLANT}`), 'json', 'error:json'],
  ['a name in Latin-1', body(Buffer.from('{"name":"Alo\xe9","id":7}', 'latin1')), 'json', '', UTF8],
  [
    'an unknown field that nests 600 levels deep',
    body(`{"name":"Aloe","id":7,"x":${'['.repeat(600)}${']'.repeat(600)}}`),
    'json',
    '',
    'Interface, Limits: no size limit is shown; ours of 500 levels is its own, as RFC 8259, section 9, allows.',
    'prism',
  ],

  ['no Authorization', { headers: JSON_TYPE, body: NEW_PLANT }, 'bearer', 'error:bearer'],
  ['an empty Authorization', bearing(''), 'bearer', 'error:bearer'],
  ['Basic', bearing('Basic YTpi'), 'bearer', 'error:bearer'],
  ['the scheme alone', bearing('Bearer'), 'bearer', 'error:bearer'],
  ['the token alone', bearing('abc'), 'bearer', 'error:bearer'],
  ['no space', bearing('Bearerabc'), 'bearer', 'error:bearer'],
  ['two spaces before the token', bearing('Bearer  abc'), '', ''],
  // Prism looks up lower-case names only.
  [
    'Authorization with a capital',
    {
      headers: { Authorization: 'Bearer abc', 'Content-Type': 'application/json' },
      body: NEW_PLANT,
    },
    '',
    '',
  ],
  ['bearer', bearing('bearer abc'), '', 'error:bearer', SCHEME],
  ['BEARER', bearing('BEARER abc'), '', 'error:bearer', SCHEME],
  ['two spaces', bearing('Bearer  '), 'bearer', '', GRAMMAR],
  ['three tokens', bearing('Bearer a b c'), 'bearer', '', GRAMMAR],
  ['a tab', bearing('Bearer\tabc'), 'bearer', '', GRAMMAR],
  ['a quoted token', bearing('Bearer "abc"'), 'bearer', '', GRAMMAR],
  ['a token with = inside', bearing('Bearer a=b'), 'bearer', '', GRAMMAR],
  ['two Authorization headers', bearing(['Bearer abc', 'Bearer def']), 'bearer', '', ONE_FIELD],

  ['a charset', typed('application/json; charset=utf-8'), '', ''],
  ['another charset', typed('application/json; charset=utf-16'), '', ''],
  ['a Content-Type in capitals', typed('APPLICATION/JSON'), '', ''],
  ['a semicolon at the end', typed('application/json;'), '', ''],
  ['application/problem+json', typed('application/problem+json'), 'media-type', '', MEDIA_TYPE],
  ['application/vnd.api+json', typed('application/vnd.api+json'), 'media-type', '', MEDIA_TYPE],
  ['text/plain', typed('text/plain'), 'media-type', 'error:media-type'],
  ['text/json', typed('text/json'), 'media-type', 'error:media-type'],
  ['a range for a type', typed('*/*'), 'media-type', 'error:media-type'],
  // Prism itself throws on this one.
  ['json', typed('json'), 'media-type', 'error:media-type'],
  ['two Content-Types', typed(['application/json', 'application/json']), 'media-type', 'error:media-type'],
  // Prism reads such a body as text, and a text is no object.
  [
    'no Content-Type',
    { headers: { authorization: 'Bearer abc' }, body: NEW_PLANT },
    'media-type',
    'error:type',
  ],
  [
    'a form',
    typed('application/x-www-form-urlencoded', 'name=Aloe&id=7'),
    'json media-type',
    'error:media-type',
  ],
  ['GET', { ...body(NEW_PLANT), method: 'GET' }, 'method', '', ENDPOINT],
  ['another path', { ...body(NEW_PLANT), url: '/flowers' }, 'path', '', ENDPOINT],
  ['a query', { ...body(NEW_PLANT), url: '/plants?x=1' }, '', ''],
  ['a base URL', { ...body(NEW_PLANT), url: 'https://host/v1/plants' }, '', ''],
  [
    'everything wrong',
    { headers: JSON_TYPE, body: '{"id":true}' },
    'bearer int64 required',
    'error:bearer error:required error:type',
  ],
];

const RESPONSES: readonly Row<PlainResponse>[] = [
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
    'error:media-type',
    'RFC 9110, section 5.6.6: a parameter may be left out after a semicolon.',
  ],
  ['200 with the id', answer(200, NEW_PLANT), 'additionalProperties', '', PLANT_ONLY],
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
  ['200 without a name', answer(200, '{"tag":"a"}'), 'required', 'error:required'],
  ['200 with a number as name', answer(200, '{"name":7}'), 'type', 'error:type'],
  ['200 with a null tag', answer(200, '{"name":"","tag":null}'), 'type', 'error:type'],
  ['200 with an array', answer(200, `[${PLANT}]`), 'type', 'error:type'],
  ['200 with null', answer(200, 'null'), 'type', 'error:type'],
  ['200 with a text', answer(200, '"Aloe"'), 'type', 'error:type'],
  ['200 with 1e400', answer(200, '1e400'), 'type', 'error:type'],
  [
    '200 with an Error',
    answer(200, ERROR),
    'additionalProperties additionalProperties required',
    'error:required',
  ],
  ['200 without a body', answer(200), 'required', 'error:type'],
  ['200 with an empty body', answer(200, ''), 'required', 'error:type'],
  ['200 with malformed JSON', answer(200, '{"name"'), 'json', 'error:json'],
  ['200 with a byte-order mark', answer(200, `\ufeff${PLANT}`), 'json', 'error:json'],
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
  ['200 as text/plain', answer(200, PLANT, of('text/plain')), 'media-type', 'error:media-type error:type'],
  ['200 without a Content-Type', answer(200, PLANT, {}), 'media-type', 'error:media-type error:type'],
  [
    '200 with a page',
    answer(200, '<h1>Aloe</h1>', of('text/html')),
    'json media-type',
    'error:media-type error:type',
  ],
  // Prism itself throws on these two.
  ['200 as json', answer(200, PLANT, of('json')), 'media-type', 'error:media-type'],
  [
    '200 with two Content-Types',
    answer(200, PLANT, { 'content-type': ['application/json', 'text/plain'] }),
    'media-type',
    'error:media-type',
  ],

  ['400 with an Error', answer(400, ERROR), '', ''],
  ['400 with more fields', answer(400, '{"error":3,"message":"","x":1}'), '', ''],
  ['400 with 2^31 - 1', answer(400, '{"error":2147483647,"message":""}'), '', ''],
  ['400 with -2^31', answer(400, '{"error":-2147483648,"message":""}'), '', ''],
  ['400 with 2^31', answer(400, '{"error":2147483648,"message":""}'), 'int32', 'error:format error:maximum'],
  [
    '400 with -2^31 - 1',
    answer(400, '{"error":-2147483649,"message":""}'),
    'int32',
    'error:format error:minimum',
  ],
  ['400 with 1.5', answer(400, '{"error":1.5,"message":""}'), 'int32', 'error:format error:type'],
  ['400 a hair past int32', answer(400, '{"error":2147483647.00000001,"message":""}'), 'int32', '', EXACT],
  ['400 with "3"', answer(400, '{"error":"3","message":""}'), 'int32', 'error:type'],
  ['400 without a message', answer(400, '{"error":3}'), 'required', 'error:required'],
  ['400 without an error', answer(400, '{"message":""}'), 'required', 'error:required'],
  ['400 with a null message', answer(400, '{"error":3,"message":null}'), 'type', 'error:type'],
  ['400 with a Plant', answer(400, PLANT), 'required required', 'error:required error:required'],
  ['400 with an array', answer(400, `[${ERROR}]`), 'type', 'error:type'],
  ['400 with an empty body', answer(400, ''), 'required', 'error:type'],
  [
    '400 with a page',
    answer(400, '<h1>Bad Request</h1>', of('text/html')),
    'json media-type',
    'error:media-type error:type',
  ],
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
    'error:required error:required',
  ],

  ['201', answer(201, PLANT), 'status', 'error:status'],
  ['202', answer(202, undefined, {}), 'status', 'error:status'],
  ['204', answer(204, undefined, {}), 'status', 'error:status'],
  ['301', answer(301, undefined, { location: '/' }), 'status', 'warning:status', STATUSES],
  ['304', answer(304, undefined, {}), 'status', 'warning:status', STATUSES],
  // Which 4xx a rejection has is not shown: neither reports the status.
  ['401 with an Error', answer(401, ERROR), '', 'warning:status'],
  ['404 with an Error', answer(404, ERROR), '', 'warning:status'],
  ['415 with an Error', answer(415, ERROR), '', 'warning:status'],
  [
    '401 with a problem',
    answer(401, PROBLEM, of('application/problem+json')),
    'media-type required required',
    'warning:status',
    ERROR_BODY,
  ],
  ['404 without a message', answer(404, '{"error":404}'), 'required', 'warning:status', ERROR_BODY],
  [
    '404 with a page',
    answer(404, '<h1>Not Found</h1>', of('text/html')),
    'json media-type',
    'warning:status',
    ERROR_BODY,
  ],
  ['401 without a body', answer(401, undefined, {}), '', 'warning:status'],
  ['413 with a page', answer(413, '<h1>Too Large</h1>', of('text/html')), '', 'warning:status'],
  ['422 with 2^31', answer(422, '{"error":2147483648,"message":""}'), 'int32', 'warning:status', ERROR_BODY],
  ['500 with an Error', answer(500, ERROR), 'status', 'warning:status', STATUSES],
  ['500 with a page', answer(500, '<h1>Oops</h1>', of('text/html')), 'status', 'warning:status', STATUSES],
];

function opinion<Message>([name, message, ours, prism, why, right = 'ours']: Row<Message>) {
  const wordsIn = (text: string): string[] => text.split(' ').filter((word) => word !== '');
  const reason = why === undefined ? {} : { right, why };
  return { message, about: { name, ours: wordsIn(ours), prism: wordsIn(prism), ...reason } };
}

/** Every message on which the two are compared. */
export const OPINIONS: readonly Opinion[] = [
  ...REQUESTS.map(opinion).map(({ message, about }) => ({ ...about, request: message })),
  ...RESPONSES.map(opinion).map(({ message, about }) => ({ ...about, response: message })),
];
