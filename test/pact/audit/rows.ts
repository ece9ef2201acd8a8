import { ANY_REJECTION, type InteractionPatch, type MessagePatch, matchers } from './one-interaction.js';

/** One pact with one interaction, and the expected problems: each is a kind, and its place. */
export type Row = readonly [title: string, patch: InteractionPatch, problems: readonly string[]];

const TYPE = matchers({ match: 'type' });
const INTEGER = matchers({ match: 'integer' });
const LOOSE_ERROR = { body: { '$.error': INTEGER, '$.message': TYPE } };
const REJECTION = { status: 400, body: { error: 1, message: 'rejected' }, matchingRules: LOOSE_ERROR };
/** A rule of the status: a class of statuses, or a list. */
const statusBy = (status: string | number[]) => ({ status: matchers({ match: 'statusCode', status }) });
const NO_TOKEN = { headers: { Authorization: undefined } };
const NO_PLANT = { name: 'no plant with id', params: { id: 7 } };
const PLANT_EXISTS = { name: 'a plant with id exists', params: { id: 7, name: 'Aloe' } };
const TOKEN_NOT_VALID = { name: 'the token is not valid', params: { token: 'example' } };

/** A body of V4 that is kept as text, to the letter. */
const asText = (content: string) => ({ content, contentType: 'application/json', encoded: 'JSON' });

/** A generator that takes a value from what the set-up of a provider state gives. */
const fromState = (name: string) => ({ type: 'ProviderState', expression: `\${${name}}` });

/** A rejection with any 4xx, in V4. */
const rejected = (patch: InteractionPatch) =>
  ({ version: '4.0', response: ANY_REJECTION, ...patch }) as const;

/** A rejection of a request without a token. */
const withoutToken = (response: MessagePatch) => ({
  request: NO_TOKEN,
  response: { ...REJECTION, ...response },
});

/** Pacts without a problem, by what they are about. */
const GOOD: Readonly<Record<string, InteractionPatch>> = {
  'a plain creation in V2': { version: '2.0.0', state: 'there is room' },
  'a plain creation in V3': { states: [NO_PLANT] },
  'a plain creation in V4': { version: '4.0', states: [NO_PLANT] },
  'a creation with a tag, names by type in V2': {
    version: '2.0.0',
    request: { body: { name: 'Aloe', id: 7, tag: 'succulent' } },
    response: {
      body: { name: 'Fern', tag: 'indoor' },
      matchingRules: { '$.body.name': { match: 'type' }, "$.body['tag']": { match: 'type' } },
    },
  },
  'a whole body by type in V3': {
    response: { body: { name: 'Fern' }, matchingRules: { body: { $: TYPE } } },
  },
  'a base URL with a path of its own': { request: { path: '/v1/plants' } },
  'any success': { version: '4.0', response: { status: 201, matchingRules: statusBy('success') } },
  'a list of statuses with the documented one in it': {
    version: '4.0',
    request: NO_TOKEN,
    response: { ...REJECTION, status: 401, matchingRules: { ...LOOSE_ERROR, ...statusBy([400, 401]) } },
  },
  'the upper end of int64': { request: { body: { name: 'Aloe', id: 9223372036854775807n } } },
  'an exact id in a body that is written as a string in V4': {
    version: '4.0',
    request: { body: asText('{"name":"Aloe","id":9007199254740993}') },
  },
  'an id and a name from the provider state': {
    version: '4.0',
    states: [NO_PLANT],
    request: {
      body: { name: 'Aloe', id: 'from the state' },
      generators: { body: { '$.id': fromState('id') } },
    },
    response: { body: { name: 'another' }, generators: { body: { '$.name': fromState('name') } } },
  },
  'a token from the provider state': {
    request: {
      headers: { Authorization: 'put in later' },
      generators: { header: { Authorization: fromState('token') } },
    },
  },
  'a response of which only a part is used': {
    request: { body: { name: 'Aloe', id: 7, tag: 'succulent' } },
    response: { body: { tag: 'succulent' } },
  },
  'a rejection of an id past the end of int64': rejected({
    request: { body: { name: 'Aloe', id: 9223372036854775808n } },
  }),
  'a rejection without a token': rejected({ request: NO_TOKEN }),
  'a rejection of a token that the state calls invalid': rejected({ states: [TOKEN_NOT_VALID] }),
  'a rejection of a token that calls itself wrong': rejected({
    request: { headers: { Authorization: 'Bearer wrong' } },
  }),
  'a rejection that an unknown state may explain': rejected({ states: [{ name: 'the store is closed' }] }),
  'a success or a failure, either of them': {
    version: '4.0',
    request: { body: { name: 'Aloe' } },
    response: { body: undefined, matchingRules: statusBy([200, 400]) },
  },
  'another id exists than the one that is created': {
    states: [{ name: 'a plant with id exists', params: { id: '8', name: 'Fern' } }],
  },
};

