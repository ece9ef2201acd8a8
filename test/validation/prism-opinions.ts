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

const REQUESTS: readonly Opinion[] = [
  { name: 'a plain request', request: body(NEW_PLANT), ours: [], prism: [] },
  { name: 'a tag', request: body('{"name":"Aloe","id":7,"tag":"a"}'), ours: [], prism: [] },
  { name: 'a value', request: body({ name: 'Aloe', id: 7n }), ours: [], prism: [] },
  { name: 'bytes', request: body(Buffer.from(NEW_PLANT)), ours: [], prism: [] },
  { name: 'an empty name', request: body('{"name":"","id":7}'), ours: [], prism: [] },
  { name: 'an unknown field', request: body('{"name":"Aloe","id":7,"x":1}'), ours: [], prism: [] },
  { name: 'a repeated id', request: body('{"name":"Aloe","id":"x","id":7}'), ours: [], prism: [] },
  { name: 'a lone surrogate', request: body('{"name":"\\ud800","id":7}'), ours: [], prism: [] },
  { name: 'no name', request: body('{"id":7}'), ours: ['required'], prism: ['error:required'] },
  { name: 'no id', request: body(PLANT), ours: ['required'], prism: ['error:required'] },
  {
    name: 'an empty object',
    request: body('{}'),
    ours: ['required', 'required'],
    prism: ['error:required', 'error:required'],
  },
  {
    name: 'a null tag',
    request: body('{"name":"Aloe","id":7,"tag":null}'),
    ours: ['type'],
    prism: ['error:type'],
  },
  { name: 'a number as name', request: body('{"name":7,"id":7}'), ours: ['type'], prism: ['error:type'] },
  {
    name: 'three wrong types',
    request: body('{"name":1,"id":"x","tag":null}'),
    ours: ['int64', 'type', 'type'],
    prism: ['error:type', 'error:type', 'error:type'],
  },
  {
    name: 'the fields in __proto__',
    request: body('{"__proto__":{"name":"Aloe","id":7}}'),
    ours: ['required', 'required'],
    prism: ['error:required', 'error:required'],
  },

  { name: 'an id of 0', request: withId('0'), ours: [], prism: [] },
  { name: 'a negative id', request: withId('-1'), ours: [], prism: [] },
  { name: 'an id written 7.0', request: withId('7.0'), ours: [], prism: [] },
  { name: 'an id written 7e0', request: withId('7e0'), ours: [], prism: [] },
  { name: 'an id of 2^53 - 1', request: withId('9007199254740991'), ours: [], prism: [] },
  {
    name: 'an id of 2^53',
    request: withId('9007199254740992'),
    ours: [],
    prism: ['error:maximum'],
    right: 'ours',
    why: INT64,
  },
  {
    name: 'an id of 2^53 + 1',
    request: withId('9007199254740993'),
    ours: [],
    prism: ['error:maximum'],
    right: 'ours',
    why: INT64,
  },
  {
    name: 'an id of 2^63 - 1',
    request: withId('9223372036854775807'),
    ours: [],
    prism: ['error:maximum'],
    right: 'ours',
    why: INT64,
  },
  {
    name: 'an id of 2^63 - 1 as a bigint',
    request: body({ name: 'Aloe', id: 2n ** 63n - 1n }),
    ours: [],
    prism: ['error:maximum'],
    right: 'ours',
    why: INT64,
  },
  {
    name: 'an id of -2^53',
    request: withId('-9007199254740992'),
    ours: [],
    prism: ['error:minimum'],
    right: 'ours',
    why: INT64,
  },
  {
    name: 'an id of -2^63',
    request: withId('-9223372036854775808'),
    ours: [],
    prism: ['error:minimum'],
    right: 'ours',
    why: INT64,
  },
  {
    name: 'an id of 2^63',
    request: withId('9223372036854775808'),
    ours: ['int64'],
    prism: ['error:maximum'],
  },
  {
    name: 'an id below -2^63',
    request: withId('-9223372036854775809'),
    ours: ['int64'],
    prism: ['error:minimum'],
  },
  {
    name: 'an id of 20 digits',
    request: withId('12345678901234567890'),
    ours: ['int64'],
    prism: ['error:maximum'],
  },
  {
    name: 'an id of 1e400',
    request: withId('1e400'),
    ours: ['int64'],
    prism: ['error:format', 'error:maximum'],
  },
  { name: 'an id of 1.5', request: withId('1.5'), ours: ['int64'], prism: ['error:format', 'error:type'] },
  { name: 'an id in quotes', request: withId('"7"'), ours: ['int64'], prism: ['error:type'] },
  { name: 'a null id', request: withId('null'), ours: ['int64'], prism: ['error:type'] },
  {
    name: 'an id a hair more than 7',
    request: withId('7.0000000000000000000001'),
    ours: ['int64'],
    prism: [],
    right: 'ours',
    why: EXACT,
  },
  {
    name: 'an id of 1e-400',
    request: withId('1e-400'),
    ours: ['int64'],
    prism: [],
    right: 'ours',
    why: EXACT,
  },

  { name: 'no body', request: body(undefined), ours: ['required'], prism: ['error:required'] },
  { name: 'an empty body', request: body(''), ours: ['required'], prism: ['error:required'] },
  { name: 'an array', request: body('[]'), ours: ['type'], prism: ['error:type'] },
  { name: 'a text', request: body('"Aloe"'), ours: ['type'], prism: ['error:type'] },
  { name: 'a number', request: body('7'), ours: ['type'], prism: ['error:type'] },
  // Prism takes every falsy body for a missing one.
  { name: 'null', request: body('null'), ours: ['type'], prism: ['error:required'] },
  { name: 'false', request: body('false'), ours: ['type'], prism: ['error:required'] },
  { name: 'zero', request: body('0'), ours: ['type'], prism: ['error:required'] },
  { name: 'an empty text', request: body('""'), ours: ['type'], prism: ['error:required'] },
  { name: 'malformed JSON', request: body('{"name":'), ours: ['json'], prism: ['error:json'] },
  { name: 'single quotes', request: body("{'name':'Aloe','id':7}"), ours: ['json'], prism: ['error:json'] },
  {
    name: 'a trailing comma',
    request: body('{"name":"Aloe","id":7,}'),
    ours: ['json'],
    prism: ['error:json'],
  },
  { name: 'a byte-order mark', request: body(`\ufeff${NEW_PLANT}`), ours: ['json'], prism: ['error:json'] },
  {
    name: 'a name in Latin-1',
    request: body(Buffer.from('{"name":"Alo\xe9","id":7}', 'latin1')),
    ours: ['json'],
    prism: [],
    right: 'ours',
    why: UTF8,
  },
  {
    name: 'an unknown field that nests 600 levels deep',
    request: body(`{"name":"Aloe","id":7,"x":${'['.repeat(600)}${']'.repeat(600)}}`),
    ours: ['json'],
    prism: [],
    right: 'prism',
    why: 'Interface, Limits: no size limit is shown; ours of 500 levels is its own, as RFC 8259, section 9, allows.',
  },

  {
    name: 'no Authorization',
    request: { headers: JSON_TYPE, body: NEW_PLANT },
    ours: ['bearer'],
    prism: ['error:bearer'],
  },
  { name: 'an empty Authorization', request: bearing(''), ours: ['bearer'], prism: ['error:bearer'] },
  { name: 'Basic', request: bearing('Basic YTpi'), ours: ['bearer'], prism: ['error:bearer'] },
  { name: 'the scheme alone', request: bearing('Bearer'), ours: ['bearer'], prism: ['error:bearer'] },
  { name: 'the token alone', request: bearing('abc'), ours: ['bearer'], prism: ['error:bearer'] },
  { name: 'no space', request: bearing('Bearerabc'), ours: ['bearer'], prism: ['error:bearer'] },
  { name: 'two spaces before the token', request: bearing('Bearer  abc'), ours: [], prism: [] },
  {
    name: 'Authorization with a capital',
    request: {
      headers: { Authorization: 'Bearer abc', 'Content-Type': 'application/json' },
      body: NEW_PLANT,
    },
    ours: [],
    // Prism looks up lower-case names only.
    prism: [],
  },
  {
    name: 'bearer',
    request: bearing('bearer abc'),
    ours: [],
    prism: ['error:bearer'],
    right: 'ours',
    why: SCHEME,
  },
  {
    name: 'BEARER',
    request: bearing('BEARER abc'),
    ours: [],
    prism: ['error:bearer'],
    right: 'ours',
    why: SCHEME,
  },
  {
    name: 'two spaces',
    request: bearing('Bearer  '),
    ours: ['bearer'],
    prism: [],
    right: 'ours',
    why: GRAMMAR,
  },
  {
    name: 'three tokens',
    request: bearing('Bearer a b c'),
    ours: ['bearer'],
    prism: [],
    right: 'ours',
    why: GRAMMAR,
  },
  {
    name: 'a tab',
    request: bearing('Bearer\tabc'),
    ours: ['bearer'],
    prism: [],
    right: 'ours',
    why: GRAMMAR,
  },
  {
    name: 'a quoted token',
    request: bearing('Bearer "abc"'),
    ours: ['bearer'],
    prism: [],
    right: 'ours',
    why: GRAMMAR,
  },
  {
    name: 'a token with = inside',
    request: bearing('Bearer a=b'),
    ours: ['bearer'],
    prism: [],
    right: 'ours',
    why: GRAMMAR,
  },
  {
    name: 'two Authorization headers',
    request: bearing(['Bearer abc', 'Bearer def']),
    ours: ['bearer'],
    prism: [],
    right: 'ours',
    why: ONE_FIELD,
  },

  { name: 'a charset', request: typed('application/json; charset=utf-8'), ours: [], prism: [] },
  { name: 'another charset', request: typed('application/json; charset=utf-16'), ours: [], prism: [] },
  { name: 'a Content-Type in capitals', request: typed('APPLICATION/JSON'), ours: [], prism: [] },
  { name: 'a semicolon at the end', request: typed('application/json;'), ours: [], prism: [] },
  {
    name: 'application/problem+json',
    request: typed('application/problem+json'),
    ours: ['media-type'],
    prism: [],
    right: 'ours',
    why: MEDIA_TYPE,
  },
  {
    name: 'application/vnd.api+json',
    request: typed('application/vnd.api+json'),
    ours: ['media-type'],
    prism: [],
    right: 'ours',
    why: MEDIA_TYPE,
  },
  { name: 'text/plain', request: typed('text/plain'), ours: ['media-type'], prism: ['error:media-type'] },
  { name: 'text/json', request: typed('text/json'), ours: ['media-type'], prism: ['error:media-type'] },
  { name: 'a range for a type', request: typed('*/*'), ours: ['media-type'], prism: ['error:media-type'] },
  // Prism itself throws on this one.
  { name: 'json', request: typed('json'), ours: ['media-type'], prism: ['error:media-type'] },
  {
    name: 'two Content-Types',
    request: typed(['application/json', 'application/json']),
    ours: ['media-type'],
    prism: ['error:media-type'],
  },
  {
    name: 'no Content-Type',
    request: { headers: { authorization: 'Bearer abc' }, body: NEW_PLANT },
    ours: ['media-type'],
    // Prism reads such a body as text, and a text is no object.
    prism: ['error:type'],
  },
  {
    name: 'a form',
    request: typed('application/x-www-form-urlencoded', 'name=Aloe&id=7'),
    ours: ['json', 'media-type'],
    prism: ['error:media-type'],
  },
  {
    name: 'GET',
    request: { ...body(NEW_PLANT), method: 'GET' },
    ours: ['method'],
    prism: [],
    right: 'ours',
    why: ENDPOINT,
  },
  {
    name: 'another path',
    request: { ...body(NEW_PLANT), url: '/flowers' },
    ours: ['path'],
    prism: [],
    right: 'ours',
    why: ENDPOINT,
  },
  { name: 'a query', request: { ...body(NEW_PLANT), url: '/plants?x=1' }, ours: [], prism: [] },
  { name: 'a base URL', request: { ...body(NEW_PLANT), url: 'https://host/v1/plants' }, ours: [], prism: [] },
  {
    name: 'everything wrong',
    request: { headers: JSON_TYPE, body: '{"id":true}' },
    ours: ['bearer', 'int64', 'required'],
    prism: ['error:bearer', 'error:required', 'error:type'],
  },
];

