import { ANY_REJECTION, type InteractionPatch, matchers } from './one-interaction.js';

/** One pact with one interaction, and the expected problems. */
export interface Row {
  readonly title: string;
  readonly patch: InteractionPatch;
  /** All problems: the kind, and the pointer after `/interactions/0`. */
  readonly problems: readonly string[];
}

const TYPE = matchers({ match: 'type' });
const INTEGER = matchers({ match: 'integer' });
const LOOSE_ERROR = { body: { '$.error': INTEGER, '$.message': TYPE } };
const REJECTION = { status: 400, body: { error: 1, message: 'rejected' }, matchingRules: LOOSE_ERROR };
const NO_TOKEN = { headers: { Authorization: undefined } };
const NO_PLANT = { name: 'no plant with id', params: { id: 7 } };
const PLANT_EXISTS = { name: 'a plant with id exists', params: { id: 7, name: 'Aloe' } };
const TOKEN_NOT_VALID = { name: 'the token is not valid', params: { token: 'example' } };

/** A body of V4 that is kept as text, to the letter. */
const asText = (content: string) => ({ content, contentType: 'application/json', encoded: 'JSON' });

/** A generator that takes a value from what the set-up of a provider state gives. */
const fromState = (name: string) => ({ type: 'ProviderState', expression: `\${${name}}` });