/** What asks for more than the interface promises, by its problems. */
const WRONG: Readonly<Record<string, Readonly<Record<string, InteractionPatch>>>> = {
  'unknown-operation request method': {
    'a list of plants': { request: { method: 'GET', body: undefined }, response: { body: undefined } },
  },
  'unknown-operation request path': {
    'another path': { request: { path: '/plants/' } },
  },
  'no-valid-token request header "authorization"': {
    'a 200 without a token': { request: NO_TOKEN },
    'a 200 with a token that the state calls invalid': { states: [TOKEN_NOT_VALID] },
  },
  'invalid-request request body "name"': {
    'a 200 for a plant without a name': { request: { body: { id: 7 } } },
  },
  'invalid-request request body': {
    'a 200 for a body that is not JSON': { request: { body: '{"name":' } },
  },
  'invalid-request request body "id"': {
    'a 200 for an id that is a string in V4': {
      version: '4.0',
      request: { body: { name: 'Aloe', id: '7' } },
    },
    'a 200 for an id past the end of int64': {
      request: { body: { name: 'Aloe', id: 9223372036854775808n } },
    },
  },
  'invalid-request request body "tag"': {
    'a 200 for a tag that is null': { request: { body: { name: 'Aloe', id: 7, tag: null } } },
  },
  'unknown-field request body "colour"': {
    'a 200 for an unknown field': { request: { body: { name: 'Aloe', id: 7, colour: 'green' } } },
  },
  'not-shown request body "colour"': {
    'a rejection of an unknown field': {
      request: { body: { name: 'Aloe', id: 7, colour: 'green' } },
      response: REJECTION,
    },
  },
  'media-type request header "content-type"': {
    'a 200 for a request without Content-Type': { request: { headers: { 'Content-Type': undefined } } },
  },
  'not-shown request header "content-type"': {
    'a rejection of another media type': rejected({ request: { headers: { 'Content-Type': 'text/plain' } } }),
  },
  'not-shown request body "id"': {
    'a 200 for an id that exists, whichever it will be': {
      states: [{ name: 'a plant with id exists', params: { id: 8 } }],
      request: { generators: { body: { '$.id': fromState('id') } } },
    },
    'a rejection of a duplicate id': { states: [PLANT_EXISTS], response: REJECTION },
  },
  'undocumented-status response status': {
    'a 201': { response: { status: 201 } },
    'a 503 while the store is closed': {
      states: [{ name: 'the store is closed' }],
      response: { ...REJECTION, status: 503 },
    },
  },
  'not-shown response status': {
    'a 401 without a token': withoutToken({ status: 401 }),
  },
  'unknown-field response body "id"': {
    'an id in the response': { response: { body: { name: 'Aloe', id: 7 } } },
  },
  'wrong-body response body "tag"': {
    'a tag of null in the response': { response: { body: { name: 'Aloe', tag: null } } },
  },
  'wrong-body response body "error"': {
    'an error past the end of int32': withoutToken({ body: { error: 2_147_483_648, message: 'rejected' } }),
  },
  'wrong-body response body': {
    'a response that must be empty': { response: { headers: { 'Content-Type': undefined }, body: null } },
  },
  'exact-value response body "name"': {
    'another name than the one that is sent': { response: { body: { name: 'Fern' } } },
  },
  'exact-value response body "tag"': {
    'a tag that was not sent, by type': {
      response: { body: { name: 'Aloe', tag: 'x' }, matchingRules: { body: { $: TYPE } } },
    },
  },
  'media-type response header "content-type"': {
    'a charset that must not be missing': {
      response: { headers: { 'Content-Type': 'application/json; charset=utf-8' } },
    },
    'a response in problem+json': {
      version: '4.0',
      request: NO_TOKEN,
      response: { ...ANY_REJECTION, headers: { 'Content-Type': 'application/problem+json' } },
    },
  },
  'unknown-field response header "location"': {
    'a Location in the response': {
      response: { headers: { Location: '/plants/7' }, matchingRules: { header: { Location: TYPE } } },
    },
  },
  'exact-value response body "error" + exact-value response body "message"': {
    'an Error exactly as in the pact': withoutToken({ matchingRules: {} }),
  },
};

/** Pacts of one interaction, right ones first. */
export const rows: readonly Row[] = [
  ...Object.entries(GOOD).map(([title, patch]): Row => [title, patch, []]),
  ...Object.entries(WRONG).flatMap(([problems, patches]) =>
    Object.entries(patches).map(([title, patch]): Row => [title, patch, problems.split(' + ')]),
  ),
];