const RESPONSES: readonly Opinion[] = [
  { name: '200 with a Plant', response: answer(200, PLANT), ours: [], prism: [] },
  { name: '200 with a tag', response: answer(200, '{"name":"Aloe","tag":"a"}'), ours: [], prism: [] },
  { name: '200 with an empty name', response: answer(200, '{"name":""}'), ours: [], prism: [] },
  {
    name: '200 with a repeated name',
    response: answer(200, '{"name":7,"name":"Aloe"}'),
    ours: [],
    prism: [],
  },
  {
    name: '200 with a charset',
    response: answer(200, PLANT, of('application/json; charset=utf-8')),
    ours: [],
    prism: [],
  },
  {
    name: '200 in capitals',
    response: answer(200, PLANT, { 'Content-Type': 'APPLICATION/JSON' }),
    ours: [],
    prism: [],
  },
  {
    name: '200 with a semicolon after the type',
    response: answer(200, PLANT, of('application/json;')),
    ours: [],
    prism: ['error:media-type'],
    right: 'ours',
    why: 'RFC 9110, section 5.6.6: a parameter may be left out after a semicolon.',
  },
  {
    name: '200 with the id',
    response: answer(200, NEW_PLANT),
    ours: ['additionalProperties'],
    prism: [],
    right: 'ours',
    why: PLANT_ONLY,
  },
  {
    name: '200 with another field',
    response: answer(200, '{"name":"Aloe","colour":null}'),
    ours: ['additionalProperties'],
    prism: [],
    right: 'ours',
    why: PLANT_ONLY,
  },
  {
    name: '200 with __proto__',
    response: answer(200, '{"name":"Aloe","__proto__":{}}'),
    ours: ['additionalProperties'],
    prism: [],
    right: 'ours',
    why: PLANT_ONLY,
  },
  {
    name: '200 without a name',
    response: answer(200, '{"tag":"a"}'),
    ours: ['required'],
    prism: ['error:required'],
  },
  {
    name: '200 with a number as name',
    response: answer(200, '{"name":7}'),
    ours: ['type'],
    prism: ['error:type'],
  },
  {
    name: '200 with a null tag',
    response: answer(200, '{"name":"","tag":null}'),
    ours: ['type'],
    prism: ['error:type'],
  },
  { name: '200 with an array', response: answer(200, `[${PLANT}]`), ours: ['type'], prism: ['error:type'] },
  { name: '200 with null', response: answer(200, 'null'), ours: ['type'], prism: ['error:type'] },
  { name: '200 with a text', response: answer(200, '"Aloe"'), ours: ['type'], prism: ['error:type'] },
  { name: '200 with 1e400', response: answer(200, '1e400'), ours: ['type'], prism: ['error:type'] },
  {
    name: '200 with an Error',
    response: answer(200, ERROR),
    ours: ['additionalProperties', 'additionalProperties', 'required'],
    prism: ['error:required'],
  },
  { name: '200 without a body', response: answer(200), ours: ['required'], prism: ['error:type'] },
  { name: '200 with an empty body', response: answer(200, ''), ours: ['required'], prism: ['error:type'] },
  {
    name: '200 with malformed JSON',
    response: answer(200, '{"name"'),
    ours: ['json'],
    prism: ['error:json'],
  },
  {
    name: '200 with a byte-order mark',
    response: answer(200, `\ufeff${PLANT}`),
    ours: ['json'],
    prism: ['error:json'],
  },
  {
    name: '200 with a name in Latin-1',
    response: answer(200, Buffer.from('{"name":"Alo\xe9"}', 'latin1')),
    ours: ['json'],
    prism: [],
    right: 'ours',
    why: UTF8,
  },
  {
    name: '200 as application/problem+json',
    response: answer(200, PLANT, of('application/problem+json')),
    ours: ['media-type'],
    prism: [],
    right: 'ours',
    why: MEDIA_TYPE,
  },
  {
    name: '200 as application/vnd.api+json',
    response: answer(200, PLANT, of('application/vnd.api+json')),
    ours: ['media-type'],
    prism: [],
    right: 'ours',
    why: MEDIA_TYPE,
  },
  // Read as text, which is no object either.
  {
    name: '200 as text/plain',
    response: answer(200, PLANT, of('text/plain')),
    ours: ['media-type'],
    prism: ['error:media-type', 'error:type'],
  },
  {
    name: '200 without a Content-Type',
    response: answer(200, PLANT, {}),
    ours: ['media-type'],
    prism: ['error:media-type', 'error:type'],
  },
  {
    name: '200 with a page',
    response: answer(200, '<h1>Aloe</h1>', of('text/html')),
    ours: ['json', 'media-type'],
    prism: ['error:media-type', 'error:type'],
  },
  // Prism itself throws on these two.
  {
    name: '200 as json',
    response: answer(200, PLANT, of('json')),
    ours: ['media-type'],
    prism: ['error:media-type'],
  },
  {
    name: '200 with two Content-Types',
    response: answer(200, PLANT, { 'content-type': ['application/json', 'text/plain'] }),
    ours: ['media-type'],
    prism: ['error:media-type'],
  },

  { name: '400 with an Error', response: answer(400, ERROR), ours: [], prism: [] },
  {
    name: '400 with more fields',
    response: answer(400, '{"error":3,"message":"","x":1}'),
    ours: [],
    prism: [],
  },
  {
    name: '400 with 2^31 - 1',
    response: answer(400, '{"error":2147483647,"message":""}'),
    ours: [],
    prism: [],
  },
  {
    name: '400 with -2^31',
    response: answer(400, '{"error":-2147483648,"message":""}'),
    ours: [],
    prism: [],
  },
  {
    name: '400 with 2^31',
    response: answer(400, '{"error":2147483648,"message":""}'),
    ours: ['int32'],
    prism: ['error:format', 'error:maximum'],
  },
  {
    name: '400 with -2^31 - 1',
    response: answer(400, '{"error":-2147483649,"message":""}'),
    ours: ['int32'],
    prism: ['error:format', 'error:minimum'],
  },
  {
    name: '400 with 1.5',
    response: answer(400, '{"error":1.5,"message":""}'),
    ours: ['int32'],
    prism: ['error:format', 'error:type'],
  },
  {
    name: '400 a hair past int32',
    response: answer(400, '{"error":2147483647.00000001,"message":""}'),
    ours: ['int32'],
    prism: [],
    right: 'ours',
    why: EXACT,
  },
  {
    name: '400 with "3"',
    response: answer(400, '{"error":"3","message":""}'),
    ours: ['int32'],
    prism: ['error:type'],
  },
  {
    name: '400 without a message',
    response: answer(400, '{"error":3}'),
    ours: ['required'],
    prism: ['error:required'],
  },
  {
    name: '400 without an error',
    response: answer(400, '{"message":""}'),
    ours: ['required'],
    prism: ['error:required'],
  },
  {
    name: '400 with a null message',
    response: answer(400, '{"error":3,"message":null}'),
    ours: ['type'],
    prism: ['error:type'],
  },
  {
    name: '400 with a Plant',
    response: answer(400, PLANT),
    ours: ['required', 'required'],
    prism: ['error:required', 'error:required'],
  },
  { name: '400 with an array', response: answer(400, `[${ERROR}]`), ours: ['type'], prism: ['error:type'] },
  { name: '400 with an empty body', response: answer(400, ''), ours: ['required'], prism: ['error:type'] },
  {
    name: '400 with a page',
    response: answer(400, '<h1>Bad Request</h1>', of('text/html')),
    ours: ['json', 'media-type'],
    prism: ['error:media-type', 'error:type'],
  },
  {
    name: '400 with an Error as application/problem+json',
    response: answer(400, ERROR, of('application/problem+json')),
    ours: ['media-type'],
    prism: [],
    right: 'ours',
    why: MEDIA_TYPE,
  },
  {
    name: '400 with a problem',
    response: answer(400, PROBLEM, of('application/problem+json')),
    ours: ['media-type', 'required', 'required'],
    prism: ['error:required', 'error:required'],
  },

  { name: '201', response: answer(201, PLANT), ours: ['status'], prism: ['error:status'] },
  { name: '202', response: answer(202, undefined, {}), ours: ['status'], prism: ['error:status'] },
  { name: '204', response: answer(204, undefined, {}), ours: ['status'], prism: ['error:status'] },
  {
    name: '301',
    response: answer(301, undefined, { location: '/' }),
    ours: ['status'],
    prism: ['warning:status'],
    right: 'ours',
    why: STATUSES,
  },
  {
    name: '304',
    response: answer(304, undefined, {}),
    ours: ['status'],
    prism: ['warning:status'],
    right: 'ours',
    why: STATUSES,
  },
  // Which 4xx a rejection has is not shown: neither reports the status.
  { name: '401 with an Error', response: answer(401, ERROR), ours: [], prism: ['warning:status'] },
  { name: '404 with an Error', response: answer(404, ERROR), ours: [], prism: ['warning:status'] },
  { name: '415 with an Error', response: answer(415, ERROR), ours: [], prism: ['warning:status'] },
  {
    name: '401 with a problem',
    response: answer(401, PROBLEM, of('application/problem+json')),
    ours: ['media-type', 'required', 'required'],
    prism: ['warning:status'],
    right: 'ours',
    why: ERROR_BODY,
  },
  {
    name: '404 without a message',
    response: answer(404, '{"error":404}'),
    ours: ['required'],
    prism: ['warning:status'],
    right: 'ours',
    why: ERROR_BODY,
  },
  {
    name: '404 with a page',
    response: answer(404, '<h1>Not Found</h1>', of('text/html')),
    ours: ['json', 'media-type'],
    prism: ['warning:status'],
    right: 'ours',
    why: ERROR_BODY,
  },
  {
    name: '413 without a body',
    response: answer(413, undefined, {}),
    ours: ['media-type', 'required'],
    prism: ['warning:status'],
    right: 'ours',
    why: ERROR_BODY,
  },
  {
    name: '422 with 2^31',
    response: answer(422, '{"error":2147483648,"message":""}'),
    ours: ['int32'],
    prism: ['warning:status'],
    right: 'ours',
    why: ERROR_BODY,
  },
  {
    name: '500 with an Error',
    response: answer(500, ERROR),
    ours: ['status'],
    prism: ['warning:status'],
    right: 'ours',
    why: STATUSES,
  },
  {
    name: '500 with a page',
    response: answer(500, '<h1>Oops</h1>', of('text/html')),
    ours: ['json', 'media-type', 'status'],
    prism: ['warning:status'],
    right: 'ours',
    why: STATUSES,
  },
];

/** Every message on which the two are compared. */
export const OPINIONS: readonly Opinion[] = [...REQUESTS, ...RESPONSES];