/** Pacts without a problem. */
const GOOD: readonly Omit<Row, 'problems'>[] = [
  {
    title: 'a plain creation in V2',
    patch: { version: '2.0.0', state: 'there is room' },
  },
  { title: 'a plain creation in V3', patch: { states: [NO_PLANT] } },
  { title: 'a plain creation in V4', patch: { version: '4.0', states: [NO_PLANT] } },
  {
    title: 'a creation with a tag, names by type in V2',
    patch: {
      version: '2.0.0',
      request: { body: { name: 'Aloe', id: 7, tag: 'succulent' } },
      response: {
        body: { name: 'Fern', tag: 'indoor' },
        matchingRules: { '$.body.name': { match: 'type' }, "$.body['tag']": { match: 'type' } },
      },
    },
  },
  {
    title: 'a whole body by type in V2',
    patch: {
      version: '2.0.0',
      response: { body: { name: 'Fern' }, matchingRules: { '$.body': { match: 'type' } } },
    },
  },
  {
    title: 'a whole body by type in V3',
    patch: { response: { body: { name: 'Fern' }, matchingRules: { body: { $: TYPE } } } },
  },
  {
    title: 'a name by a pattern that it matches in V4',
    patch: {
      version: '4.0',
      response: {
        body: { name: 'Fern' },
        matchingRules: { body: { '$.name': matchers({ match: 'regex', regex: '[A-Z][a-z]+' }) } },
      },
    },
  },
  {
    title: 'a pattern of the media type that allows a charset in V2',
    patch: {
      version: '2.0.0',
      response: {
        matchingRules: { '$.headers.Content-Type': { match: 'regex', regex: '^application\\/json.*$' } },
      },
    },
  },
  {
    title: 'a pattern of the media type that allows a charset in V3',
    patch: {
      response: {
        headers: { 'Content-Type': 'application/json; charset=utf-8' },
        matchingRules: {
          header: { 'content-type': matchers({ match: 'regex', regex: 'application/json(;.*)?' }) },
        },
      },
    },
  },
  {
    title: 'the pattern of the media type that Pact for the JVM writes by itself',
    patch: {
      response: {
        headers: { 'Content-Type': 'application/json; charset=UTF-8' },
        matchingRules: {
          header: {
            'Content-Type': matchers({
              match: 'regex',
              regex: 'application/json(;\\s?charset=[\\w\\-]+)?',
            }),
          },
        },
      },
    },
  },
  {
    title: 'a request with a charset',
    patch: { request: { headers: { 'Content-Type': 'application/json; charset=utf-8' } } },
  },
  {
    title: 'a request with a custom header',
    patch: { request: { headers: { 'X-Request-Id': 'abc' } } },
  },
  {
    title: 'a request that accepts JSON among others',
    patch: { request: { headers: { Accept: 'text/html;q=0.8, application/json' } } },
  },
  {
    title: 'a base URL with a path of its own',
    patch: { request: { path: '/v1/plants' } },
  },
  {
    title: 'any success',
    patch: {
      version: '4.0',
      response: {
        status: 201,
        matchingRules: { status: matchers({ match: 'statusCode', status: 'success' }) },
      },
    },
  },
  {
    title: 'a list of statuses with the documented one in it',
    patch: {
      version: '4.0',
      request: NO_TOKEN,
      response: {
        ...REJECTION,
        status: 401,
        matchingRules: { ...LOOSE_ERROR, status: matchers({ match: 'statusCode', status: [400, 401] }) },
      },
    },
  },
  {
    title: 'the upper end of int64',
    patch: { request: { body: { name: 'Aloe', id: 9223372036854775807n } } },
  },
  {
    title: 'the lower end of int64 in V4',
    patch: { version: '4.0', request: { body: { name: 'Aloe', id: -9223372036854775808n } } },
  },
  {
    title: 'an exact id in a body that is written as a string in V4',
    patch: {
      version: '4.0',
      request: {
        body: asText('{"name":"Aloe","id":9007199254740993}'),
      },
    },
  },
  {
    title: 'bodies that are strings in V2',
    patch: {
      version: '2.0.0',
      request: { body: '{"name":"Aloe","id":7}' },
      response: { body: '{"name":"Aloe"}' },
    },
  },
  {
    title: 'an id and a name from the provider state',
    patch: {
      version: '4.0',
      states: [NO_PLANT],
      request: {
        body: { name: 'Aloe', id: 'from the state' },
        generators: { body: { '$.id': fromState('id') } },
      },
      response: {
        body: { name: 'another' },
        generators: { body: { '$.name': fromState('name') } },
      },
    },
  },
  {
    title: 'a token from the provider state',
    patch: {
      request: {
        headers: { Authorization: 'put in later' },
        generators: { header: { Authorization: fromState('token') } },
      },
    },
  },
  {
    title: 'a token that is only an example',
    patch: { request: { headers: { Authorization: 'Bearer <ACCESS_TOKEN>' } } },
  },
  {
    title: 'a response of which only a part is used',
    patch: {
      request: { body: { name: 'Aloe', id: 7, tag: 'succulent' } },
      response: { body: { tag: 'succulent' } },
    },
  },
  {
    title: 'a response of which only the status is used',
    patch: { response: { headers: {}, body: undefined } },
  },
  {
    title: 'an Error of which only the message is used',
    patch: { request: { body: { id: 7 } }, response: { ...REJECTION, body: { message: 'no name' } } },
  },
  {
    title: 'a rejection of a plant without a name, V2',
    patch: {
      version: '2.0.0',
      request: { body: { id: 7 } },
      response: {
        ...REJECTION,
        matchingRules: { '$.body.error': { match: 'integer' }, '$.body.message': { match: 'type' } },
      },
    },
  },
  {
    title: 'a rejection of an id that is a string, any 4xx',
    patch: { version: '4.0', request: { body: { name: 'Aloe', id: '7' } }, response: ANY_REJECTION },
  },
  {
    title: 'a rejection of an id past the end of int64',
    patch: {
      version: '4.0',
      request: { body: { name: 'Aloe', id: 9223372036854775808n } },
      response: ANY_REJECTION,
    },
  },
  {
    title: 'a rejection of a tag that is null',
    patch: { request: { body: { name: 'Aloe', id: 7, tag: null } }, response: REJECTION },
  },
  {
    title: 'a rejection without a token',
    patch: { version: '4.0', request: NO_TOKEN, response: ANY_REJECTION },
  },
  {
    title: 'a rejection without a token, the example being 401',
    patch: { version: '4.0', request: NO_TOKEN, response: { ...ANY_REJECTION, status: 401 } },
  },
  {
    title: 'a rejection of another scheme',
    patch: { version: '4.0', request: { headers: { Authorization: 'Basic YTpi' } }, response: ANY_REJECTION },
  },
  {
    title: 'a rejection of a token that the state calls invalid',
    patch: { version: '4.0', states: [TOKEN_NOT_VALID], response: ANY_REJECTION },
  },
  {
    title: 'a rejection of a token that the description calls expired',
    patch: { version: '4.0', description: 'a creation with an expired token', response: ANY_REJECTION },
  },
  {
    title: 'a rejection of a token that calls itself wrong',
    patch: {
      version: '4.0',
      request: { headers: { Authorization: 'Bearer wrong' } },
      response: ANY_REJECTION,
    },
  },
  {
    title: 'a rejection that an unknown state may explain',
    patch: { version: '4.0', states: [{ name: 'the store is closed' }], response: ANY_REJECTION },
  },
  {
    title: 'an Error by patterns that match everything',
    patch: {
      request: NO_TOKEN,
      response: {
        ...REJECTION,
        matchingRules: {
          body: {
            '$.error': matchers({ match: 'regex', regex: '-?\\d+' }),
            '$.message': matchers({ match: 'regex', regex: '.*' }),
          },
        },
      },
    },
  },
  {
    title: 'a success or a failure, either of them',
    patch: {
      version: '4.0',
      request: { body: { name: 'Aloe' } },
      response: {
        body: undefined,
        matchingRules: { status: matchers({ match: 'statusCode', status: [200, 400] }) },
      },
    },
  },
  {
    title: 'a media type from the provider state',
    patch: {
      request: {
        headers: { 'Content-Type': 'put in later' },
        generators: { header: { 'Content-Type': fromState('type') } },
      },
    },
  },
  {
    title: 'a V4 body whose media type is only beside it',
    patch: { version: '4.0', request: { headers: { 'Content-Type': undefined } } },
  },
  {
    title: 'another id exists than the one that is created',
    patch: { states: [{ name: 'a plant with id exists', params: { id: '8', name: 'Fern' } }] },
  },
];

/** What asks for more than the interface promises. */
const WRONG: readonly Row[] = [
  {
    title: 'a list of plants',
    patch: { request: { method: 'GET', body: undefined }, response: { body: undefined } },
    problems: ['unknown-operation /request/method'],
  },
  {
    title: 'another path',
    patch: { request: { path: '/plants/' } },
    problems: ['unknown-operation /request/path'],
  },
  {
    title: 'a query parameter in V2',
    patch: { version: '2.0.0', request: { query: 'notify=true' } },
    problems: ['unknown-parameter /request/query'],
  },
  {
    title: 'a query parameter in V4',
    patch: { version: '4.0', request: { query: { notify: ['true'] } } },
    problems: ['unknown-parameter /request/query/notify'],
  },
  {
    title: 'a 200 without a token',
    patch: { request: NO_TOKEN },
    problems: ['no-valid-token /request/headers'],
  },
  {
    title: 'a 200 with another scheme',
    patch: { request: { headers: { Authorization: 'Basic YTpi' } } },
    problems: ['no-valid-token /request/headers/Authorization'],
  },
  {
    title: 'a 200 with a scheme but no token',
    patch: { request: { headers: { Authorization: 'Bearer ' } } },
    problems: ['no-valid-token /request/headers/Authorization'],
  },
  {
    title: 'a 200 with a token that the state calls invalid',
    patch: { states: [TOKEN_NOT_VALID] },
    problems: ['no-valid-token /request/headers/Authorization'],
  },
  {
    title: 'a 200 for a plant without a name',
    patch: { request: { body: { id: 7 } } },
    problems: ['invalid-request /request/body'],
  },
  {
    title: 'a 200 for an id that is a string in V4',
    patch: { version: '4.0', request: { body: { name: 'Aloe', id: '7' } } },
    problems: ['invalid-request /request/body/content/id'],
  },
  {
    title: 'a 200 for an id past the end of int64',
    patch: { request: { body: { name: 'Aloe', id: 9223372036854775808n } } },
    problems: ['invalid-request /request/body/id'],
  },
  {
    title: 'a 200 for an id with a fraction',
    patch: { request: { body: { name: 'Aloe', id: 1.5 } } },
    problems: ['invalid-request /request/body/id'],
  },
  {
    title: 'a 200 for a tag that is null',
    patch: { request: { body: { name: 'Aloe', id: 7, tag: null } } },
    problems: ['invalid-request /request/body/tag'],
  },
  {
    title: 'a 200 without a body',
    patch: { request: { body: undefined } },
    problems: ['invalid-request /request'],
  },
  {
    title: 'a 200 for a body that is not JSON',
    patch: { request: { body: '{"name":' } },
    problems: ['invalid-request /request/body'],
  },
  {
    title: 'a 200 for an unknown field',
    patch: { request: { body: { name: 'Aloe', id: 7, colour: 'green' } } },
    problems: ['unknown-field /request/body/colour'],
  },
  {
    title: 'a rejection of an unknown field',
    patch: { request: { body: { name: 'Aloe', id: 7, colour: 'green' } }, response: REJECTION },
    problems: ['not-shown /request/body/colour'],
  },
  {
    title: 'a duplicate key in a body written as text',
    patch: {
      version: '4.0',
      request: {
        body: asText('{"name":"Fern","name":"Aloe","id":7}'),
      },
    },
    problems: ['duplicate-key /request/body/content'],
  },
  {
    title: 'an id with a fraction of zero',
    patch: { version: '4.0', request: { body: asText('{"name":"Aloe","id":7.0}') } },
    problems: ['not-shown /request/body/content'],
  },
  {
    title: 'a 200 for a request without Content-Type',
    patch: { request: { headers: { 'Content-Type': undefined } } },
    problems: ['media-type /request/headers'],
  },
  {
    title: 'a 200 for a request in plain text',
    patch: { request: { headers: { 'Content-Type': 'text/plain' } } },
    problems: ['media-type /request/headers/Content-Type'],
  },
  {
    title: 'a 200 for a request in a media type that only resembles JSON',
    patch: { request: { headers: { 'Content-Type': 'application/vnd.plants+json' } } },
    problems: ['media-type /request/headers/Content-Type'],
  },
  {
    title: 'a rejection of another media type',
    patch: {
      version: '4.0',
      request: { headers: { 'Content-Type': 'text/plain' } },
      response: ANY_REJECTION,
    },
    problems: ['not-shown /request/headers/Content-Type'],
  },
  {
    title: 'HTML is expected',
    patch: { request: { headers: { Accept: 'text/html' } } },
    problems: ['media-type /request/headers/Accept'],
  },
  {
    title: 'a rejection of a valid creation with a new id',
    patch: { version: '4.0', states: [NO_PLANT], response: ANY_REJECTION },
    problems: ['rejected-valid-request /response/status'],
  },
  {
    title: 'a rejection of an id beyond 2^31',
    patch: { request: { body: { name: 'Aloe', id: 3_000_000_000 } }, response: REJECTION },
    problems: ['rejected-valid-request /response/status'],
  },
  {
    title: 'a rejection of an empty name',
    patch: { request: { body: { name: '', id: 7 } }, response: REJECTION },
    problems: ['not-shown /request/body/name'],
  },
  {
    title: 'a rejection of a negative id',
    patch: { request: { body: { name: 'Aloe', id: -1 } }, response: REJECTION },
    problems: ['not-shown /request/body/id'],
  },
  {
    title: 'a rejection of the id 0',
    patch: { request: { body: { name: 'Aloe', id: 0 } }, response: REJECTION },
    problems: ['not-shown /request/body/id'],
  },
  {
    title: 'a rejection of the end of int64',
    patch: { request: { body: { name: 'Aloe', id: 9223372036854775807n } }, response: REJECTION },
    problems: ['rejected-valid-request /response/status'],
  },
  {
    title: 'a rejection of a plain tag',
    patch: { request: { body: { name: 'Aloe', id: 7, tag: 'succulent' } }, response: REJECTION },
    problems: ['rejected-valid-request /response/status'],
  },
  {
    title: 'a rejection of a tag of two words',
    patch: { request: { body: { name: 'Aloe', id: 7, tag: 'two words' } }, response: REJECTION },
    problems: ['not-shown /request/body/tag'],
  },
  {
    title: 'a 200 for an id that exists, whichever it will be',
    patch: {
      states: [{ name: 'a plant with id exists', params: { id: 8 } }],
      request: { generators: { body: { '$.id': fromState('id') } } },
    },
    problems: ['not-shown /request/body/id'],
  },
  {
    title: 'a rejection of a duplicate id',
    patch: { states: [PLANT_EXISTS], response: REJECTION },
    problems: ['not-shown /request/body/id'],
  },
  {
    title: 'a 200 for a duplicate id',
    patch: { version: '4.0', states: [PLANT_EXISTS] },
    problems: ['not-shown /request/body/content/id'],
  },
  {
    title: 'a 409 for a duplicate id',
    patch: { states: [PLANT_EXISTS], response: { ...REJECTION, status: 409 } },
    problems: ['not-shown /request/body/id', 'not-shown /response/status'],
  },
  {
    title: 'a 201',
    patch: { response: { status: 201 } },
    problems: ['undocumented-status /response/status'],
  },
  {
    title: 'a redirect',
    patch: { response: { status: 303, body: undefined } },
    problems: ['undocumented-status /response/status'],
  },
  {
    title: 'a 401 without a token',
    patch: { request: NO_TOKEN, response: { ...REJECTION, status: 401 } },
    problems: ['not-shown /response/status'],
  },
  {
    title: 'a 503 while the store is closed',
    patch: { states: [{ name: 'the store is closed' }], response: { ...REJECTION, status: 503 } },
    problems: ['undocumented-status /response/status'],
  },
  {
    title: 'any server error',
    patch: {
      version: '4.0',
      request: NO_TOKEN,
      response: {
        ...REJECTION,
        status: 500,
        matchingRules: { ...LOOSE_ERROR, status: matchers({ match: 'statusCode', status: 'serverError' }) },
      },
    },
    problems: ['undocumented-status /response/status'],
  },
  {
    title: 'an id in the response',
    patch: { response: { body: { name: 'Aloe', id: 7 } } },
    problems: ['unknown-field /response/body/id'],
  },
  {
    title: 'a further field of an Error',
    patch: {
      request: NO_TOKEN,
      response: { ...REJECTION, body: { error: 1, message: 'rejected', details: 'none' } },
    },
    problems: ['unknown-field /response/body/details'],
  },
  {
    title: 'a tag of null in the response',
    patch: { response: { body: { name: 'Aloe', tag: null } } },
    problems: ['wrong-body /response/body/tag'],
  },
  {
    title: 'a name that is a number, by type',
    patch: { response: { body: { name: 7 }, matchingRules: { body: { '$.name': TYPE } } } },
    problems: ['wrong-body /response/body/name'],
  },
  {
    title: 'an error past the end of int32',
    patch: {
      request: NO_TOKEN,
      response: { ...REJECTION, body: { error: 2_147_483_648, message: 'rejected' } },
    },
    problems: ['wrong-body /response/body/error'],
  },
  {
    title: 'a response that is a list',
    patch: { response: { body: [{ name: 'Aloe' }] } },
    problems: ['wrong-body /response/body'],
  },
  {
    title: 'a response that must be empty',
    patch: { response: { headers: { 'Content-Type': undefined }, body: null } },
    problems: ['wrong-body /response/body'],
  },
  {
    title: 'a duplicate key in a response',
    patch: { version: '4.0', response: { body: asText('{"name":"Fern","name":"Aloe"}') } },
    problems: ['duplicate-key /response/body/content'],
  },
  {
    title: 'another name than the one that is sent',
    patch: { response: { body: { name: 'Fern' } } },
    problems: ['unsent-value /response/body/name'],
  },
  {
    title: 'another name, equal although the body is by type',
    patch: {
      response: {
        body: { name: 'Fern' },
        matchingRules: { body: { $: TYPE, '$.name': matchers({ match: 'equality' }) } },
      },
    },
    problems: ['unsent-value /response/body/name'],
  },
  {
    title: 'a name by a pattern that it does not match',
    patch: { response: { matchingRules: { body: { '$.name': matchers({ match: 'regex', regex: 'A' }) } } } },
    problems: ['unsent-value /response/body/name'],
  },
  {
    title: 'a tag that was not sent, by type',
    patch: { response: { body: { name: 'Aloe', tag: 'x' }, matchingRules: { body: { $: TYPE } } } },
    problems: ['unsent-value /response/body/tag'],
  },
  {
    title: 'an Error exactly as in the pact',
    patch: { request: NO_TOKEN, response: { ...REJECTION, matchingRules: {} } },
    problems: ['exact-value /response/body/error', 'exact-value /response/body/message'],
  },
  {
    title: 'a message exactly as in the pact in V4',
    patch: {
      version: '4.0',
      request: NO_TOKEN,
      response: { ...REJECTION, matchingRules: { body: { '$.error': INTEGER } } },
    },
    problems: ['exact-value /response/body/content/message'],
  },
  {
    title: 'a message with a word in it',
    patch: {
      version: '2.0.0',
      request: NO_TOKEN,
      response: {
        ...REJECTION,
        matchingRules: { '$.body.error': { match: 'type' }, '$.body.message': { regex: '.*token.*' } },
      },
    },
    problems: ['narrow-rule /response/body/message'],
  },
  {
    title: 'an error that must not be negative, and a message that must not be empty',
    patch: {
      request: NO_TOKEN,
      response: {
        ...REJECTION,
        matchingRules: {
          body: {
            '$.error': matchers({ match: 'regex', regex: '\\d+' }),
            '$.message': matchers({ match: 'notEmpty' }),
          },
        },
      },
    },
    problems: ['narrow-rule /response/body/error', 'narrow-rule /response/body/message'],
  },
  {
    title: 'an error that must be a decimal',
    patch: {
      request: NO_TOKEN,
      response: {
        ...REJECTION,
        matchingRules: { body: { $: TYPE, '$.error': matchers({ match: 'decimal' }) } },
      },
    },
    problems: ['narrow-rule /response/body/error'],
  },
  {
    title: 'a pattern that rejects a charset',
    patch: {
      response: {
        matchingRules: {
          header: { 'Content-Type': matchers({ match: 'regex', regex: '^application/json' }) },
        },
      },
    },
    problems: ['narrow-rule /response/headers/Content-Type'],
  },
  {
    title: 'a charset that must not be missing',
    patch: { response: { headers: { 'Content-Type': 'application/json; charset=utf-8' } } },
    problems: ['narrow-rule /response/headers/Content-Type'],
  },
  {
    title: 'a response in problem+json',
    patch: {
      version: '4.0',
      request: NO_TOKEN,
      response: { ...ANY_REJECTION, headers: { 'Content-Type': 'application/problem+json' } },
    },
    problems: ['media-type /response/headers/Content-Type'],
  },
  {
    title: 'a response in HTML',
    patch: { response: { headers: { 'Content-Type': 'text/html' }, body: undefined } },
    problems: ['media-type /response/headers/Content-Type'],
  },
  {
    title: 'a Location in the response',
    patch: {
      response: { headers: { Location: '/plants/7' }, matchingRules: { header: { Location: TYPE } } },
    },
    problems: ['unpromised-header /response/headers/Location'],
  },
  {
    title: 'a custom header in the response',
    patch: { response: { headers: { 'X-Plant-Id': '7' } } },
    problems: ['unpromised-header /response/headers/X-Plant-Id'],
  },
  {
    title: 'a matcher that Pact does not have',
    patch: {
      response: { matchingRules: { body: { '$.name': matchers({ match: 'botanical' }) } } },
    },
    problems: ['unusable-rule /response/matchingRules/body/$.name/matchers/0'],
  },
  {
    title: 'several things at once',
    patch: {
      request: { headers: { Authorization: undefined }, body: { id: '7' } },
      response: { status: 201, headers: { Server: 'x' }, body: { name: 'Aloe', id: '7' } },
    },
    problems: [
      'invalid-request /request/body',
      'invalid-request /request/body/id',
      'no-valid-token /request/headers',
      'undocumented-status /response/status',
      'unknown-field /response/body/id',
      'unpromised-header /response/headers/Server',
    ],
  },
];

/** Pacts of one interaction, right ones first. */
export const rows: readonly Row[] = [...GOOD.map((row) => ({ ...row, problems: [] })), ...WRONG];
